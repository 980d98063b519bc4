import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { rollcall } from '../../session/api.js';
import type { ListedUser } from '../data/user.js';
import { usersKey } from '../data/user-queries.js';
import { firstPageOnly, type PageChain, pageSize, pagesForRows, withPage } from './page-chain.js';
import type { UsersQuery } from './users-view.js';

/** Pages out of view are dropped, so that long lists do not fill the memory. */
const offscreenPageTtlMs = 60_000;

/** The index usually catches up within seconds. */
const incompleteRefetchMs = 3_000;

export function pageQuery(query: UsersQuery, cursor: string | undefined) {
  return queryOptions({
    queryKey: [...usersKey, query, cursor ?? null],
    queryFn: async ({ signal }) => {
      const page = cursor === undefined ? (query.search === undefined ? {} : { suggest: true }) : { cursor };
      const range = { limit: pageSize, ...page };
      const { body } = await rollcall.call('listUsers', { query: { ...query, ...range }, signal });
      return body.data;
    },
    gcTime: offscreenPageTtlMs,
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? incompleteRefetchMs : false),
  });
}

const noSuggestions: readonly string[] = [];

interface Shown {
  readonly key: string;
  readonly query: UsersQuery;
  readonly chain: PageChain;
}

export interface PagedUsers {
  /** Identifies the list: its filters and order. */
  readonly key: string;
  readonly query: UsersQuery;
  readonly chain: PageChain;
  /** Whether no users are missing because they have just changed. */
  readonly isComplete: boolean;
  /** Searches for similar names, if few users were found. */
  readonly suggestions: readonly string[];
  /** Undefined while the row is loading. */
  readonly rowAt: (index: number) => ListedUser | undefined;
  readonly isFirstLoad: boolean;
  /** A new list is loading; the previous one stays visible until then. */
  readonly isReplacing: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly showRows: (first: number, last: number) => void;
}

/**
 * Each visible page is a query of its own. An infinite query would keep every page and refetch all of them after a
 * change.
 */
export function useUsers(query: UsersQuery, known?: PageChain): PagedUsers {
  const key = JSON.stringify(query);
  const first = useQuery(pageQuery(query, undefined));
  const [shown, setShown] = useState<Shown>({ key, query, chain: known ?? firstPageOnly });
  const [inSight, setInSight] = useState({ first: 0, last: 0 });
  if (first.data && shown.key !== key) {
    setShown({ key, query, chain: firstPageOnly });
    setInSight({ first: 0, last: 0 });
  }

  const pages = pagesForRows(shown.chain, inSight.first * pageSize, inSight.last * pageSize);
  const results = useQueries({
    queries: pages.map((page) => pageQuery(shown.query, shown.chain.cursors[page])),
  });
  const chain = results.reduce((chainSoFar, { data }, index) => {
    const page = pages[index];
    if (!data || page === undefined) return chainSoFar;
    return withPage(chainSoFar, page, { rows: data.items.length, nextCursor: data.nextCursor });
  }, shown.chain);
  if (chain !== shown.chain) setShown({ ...shown, chain });

  const failed = [first, ...results].filter(({ isError }) => isError);
  const client = useQueryClient();
  const showRows = useCallback((from: number, to: number) => {
    const next = { first: Math.floor(from / pageSize), last: Math.floor(to / pageSize) };
    setInSight((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  return {
    key: shown.key,
    query: shown.query,
    chain,
    isComplete: results.every(({ data }) => data?.isComplete !== false),
    suggestions: results[pages.indexOf(0)]?.data?.suggestions ?? noSuggestions,
    rowAt: (index) => results[pages.indexOf(Math.floor(index / pageSize))]?.data?.items[index % pageSize],
    isFirstLoad: first.isPending && shown.key === key,
    isReplacing: shown.key !== key,
    error: failed[0]?.error,
    retry: () =>
      void client.refetchQueries({
        queryKey: usersKey,
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      }),
    showRows,
  };
}
