import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ListedUser } from '../data/user.js';
import {
  everyone,
  isSelected,
  nobody,
  rowRange,
  type Selection,
  selectedMax,
  type UserSelection,
  withUsers,
} from '../selection/selection.js';
import { loadedRowCount, pageSize } from './page-chain.js';
import { type PagedUsers, pageQuery } from './use-users.js';

/** Ticked users stay selected when the search changes. "Everyone" means another list then, so it ends. */
export function useSelection(users: PagedUsers): UserSelection {
  const queries = useQueryClient();
  const [current, setCurrent] = useState<Selection>(nobody);
  const [isTooMany, setIsTooMany] = useState(false);
  const [error, setError] = useState<unknown>();
  const anchor = useRef<number>(undefined);
  const { sort: _, exactFirst: __, ...match } = users.query;
  const matchKey = JSON.stringify(match);
  const [lastMatchKey, setLastMatchKey] = useState(matchKey);
  if (lastMatchKey !== matchKey) {
    setLastMatchKey(matchKey);
    if (current.kind === 'all') setCurrent(nobody);
  }
  const [lastKey, setLastKey] = useState(users.key);
  if (lastKey !== users.key) {
    setLastKey(users.key);
    anchor.current = undefined;
  }

  const latest = useRef({ change, toggle });
  function change(changed: readonly ListedUser[], isAdded: boolean): void {
    const next = withUsers(current, changed, isAdded);
    setIsTooMany(next === 'tooMany');
    setError(undefined);
    if (next !== 'tooMany') setCurrent(next);
  }
  /** Rows that are out of sight may have been dropped. */
  const read = async (first: number, last: number): Promise<ListedUser[]> => {
    const found: ListedUser[] = [];
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page++) {
      const cursor = users.chain.cursors[page];
      if (page > 0 && cursor === undefined) break;
      const { items } = await queries.ensureQueryData(pageQuery(users.query, cursor));
      const start = page * pageSize;
      found.push(...items.slice(Math.max(0, first - start), last - start + 1));
    }
    return found;
  };
  function toggle(row: number, user: ListedUser, isRange: boolean): void {
    if (current.kind === 'all') return;
    const isAdded = !isSelected(current, user.serial);
    const { first, last } = rowRange(isRange ? anchor.current : undefined, row);
    anchor.current = row;
    if (first === last) change([user], isAdded);
    else if (last - first >= selectedMax) setIsTooMany(true);
    else read(first, last).then((ranged) => latest.current.change(ranged, isAdded), setError);
  }
  // Rows stay the same when something else is ticked, and what is read arrives later.
  latest.current = { change, toggle };
  return {
    current,
    isWholeList: current.kind === 'all' || isWholeList(queries, users, current.users),
    isTooMany,
    error,
    toggle: useCallback((row, user, isRange) => latest.current.toggle(row, user, isRange), []),
    selectAll: (total) => {
      setIsTooMany(false);
      setError(undefined);
      // One by one if possible, so that some of them can be unticked.
      if (total === undefined || total > selectedMax) return setCurrent(everyone);
      readAll(queries, users).then((all) => latest.current.change(all, true), setError);
    },
    clear: () => {
      anchor.current = undefined;
      setIsTooMany(false);
      setError(undefined);
      setCurrent(nobody);
    },
  };
}

async function readAll(queries: QueryClient, { query }: PagedUsers): Promise<ListedUser[]> {
  const found: ListedUser[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ListedUser[]; nextCursor: string | null } = await queries.ensureQueryData(
      pageQuery(query, cursor ?? undefined),
    );
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length <= selectedMax);
  return found;
}

/** False if some pages are not loaded, or no longer. */
function isWholeList(
  queries: QueryClient,
  { query, chain }: PagedUsers,
  selected: ReadonlyMap<string, ListedUser>,
): boolean {
  if (selected.size === 0 || chain.lastPageRows === undefined || selected.size < loadedRowCount(chain))
    return false;
  return chain.cursors.every((cursor) => {
    const page = queries.getQueryData(pageQuery(query, cursor).queryKey);
    return page?.items.every(({ serial }) => selected.has(serial)) ?? false;
  });
}
