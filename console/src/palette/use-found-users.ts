import { useDebouncedValue } from '@mantine/hooks';
import { limits } from '@rollcall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { typingPauseMs } from '../components/search-box.js';
import { rollcall } from '../session/api.js';

const shownMax = 7;

/** Users who match what is being typed. */
export function useFoundUsers(typed: string) {
  const [search] = useDebouncedValue(typed.trim().slice(0, limits.searchMaxLength), typingPauseMs);
  const query = useQuery({
    queryKey: ['found-users', 'palette', search],
    queryFn: async ({ signal }) =>
      (await rollcall.call('listUsers', { query: { search, limit: shownMax }, signal })).body.data,
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const isCurrent = search === typed.trim();
  return {
    users: typed.trim() === '' ? [] : (query.data?.items ?? []),
    hasMore: query.data?.nextCursor != null,
    isSearching: typed.trim() !== '' && (!isCurrent || query.isFetching),
    isError: query.isError,
  };
}
