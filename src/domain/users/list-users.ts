import type { Failure } from '../../contract/errors.js';
import type { UserView } from '../../contract/users.js';
import { snapshot } from '../../storage/database.js';
import {
  isPlainList,
  type PagePosition,
  type PageRequest,
  listUsers as readPage,
  type SortKey,
  type Page as StoredPage,
  sortKeys,
} from '../../storage/users/list-users.js';
import type { Context } from '../context.js';
import { fingerprintOf, invalidCursor, type Page, readCursor, writeCursor } from '../cursor.js';
import { parseSearch, type SearchQuery } from '../indexing/search-query.js';
import { isSerial } from '../serial.js';
import { findsNobody, type MatchFilters, matchingUsers, storedFilters } from './matching-users.js';

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

export type Listed = Page<UserView>;

export async function listUsers(context: Context, request: ListRequest): Promise<Listed> {
  const { filters, sort, descending, limit, cursor } = request;
  const fingerprint = fingerprintOf(Object.entries(filters).sort(), sort, descending);
  const after = cursor === undefined ? undefined : positionIn(cursor, fingerprint, sort);
  if (after === 'invalid') return invalidCursor();
  const query = filters.search === undefined ? undefined : parseSearch(filters.search);
  if (query && findsNobody(query)) return { ok: true, items: [], nextCursor: null };
  const order = { sort, descending, collation: context.nameCollation, limit, after };
  const page = await readUsers(context, filters, query, order);
  if ('error' in page) return { ok: false, failure: page satisfies Failure };
  const nextCursor = page.end ? writeCursor(fingerprint, [page.end.serial, page.end.key]) : null;
  return { ok: true, items: page.users, nextCursor };
}

function readUsers(
  { database }: Context,
  filters: MatchFilters,
  query: SearchQuery | undefined,
  order: PageOrder,
): Promise<StoredPage | Failure> {
  const plain = { ...order, filters: storedFilters(filters), search: undefined };
  if (!query && isPlainList(plain)) return readPage(database.pool, { ...plain, fresh: [] });
  return snapshot(database, async (tx) => {
    const matching = await matchingUsers(tx, filters, query);
    return 'error' in matching ? matching : readPage(tx, { ...order, ...matching });
  });
}

function positionIn(cursor: string, fingerprint: string, sort: SortKey): PagePosition | 'invalid' {
  const [serial, key, ...rest] = readCursor(cursor, fingerprint) ?? [];
  if (serial === undefined || key === undefined || rest.length > 0 || !isSerial(serial)) return 'invalid';
  return sort === 'createdAt' && key !== serial ? 'invalid' : { key, serial };
}
