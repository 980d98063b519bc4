import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
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

/** A search as the index needs it: each word must match, by one of its alternatives. */
export interface IndexedSearch {
  readonly words: readonly (readonly IndexedWord[])[];
  /** The terms of a word in every bucket of users, in the order of serials. */
  readonly buckets: readonly number[];
  /** Users who match, of those changed since they were indexed. */
  readonly freshMatches: readonly string[];
}

export interface IndexedWord {
  readonly pattern: string;
  /** Whether it is too short to be found inside other words. */
  readonly isBeginning: boolean;
  /** Only users who have all of them can match. */
  readonly terms: readonly number[];
  /** The same as they are indexed for a bucket. */
  termsIn(bucket: number): readonly number[];
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

export function inListing(filters: UserFilters, parameter: Parameter): string[] {
  const conditions = listingConditions(filters, 'user_listing', parameter);
  if (conditions.length === 0) return [];
  return [`(SELECT ${allOf(conditions)} FROM user_listing WHERE user_listing.serial = found.serial)`];
}

/** Whether the indexed words of a user match. A scalar subquery, because it must not become a join over all users. */
export function matchesWords(search: IndexedSearch, table: string, parameter: Parameter): string {
  return `(SELECT ${wordConditions(search, 'user_search', parameter)} FROM user_search
    WHERE user_search.serial = ${table}.serial)`;
}

function wordConditions({ words }: IndexedSearch, table: string, parameter: Parameter): string {
  return allOf(
    words.map((alternatives) =>
      anyOf(alternatives.map(({ pattern }) => `${table}.words LIKE ${parameter(pattern)}`)),
    ),
  );
}

/**
 * The users who match, bucket by bucket, and which bucket each is from, counted from 1. The terms find candidates in the index, and the words decide. The
 * subquery with OFFSET keeps the planner from scanning the table for the words instead.
 */
export function searched(
  search: IndexedSearch,
  parameter: Parameter,
  conditions: readonly string[],
  /** How each bucket ends, such as ORDER BY and LIMIT. */
  perBucket = '',
): string {
  const { words, buckets } = search;
  const columns: string[] = [];
  const column = (word: IndexedWord) =>
    `user_search.terms @> bucket.terms${columns.push(
      `${parameter(textArray(buckets.map((bucket) => plainArray(word.termsIn(bucket)))))}::text[]`,
    )}::integer[]`;
  const terms = selective(words).map((alternatives) => anyOf(alternatives.map(column)));
  const names = [...columns.map((_, index) => `terms${index + 1}`), 'ordinal'];
  return `SELECT found.serial, found.employee_id, found.name, bucket.ordinal
    FROM unnest(${columns.join(', ')}) WITH ORDINALITY AS bucket (${names.join(', ')})
    CROSS JOIN LATERAL (
      SELECT found.serial, found.employee_id, found.name
      FROM (SELECT serial, employee_id, name, words FROM user_search WHERE ${allOf(terms)} OFFSET 0) AS found
      WHERE ${wordConditions(search, 'found', parameter)} AND ${allOf(conditions)} ${perBucket}) AS found`;
}

/**
 * The words that the index looks for. Beginnings, like "+49 30" of a phone number, are in many users: if another word is
 * long, reading everyone who has them takes longer than checking those who have the long word.
 */
function selective(words: IndexedSearch['words']): IndexedSearch['words'] {
  const isLong = (word: IndexedWord) => word.terms.length >= longWordTerms;
  if (!words.some((alternatives) => alternatives.every(isLong))) return words;
  return words.filter((alternatives) => !alternatives.some(({ isBeginning }) => isBeginning));
}

const longWordTerms = 4;

/** Everyone who matches a search, or about how many there are. */
export type Matches = { readonly serials: readonly string[] } | { readonly estimate: number };

/**
 * Looks for matches until there are too many to choose a page from. A bucket has the users of some time, so buckets are
 * taken from all over: those that were needed then tell how many matches there are in all of them.
 */
export async function findMatches(
  executor: Executor,
  search: IndexedSearch,
  fresh: readonly string[],
  serialsMax: number,
): Promise<Matches> {
  const { values, parameter } = newParameters();
  const buckets = scattered(search.buckets.toReversed());
  const matches = searched({ ...search, buckets }, parameter, [isNotFresh(fresh, 'found', parameter)]);
  const { rows } = await executor.query<[serial: string, bucket: number]>({
    text: `SELECT serial, ordinal::integer FROM (${matches}) AS found LIMIT ${serialsMax + 1}`,
    values,
    rowMode: 'array',
  });
  const bucketOf = rows.map(([, bucket]) => bucket);
  if (rows.length > serialsMax) return { estimate: estimateMatches(bucketOf, buckets.length) };
  return { serials: [...rows.map(([serial]) => serial), ...search.freshMatches] };
}

/** Any beginning of the result is spread over the whole: 0, 4, 2, 6, 1, 5, 3, 7. */
function scattered<T>(values: readonly T[]): T[] {
  if (values.length < 3) return [...values];
  const even = scattered(values.filter((_, index) => index % 2 === 0));
  const odd = scattered(values.filter((_, index) => index % 2 === 1));
  return [...even, ...odd];
}

/**
 * How many matches there are in all buckets, given the bucket of each of the first. If one has many more than the others,
 * such as the users of one import, the remaining ones may have as many.
 */
function estimateMatches(bucketOf: readonly number[], buckets: number): number {
  const counts: number[] = [];
  for (const bucket of bucketOf) counts[bucket] = (counts[bucket] ?? 0) + 1;
  const needed = bucketOf.at(-1) ?? 1;
  const mean = bucketOf.length / needed;
  const most = counts.reduce((max, count) => Math.max(max, count), 0);
  return bucketOf.length + (buckets - needed) * (most > unevenFactor * mean ? most : mean);
}

const unevenFactor = 4;

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
