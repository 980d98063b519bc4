import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { formerEmployeeIds } from '../names/former-names.js';
import { plainArray, textArray } from '../sql-arrays.js';

/** The fields by which a user is found. */
export interface SearchedFields
  extends Pick<StoredUser, 'serial' | 'employeeID' | 'name' | 'username' | 'email' | 'phone'> {
  readonly formerEmployeeIDs: readonly string[];
}

export async function readSearchedFields(
  executor: Executor,
  serials: readonly string[],
): Promise<SearchedFields[]> {
  if (serials.length === 0) return [];
  const { rows } = await executor.query<Omit<SearchedFields, 'formerEmployeeIDs'>>({
    name: 'read-searched-fields',
    text: `SELECT serial, employee_id AS "employeeID", name, username, email, phone FROM users
           WHERE serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  const former = await formerEmployeeIds(executor, serials);
  return rows.map((row) => ({ ...row, formerEmployeeIDs: former.get(row.serial) ?? [] }));
}

export type IndexedFields = Pick<SearchEntry, 'employeeID' | 'name' | 'words'>;

/** What is indexed of users, by serial. */
export async function indexedFields(
  tx: Executor,
  serials: readonly string[],
): Promise<Map<string, IndexedFields>> {
  const { rows } = await tx.query<[serial: string, employeeID: string, name: string, words: string]>({
    name: 'indexed-fields',
    text: 'SELECT serial, employee_id, name, words FROM user_search WHERE serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
    rowMode: 'array',
  });
  return new Map(rows.map(([serial, employeeID, name, words]) => [serial, { employeeID, name, words }]));
}

/** Users are in buckets by their serials: a bucket starts with a serial and ends before the next one's. */
export interface SearchBucket {
  readonly number: number;
  readonly firstSerial: string;
  /** How many users were added to it. */
  readonly users: number;
}

/** In the order of serials. */
export async function readBuckets(executor: Executor): Promise<SearchBucket[]> {
  const { rows } = await executor.query<SearchBucket>({
    name: 'read-buckets',
    text: 'SELECT number, first_serial AS "firstSerial", users FROM search_buckets ORDER BY number',
  });
  return rows;
}

export async function lastSearchableSerial(tx: Executor): Promise<string | undefined> {
  const { rows } = await tx.query<{ serial: string }>({
    name: 'last-searchable-serial',
    text: 'SELECT serial FROM user_search ORDER BY serial DESC LIMIT 1',
  });
  return rows[0]?.serial;
}

export async function writeBuckets(tx: Executor, buckets: readonly SearchBucket[]): Promise<void> {
  await tx.query({
    name: 'write-buckets',
    text: `INSERT INTO search_buckets (number, first_serial, users)
           SELECT * FROM unnest($1::integer[], $2::uuid[], $3::integer[])
           ON CONFLICT (number) DO UPDATE SET users = excluded.users`,
    values: [
      plainArray(buckets.map(({ number }) => number)),
      plainArray(buckets.map(({ firstSerial }) => firstSerial)),
      plainArray(buckets.map(({ users }) => users)),
    ],
  });
}

export interface SearchEntry extends Pick<StoredUser, 'serial' | 'employeeID' | 'name'> {
  readonly words: string;
  /** As they are indexed for the bucket of the user. */
  readonly bucketTerms: readonly number[];
}

export async function writeSearchEntries(tx: Executor, entries: readonly SearchEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({
    name: 'write-search-entries',
    text: `INSERT INTO user_search (serial, employee_id, name, words, terms)
           SELECT serial, employee_id, name, words, terms::integer[]
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
             AS new (serial, employee_id, name, words, terms)
           ON CONFLICT (serial) DO UPDATE SET
             employee_id = excluded.employee_id, name = excluded.name, words = excluded.words, terms = excluded.terms`,
    values: [
      plainArray(entries.map(({ serial }) => serial)),
      textArray(entries.map(({ employeeID }) => employeeID)),
      textArray(entries.map(({ name }) => name)),
      textArray(entries.map(({ words }) => words)),
      textArray(entries.map(({ bucketTerms }) => plainArray(bucketTerms))),
    ],
  });
}

/** New terms and tags are collected in lists that every search reads from end to end, until they are moved into the index. */
export async function flushSearchIndex(tx: Executor): Promise<void> {
  await tx.query({ name: 'flush-search-index', text: 'SELECT flush_search_index()' });
}

/** Empties the search index and divides all users into buckets of equal size, into which they are yet to be added. */
export async function resetSearchIndex(tx: Executor, bucketUsers: number): Promise<void> {
  await tx.query('DELETE FROM user_search');
  await tx.query('DELETE FROM search_buckets');
  await tx.query(
    `INSERT INTO search_buckets (number, users, first_serial)
     SELECT 0, 0, '00000000-0000-0000-0000-000000000000'::uuid
     UNION ALL
     SELECT place / $1, 0, serial
     FROM (SELECT serial, row_number() OVER (ORDER BY serial) - 1 AS place FROM users) AS placed
     WHERE place > 0 AND place % $1 = 0`,
    [bucketUsers],
  );
}

export async function deleteSearchEntries(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query({
    name: 'delete-search-entries',
    text: 'DELETE FROM user_search WHERE serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
}
