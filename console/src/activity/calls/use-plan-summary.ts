import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import type { Call } from './call-waiting.js';
import { planSummary } from './plan-summary.js';

const pageLimit = 200;
/** Reading more would take too long. */
const itemsMax = 4_000;

/** What a planned call does; empty if that is unknown. */
export function usePlanSummary({ id, items }: Call, isWanted: boolean): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['activity', 'plan-summary', id],
    queryFn: async ({ signal }) => {
      const all: Schemas['CallItem'][] = [];
      const pages = rollcall.pages('listCallItems', { path: { id }, query: { limit: pageLimit }, signal });
      for await (const page of pages) all.push(...page.items);
      return planSummary(all);
    },
    enabled: isWanted && items <= itemsMax,
  });
  return data;
}
