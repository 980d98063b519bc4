import { useInfiniteQuery } from '@tanstack/react-query';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface PagedList<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly reload: () => void;
  readonly loadMore: () => void;
}

interface PagedListOptions<Item> {
  readonly key: readonly unknown[];
  readonly load: (page: PageRequest, signal: AbortSignal) => Promise<Page<Item>>;
  /** The polling interval; false to stop polling. */
  readonly refetchMs?: (items: readonly Item[]) => number | false;
  readonly isEnabled?: boolean;
}

const pageLimit = 100;

export function usePagedList<Item>({
  key,
  load,
  refetchMs,
  isEnabled = true,
}: PagedListOptions<Item>): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ cursor: pageParam, limit: pageLimit }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => refetchMs?.(itemsOf(state.data?.pages)) ?? false,
    enabled: isEnabled,
  });
  return {
    items: itemsOf(query.data?.pages),
    isLoading: query.isPending,
    error: query.error ?? undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    reload: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
  };
}

function itemsOf<Item>(pages: readonly Page<Item>[] | undefined): readonly Item[] {
  return pages?.flatMap(({ items }) => items) ?? [];
}
