import type { ChangeOrigin } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

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
