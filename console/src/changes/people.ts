import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';

const shownMax = 20;
const clientsMax = 200;
const staleMs = 60_000;

/** Users who match a search, or the first ones. */
export function useFoundUsers(search: string) {
  const { data } = useQuery({
    queryKey: ['found-users', search],
    queryFn: async ({ signal }) => {
      const query = { limit: shownMax, sort: 'name' as const, ...(search === '' ? {} : { search }) };
      return (await rollcall.call('listUsers', { query, signal })).body.data.items;
    },
    placeholderData: keepPreviousData,
    staleTime: staleMs,
  });
  return data ?? [];
}

/** Programs that may have changed users. */
export function useClientNames(isAllowed: boolean) {
  const { data } = useQuery({
    queryKey: ['activity', 'client-names'],
    queryFn: async ({ signal }) => {
      const { items } = (await rollcall.call('listClients', { query: { limit: clientsMax }, signal })).body
        .data;
      return items.map(({ id, name }) => ({ value: id, label: name }));
    },
    enabled: isAllowed,
    staleTime: staleMs,
  });
  return data ?? [];
}
