import type { UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import {
  fewListed,
  freshMatches,
  freshUsers,
  indexedConditions,
  isNotFresh,
  matchesWords,
} from './matching-users.js';
import {
  afterPosition,
  isInPlace,
  orderBy,
  type PagePosition,
  type PageRequest,
  rowsWanted,
  sortColumns,
  unindexedSortColumns,
} from './page-order.js';
import { type ViewRow, versionedUser, viewColumns } from './read-users.js';
import {
  allOf,
  listingConditions,
  newParameters,
  type Parameter,
  serialList,
  type UserFilters,
  userConditions,
} from './user-conditions.js';

export interface Page {
  readonly users: readonly UserView[];
  /** Where the next page starts; undefined on the last page. */
  readonly end: PagePosition | undefined;
}

type Row = ViewRow & { sortKey: string };

/** Lists that need neither the listing nor the search index. */
export function isPlainList({
  filters,
  search,
  sort,
}: Pick<PageRequest, 'filters' | 'search' | 'sort'>): boolean {
  const { employeeIDs, usernames, serials, createdSince: _, createdUntil: __, ...others } = filters;
  if (search) return false;
  return (
    employeeIDs !== undefined ||
    serials !== undefined ||
    usernames !== undefined ||
    (sort !== 'name' && Object.keys(others).length === 0)
  );
}

/**
 * A filter can be applied while scanning in sort order, which is fast if many users match, or by its own index, which
 * is fast if few do. The planner can't tell which is better, so this decides: if the filters leave few users, the page is
 * chosen from them. Otherwise a scan of limited length is tried, and if that doesn't fill the page, all matches are found
 * and sorted.
 */
export async function listUsers(executor: Executor, request: PageRequest): Promise<Page> {
  const { fresh, filters, strategies } = request;
  const run = (select: Select) => runSelect(executor, request, select);
  const page = async (select: Select) => pageOf(await run(select), request);
  if (isPlainList(request) || fresh === undefined) return page(overUsers);
  if (!hasFilters(request)) return page(overListing(fresh));
  const listed = await fewListed(executor, filters, fresh, strategies.listedMax);
  if (listed) return page(amongListed(listed, fresh));
  const scanned = await run(scan(fresh));
  // Beyond the last indexed user, the scan may have missed some.
  const isFilled = scanned.length === rowsWanted(request) && scanned.at(-1)?.isIndexed === true;
  return isFilled ? pageOf(scanned, request) : page(filtersFirst(fresh));
}

function hasFilters({ filters, search }: PageRequest): boolean {
  return search !== undefined || Object.keys(filters).length > 0;
}

/** Writes the FROM and WHERE of a page: rows of `users`, and whether each was found by an index. */
type Select = (request: PageRequest, sql: Parts, parameter: Parameter) => string;

interface Parts {
  /** `ORDER BY … LIMIT …` over a table with the columns of a user. */
  orderOf(table: string): string;
  readonly rowsWanted: number;
  positionIn(table: string): string;
}

type FoundRow = Row & {
  isIndexed: boolean;
  /** False if the index was outdated about the user. */
  isMatch: boolean;
};

async function runSelect(executor: Executor, request: PageRequest, select: Select): Promise<FoundRow[]> {
  const { values, parameter } = newParameters();
  const orderOf = (table: string) => orderBy(request, sortColumns(request, table));
  const positionIn = (table: string) => afterPosition(request, sortColumns(request, table), parameter);
  const wanted = rowsWanted(request);
  const source = select(request, { orderOf, positionIn, rowsWanted: wanted }, parameter);
  const [key = ''] = sortColumns(request, 'users');
  const isMatch = request.isComplete ? 'true' : allOf(conditionsOnUsers(request.filters, parameter));
  const { rows } = await executor.query<FoundRow>({
    text: `SELECT ${viewColumns}, ${key} AS "sortKey", "isIndexed", (${isMatch}) IS TRUE AS "isMatch" FROM (${source}) AS users
           ${orderOf('users')} LIMIT ${wanted}`,
    values,
  });
  return rows;
}

/** Reads the users table alone. */
const overUsers: Select = ({ filters }, { positionIn }, parameter) =>
  `SELECT users.*, true AS "isIndexed" FROM users
   WHERE ${positionIn('users')} AND ${allOf(conditionsOnUsers(filters, parameter))}`;

const amongListed =
  (serials: readonly string[], fresh: readonly string[]): Select =>
  ({ filters, search }, { positionIn }, parameter) => {
    const conditions = [
      positionIn('users'),
      ...userConditions(filters, 'users', parameter),
      ...(search ? [matchesWords(search, parameter)] : []),
    ];
    const listed = oneByOne(serials, conditions, parameter);
    return `${listed} UNION ALL ${freshMatches(fresh, { filters, search }, positionIn('users'), parameter)}`;
  };

/**
 * Reads users by their serials. The subquery with OFFSET keeps the planner from scanning the users in sort order for a
 * page of these instead: that takes half a second if they are at the end.
 */
function oneByOne(serials: readonly string[], conditions: readonly string[], parameter: Parameter): string {
  return `SELECT * FROM (SELECT users.*, true AS "isIndexed" FROM users
    WHERE serial = ANY (${serialList(serials, parameter)}) AND ${allOf(conditions)} OFFSET 0) AS users`;
}

function conditionsOnUsers(filters: UserFilters, parameter: Parameter): string[] {
  return [...userConditions(filters, 'users', parameter), ...listingConditions(filters, 'users', parameter)];
}

/** Without filters, in name order: the index of the listing leads to the page. */
const overListing =
  (fresh: readonly string[]): Select =>
  (request, { orderOf, positionIn, rowsWanted }, parameter) => {
    const indexed = `SELECT serial FROM user_listing
      WHERE ${positionIn('user_listing')} AND ${isNotFresh(fresh, 'user_listing', parameter)}
        AND ${isInPlace(request, 'user_listing')}
      ${orderOf('user_listing')} LIMIT ${rowsWanted}`;
    return `${join(indexed)} UNION ALL ${freshUsers(fresh, [positionIn('users')], parameter)}`;
  };

/** Applies the filters to the users who come next in the order, until the page is full, up to a number. */
const scan =
  (fresh: readonly string[]): Select =>
  (request, { orderOf, positionIn, rowsWanted }, parameter) => {
    const { filters, search, strategies } = request;
    const next = `SELECT * FROM user_listing
      WHERE ${positionIn('user_listing')} AND ${isNotFresh(fresh, 'user_listing', parameter)}
        AND ${isInPlace(request, 'user_listing')}
      ${orderOf('user_listing')} LIMIT ${search ? strategies.scannedWordsMax : strategies.scannedMax}`;
    const onUsers = userConditions(filters, 'users', parameter);
    const matching = `SELECT serial FROM (${next}) AS next WHERE ${allOf(indexedConditions(request, 'next', parameter))}
      ${onUsers.length === 0 ? `${orderOf('next')} LIMIT ${rowsWanted}` : ''}`;
    const indexed = join(matching, onUsers);
    return `${indexed} UNION ALL ${freshMatches(fresh, { filters, search }, positionIn('users'), parameter)}`;
  };

/**
 * Finds the matches by the indexes of the filters and of the words. They are sorted and cut to the page before the users
 * are read, unless a filter needs a column that only users have.
 */
const filtersFirst =
  (fresh: readonly string[]): Select =>
  (request, { positionIn, rowsWanted }, parameter) => {
    const { filters, search } = request;
    const onUsers = userConditions(filters, 'users', parameter);
    const isCut = onUsers.length === 0;
    const columns = unindexedSortColumns(request, 'user_listing');
    const conditions = [
      ...indexedConditions(request, 'user_listing', parameter),
      isNotFresh(fresh, 'user_listing', parameter),
      ...(isCut ? [afterPosition(request, columns, parameter), isInPlace(request, 'user_listing')] : []),
    ];
    const matching = `SELECT serial FROM user_listing WHERE ${allOf(conditions)}
      ${isCut ? `${orderBy(request, columns)} LIMIT ${rowsWanted}` : ''}`;
    const indexed = join(matching, [positionIn('users'), ...onUsers]);
    return `${indexed} UNION ALL ${freshMatches(fresh, { filters, search }, positionIn('users'), parameter)}`;
  };

function join(serials: string, conditions: readonly string[] = []): string {
  return `SELECT users.*, true AS "isIndexed" FROM (${serials}) AS matching JOIN users USING (serial)
    WHERE ${allOf(conditions)}`;
}

function pageOf(rows: readonly FoundRow[], { limit, leading }: PageRequest): Page {
  const others = rows.filter(({ serial }) => !leading.includes(serial));
  const shown = others.slice(0, limit);
  const last = others.length > limit ? shown.at(-1) : undefined;
  return {
    users: shown
      .filter(({ isMatch }) => isMatch)
      .map(({ sortKey: _, isIndexed: __, isMatch: ___, ...row }) => versionedUser(row).user),
    end: last && { key: last.sortKey, serial: last.serial },
  };
}
