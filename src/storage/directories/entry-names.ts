import type { DirectoryKind } from '../../contract/directories.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { differences, isListed } from './entries.js';

/** An entry that a name may mean, and why. A name that was decided to mean nothing matches without an entry. */
export interface NameMatch {
  readonly name: string;
  readonly by: 'serial' | 'name' | 'decision' | 'formerName';
  readonly serial: string | null;
  readonly displayName: string | null;
}

/** Everything that is in the directory, also serials of users who are not indexed yet. Needs `difference`. */
function present(kind: DirectoryKind): string {
  return `(SELECT serial, display_name, name_key FROM ${kind} WHERE ${isListed(kind)}
    UNION ALL SELECT serial, NULL, entry_key(serial) FROM difference
    WHERE total > 0 AND NOT EXISTS (SELECT FROM ${kind} WHERE ${kind}.serial = difference.serial)) AS present`;
}

/** By the exact serial, and by names, of which several entries may have the same. */
export async function matchNames(
  executor: Executor,
  kind: DirectoryKind,
  names: readonly string[],
  /** Users changed since they were indexed. */
  fresh: readonly string[],
): Promise<NameMatch[]> {
  const { rows } = await executor.query<NameMatch>({
    name: `match-names-of-${kind}`,
    text: `WITH difference AS MATERIALIZED (${differences(kind)}),
           asked AS MATERIALIZED (SELECT name, entry_key(name) AS name_key FROM unnest($2::text[]) AS name)
           SELECT name, 'serial' AS by, serial, display_name AS "displayName"
           FROM asked JOIN ${present(kind)} ON serial = name
           UNION ALL
           SELECT name, 'name', serial, display_name FROM asked JOIN ${present(kind)} USING (name_key)
           UNION ALL
           SELECT name, 'decision', decided.serial, display_name
           FROM asked JOIN entry_name_decisions AS decided ON directory = '${kind}' AND decided.name_key = asked.name_key
             LEFT JOIN ${present(kind)} ON present.serial = decided.serial
           WHERE decided.serial IS NULL OR present.serial IS NOT NULL
           UNION ALL
           SELECT name, 'formerName', serial, display_name
           FROM asked JOIN former_entry_names AS former ON directory = '${kind}' AND former.name_key = asked.name_key
             JOIN ${present(kind)} USING (serial)
           ORDER BY serial`,
    values: [plainArray(fresh), textArray(names)],
  });
  return rows;
}

/** What names are compared by, in their order. */
export async function keysOfNames(executor: Executor, names: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<[key: string]>({
    name: 'keys-of-names',
    text: 'SELECT entry_key(name) FROM unnest($1::text[]) WITH ORDINALITY AS given (name, place) ORDER BY place',
    values: [textArray(names)],
    rowMode: 'array',
  });
  return rows.map(([key]) => key);
}

export interface NamedEntry {
  readonly serial: string;
  readonly displayName: string | null;
}

/** The entries with the most users. */
export async function largestEntries(
  executor: Executor,
  kind: DirectoryKind,
  limit: number,
): Promise<NamedEntry[]> {
  const { rows } = await executor.query<NamedEntry>({
    text: `SELECT serial, display_name AS "displayName" FROM ${kind}
           WHERE users_total > 0 OR NOT (is_renamed OR is_undone) ORDER BY users_total DESC, serial LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** What a name in a file means; without a serial, nothing. Without `isKept`, what was decided before is forgotten. */
export interface NameDecision {
  readonly name: string;
  readonly serial: string | null;
  readonly isKept: boolean;
}

/** In the order of names, so that two requests with the same ones don't wait for each other. */
export async function decideNames(
  tx: Executor,
  kind: DirectoryKind,
  decisions: readonly NameDecision[],
): Promise<void> {
  await tx.query({
    text: `WITH decided AS (
             SELECT DISTINCT ON (entry_key(name)) entry_key(name) AS name_key, serial, is_kept
             FROM unnest($2::text[], $3::text[], $4::boolean[]) WITH ORDINALITY AS given (name, serial, is_kept, place)
             ORDER BY entry_key(name), place DESC),
           forgotten AS (
             DELETE FROM entry_name_decisions USING decided
             WHERE directory = $1 AND entry_name_decisions.name_key = decided.name_key AND NOT is_kept)
           INSERT INTO entry_name_decisions (directory, name_key, serial)
           SELECT $1, name_key, serial FROM decided WHERE is_kept ORDER BY name_key
           ON CONFLICT (directory, name_key) DO UPDATE SET serial = excluded.serial, decided_at = now()`,
    values: [
      kind,
      textArray(decisions.map(({ name }) => name)),
      textArray(decisions.map(({ serial }) => serial)),
      plainArray(decisions.map(({ isKept }) => isKept)),
    ],
  });
}

/** Whatever meant an entry means the one that takes its place, also its serial. */
export async function moveNames(tx: Executor, kind: DirectoryKind, from: string, to: string): Promise<void> {
  await tx.query(
    `WITH moved AS (DELETE FROM former_entry_names WHERE directory = $1 AND serial = $2 RETURNING name_key)
     INSERT INTO former_entry_names (directory, name_key, serial)
     SELECT $1, name_key, $3 FROM (SELECT name_key FROM moved UNION SELECT entry_key($2)) AS names
     ON CONFLICT DO NOTHING`,
    [kind, from, to],
  );
  await tx.query('UPDATE entry_name_decisions SET serial = $3 WHERE directory = $1 AND serial = $2', [
    kind,
    from,
    to,
  ]);
}

/** Nothing means an entry that is gone. */
export async function forgetNames(tx: Executor, kind: DirectoryKind, serial: string): Promise<void> {
  await tx.query('DELETE FROM former_entry_names WHERE directory = $1 AND serial = $2', [kind, serial]);
  await tx.query('DELETE FROM entry_name_decisions WHERE directory = $1 AND serial = $2', [kind, serial]);
}

/** The display names of entries, by serial. Those that are not in the directory are absent. */
export async function displayNamesOf(
  executor: Executor,
  kind: DirectoryKind,
  serials: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<NamedEntry>({
    name: `display-names-of-${kind}`,
    text: `SELECT serial, display_name AS "displayName" FROM ${kind} WHERE serial = ANY ($1::text[])`,
    values: [textArray(serials)],
  });
  return new Map(rows.map(({ serial, displayName }) => [serial, displayName]));
}
