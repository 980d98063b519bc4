import { useInfiniteQuery } from '@tanstack/react-query';

export interface LoadedPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface PageAsked {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** What a list shows of what was loaded so far. */
export interface Endless<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly reload: () => void;
  readonly loadMore: () => void;
}

interface EndlessOptions<Item> {
  readonly key: readonly unknown[];
  readonly load: (page: PageAsked, signal: AbortSignal) => Promise<LoadedPage<Item>>;
  /** Looked at again after so long, while it is true of the items. */
  readonly refetchMs?: (items: readonly Item[]) => number | false;
}

const pageLimit = 100;

/** A list of the API, page after page. */
export function useEndless<Item>({ key, load, refetchMs }: EndlessOptions<Item>): Endless<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ cursor: pageParam, limit: pageLimit }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => refetchMs?.(itemsOf(state.data?.pages)) ?? false,
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

function itemsOf<Item>(pages: readonly LoadedPage<Item>[] | undefined): readonly Item[] {
  return pages?.flatMap(({ items }) => items) ?? [];
}
