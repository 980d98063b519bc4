import type { Failure } from '../../contract/errors.js';
import { snapshot } from '../../storage/database.js';
import {
  isPlainList,
  listUsers as readPage,
  type Page as StoredPage,
} from '../../storage/users/list-users.js';
import {
  type PagePosition,
  type PageRequest,
  type SortKey,
  sortKeys,
  strategyLimits,
} from '../../storage/users/page-order.js';
import type { Context } from '../context.js';
import { fingerprintOf, invalidCursor, type Page, readCursor, writeCursor } from '../cursor.js';
import { parseSearch } from '../indexing/search-query.js';
import { isSerial } from '../serial.js';
import { type ListedUser, withFormerIdMatches } from './former-id-matches.js';
import { type MatchFilters, matchingUsers, storedFilters } from './matching-users.js';

export type { MatchFilters, RoleFilter } from './matching-users.js';
export type { SortKey };
export { sortKeys };

export interface ListRequest {
  readonly filters: MatchFilters;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

type PageOrder = Omit<PageRequest, 'filters' | 'search' | 'fresh'>;

export type Listed = Page<ListedUser>;

export async function listUsers(
  context: Context,
  request: ListRequest,
  strategies = strategyLimits,
): Promise<Listed> {
  const { filters, sort, descending, limit, cursor } = request;
  const fingerprint = fingerprintOf(Object.entries(filters).sort(), sort, descending);
  const after = cursor === undefined ? undefined : positionIn(cursor, fingerprint, sort);
  if (after === 'invalid') return invalidCursor();
  const order = { sort, descending, collation: context.nameCollation, limit, after, strategies };
  const page = await readUsers(context, filters, order);
  if ('error' in page) return { ok: false, failure: page satisfies Failure };
  const nextCursor = page.end ? writeCursor(fingerprint, [page.end.serial, page.end.key]) : null;
  return { ok: true, items: page.users, nextCursor };
}

function readUsers(
  { database }: Context,
  filters: MatchFilters,
  order: PageOrder,
): Promise<(StoredPage & { readonly users: readonly ListedUser[] }) | Failure> {
  const plain = { ...order, filters: storedFilters(filters), search: undefined };
  const { search, formerEmployeeIDs } = filters;
  const mayMatchFormerIds = search !== undefined || formerEmployeeIDs !== undefined;
  if (!mayMatchFormerIds && isPlainList(plain)) return readPage(database.pool, { ...plain, fresh: [] });
  return snapshot(database, async (tx) => {
    const matching = await matchingUsers(tx, filters);
    if ('error' in matching) return matching;
    const page = await readPage(tx, { ...order, ...matching });
    if (!mayMatchFormerIds) return page;
    const query = search === undefined ? undefined : parseSearch(search);
    return { ...page, users: await withFormerIdMatches(tx, page.users, query, formerEmployeeIDs) };
  });
}

function positionIn(cursor: string, fingerprint: string, sort: SortKey): PagePosition | 'invalid' {
  const [serial, key, ...rest] = readCursor(cursor, fingerprint) ?? [];
  if (serial === undefined || key === undefined || rest.length > 0 || !isSerial(serial)) return 'invalid';
  return sort === 'createdAt' && key !== serial ? 'invalid' : { key, serial };
}
