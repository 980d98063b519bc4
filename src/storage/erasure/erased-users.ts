import type { ChangeOrigin } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

/**
 * The first lock of a transaction that erases users, and of one that restores removed users: a removed user has no row
 * to lock, and must not be restored while being erased.
 */
export async function lockErasures(tx: Executor, work: 'erase' | 'restore'): Promise<void> {
  await tx.query(`LOCK TABLE erased_users IN ${work === 'erase' ? 'ROW EXCLUSIVE' : 'SHARE'} MODE`);
}

/** When these users were erased, for those who were. */
export async function erasedAmong(
  executor: Executor,
  serials: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<{ serial: string; erasedAt: Date }>({
    name: 'erased-among',
    text: 'SELECT serial, erased_at AS "erasedAt" FROM erased_users WHERE serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
  return new Map(rows.map(({ serial, erasedAt }) => [serial, erasedAt]));
}

/** Returns the serials that were not erased yet. A concurrent erasure of the same user waits for this transaction. */
export async function insertErasedUsers(
  tx: Executor,
  serials: readonly string[],
  { actor, requestId, callId }: ChangeOrigin,
): Promise<Map<string, Date>> {
  const { rows } = await tx.query<{ serial: string; erasedAt: Date }>({
    name: 'insert-erased-users',
    text: `INSERT INTO erased_users (serial, call_id, actor_kind, actor_id, request_id)
           SELECT serial, $2, $3, $4, $5 FROM unnest($1::uuid[]) AS serial ORDER BY serial
           ON CONFLICT DO NOTHING RETURNING serial, erased_at AS "erasedAt"`,
    values: [plainArray(serials), callId, actor?.kind ?? null, actor?.id ?? null, requestId],
  });
  return new Map(rows.map(({ serial, erasedAt }) => [serial, erasedAt]));
}

/** Users whose data may still be in the files of the database. */
export async function notPurged(executor: Executor): Promise<string[]> {
  const { rows } = await executor.query<{ serial: string }>(
    'SELECT serial FROM erased_users WHERE purged_at IS NULL',
  );
  return rows.map(({ serial }) => serial);
}

/** Returns how many were not marked yet. */
export async function markPurged(executor: Executor, serials: readonly string[]): Promise<number> {
  const { rowCount } = await executor.query(
    'UPDATE erased_users SET purged_at = now() WHERE serial = ANY ($1::uuid[]) AND purged_at IS NULL',
    [plainArray(serials)],
  );
  return rowCount ?? 0;
}

/** Whether users have been erased since a time. */
export async function anyErasedSince(executor: Executor, time: Date): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM erased_users WHERE erased_at >= $1) AS found',
    [time],
  );
  return rows[0]?.found === true;
}

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

/** The employee IDs that erased users released, and that nobody holds now. */
export async function erasedIDsAmong(
  executor: Executor,
  employeeIDs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (employeeIDs.length === 0) return new Set();
  const { rows } = await executor.query<{ id: string }>({
    name: 'erased-ids-among',
    text: `SELECT id FROM unnest($1::text[]) AS id
           WHERE EXISTS (SELECT FROM erased_names WHERE kind = 'employeeID' AND digest = sha256(convert_to(id, 'UTF8')))
             AND NOT EXISTS (SELECT FROM users WHERE employee_id = id)`,
    values: [textArray(employeeIDs)],
  });
  return new Set(rows.map(({ id }) => id));
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
