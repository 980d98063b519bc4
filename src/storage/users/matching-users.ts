import type { Executor } from '../database.js';
import {
  allOf,
  anyOf,
  listingConditions,
  newParameters,
  type Parameter,
  serialList,
  type UserFilters,
  userConditions,
} from './user-conditions.js';

/** Which users a query is about, and how to find them. */
export interface Matching {
  readonly filters: UserFilters;
  readonly search: IndexedSearch | undefined;
  readonly fresh: Fresh;
  /** Whether everyone who matches is found. If not, the index may be outdated about those who are. */
  readonly isComplete: boolean;
}

/** A search as the index needs it. */
export interface IndexedSearch {
  /** For LIKE: each word must match, by one of its alternatives. */
  readonly patterns: readonly (readonly string[])[];
  /** Users who match, of those changed since they were indexed. */
  readonly freshMatches: readonly string[];
}

/**
 * Users changed since they were indexed, who are read from the users table; undefined if everyone is, because there are
 * too many of them or the index is being built.
 */
export type Fresh = readonly string[] | undefined;

/** Users who match, of those changed since they were indexed. */
export function freshMatches(
  fresh: readonly string[],
  { filters, search }: Pick<Matching, 'filters' | 'search'>,
  position: string,
  parameter: Parameter,
): string {
  const conditions = [
    position,
    ...userConditions(filters, 'users', parameter),
    ...listingConditions(filters, 'users', parameter),
  ];
  return freshUsers(search ? search.freshMatches : fresh, conditions, parameter);
}

export function freshUsers(
  fresh: readonly string[],
  conditions: readonly string[],
  parameter: Parameter,
): string {
  return `SELECT users.*, false AS "isIndexed" FROM users
    WHERE serial = ANY (${serialList(fresh, parameter)}) AND ${allOf(conditions)}`;
}

export function isNotFresh(fresh: readonly string[], table: string, parameter: Parameter): string {
  return fresh.length === 0 ? 'true' : `${table}.serial <> ALL (${serialList(fresh, parameter)})`;
}

/** The conditions on users who are indexed. */
export function indexedConditions(
  { filters, search }: Pick<Matching, 'filters' | 'search'>,
  table: string,
  parameter: Parameter,
): string[] {
  return [...listingConditions(filters, table, parameter), ...wordConditions(search, table, parameter)];
}

function wordConditions(search: IndexedSearch | undefined, table: string, parameter: Parameter): string[] {
  return (search?.patterns ?? []).map((alternatives) =>
    anyOf(alternatives.map((pattern) => `${table}.words LIKE ${parameter(pattern)}`)),
  );
}

/** Whether the indexed words of a user match. A scalar subquery, because it must not become a join over all users. */
export function matchesWords(search: IndexedSearch, parameter: Parameter): string {
  return `(SELECT ${allOf(wordConditions(search, 'user_listing', parameter))} FROM user_listing
    WHERE user_listing.serial = users.serial)`;
}

/** Everyone who is listed with these filters, if there are few; otherwise undefined. */
export async function fewListed(
  executor: Executor,
  filters: UserFilters,
  fresh: readonly string[],
  fewMax: number,
): Promise<string[] | undefined> {
  const { values, parameter } = newParameters();
  const conditions = listingConditions(filters, 'user_listing', parameter);
  if (conditions.length === 0) return undefined;
  const { rows } = await executor.query<[serial: string]>({
    text: `SELECT serial FROM user_listing
           WHERE ${allOf([...conditions, isNotFresh(fresh, 'user_listing', parameter)])} LIMIT ${fewMax + 1}`,
    values,
    rowMode: 'array',
  });
  return rows.length > fewMax ? undefined : rows.map(([serial]) => serial);
}
