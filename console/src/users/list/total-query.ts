import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import { usersKey } from '../data/user-queries.js';
import type { MatchQuery } from './users-view.js';

/** How many users match. Asked separately, because lists shouldn't wait for it. */
export function totalQuery(query: MatchQuery) {
  return queryOptions({
    queryKey: [...usersKey, 'total', query],
    queryFn: async ({ signal }) => {
      const options = { query: { ...query, total: 'approximate', limit: 1 }, signal } as const;
      return (await rollcall.call('listUsers', options)).body.data.total ?? null;
    },
  });
}
