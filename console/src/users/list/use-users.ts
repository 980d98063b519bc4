import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { firstPageOnly, type PageChain, pageSize, pagesForRows, withPage } from './page-chain.js';
import type { UsersQuery } from './users-view.js';

/** Everything that lists people; whoever changes one invalidates it. */
export const usersKey = ['people'] as const;

/** A page that is out of sight is forgotten after a while, so that a long scroll does not fill the memory. */
const offscreenPageTtlMs = 60_000;

function pageQuery(query: UsersQuery, cursor: string | undefined) {
  return queryOptions({
    queryKey: [...usersKey, query, cursor ?? null],
    queryFn: async ({ signal }) => {
      const range = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await rollcall.call('listUsers', { query: { ...query, ...range }, signal });
      return body.data;
    },
    gcTime: offscreenPageTtlMs,
  });
}

interface Shown {
  readonly key: string;
  readonly query: UsersQuery;
  readonly chain: PageChain;
}

export interface PagedUsers {
  /** Tells one list from another. */
  readonly key: string;
  readonly chain: PageChain;
  /** Undefined while the row is on its way. */
  readonly rowAt: (index: number) => User | undefined;
  readonly isFirstLoad: boolean;
  /** Another list was asked for; the one before stays until it is there. */
  readonly isReplacing: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly showRows: (first: number, last: number) => void;
}

/**
 * The list of people in pages. Not an infinite query: that keeps every page and reads all of them again after each
 * change, hundreds of them for a long list. Here the pages in sight are queries of their own.
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
  const chain = results.reduce((sofar, { data }, index) => {
    const page = pages[index];
    if (!data || page === undefined) return sofar;
    return withPage(sofar, page, { rows: data.items.length, nextCursor: data.nextCursor });
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
    chain,
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
