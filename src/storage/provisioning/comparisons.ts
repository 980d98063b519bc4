import type { TargetDifference, TargetError } from '../../contract/enums.js';
import { scimTargetLimits } from '../../contract/limits.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import type { ClaimedTarget } from './target-claims.js';
import { isSelected } from './target-queue.js';

type ById = Pick<ClaimedTarget, 'id'>;

/** Replaces the last one. */
export async function startComparison(tx: Executor, targetId: string, id: string): Promise<void> {
  await tx.query('DELETE FROM scim_comparisons WHERE target_id = $1', [targetId]);
  await tx.query('INSERT INTO scim_comparisons (target_id, id) VALUES ($1, $2)', [targetId, id]);
}

export interface RunningComparison {
  readonly id: string;
  readonly compared: number;
  readonly total: number | null;
}

export async function runningComparison(
  executor: Executor,
  { id }: ById,
): Promise<RunningComparison | undefined> {
  const { rows } = await executor.query<RunningComparison>({
    name: 'running-comparison',
    text: 'SELECT id, compared, total FROM scim_comparisons WHERE target_id = $1 AND ended_at IS NULL',
    values: [id],
  });
  return rows[0];
}

export interface ComparedUser {
  readonly serial: string;
  readonly remoteId: string | null;
  readonly isSelected: boolean;
}

/** The users here that these users of the target stand for, by ID or external ID. */
export async function usersCompared(
  executor: Executor,
  { id }: ById,
  remoteIds: readonly string[],
  serials: readonly string[],
): Promise<ComparedUser[]> {
  const { rows } = await executor.query<ComparedUser>({
    name: 'users-compared',
    text: `SELECT user_serial AS serial, remote_id AS "remoteId",
             EXISTS (SELECT FROM users u JOIN scim_targets t ON t.id = $1 WHERE u.serial = user_serial AND ${isSelected})
               AS "isSelected"
           FROM scim_target_users
           WHERE target_id = $1 AND (remote_id = ANY ($2::text[]) OR user_serial = ANY ($3::uuid[]))`,
    values: [id, textArray(remoteIds), plainArray(serials)],
  });
  return rows;
}

export interface Difference {
  readonly id: string;
  readonly kind: TargetDifference;
  readonly userSerial: string | null;
  readonly remoteId: string | null;
  readonly fields: readonly string[];
}

interface ComparedPage {
  /** How many users of the target were in it. */
  readonly count: number;
  readonly total: number;
  readonly seen: readonly string[];
  readonly differences: readonly Difference[];
}

/** Nothing happens if another comparison has begun meanwhile. */
export async function recordCompared(
  tx: Executor,
  { id: targetId }: ById,
  { id, compared }: RunningComparison,
  page: ComparedPage,
): Promise<void> {
  const count = (kind: TargetDifference) => page.differences.filter((each) => each.kind === kind).length;
  const { rowCount } = await tx.query({
    name: 'note-compared',
    text: `UPDATE scim_comparisons SET compared = compared + $3, total = coalesce(total, $4), extra = extra + $5,
             different = different + $6
           WHERE target_id = $1 AND id = $2 AND compared = $7 AND ended_at IS NULL`,
    values: [targetId, id, page.count, page.total, count('extra'), count('different'), compared],
  });
  if (rowCount !== 1) return;
  await tx.query({
    name: 'note-seen',
    text: `UPDATE scim_target_users SET seen_in = $2 WHERE target_id = $1 AND user_serial = ANY ($3::uuid[])`,
    values: [targetId, id, plainArray(page.seen)],
  });
  const values = page.differences.map(({ id, kind, userSerial, remoteId, fields }) => ({
    ...{ id, kind, remote_id: remoteId, fields },
    user_serial: userSerial,
  }));
  await tx.query({
    name: 'insert-differences',
    text: `INSERT INTO scim_differences (id, target_id, user_serial, kind, remote_id, fields)
           SELECT id, $1, user_serial, kind, remote_id, fields
           FROM jsonb_to_recordset($2::jsonb) AS d (id uuid, user_serial uuid, kind text, remote_id text, fields text[])
           WHERE (SELECT extra + different FROM scim_comparisons WHERE target_id = $1) <= $3`,
    values: [targetId, JSON.stringify(values), scimTargetLimits.differencesKept],
  });
}

/** Whom the target has not shown is missing there. */
export async function endComparison(
  tx: Executor,
  { id: targetId }: ById,
  { id }: RunningComparison,
  error: TargetError | null,
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'end-comparison',
    text: `UPDATE scim_comparisons SET ended_at = now(), error = $3 WHERE target_id = $1 AND id = $2 AND ended_at IS NULL`,
    values: [targetId, id, error],
  });
  if (rowCount !== 1 || error !== null) return;
  const missing = `FROM users u JOIN scim_targets t ON t.id = $1
    LEFT JOIN scim_target_users k ON k.target_id = $1 AND k.user_serial = u.serial
    WHERE ${isSelected} AND k.seen_in IS DISTINCT FROM $2`;
  await tx.query(`UPDATE scim_comparisons SET missing = (SELECT count(*) ${missing}) WHERE target_id = $1`, [
    targetId,
    id,
  ]);
  await tx.query(
    `INSERT INTO scim_differences (id, target_id, user_serial, kind, remote_id, fields)
     SELECT gen_random_uuid(), $1, u.serial, 'missing', k.remote_id, '{}' ${missing} ORDER BY u.serial LIMIT $3`,
    [targetId, id, scimTargetLimits.differencesKept],
  );
}

/** Queues the users of the differences. Those who are unknown here stay as they are. */
export async function queueDifferences(tx: Executor, targetId: string): Promise<void> {
  await tx.query(
    `INSERT INTO scim_target_users AS q (target_id, user_serial, next_at)
     SELECT DISTINCT $1::uuid, user_serial, now() FROM scim_differences
     WHERE target_id = $1 AND user_serial IS NOT NULL ORDER BY user_serial
     ON CONFLICT (target_id, user_serial)
     DO UPDATE SET changes = q.changes + 1, next_at = least(q.next_at, now()), attempts = 0, is_active_there = true`,
    [targetId],
  );
}

export async function listDifferences(
  executor: Executor,
  targetId: string,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<Difference[]> {
  const { rows } = await executor.query<Difference>(
    `SELECT id, kind, user_serial AS "userSerial", remote_id AS "remoteId", fields FROM scim_differences
     WHERE target_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [targetId, afterId ?? null, limit],
  );
  return rows;
}
