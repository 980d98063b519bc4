import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';

type WaitingForSomeone = 'parked' | 'held';

/** The messages to show first: those that someone has to deal with, if any. */
export async function firstState(
  hasAny: (state: WaitingForSomeone) => Promise<boolean>,
): Promise<WaitingForSomeone | 'all'> {
  for (const state of ['parked', 'held'] as const) if (await hasAny(state)) return state;
  return 'all';
}

export const firstStateQuery = queryOptions({
  queryKey: ['activity', 'deliveries', 'first-state'],
  queryFn: ({ signal }) =>
    firstState(async (state) => {
      const query = { state, limit: 1 };
      return (await rollcall.call('listDeliveries', { query, signal })).body.data.items.length > 0;
    }),
  staleTime: 0,
  gcTime: 0,
});
