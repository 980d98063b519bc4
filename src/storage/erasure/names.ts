import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';

/** The names that these users held before, also those that are no longer in the change log. */
export async function formerNamesOf(
  tx: Executor,
  serials: readonly string[],
): Promise<{ serial: string; name: string }[]> {
  const { rows } = await tx.query<{ serial: string; name: string }>({
    name: 'former-names-of',
    text: `SELECT user_serial AS serial, name FROM former_names
           WHERE user_serial = ANY ($1::uuid[]) AND name IS NOT NULL`,
    values: [plainArray(serials)],
  });
  return rows;
}

/** From now on, nobody knows that these users held the names. */
export async function eraseFormerNames(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-former-names',
    text: 'DELETE FROM former_names WHERE user_serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
}

/** Remembers which names these users release now or have released, but not who they were. Runs before they are deleted. */
export async function rememberReleasedNames(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'remember-released-names',
    text: `INSERT INTO erased_names (kind, digest, released_at, seq)
           SELECT DISTINCT ON (1, 2) kind, sha256(convert_to(name, 'UTF8')), at, seq
           FROM (SELECT kind, name, held_until AS at, seq FROM former_names
                 WHERE user_serial = ANY ($1::uuid[]) AND name IS NOT NULL
                 UNION ALL
                 SELECT kind.name, CASE kind.name WHEN 'username' THEN lower(before) ELSE before END, at, seq
                 FROM changes, LATERAL (VALUES ('employeeID'), ('username')) AS kind (name),
                   LATERAL (SELECT fields -> kind.name ->> 'before' AS before) AS former
                 WHERE seq > (SELECT names_position FROM index_state) AND user_serial = ANY ($1::uuid[])
                   AND changes.kind <> 'created' AND before IS NOT NULL
                 UNION ALL
                 SELECT held.kind, held.name, now(), (SELECT last_value FROM change_numbers)
                 FROM users, LATERAL (VALUES ('employeeID', employee_id::text), ('username', lower(username))) AS held (kind, name)
                 WHERE serial = ANY ($1::uuid[]) AND held.name IS NOT NULL) AS released
           WHERE NOT EXISTS (SELECT FROM released_names AS ended
                             WHERE ended.kind = released.kind AND ended.name = released.name AND ended.seq >= released.seq)
           ORDER BY 1, 2, at DESC
           ON CONFLICT (kind, digest) DO UPDATE SET released_at = excluded.released_at, seq = excluded.seq
           WHERE erased_names.released_at < excluded.released_at`,
    values: [plainArray(serials)],
  });
}

/** Administrators may have ended the quarantine of a name. */
export async function eraseReleasedNames(tx: Executor, names: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-released-names',
    text: 'DELETE FROM released_names WHERE lower(name) = ANY ($1::text[])',
    values: [textArray(names.map((name) => name.toLowerCase()))],
  });
}

/** After the longest quarantine, they are not needed any more. */
export async function deleteOldErasedNames(executor: Executor, olderThanDays: number): Promise<void> {
  await executor.query('DELETE FROM erased_names WHERE released_at < now() - make_interval(days => $1)', [
    olderThanDays,
  ]);
}
