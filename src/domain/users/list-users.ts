import type { Failure } from '../../contract/errors.js';
import type { UserView } from '../../contract/users.js';
import { type Database, type Executor, snapshot } from '../../storage/database.js';
import { isPlainList, listUsers as readPage } from '../../storage/users/list-users.js';
import type { Matching } from '../../storage/users/matching-users.js';
import {
  isByAttribute,
  type PageRequest,
  type Sort,
  type SortKey,
  sortKeys,
  strategyLimits,
} from '../../storage/users/page-order.js';
import { fingerprintOf, invalidCursor, type Page, readCursor, writeCursor } from '../cursor.js';
import { parseSearch } from '../indexing/search-query.js';
import { isSerial } from '../serial.js';
import { exactMatches, exactMatchesMax } from './exact-matches.js';
import { type ListedUser, withFormerIdMatches } from './former-id-matches.js';
import { isByInactiveManager, type MatchFilters, matchingUsers, storedFilters } from './matching-users.js';

export type { MatchFilters, RoleFilter } from './matching-users.js';

export interface UserListContext {
  readonly database: Database;
  /** The database's name for the order of names. */
  readonly nameCollation: string;
}
export type { Sort, SortKey };
export { sortKeys };

export interface ListRequest {
  readonly filters: MatchFilters;
  readonly sort: Sort;
  readonly descending: boolean;
  /** Whether users whose whole employee ID was searched for come first, whatever the order. */
  readonly exactFirst: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

type PageOrder = Omit<PageRequest, keyof Matching>;

/** Where a page starts. After the users who came first, that may be the beginning of the order. */
type Position = Pick<PageRequest, 'after' | 'leading'>;

interface ReadPage<User extends UserView> {
  readonly users: readonly User[];
  /** Undefined on the last page. */
  readonly next: Position | undefined;
  /** Whether nobody is missing, because the index is up to date or wasn't needed. */
  readonly isComplete: boolean;
}

export type Listed = Page<ListedUser>;

export async function listUsers(
  { database, nameCollation }: UserListContext,
  request: ListRequest,
  strategies = strategyLimits,
): Promise<Listed> {
  const { filters, sort, descending, exactFirst, limit, cursor } = request;
  const fingerprint = fingerprintOf(Object.entries(filters).sort(), sort, descending);
  const position = cursor === undefined ? firstPage : positionIn(cursor, fingerprint, sort);
  if (position === 'invalid') return invalidCursor();
  const order = { sort, descending, collation: nameCollation, limit, strategies, ...position };
  const page = await readUsers(database, filters, order, exactFirst && position === firstPage);
  if ('error' in page) return { ok: false, failure: page satisfies Failure };
  const nextCursor = page.next ? writeCursor(fingerprint, positionTexts(page.next)) : null;
  return { ok: true, items: page.users, nextCursor, isComplete: page.isComplete };
}

async function readUsers(
  database: Database,
  filters: MatchFilters,
  order: PageOrder,
  exactFirst: boolean,
): Promise<ReadPage<ListedUser> | Failure> {
  const plain = { ...order, filters: storedFilters(filters), search: undefined, isComplete: true };
  const { search, formerEmployeeIDs } = filters;
  const mayMatchFormerIds = search !== undefined || formerEmployeeIDs !== undefined;
  const needsIndex = mayMatchFormerIds || filters.includeParts || isByInactiveManager(filters);
  if (!needsIndex && isPlainList(plain)) {
    return pageAfter(database.pool, [], { ...plain, fresh: [] });
  }
  return snapshot(database, async (tx) => {
    const query = search === undefined ? undefined : parseSearch(search);
    // In the other orders, the users table has an index.
    const byAttribute = isByAttribute(order.sort);
    const mayMiss = query !== undefined || order.sort === 'name' || byAttribute;
    const matching = await matchingUsers(tx, filters, {
      mayMiss,
      byAttribute,
      strategies: order.strategies,
    });
    if ('error' in matching) return matching;
    const page = { ...order, ...matching };
    const exact = exactFirst && search && query ? await exactMatches(tx, search, query, page) : [];
    const stillMatching = (
      users: readonly UserView[],
    ): Promise<readonly ListedUser[]> | readonly UserView[] =>
      mayMatchFormerIds
        ? withFormerIdMatches(tx, users, query, formerEmployeeIDs, matching.isComplete)
        : users;
    return filledPage(tx, exact, page, stillMatching);
  });
}

/** Parts of an index that is outdated about everyone in them are not worth more attempts. */
const attemptsMax = 5;

/** If the index was outdated about users, the next ones take their place. */
async function filledPage(
  tx: Executor,
  first: readonly UserView[],
  request: PageRequest,
  stillMatching: (users: readonly UserView[]) => Promise<readonly ListedUser[]> | readonly UserView[],
): Promise<ReadPage<ListedUser>> {
  const read = await pageAfter(tx, first, request);
  let page: ReadPage<ListedUser> = { ...read, users: await stillMatching(read.users) };
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    const room = request.limit - page.users.length;
    if (page.isComplete || page.next === undefined || room <= 0) break;
    const more = await pageAfter(tx, [], { ...request, ...page.next, limit: room });
    page = { ...more, users: [...page.users, ...(await stillMatching(more.users))] };
  }
  return page;
}

/** A page that begins with these users. The cursor carries them along, so that no later page repeats them. */
async function pageAfter(
  executor: Executor,
  first: readonly UserView[],
  request: PageRequest,
): Promise<ReadPage<UserView>> {
  const leading = [...request.leading, ...first.map(({ serial }) => serial)];
  const room = request.limit - first.length;
  const { users, end } = await readPage(executor, { ...request, leading, limit: Math.max(room, 1) });
  const { isComplete } = request;
  if (room > 0) return { users: [...first, ...users], next: end && { after: end, leading }, isComplete };
  const next = users.length === 0 && end === undefined ? undefined : { after: undefined, leading };
  return { users: first, next, isComplete };
}

const firstPage: Position = { after: undefined, leading: [] };

function positionTexts({ after, leading }: Position): string[] {
  return [after?.serial ?? '', after?.key ?? '', ...leading];
}

function positionIn(cursor: string, fingerprint: string, sort: Sort): Position | 'invalid' {
  const [serial, key, ...leading] = readCursor(cursor, fingerprint) ?? [];
  if (serial === undefined || key === undefined) return 'invalid';
  if (leading.length > exactMatchesMax || !leading.every(isSerial)) return 'invalid';
  if (serial === '' && key === '' && leading.length > 0) return { after: undefined, leading };
  if (!isSerial(serial) || (sort === 'createdAt' && key !== serial)) return 'invalid';
  const isNumber = isByAttribute(sort) && sort.type === 'number' && key !== '';
  if (isNumber && !/^-?\d+(\.\d+)?$/.test(key)) return 'invalid';
  return { after: { key, serial }, leading };
}
