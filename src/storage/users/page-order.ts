import type { Parameter } from '../sql.js';
import { type AttributeKey, storedValue } from './attribute-conditions.js';
import type { Matching } from './matching-users.js';

/** Each order ends with the serial unless its key is unique, so that a page starts exactly where the last one ended. */
export const sortKeys = ['createdAt', 'employeeID', 'name'] as const;
export type SortKey = (typeof sortKeys)[number];

/** By an attribute, users without a value come last, in the order of their creation. */
export type Sort = SortKey | AttributeKey;

export function isByAttribute(sort: Sort): sort is AttributeKey {
  return typeof sort === 'object';
}

export interface PageRequest extends Matching {
  readonly sort: Sort;
  readonly descending: boolean;
  /** Sorts names. */
  readonly collation: string;
  readonly limit: number;
  /** Where the previous page ended. */
  readonly after: PagePosition | undefined;
  /** Users who came first, whatever the order, and are left out of it. */
  readonly leading: readonly string[];
  readonly strategies: StrategyLimits;
}

/** Up to which number of users each way to find a page is fast. */
export interface StrategyLimits {
  /** The page is chosen from all users whom the filters leave. */
  readonly listedMax: number;
  /** The same by an attribute, if these users have to be sorted. */
  readonly sortedMax: number;
  /** The users who come next in the order are scanned: some milliseconds' worth. */
  readonly scannedMax: number;
  /** The same for a search. */
  readonly scannedWordsMax: number;
  /** The next users are scanned, too, if this share of a page was found. The others are as likely to be among them. */
  readonly scannedShareMin: number;
  readonly scannedFurtherMax: number;
  /** If a search finds so many that they take long to sort, as many users are scanned as have so many pages of them on average. */
  readonly frequentMin: number;
  readonly scannedFrequentPages: number;
  /** From this share of all users, they are scanned until the page is full. */
  readonly scannedAllShareMin: number;
  /** Users from whom it is estimated how many a search finds: about a millisecond's worth. */
  readonly sampledMax: number;
  /** Users are found by their managers. */
  readonly managersMax: number;
  /** Changes that are not indexed yet, of which a list takes the users from the users table. */
  readonly freshListedMax: number;
  /** The same for a search, which computes the words of these users: tens of milliseconds' worth. */
  readonly freshSearchedMax: number;
  /** If there are more, only the newest count. */
  readonly freshNewestMax: number;
}

export const strategyLimits: StrategyLimits = {
  listedMax: 1_000,
  sortedMax: 8_000,
  scannedMax: 10_000,
  scannedWordsMax: 1_000,
  scannedShareMin: 1 / 8,
  scannedFurtherMax: 6_000,
  frequentMin: 20_000,
  scannedFrequentPages: 4,
  scannedAllShareMin: 1 / 3,
  sampledMax: 1_000,
  managersMax: 1_000,
  freshListedMax: 10_000,
  freshSearchedMax: 5_000,
  freshNewestMax: 1_000,
};

export interface PagePosition {
  /** Empty for a user without a value of the attribute. */
  readonly key: string;
  readonly serial: string;
}

/** One more than the page has, to know whether another follows; and the leading users, who may be among them. */
export function rowsWanted({ limit, leading }: Pick<PageRequest, 'limit' | 'leading'>): number {
  return limit + leading.length + 1;
}

type Order = Pick<PageRequest, 'sort' | 'descending' | 'collation' | 'after'>;

/** The columns that the order consists of. In the listing, `sort_key` is the value of the attribute. */
export function sortColumns({ sort, collation }: Order, table: string): string[] {
  if (isByAttribute(sort)) {
    const key = table === 'users' ? collated(storedValue(sort, table), sort, collation) : `${table}.sort_key`;
    return [key, `${table}.serial`];
  }
  if (sort === 'createdAt') return [`${table}.serial`]; // UUIDv7: serials sort by creation time
  if (sort === 'employeeID') return [`${table}.employee_id`];
  return [`${table}.name COLLATE "${collation}"`, `${table}.serial`];
}

/**
 * The same as expressions that no index has, for a query that finds few users: it must not scan everybody in the order of
 * an index to find them. Unlike a subquery with OFFSET, this lets several processes look for them.
 */
export function unindexedSortColumns({ sort, collation }: Order, table: string): string[] {
  if (isByAttribute(sort)) {
    return [`(${table}.sort_key ${sort.type === 'number' ? '+ 0' : "|| ''"})`, `${table}.serial`];
  }
  if (sort === 'createdAt') return [`${table}.serial::text COLLATE "C"`];
  if (sort === 'employeeID') return [`(${table}.employee_id || '')`];
  return [`(${table}.name || '') COLLATE "${collation}"`, `${table}.serial`];
}

/**
 * Whether a user is still where an index that may be outdated has them. Others, like those who no longer exist, would make
 * a page end too early or at a wrong place. What else has changed about them is checked on the page.
 */
export function isInPlace({ sort, isComplete, collation }: PageRequest, table: string): string {
  if (isComplete || table === 'users') return 'true';
  if (isByAttribute(sort)) {
    const current = collated(storedValue(sort, 'users'), sort, collation);
    return `(SELECT ${current} FROM users WHERE users.serial = ${table}.serial) = ${table}.sort_key`;
  }
  const column = { createdAt: 'serial', employeeID: 'employee_id', name: 'name' }[sort];
  return `(SELECT users.${column} FROM users WHERE users.serial = ${table}.serial) = ${table}.${column}`;
}

export function orderBy({ descending }: Order, columns: readonly string[]): string {
  const direction = descending ? 'DESC' : 'ASC';
  return `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
}

/** Whether the columns come after the end of the previous page. */
export function afterPosition(order: Order, columns: readonly string[], parameter: Parameter): string {
  const { after, descending } = order;
  if (after === undefined) return 'true';
  return `${row(columns)} ${descending ? '<' : '>'} ${placeOf(order, after, parameter)}`;
}

/** A place in the order, to be compared with its columns. */
export function placeOf({ sort }: Order, { key, serial }: PagePosition, parameter: Parameter): string {
  if (sort === 'createdAt' || sort === 'employeeID') return parameter(key);
  const type = isByAttribute(sort) && sort.type === 'number' ? 'numeric' : 'text';
  return row([`${parameter(key)}::${type}`, `${parameter(serial)}::uuid`]);
}

function collated(value: string, { type }: AttributeKey, collation: string): string {
  return type === 'number' ? value : `${value} COLLATE "${collation}"`;
}

export function row(columns: readonly string[]): string {
  return columns.length === 1 ? columns.join() : `(${columns.join(', ')})`;
}
