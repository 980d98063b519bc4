import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import { firstState } from './first-state.js';

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
