import type { DirectoryKind } from '../../contract/directories.js';
import { type SearchedField, searchedFields } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { formerEmployeeIds } from '../names/former-names.js';
import { joinedLists, namedColumns, parseTextArray, plainArray, textArray } from '../sql.js';

export async function usersAfter(tx: Executor, serial: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<[serial: string]>({
    name: 'users-after',
    text: 'SELECT serial FROM users WHERE serial > $1 ORDER BY serial LIMIT $2',
    values: [serial, limit],
    rowMode: 'array',
  });
  return rows.map(([found]) => found);
}

/** What lists filter and sort by, and the words by which a user is found. */
export interface ListedFields
  extends Pick<StoredUser, 'employeeID' | 'name' | 'isActive' | 'organizationSerial' | 'tagSerials'> {
  readonly hasManager: boolean;
  readonly words: string;
}

export interface ListedUser extends ListedFields {
  readonly serial: string;
}

export async function writeListing(tx: Executor, users: readonly ListedUser[]): Promise<void> {
  if (users.length === 0) return;
  const tags = joinedLists(users.map(({ tagSerials }) => tagSerials));
  await tx.query({
    name: 'write-listing',
    text: `INSERT INTO user_listing (serial, employee_id, name, is_active, organization_serial, has_manager, words, tag_serials)
           SELECT serial, employee_id, name, is_active, organization_serial, has_manager, words, string_to_array(tags, $9)
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::boolean[], $7::text[], $8::text[])
             AS new (serial, employee_id, name, is_active, organization_serial, has_manager, words, tags)
           ON CONFLICT (serial) DO UPDATE SET
             employee_id = excluded.employee_id, name = excluded.name, is_active = excluded.is_active,
             organization_serial = excluded.organization_serial, has_manager = excluded.has_manager,
             words = excluded.words, tag_serials = excluded.tag_serials`,
    values: [
      plainArray(users.map(({ serial }) => serial)),
      textArray(users.map(({ employeeID }) => employeeID)),
      textArray(users.map(({ name }) => name)),
      plainArray(users.map(({ isActive }) => isActive)),
      textArray(users.map(({ organizationSerial }) => organizationSerial)),
      plainArray(users.map(({ hasManager }) => hasManager)),
      textArray(users.map(({ words }) => words)),
      tags.joined,
      tags.separator,
    ],
  });
}

/** What is listed of users, by serial. */
export async function listedFields(
  tx: Executor,
  serials: readonly string[],
): Promise<Map<string, ListedFields>> {
  const { rows } = await tx.query<Omit<ListedUser, 'tagSerials'> & { tags: string }>({
    name: 'listed-fields',
    text: `SELECT serial, employee_id AS "employeeID", name, is_active AS "isActive",
                  organization_serial AS "organizationSerial", has_manager AS "hasManager", words,
                  tag_serials::text AS tags
           FROM user_listing WHERE serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return new Map(
    rows.map(({ serial, tags, ...fields }) => [serial, { ...fields, tagSerials: parseTextArray(tags) }]),
  );
}

export async function deleteFromListing(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query({
    name: 'delete-from-listing',
    text: 'DELETE FROM user_listing WHERE serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
}

/** A number of users, or by how much it changes. */
export interface UserCount {
  readonly total: number;
  readonly active: number;
}

export async function addToDirectory(
  tx: Executor,
  kind: DirectoryKind,
  counts: ReadonlyMap<string, UserCount>,
): Promise<void> {
  const changed = [...counts].filter(([, { total, active }]) => total !== 0 || active !== 0).sort(bySerial);
  if (changed.length === 0) return;
  await tx.query({
    name: `add-to-${kind}`,
    // Most have a row. An attempt to insert it would compute the columns that are generated from its serial.
    text: `WITH changed AS MATERIALIZED (
             SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[]) AS changed (serial, total, active)),
           updated AS (
             UPDATE ${kind} SET users_total = users_total + total, users_active = users_active + active
             FROM changed WHERE ${kind}.serial = changed.serial RETURNING ${kind}.serial)
           INSERT INTO ${kind} (serial, users_total, users_active)
           SELECT * FROM changed WHERE serial NOT IN (SELECT serial FROM updated)
           ON CONFLICT (serial) DO UPDATE SET users_total = ${kind}.users_total + excluded.users_total,
             users_active = ${kind}.users_active + excluded.users_active`,
    values: [
      textArray(changed.map(([serial]) => serial)),
      plainArray(changed.map(([, { total }]) => total)),
      plainArray(changed.map(([, { active }]) => active)),
    ],
  });
}

function bySerial([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

export async function addToTotals(tx: Executor, { total, active }: UserCount): Promise<void> {
  if (total === 0 && active === 0) return;
  await tx.query({
    name: 'add-to-totals',
    text: 'UPDATE index_state SET users_total = users_total + $1, users_active = users_active + $2',
    values: [total, active],
  });
}

/** New words and tags are collected in lists that every search reads from end to end, until they are moved into the index. */
export async function flushListing(tx: Executor): Promise<void> {
  await tx.query({ name: 'flush-listing', text: 'SELECT flush_search_index()' });
}

/** The fields by which a user is found. */
export interface SearchedFields extends Pick<StoredUser, 'serial' | SearchedField | 'attributes'> {
  readonly formerEmployeeIDs: readonly string[];
}

/** Of users as they are now, including changes that are not indexed yet. Attributes are null unless they are searched. */
export async function readSearchedFields(
  executor: Executor,
  serials: readonly string[],
  searchesAttributes: boolean,
): Promise<SearchedFields[]> {
  const { rows } = await executor.query<Omit<SearchedFields, 'formerEmployeeIDs'>>({
    name: 'read-searched-fields',
    text: `SELECT serial, ${namedColumns(searchedFields)}, CASE WHEN $2::boolean THEN attributes::text END AS attributes
           FROM users WHERE serial = ANY ($1::uuid[])`,
    values: [plainArray(serials), searchesAttributes],
  });
  const former = await formerEmployeeIds(executor, serials);
  return rows.map((row) => ({ ...row, formerEmployeeIDs: former.get(row.serial) ?? [] }));
}

/** Empties the listing and resets what is counted with it. */
export async function resetListing(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM user_listing');
  await tx.query('DELETE FROM listed_attributes');
  await tx.query('DELETE FROM inactive_managers');
  await tx.query('DELETE FROM name_words');
  await tx.query('UPDATE organizations SET users_total = 0, users_active = 0');
  await tx.query('UPDATE tags SET users_total = 0, users_active = 0');
  await tx.query('UPDATE index_state SET users_total = 0, users_active = 0');
}
