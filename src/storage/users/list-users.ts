import type { UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { type ViewRow, versionedUser, viewColumns } from './read-users.js';

export interface UserFilters {
  readonly employeeID?: string;
  /** In the form used for comparing usernames. */
  readonly username?: string;
  readonly isActive?: boolean;
  readonly organizationSerial?: string;
  readonly tagSerial?: string;
  readonly search?: string;
}

/** Each order ends with the serial unless its key is unique, so that a page starts exactly where the last one ended. */
const orders = {
  createdAt: { key: 'serial', withSerial: false }, // UUIDv7: serials sort by creation time
  employeeID: { key: 'employee_id', withSerial: false },
  name: { key: 'lower(name) COLLATE "C"', withSerial: true },
} as const;

export type SortKey = keyof typeof orders;
export const sortKeys = Object.keys(orders) as SortKey[];

export interface PageRequest {
  readonly filters: UserFilters;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly limit: number;
  /** Where the previous page ended. */
  readonly after: PagePosition | undefined;
}

export interface PagePosition {
  readonly key: string;
  readonly serial: string;
}

export interface Page {
  readonly users: readonly UserView[];
  /** Where the next page starts; undefined on the last page. */
  readonly end: PagePosition | undefined;
}

type Row = ViewRow & { sortKey: string };

/**
 * How many users a page may scan in sort order before the filters' own indexes are used instead: a few milliseconds'
 * worth. Searching the words of a user costs more than comparing a column.
 */
const scanMax = ({ search }: UserFilters) => (search === undefined ? 10_000 : 1_000);

/**
 * A filter can be applied while scanning in sort order, which is fast if many users match, or by its own index, which
 * is fast if few do. The planner guesses, and for a rare word among 300,000 users its wrong guess took 4.6 s. Where it
 * could go wrong, a short scan is tried first. If that does not fill the page, the filters are applied on their own.
 */
export async function listUsers(executor: Executor, request: PageRequest): Promise<Page> {
  const rowsWanted = request.limit + 1;
  if (!mayBeMisplanned(request)) return pageOf(await select(executor, request, 'as planned'), request.limit);
  const scanned = await select(executor, request, 'along the order');
  const rows = scanned.length >= rowsWanted ? scanned : await select(executor, request, 'filters first');
  return pageOf(rows, request.limit);
}

/** Names are unique, and in creation order an organization or the inactive users are one index range. */
function mayBeMisplanned({ filters, sort }: PageRequest): boolean {
  const { employeeID, username, isActive, organizationSerial, tagSerial, search } = filters;
  if (employeeID !== undefined || username !== undefined) return false;
  if (tagSerial !== undefined || search !== undefined) return true;
  return sort !== 'createdAt' && (organizationSerial !== undefined || isActive !== undefined);
}

type Strategy = 'as planned' | 'along the order' | 'filters first';

async function select(executor: Executor, request: PageRequest, strategy: Strategy): Promise<Row[]> {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { key, withSerial } = orders[request.sort];
  const direction = request.descending ? 'DESC' : 'ASC';
  const order = `ORDER BY ${key} ${direction}${withSerial ? `, serial ${direction}` : ''}`;
  const filters = conditionsOf(request.filters, parameter);
  const position = positionOf(request, parameter);
  // A subquery with LIMIT or OFFSET is planned separately.
  const source = {
    'as planned': `users WHERE ${position} AND ${filters}`,
    'along the order': `(SELECT * FROM users WHERE ${position} ${order} LIMIT ${scanMax(request.filters)}) AS users WHERE ${filters}`,
    'filters first': `(SELECT * FROM users WHERE ${filters} OFFSET 0) AS users WHERE ${position}`,
  }[strategy];
  const { rows } = await executor.query<Row>({
    text: `SELECT ${viewColumns}, ${key} AS "sortKey" FROM ${source} ${order} LIMIT ${parameter(request.limit + 1)}`,
    values,
  });
  return rows;
}

function conditionsOf(filters: UserFilters, parameter: (value: unknown) => string): string {
  const { employeeID, username, isActive, organizationSerial, tagSerial, search } = filters;
  const conditions = ['true'];
  if (employeeID !== undefined) conditions.push(`employee_id = ${parameter(employeeID)}`);
  if (username !== undefined) conditions.push(`lower(username) = ${parameter(username)}`);
  if (isActive !== undefined) conditions.push(isActive ? 'is_active' : 'NOT is_active');
  if (organizationSerial !== undefined)
    conditions.push(`organization_serial = ${parameter(organizationSerial)}`);
  if (tagSerial !== undefined) conditions.push(`tag_serials @> ARRAY[${parameter(tagSerial)}::text]`);
  if (search !== undefined) {
    const query = `user_search_query(${parameter(search)})`;
    conditions.push(`user_search_vector(name, employee_id, username, email) @@ ${query}`);
  }
  return conditions.join(' AND ');
}

function positionOf({ after, sort, descending }: PageRequest, parameter: (value: unknown) => string): string {
  if (after === undefined) return 'true';
  const { key, withSerial } = orders[sort];
  const comparison = descending ? '<' : '>';
  return withSerial
    ? `(${key}, serial) ${comparison} (${parameter(after.key)}, ${parameter(after.serial)}::uuid)`
    : `${key} ${comparison} ${parameter(after.key)}`;
}

function pageOf(rows: readonly Row[], limit: number): Page {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    users: shown.map(({ sortKey: _, ...row }) => versionedUser(row).user),
    end: last && { key: last.sortKey, serial: last.serial },
  };
}
