import type { Executor } from '../database.js';
import { textArray } from '../sql.js';
import type { NameKind } from './former-names.js';

/** The last time that somebody gave up a name. */
export interface NameRelease {
  /** Usernames in lower case. */
  readonly name: string;
  /** Who had the name; null if the user was erased. */
  readonly userSerial: string | null;
  readonly at: Date;
  /** The number of the change. */
  readonly seq: string;
}

function nameBefore(kind: NameKind): string {
  const text = `fields -> '${kind}' ->> 'before'`;
  return kind === 'username' ? `lower(${text})` : text;
}

/**
 * The last release of each of these names within so many days, unless an administrator has ended its quarantine since.
 * Includes changes that are not indexed yet, and those of the same transaction.
 */
export async function lastReleases(
  executor: Executor,
  kind: NameKind,
  names: readonly string[],
  days: number,
): Promise<NameRelease[]> {
  if (names.length === 0 || days === 0) return [];
  const { rows } = await executor.query<NameRelease>({
    name: `last-releases-${kind}`,
    text: `SELECT DISTINCT ON (name) name, user_serial AS "userSerial", at, seq
           FROM (SELECT name, user_serial, held_until AS at, seq FROM former_names
                 WHERE kind = '${kind}' AND name = ANY ($1::text[])
                 UNION ALL
                 SELECT ${nameBefore(kind)}, user_serial, at, seq FROM changes
                 WHERE seq > (SELECT names_position FROM index_state) AND kind <> 'created'
                   AND user_serial IS NOT NULL AND ${nameBefore(kind)} = ANY ($1::text[])
                 UNION ALL
                 SELECT name, NULL, released_at, seq
                 FROM unnest($1::text[]) AS name JOIN erased_names ON digest = sha256(convert_to(name, 'UTF8'))
                 WHERE kind = '${kind}') AS releases
           WHERE at > now() - make_interval(hours => 24 * $2::integer)
             AND NOT EXISTS (SELECT FROM released_names
                             WHERE released_names.kind = '${kind}' AND released_names.name = releases.name
                               AND released_names.seq >= releases.seq)
           ORDER BY name, seq DESC`,
    values: [textArray(names), days],
  });
  return rows;
}

/** Ends the quarantine of a name that a change began. */
export async function endQuarantine(tx: Executor, kind: NameKind, { name, seq }: NameRelease): Promise<void> {
  await tx.query({
    name: 'end-quarantine',
    text: `INSERT INTO released_names (kind, name, seq) VALUES ($1, $2, $3)
           ON CONFLICT (kind, name) DO UPDATE SET seq = greatest(released_names.seq, excluded.seq)`,
    values: [kind, name, seq],
  });
}

/** Those whose quarantine began with a change that is no longer in the log. It would have ended by now. */
export async function deleteOldReleasedNames(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM released_names WHERE seq <= (SELECT pruned_to FROM change_log)');
}
