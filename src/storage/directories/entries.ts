import type { DirectoryKind } from '../../contract/directories.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

export interface DirectoryEntry {
  readonly serial: string;
  readonly displayName: string | null;
  /** Only of organizations. */
  readonly parentSerial: string | null;
  /** Only of organizations. */
  readonly hasParts: boolean;
  readonly total: number;
  readonly active: number;
}

/** How users refer to the entries of each directory: as rows of serial and status. */
const references: Record<DirectoryKind, (table: string) => string> = {
  organizations: (table) =>
    `SELECT organization_serial AS serial, is_active FROM ${table} WHERE serial = ANY ($1::uuid[]) AND organization_serial IS NOT NULL`,
  tags: (table) =>
    `SELECT tag.serial, is_active FROM ${table} CROSS JOIN LATERAL (SELECT DISTINCT unnest(tag_serials) AS serial) AS tag
     WHERE ${table}.serial = ANY ($1::uuid[])`,
};

/**
 * What changed since the indexer counted: the users of $1 as they are, less how they were counted. Their entries may
 * not be in the directory yet.
 */
export function differences(kind: DirectoryKind): string {
  return `SELECT serial, sum(users)::integer AS total, coalesce(sum(users) FILTER (WHERE is_active), 0)::integer AS active
    FROM (SELECT serial, is_active, 1 AS users FROM (${references[kind]('users')}) AS now
          UNION ALL
          SELECT serial, is_active, -1 FROM (${references[kind]('user_listing')}) AS counted) AS changed
    GROUP BY serial`;
}

const hasParts = 'EXISTS (SELECT FROM organizations AS part WHERE part.parent_serial = wanted.serial)';

function entries(kind: DirectoryKind, serials: string): string {
  const isNested = kind === 'organizations';
  return `SELECT serial, display_name AS "displayName", ${isNested ? 'parent_serial' : 'NULL'} AS "parentSerial",
      ${isNested ? hasParts : 'false'} AS "hasParts",
      coalesce(users_total, 0) + coalesce(difference.total, 0) AS total,
      coalesce(users_active, 0) + coalesce(difference.active, 0) AS active
    FROM (${serials}) AS wanted LEFT JOIN ${kind} USING (serial) LEFT JOIN difference USING (serial)`;
}

/** An entry that was renamed, or that only an undone call brought, is in the directory only while a user has it. */
export function isListed(table: string): string {
  return `(NOT (${table}.is_renamed OR ${table}.is_undone) OR
    ${table}.users_total + coalesce((SELECT total FROM difference WHERE difference.serial = ${table}.serial), 0) > 0)`;
}

/** What is part of something that isn't in the directory would never be found below it. */
const isTopLevel = `(parent_serial IS NULL OR NOT (
  EXISTS (SELECT FROM organizations AS parent WHERE parent.serial = organizations.parent_serial AND ${isListed('parent')})
  OR EXISTS (SELECT FROM difference WHERE difference.serial = organizations.parent_serial AND total > 0)))`;

export interface DirectoryPage {
  /** Users changed since they were indexed. */
  readonly fresh: readonly string[];
  /** The last entry of the previous page. */
  readonly after: { readonly serial: string; readonly displayName: string | null } | undefined;
  readonly limit: number;
  /** All must match the serial or the display name. */
  readonly words: readonly DirectoryWord[];
  /** Sorts by display names, and then those without one by their serials. Otherwise, all are sorted by their serials. */
  readonly collation: string | undefined;
  /** Only the parts of this organization. */
  readonly parentSerial: string | undefined;
  /** Only organizations that are not part of another one. */
  readonly isTopLevel: boolean | undefined;
}

/**
 * LIKE patterns for a word as typed in lower case, and for its folded parts. If the word doesn't match, all parts must, by
 * any of their spellings.
 */
export interface DirectoryWord {
  readonly typed: string;
  readonly folded: readonly (readonly string[])[];
}

/**
 * Another system chose the serials, so they are searched as they are, without accents, and with letters that some people
 * write as two. The same expression as that of the column `searched_serial`, for serials without a row.
 */
const lowerSerial = `normalize(lower(serial COLLATE "und-x-icu"))`;
const transcriptions = Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', đ: 'dj', ß: 'ss' });
const transcribedSerial = transcriptions.reduce(
  (text, [letter, letters]) => `replace(${text}, '${letter}', '${letters}')`,
  lowerSerial,
);
const withoutAccents = (text: string) =>
  `regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')`;
const searchedSerial = `CASE WHEN octet_length(serial) = length(serial) THEN lower(serial)
  ELSE ${lowerSerial} || ' ' || ${withoutAccents(lowerSerial)} || ' ' || ${withoutAccents(transcribedSerial)} END`;

export async function listDirectory(
  executor: Executor,
  kind: DirectoryKind,
  { fresh, after, limit, words, collation, parentSerial, isTopLevel: topLevel }: DirectoryPage,
): Promise<DirectoryEntry[]> {
  const values: unknown[] = [plainArray(fresh), limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const like = (pattern: string) => `names LIKE ${parameter(pattern)}`;
  const anyLike = (patterns: readonly string[]) => `(${patterns.map(like).join(' OR ')})`;
  const matches = words.map(({ typed, folded }) =>
    folded.length === 0 ? like(typed) : `(${like(typed)} OR (${folded.map(anyLike).join(' AND ')}))`,
  );
  const name = collation && `display_name COLLATE "${collation}"`;
  const order = name ? `${name} NULLS LAST, serial` : 'serial';
  const isAfter = after ? afterEntry(after, name, parameter) : 'true';
  const isWanted = [
    isListed(kind),
    isAfter,
    parentSerial !== undefined && `parent_serial = ${parameter(parentSerial)}`,
    topLevel && isTopLevel,
  ].filter((condition) => condition !== false && condition !== undefined);
  // Without a row, an entry has neither a name nor a parent.
  const unnamed = `(SELECT serial, NULL::text AS display_name, total FROM difference WHERE serial NOT IN (SELECT serial FROM ${kind})) AS unnamed`;
  const isUnnamedWanted = ['total > 0', isAfter, ...(parentSerial === undefined ? [] : ['false'])];
  const found = (source: string, names: string) =>
    // OFFSET keeps the planner from computing the names once for every word.
    `(SELECT serial FROM (SELECT serial, display_name, ${names} AS names FROM ${source} ${name ? '' : 'ORDER BY serial'} OFFSET 0) AS named
      WHERE ${['true', ...matches].join(' AND ')} ORDER BY ${order} LIMIT $2)`;
  const { rows } = await executor.query<DirectoryEntry>({
    text: `WITH difference AS MATERIALIZED (${differences(kind)})
           ${entries(
             kind,
             `${found(`${kind} WHERE ${isWanted.join(' AND ')}`, `searched_serial || ' ' || coalesce(folded_name, '')`)}
              UNION ${found(`${unnamed} WHERE ${isUnnamedWanted.join(' AND ')}`, searchedSerial)}`,
           )} ORDER BY ${order} LIMIT $2`,
    values,
  });
  return rows;
}

/** Whether an entry comes after another one: of those with names, if there are any, and of those without. */
function afterEntry(
  { serial, displayName }: { readonly serial: string; readonly displayName: string | null },
  name: string | undefined,
  parameter: (value: unknown) => string,
): string {
  const hasLaterSerial = `serial > ${parameter(serial)}`;
  if (name === undefined) return hasLaterSerial;
  if (displayName === null) return `(display_name IS NULL AND ${hasLaterSerial})`;
  const last = `${parameter(displayName)}::text`;
  return `(display_name IS NULL OR ${name} > ${last} OR (display_name = ${last} AND ${hasLaterSerial}))`;
}

/** Undefined if no user has the serial and nothing is known about it. */
export async function getDirectoryEntry(
  executor: Executor,
  kind: DirectoryKind,
  serial: string,
  fresh: readonly string[],
): Promise<DirectoryEntry | undefined> {
  const { rows } = await executor.query<DirectoryEntry>({
    text: `WITH difference AS MATERIALIZED (${differences(kind)})
           ${entries(
             kind,
             `SELECT serial FROM ${kind} WHERE serial = $2 AND ${isListed(kind)}
              UNION SELECT serial FROM difference WHERE serial = $2 AND total > 0`,
           )}`,
    values: [plainArray(fresh), serial],
  });
  return rows[0];
}

export interface DirectoryText {
  readonly displayName: string | null;
  /** The display name as searches see it. */
  readonly foldedName: string | null;
  readonly parentSerial: string | null;
}

/** What the entry was called before is kept, so that files may still call it so. */
export async function putDirectoryEntry(
  tx: Executor,
  kind: DirectoryKind,
  serial: string,
  { displayName, foldedName, parentSerial }: DirectoryText,
): Promise<void> {
  const parent = kind === 'organizations';
  await tx.query(
    `WITH before AS (SELECT name_key FROM ${kind} WHERE serial = $1),
     put AS (
       INSERT INTO ${kind} (serial, display_name, folded_name${parent ? ', parent_serial' : ''})
       VALUES ($1, $2, $3${parent ? ', $4' : ''})
       ON CONFLICT (serial) DO UPDATE SET display_name = excluded.display_name, folded_name = excluded.folded_name,
         is_renamed = false, is_undone = false${parent ? ', parent_serial = excluded.parent_serial' : ''}
       RETURNING name_key)
     INSERT INTO former_entry_names (directory, name_key, serial)
     SELECT '${kind}', before.name_key, $1 FROM before CROSS JOIN put WHERE before.name_key <> put.name_key
     ON CONFLICT DO NOTHING`,
    [serial, displayName, foldedName, ...(parent ? [parentSerial] : [])],
  );
}

/** Lets no one else change the directory until the transaction ends. */
export async function lockDirectory(tx: Executor, kind: DirectoryKind): Promise<void> {
  await tx.query(`LOCK TABLE ${kind} IN SHARE ROW EXCLUSIVE MODE`);
}

/** What the directory says about a serial, without its users. */
export interface DirectoryRow extends DirectoryText {
  /** Its name and place have moved to another serial. */
  readonly isRenamed: boolean;
  /** Nothing but an undone call has brought it. */
  readonly isUndone: boolean;
}

export async function getDirectoryRow(
  tx: Executor,
  kind: DirectoryKind,
  serial: string,
): Promise<DirectoryRow | undefined> {
  const { rows } = await tx.query<DirectoryRow>(
    `SELECT display_name AS "displayName", folded_name AS "foldedName", is_renamed AS "isRenamed", is_undone AS "isUndone",
       ${kind === 'organizations' ? 'parent_serial' : 'NULL'} AS "parentSerial"
     FROM ${kind} WHERE serial = $1`,
    [serial],
  );
  return rows[0];
}

/** Removes what the directory says about a serial. Its users may not be counted elsewhere yet, so the row stays. */
export async function markRenamed(tx: Executor, kind: DirectoryKind, serial: string): Promise<void> {
  await tx.query(
    `INSERT INTO ${kind} (serial, is_renamed) VALUES ($1, true)
     ON CONFLICT (serial) DO UPDATE SET is_renamed = true, display_name = NULL, folded_name = NULL
       ${kind === 'organizations' ? ', parent_serial = NULL' : ''}`,
    [serial],
  );
}

/**
 * Serials that an undone call gave to users leave the directory once no user has them, if the call brought them and nobody
 * has named or nested them since. One that the indexer has not added yet is added here, because it may be about to.
 */
export async function markUndone(
  tx: Executor,
  kind: DirectoryKind,
  serials: readonly string[],
  startedAt: string,
): Promise<void> {
  const isNested = `${kind}.parent_serial IS NOT NULL
    OR EXISTS (SELECT FROM organizations AS part WHERE part.parent_serial = ${kind}.serial)`;
  await tx.query({
    text: `INSERT INTO ${kind} (serial, is_undone) SELECT DISTINCT serial, true FROM unnest($1::text[]) AS serial ORDER BY 1
           ON CONFLICT (serial) DO UPDATE SET is_undone = true
           WHERE ${kind}.added_at >= $2 AND ${kind}.display_name IS NULL AND NOT ${kind}.is_renamed
             ${kind === 'organizations' ? `AND NOT (${isNested})` : ''}`,
    values: [textArray(serials), startedAt],
  });
}

/** Those of the users who are counted with an entry. */
export async function countedUsers(
  tx: Executor,
  kind: DirectoryKind,
  serial: string,
  users: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<[serial: string]>({
    text: `SELECT serial FROM user_listing WHERE serial = ANY ($1::uuid[])
             AND ${kind === 'organizations' ? 'organization_serial = $2' : '$2 = ANY (tag_serials)'}`,
    values: [plainArray(users), serial],
    rowMode: 'array',
  });
  return rows.map(([found]) => found);
}

/** Deletes an entry with which nobody is counted. Returns false if somebody is. */
export async function deleteDirectoryEntry(
  tx: Executor,
  kind: DirectoryKind,
  serial: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ isCounted: boolean }>(
    `WITH deleted AS (DELETE FROM ${kind} WHERE serial = $1 AND users_total = 0)
     SELECT EXISTS (SELECT FROM ${kind} WHERE serial = $1 AND users_total <> 0) AS "isCounted"`,
    [serial],
  );
  return rows[0]?.isCounted === false;
}
