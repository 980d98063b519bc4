import type { TargetDifference, TargetError } from '../../contract/enums.js';
import { scimTargetLimits } from '../../contract/limits.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import type { ClaimedTarget } from './target-claims.js';
import { isSelected, queueAgain } from './target-queue.js';

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
  /** Whether groups are next. */
  readonly hasAllUsers: boolean;
  readonly groupAfter: string | null;
}

export async function runningComparison(
  executor: Executor,
  { id }: ById,
): Promise<RunningComparison | undefined> {
  const { rows } = await executor.query<RunningComparison>({
    name: 'running-comparison',
    text: `SELECT id, compared, total, users_compared_at IS NOT NULL AS "hasAllUsers", group_after AS "groupAfter"
           FROM scim_comparisons WHERE target_id = $1 AND ended_at IS NULL`,
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
  /** Of a group. */
  readonly tagSerial: string | null;
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

export async function endComparison(
  tx: Executor,
  { id: targetId }: ById,
  { id }: RunningComparison,
  error: TargetError | null,
): Promise<void> {
  await tx.query({
    name: 'end-comparison',
    text: `UPDATE scim_comparisons SET ended_at = now(), error = $3 WHERE target_id = $1 AND id = $2 AND ended_at IS NULL`,
    values: [targetId, id, error],
  });
}

/** Whom the target has not shown is missing there. */
export async function endUsers(
  tx: Executor,
  { id: targetId }: ById,
  { id }: RunningComparison,
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'end-compared-users',
    text: `UPDATE scim_comparisons SET users_compared_at = now()
           WHERE target_id = $1 AND id = $2 AND users_compared_at IS NULL AND ended_at IS NULL`,
    values: [targetId, id],
  });
  if (rowCount !== 1) return;
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

export interface GroupToCompare {
  readonly serial: string;
  readonly remoteId: string;
}

/** The groups that are there, as far as we know, in order. */
export async function groupsToCompare(
  executor: Executor,
  { id }: ById,
  { groupAfter }: RunningComparison,
  limit: number,
): Promise<GroupToCompare[]> {
  const { rows } = await executor.query<GroupToCompare>({
    name: 'groups-to-compare',
    text: `SELECT tag_serial AS serial, remote_id AS "remoteId" FROM scim_target_groups
           WHERE target_id = $1 AND remote_id IS NOT NULL AND ($2::text IS NULL OR tag_serial > $2)
           ORDER BY tag_serial LIMIT $3`,
    values: [id, groupAfter, limit],
  });
  return rows;
}

/** Records which of our users the group has, so that a repair adds and removes those who differ. Returns whether any do. */
export async function recordMembersThere(
  tx: Executor,
  { id }: ById,
  tagSerial: string,
  remoteIds: readonly string[],
): Promise<boolean> {
  const values = [id, tagSerial, textArray(remoteIds)];
  await tx.query({
    name: 'note-members-there',
    text: `UPDATE scim_target_members AS m SET is_there = NOT is_there FROM scim_target_users AS u
           WHERE m.target_id = $1 AND tag_serial = $2 AND u.target_id = $1 AND u.user_serial = m.user_serial
             AND is_there <> coalesce(remote_id = ANY ($3::text[]), false)`,
    values,
  });
  await tx.query({
    name: 'note-extra-members',
    text: `INSERT INTO scim_target_members (target_id, user_serial, tag_serial, is_there, is_wanted)
           SELECT $1, user_serial, $2, true, false FROM scim_target_users
           WHERE target_id = $1 AND remote_id = ANY ($3::text[]) ORDER BY user_serial ON CONFLICT DO NOTHING`,
    values,
  });
  const { rows } = await tx.query<{ differ: boolean }>({
    name: 'do-members-differ',
    text: `SELECT EXISTS (SELECT FROM scim_target_members WHERE target_id = $1 AND tag_serial = $2 AND is_there <> is_wanted)
             AS differ`,
    values: [id, tagSerial],
  });
  return rows[0]?.differ === true;
}

/** How many of our users a group is to have. */
export async function countMembers(executor: Executor, { id }: ById, tagSerial: string): Promise<number> {
  const { rows } = await executor.query<{ count: number }>({
    name: 'count-target-members',
    text: `SELECT count(*)::integer AS count FROM scim_target_members
           WHERE target_id = $1 AND tag_serial = $2 AND is_wanted`,
    values: [id, tagSerial],
  });
  return rows[0]?.count ?? 0;
}

export async function recordComparedGroup(
  tx: Executor,
  { id: targetId }: ById,
  { id }: RunningComparison,
  { serial, remoteId }: GroupToCompare,
  difference: Pick<Difference, 'id' | 'kind' | 'fields'> | undefined,
): Promise<void> {
  const count = (kind: TargetDifference) => Number(difference?.kind === kind);
  const { rowCount } = await tx.query({
    name: 'note-compared-group',
    text: `UPDATE scim_comparisons SET groups_compared = groups_compared + 1, group_after = $3, missing = missing + $4,
             different = different + $5
           WHERE target_id = $1 AND id = $2 AND ended_at IS NULL`,
    values: [targetId, id, serial, count('missing'), count('different')],
  });
  if (rowCount !== 1 || !difference) return;
  await tx.query({
    name: 'insert-group-difference',
    text: `INSERT INTO scim_differences (id, target_id, kind, tag_serial, remote_id, fields) VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [difference.id, targetId, difference.kind, serial, remoteId, textArray(difference.fields)],
  });
}

/** Queues the users and groups of the differences. Those who are unknown here stay as they are. */
export async function queueDifferences(tx: Executor, targetId: string): Promise<void> {
  const { rows } = await tx.query<{ serial: string }>(
    `SELECT DISTINCT user_serial AS serial FROM scim_differences WHERE target_id = $1 AND user_serial IS NOT NULL`,
    [targetId],
  );
  await queueAgain(
    tx,
    { id: targetId },
    rows.map(({ serial }) => serial),
  );
  await tx.query(
    `UPDATE scim_target_groups SET changes = changes + 1, next_at = least(next_at, now()), attempts = 0
     WHERE target_id = $1 AND tag_serial IN (SELECT tag_serial FROM scim_differences WHERE target_id = $1)`,
    [targetId],
  );
}

export async function listDifferences(
  executor: Executor,
  targetId: string,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<Difference[]> {
  const { rows } = await executor.query<Difference>(
    `SELECT id, kind, user_serial AS "userSerial", tag_serial AS "tagSerial", remote_id AS "remoteId", fields FROM scim_differences
     WHERE target_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [targetId, afterId ?? null, limit],
  );
  return rows;
}
