import type { Executor } from '../database.js';
import { newParameters, type Parameter } from '../sql.js';
import {
  type AttributeLookup,
  bySelectivity,
  listedAttributeConditions,
  listedConditions,
} from './attribute-conditions.js';
import {
  allOf,
  anyOf,
  conditionsOnUsers,
  listingConditions,
  serialList,
  type UserFilters,
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
  const conditions = [position, ...conditionsOnUsers(filters, parameter)];
  const candidates = search ? search.freshMatches : fresh;
  return `SELECT users.*, false AS "isIndexed" FROM users
    WHERE serial = ANY (${serialList(candidates, parameter)}) AND ${allOf(conditions)}`;
}

export function isNotFresh(fresh: readonly string[], table: string, parameter: Parameter): string {
  return fresh.length === 0 ? 'true' : `${table}.serial <> ALL (${serialList(fresh, parameter)})`;
}

/** The conditions on users who are indexed. */
export function indexedConditions(
  { filters, search }: Pick<Matching, 'filters' | 'search'>,
  table: string,
  parameter: Parameter,
  lookup: AttributeLookup = 'together',
): string[] {
  return [
    ...listingConditions(filters, table, parameter),
    ...listedAttributeConditions(filters.attributes ?? [], table, parameter, lookup),
    ...wordConditions(search, table, parameter),
  ];
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

/** Everyone who is listed with these filters, if one of them leaves few; otherwise undefined. */
export async function fewListed(
  executor: Executor,
  filters: UserFilters,
  fresh: readonly string[],
  fewMax: number,
): Promise<string[] | undefined> {
  const few = await fewOfSome(executor, filters, fewMax);
  if (!few) return undefined;
  const { values, parameter } = newParameters();
  const conditions = [
    `serial = ANY (${serialList(few, parameter)})`,
    isNotFresh(fresh, 'user_listing', parameter),
    ...indexedConditions({ filters, search: undefined }, 'user_listing', parameter, 'one by one'),
  ];
  return serialsOf(executor, `SELECT serial FROM user_listing WHERE ${allOf(conditions)}`, values);
}

/** Whether one filter by values leaves no more users than this. Reads nothing but an index. */
export async function hasFewOfValue(
  executor: Executor,
  { attributes = [] }: UserFilters,
  fewMax: number,
): Promise<boolean> {
  for (const filter of attributes.filter(({ isSet }) => isSet === undefined)) {
    const { values, parameter } = newParameters();
    const { rows } = await executor.query<{ isFew: boolean }>({
      text: `SELECT count(*) <= ${fewMax} AS "isFew" FROM (SELECT FROM listed_attributes AS listed
        WHERE ${listedConditions(filter, parameter)} LIMIT ${fewMax + 1}) AS listed`,
      values,
    });
    if (rows[0]?.isFew) return true;
  }
  return false;
}

/** Those whom one filter by an attribute leaves, or all other filters together. The planner can't estimate values. */
async function fewOfSome(
  executor: Executor,
  filters: UserFilters,
  fewMax: number,
): Promise<string[] | undefined> {
  const ifFew = (serials: readonly string[]) => (serials.length > fewMax ? undefined : [...serials]);
  const { values, parameter } = newParameters();
  const conditions = listingConditions(filters, 'user_listing', parameter);
  if (conditions.length > 0) {
    const text = `SELECT serial FROM user_listing WHERE ${allOf(conditions)} LIMIT ${fewMax + 1}`;
    const few = ifFew(await serialsOf(executor, text, values));
    if (few) return few;
  }
  for (const filter of bySelectivity(filters.attributes ?? [])) {
    const { values, parameter } = newParameters();
    const text = `SELECT user_serial FROM listed_attributes AS listed
      WHERE ${listedConditions(filter, parameter)} LIMIT ${fewMax + 1}`;
    const few = ifFew(await serialsOf(executor, text, values));
    if (few) return few;
  }
  return undefined;
}

async function serialsOf(executor: Executor, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await executor.query<[serial: string]>({ text, values, rowMode: 'array' });
  return rows.map(([serial]) => serial);
}
