import type { UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { newParameters, type Parameter } from '../sql.js';
import { countAllUsers, sampleShare } from './count-users.js';
import { sortableMatches, sourceInOrder } from './listing-source.js';
import {
  fewListed,
  freshMatches,
  hasFewOfValue,
  indexedConditions,
  isNotFresh,
  matchesWords,
} from './matching-users.js';
import {
  afterPosition,
  isByAttribute,
  isInPlace,
  orderBy,
  type PagePosition,
  type PageRequest,
  rowsWanted,
  sortColumns,
  unindexedSortColumns,
} from './page-order.js';
import { type ViewRow, versionedUser, viewColumns } from './read-users.js';
import { allOf, conditionsOnUsers, isByManager, serialList, userConditions } from './user-conditions.js';

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
    isByManager(filters) ||
    (sort !== 'name' && !isByAttribute(sort) && Object.keys(others).length === 0)
  );
}

export async function listUsers(executor: Executor, request: PageRequest): Promise<Page> {
  return pageOf(await rowsOf(executor, request), request);
}

/** Those without a value of the attribute to sort by follow the others, in an order of their own. */
async function rowsOf(executor: Executor, request: PageRequest): Promise<readonly FoundRow[]> {
  const { sort, after, filters, leading } = request;
  if (!isByAttribute(sort)) return rowsInOrder(executor, request);
  const filtered = (isSet: boolean) => ({
    ...filters,
    attributes: [...(filters.attributes ?? []), { ...sort, isSet }],
  });
  const isAmongOthers = after?.key === '';
  const rows = isAmongOthers ? [] : await rowsInOrder(executor, { ...request, filters: filtered(true) });
  const missing = rowsWanted(request) - rows.length;
  if (missing === 0) return rows;
  const others = await rowsInOrder(executor, {
    ...request,
    sort: 'createdAt',
    filters: filtered(false),
    after: isAmongOthers ? { key: after.serial, serial: after.serial } : undefined,
    limit: missing - leading.length - 1,
  });
  return [...rows, ...others.map((row) => ({ ...row, sortKey: '' }))];
}

/**
 * A filter can be applied while scanning in sort order, which is fast if many users match, or by its own index, which
 * is fast if few do. The planner can't tell which is better, so this decides: if the filters leave few users, the page is
 * chosen from them. Otherwise a scan of limited length is tried, and if that doesn't fill the page, all matches are found
 * and sorted.
 */
async function rowsInOrder(executor: Executor, request: PageRequest): Promise<readonly FoundRow[]> {
  const { fresh, filters, strategies } = request;
  const run = (select: Select) => runSelect(executor, request, select);
  if (isPlainList(request) || fresh === undefined) return run(overUsers);
  if (!hasFilters(request)) return run(overListing(fresh));
  const listed = await fewListed(executor, filters, fresh, strategies.listedMax);
  if (listed) return run(amongListed(listed, fresh));
  if (await isWorthSorting(executor, request)) return run(filtersFirst(fresh));
  return (await rowsByScan(executor, request, fresh)) ?? run(filtersFirst(fresh));
}

/**
 * If a short scan has found part of a page, or if a search finds very many, a longer one goes on. Undefined if the page is
 * not full then.
 */
async function rowsByScan(
  executor: Executor,
  request: PageRequest,
  fresh: readonly string[],
): Promise<readonly FoundRow[] | undefined> {
  const { limit, strategies } = request;
  const wanted = rowsWanted(request);
  let found: readonly FoundRow[] = [];
  const isFullAfter = async (usersMax: number) => {
    const last = found.at(-1);
    const after = last ? { key: last.sortKey, serial: last.serial } : request.after;
    const rest = { ...request, after, limit: limit - found.length };
    found = [...found, ...(await scanned(executor, rest, fresh, usersMax))];
    return found.length === wanted;
  };
  if (await isFullAfter(scannedMax(request))) return found;
  const hasFoundPart = found.length > 0 && found.length >= strategies.scannedShareMin * wanted;
  if (hasFoundPart && (await isFullAfter(strategies.scannedFurtherMax))) return found;
  const further = await scannedForFrequent(executor, request, fresh);
  return further > 0 && (await isFullAfter(further)) ? found : undefined;
}

/**
 * How many users to scan for words that many have, but few at the beginning of the order, such as a domain that only the
 * newest have.
 */
async function scannedForFrequent(
  executor: Executor,
  request: PageRequest,
  fresh: readonly string[],
): Promise<number> {
  const { search, filters, sort, strategies } = request;
  if (!search || filters.attributes || isByAttribute(sort)) return 0;
  if (userConditions(filters, 'users', newParameters().parameter).length > 0) return 0; // a scan doesn't end early
  const all = await countAllUsers(executor, fresh);
  if (all < strategies.frequentMin) return 0;
  const share = await sampleShare(executor, request, all, strategies.sampledMax);
  if (share * all < strategies.frequentMin) return 0;
  if (share >= strategies.scannedAllShareMin) return all;
  return Math.ceil((strategies.scannedFrequentPages * rowsWanted(request)) / share);
}

/** Up to the last indexed user: beyond, the scan may have missed some. */
async function scanned(
  executor: Executor,
  request: PageRequest,
  fresh: readonly string[],
  usersMax: number,
): Promise<FoundRow[]> {
  const rows = await runSelect(executor, request, scan(fresh, usersMax));
  return rows.slice(0, rows.findLastIndex(({ isIndexed }) => isIndexed) + 1);
}

/** A scan would rarely find enough users with such a value, and is almost as long as looking up all of them. */
function isWorthSorting(executor: Executor, { filters, sort, strategies }: PageRequest): Promise<boolean> {
  const isInOrder =
    isByAttribute(sort) &&
    filters.attributes?.some(({ attributeId, values }) => values && attributeId === sort.attributeId);
  return isInOrder || sort === 'createdAt'
    ? Promise.resolve(false)
    : hasFewOfValue(executor, filters, strategies.sortedMax);
}

/** Besides those by which the rows are found. */
function hasFilters(request: PageRequest): boolean {
  return request.search !== undefined || Object.keys(sourceInOrder(request).besides).length > 0;
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
    text: `SELECT ${viewColumns}, (${key})::text AS "sortKey", "isIndexed", (${isMatch}) IS TRUE AS "isMatch" FROM (${source}) AS users
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

/** Without filters, in the order of names or of an attribute: its index leads to the page. */
const overListing =
  (fresh: readonly string[]): Select =>
  (request, { orderOf, positionIn, rowsWanted }, parameter) => {
    const indexed = `SELECT serial FROM ${sourceInOrder(request).from(parameter)}
      WHERE ${positionIn('user_listing')} AND ${isNotFresh(fresh, 'user_listing', parameter)}
        AND ${isInPlace(request, 'user_listing')}
      ${orderOf('user_listing')} LIMIT ${rowsWanted}`;
    const { filters } = request;
    const others = freshMatches(fresh, { filters, search: undefined }, positionIn('users'), parameter);
    return `${join(indexed)} UNION ALL ${others}`;
  };

/** Applies the filters to the users who come next in the order, until the page is full, up to a number. */
const scan =
  (fresh: readonly string[], usersMax: number): Select =>
  (request, { orderOf, positionIn, rowsWanted }, parameter) => {
    const { filters, search } = request;
    const { besides, from } = sourceInOrder(request);
    const next = `SELECT * FROM ${from(parameter)}
      WHERE ${positionIn('user_listing')} AND ${isNotFresh(fresh, 'user_listing', parameter)}
        AND ${isInPlace(request, 'user_listing')}
      ${orderOf('user_listing')} LIMIT ${usersMax}`;
    const onUsers = userConditions(filters, 'users', parameter);
    const conditions = indexedConditions({ filters: besides, search }, 'next', parameter, 'one by one');
    const matching = `SELECT serial FROM (${next}) AS next WHERE ${allOf(conditions)}
      ${onUsers.length === 0 ? `${orderOf('next')} LIMIT ${rowsWanted}` : ''}`;
    const indexed = join(matching, onUsers);
    return `${indexed} UNION ALL ${freshMatches(fresh, { filters, search }, positionIn('users'), parameter)}`;
  };

/** Words, and values of attributes, take longer to look up than columns of the listing. */
function scannedMax({ search, filters, sort, strategies }: PageRequest): number {
  const isSlow = search !== undefined || filters.attributes !== undefined || isByAttribute(sort);
  return isSlow ? strategies.scannedWordsMax : strategies.scannedMax;
}

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
    const { besides, from } = sortableMatches(request);
    const conditions = [
      ...indexedConditions({ filters: besides, search }, 'user_listing', parameter),
      isNotFresh(fresh, 'user_listing', parameter),
      ...(isCut ? [afterPosition(request, columns, parameter), isInPlace(request, 'user_listing')] : []),
    ];
    const matching = `SELECT serial FROM ${from(parameter)} WHERE ${allOf(conditions)}
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
