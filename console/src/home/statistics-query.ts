import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';
import type { RangeDays } from './statistics.js';

/** The key of all numbers per day. */
const statisticsKey = ['statistics'] as const;

export function statisticsQuery(days: RangeDays) {
  return queryOptions({
    queryKey: [...statisticsKey, days],
    queryFn: async ({ signal }) => {
      const query = { from: daysAgo(days - 1) };
      return (await rollcall.call('getStatistics', { query, signal })).body.data;
    },
    placeholderData: keepPreviousData,
  });
}

/** A day in UTC. The service decides what today is, so one day more or less doesn't matter. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
