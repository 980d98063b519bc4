import type { TargetError } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { type VersionedUser, type ViewRow, versionedUser, viewColumns } from '../users/read-users.js';
import type { ClaimedTarget } from './target-claims.js';

/** Whom a target `t` is to have. */
export const isSelected = `u.is_active AND (t.organization_serials = '{}' OR u.organization_serial = ANY (t.organization_serials))
  AND (t.tag_serials = '{}' OR u.tag_serials && t.tag_serials)`;

type ById = Pick<ClaimedTarget, 'id'>;

/** Queues users there, also those who are inactive and need nothing else. */
export async function queueAgain(
  executor: Executor,
  { id }: ById,
  serials: readonly string[],
): Promise<void> {
  await executor.query({
    name: 'queue-target-users-again',
    text: `INSERT INTO scim_target_users AS q (target_id, user_serial, next_at)
           SELECT $1, serial, now() FROM unnest($2::uuid[]) AS serial ORDER BY serial
           ON CONFLICT (target_id, user_serial)
           DO UPDATE SET changes = q.changes + 1, next_at = least(q.next_at, now()), attempts = 0, is_active_there = true`,
    values: [id, plainArray(serials)],
  });
}

/** Changes go before what a full sync has queued. */
const first = "'-infinity'::timestamptz";

const requeued = (table: string, at: string) =>
  `DO UPDATE SET changes = ${table}.changes + 1, next_at = least(${table}.next_at, ${at}), attempts = 0, last_error = NULL`;

/**
 * Queues the users that the log mentions after the position, up to a number, and moves the position there: those whom
 * the target has or is to have.
 */
export async function queueChanged(tx: Executor, { id }: ById, from: number, upTo: number): Promise<void> {
  await tx.query({
    name: 'queue-changed-users',
    text: `INSERT INTO scim_target_users AS q (target_id, user_serial, next_at)
           SELECT $1, serial, ${first}
           FROM (SELECT DISTINCT user_serial AS serial FROM changes
                 WHERE seq > $2 AND seq <= $3 AND user_serial IS NOT NULL) AS changed
           WHERE EXISTS (SELECT FROM scim_target_users k WHERE k.target_id = $1 AND k.user_serial = changed.serial)
              OR EXISTS (SELECT FROM users u JOIN scim_targets t ON t.id = $1
                         WHERE u.serial = changed.serial AND ${isSelected})
           ORDER BY serial
           ON CONFLICT (target_id, user_serial) ${requeued('q', first)}`,
    values: [id, from, upTo],
  });
  await tx.query({
    name: 'move-scim-target',
    text: 'UPDATE scim_targets SET position = greatest(position, $2) WHERE id = $1',
    values: [id, upTo],
  });
}

/**
 * Queues the next users of a full sync: those whom the target is to have, and those whom it has. Nothing happens if the
 * claim was lost: whoever has changed the target has started the sync again, and it must not end as the one before.
 */
export async function queueNextOfSync(
  tx: Executor,
  { id, claim }: Pick<ClaimedTarget, 'id' | 'claim'>,
  limit: number,
): Promise<void> {
  const held = await tx.query('SELECT FROM scim_targets WHERE id = $1 AND claims = $2 FOR NO KEY UPDATE', [
    id,
    claim,
  ]);
  if (held.rowCount !== 1) return;
  const { rows } = await tx.query<{ last: string | null; count: number }>({
    name: 'queue-next-of-sync',
    text: `WITH target AS MATERIALIZED (SELECT *, coalesce(sync_after, '00000000-0000-0000-0000-000000000000') AS after
                                        FROM scim_targets WHERE id = $1),
           page AS MATERIALIZED (
             (SELECT u.serial FROM users u, target t WHERE u.serial > t.after AND ${isSelected} ORDER BY u.serial LIMIT $2)
             UNION
             (SELECT k.user_serial FROM scim_target_users k, target t
              WHERE k.target_id = $1 AND k.user_serial > t.after ORDER BY k.user_serial LIMIT $2)
             ORDER BY serial LIMIT $2),
           queued AS (
             INSERT INTO scim_target_users AS q (target_id, user_serial, next_at) SELECT $1, serial, now() FROM page
             ON CONFLICT (target_id, user_serial) ${requeued('q', 'now()')})
           SELECT (SELECT serial FROM page ORDER BY serial DESC LIMIT 1) AS last, (SELECT count(*)::integer FROM page) AS count`,
    values: [id, limit],
  });
  const [page] = rows;
  const isLast = (page?.count ?? 0) < limit;
  await tx.query({
    name: 'move-sync',
    text: `UPDATE scim_targets SET sync_after = CASE WHEN $3 THEN NULL ELSE $2::uuid END, synced_at = CASE WHEN $3 THEN now() END
           WHERE id = $1`,
    values: [id, page?.last ?? null, isLast],
  });
  if (isLast) {
    await tx.query(
      `UPDATE scim_target_groups SET changes = changes + 1, next_at = now(), attempts = 0 WHERE target_id = $1`,
      [id],
    );
  }
}

export interface QueuedUser {
  readonly serial: string;
  readonly remoteId: string | null;
  readonly isActiveThere: boolean;
  readonly changes: number;
  readonly attempts: number;
  /** Whether the target is to have the user. */
  readonly isSelected: boolean;
}

export async function dueUsers(executor: Executor, { id }: ById, limit: number): Promise<QueuedUser[]> {
  const { rows } = await executor.query<QueuedUser>({
    name: 'due-target-users',
    text: `SELECT user_serial AS serial, remote_id AS "remoteId", is_active_there AS "isActiveThere", changes, attempts,
             EXISTS (SELECT FROM users u JOIN scim_targets t ON t.id = $1 WHERE u.serial = user_serial AND ${isSelected})
               AS "isSelected"
           FROM scim_target_users WHERE target_id = $1 AND next_at <= now() ORDER BY next_at LIMIT $2`,
    values: [id, limit],
  });
  return rows;
}

export async function readUsersToPush(
  executor: Executor,
  serials: readonly string[],
): Promise<VersionedUser[]> {
  if (serials.length === 0) return [];
  const { rows } = await executor.query<ViewRow>({
    name: 'read-users-to-push',
    text: `SELECT ${viewColumns} FROM users WHERE serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return rows.map(versionedUser);
}

export async function isKnownUser(executor: Executor, serial: string): Promise<boolean> {
  const { rows } = await executor.query('SELECT FROM users WHERE serial = $1', [serial]);
  return rows.length === 1;
}

/** The IDs at the target of users who are there. */
export async function remoteIdsOf(
  executor: Executor,
  { id }: ById,
  serials: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<{ serial: string; remoteId: string }>({
    name: 'remote-ids-of',
    text: `SELECT user_serial AS serial, remote_id AS "remoteId" FROM scim_target_users
           WHERE target_id = $1 AND user_serial = ANY ($2::uuid[]) AND remote_id IS NOT NULL`,
    values: [id, plainArray(serials)],
  });
  return new Map(rows.map(({ serial, remoteId }) => [serial, remoteId]));
}

/** False if another of our users has this ID there, or ours is being erased. */
export async function setRemoteId(
  tx: Executor,
  { id }: ById,
  serial: string,
  remoteId: string | null,
): Promise<boolean> {
  // Whoever is gone there is no member of a group there either.
  if (remoteId === null) {
    await tx.query({
      name: 'leave-remote-groups',
      text: 'UPDATE scim_target_members SET is_there = false WHERE target_id = $1 AND user_serial = $2',
      values: [id, serial],
    });
  }
  const { rowCount } = await tx.query({
    name: 'set-remote-id',
    text: `UPDATE scim_target_users SET remote_id = $3, is_active_there = $3 IS NOT NULL
           WHERE target_id = $1 AND user_serial = $2 AND NOT EXISTS (
             SELECT FROM scim_target_users o WHERE o.target_id = $1 AND o.remote_id = $3 AND o.user_serial <> $2)`,
    values: [id, serial, remoteId],
  });
  return rowCount === 1;
}

export interface PushedUser {
  readonly serial: string;
  /** What was queued when the push began. */
  readonly changes: number;
  readonly version: number;
  readonly isActiveThere: boolean;
  readonly awaitedManager: string | null;
  /** If groups are pushed: the groups that the user is to be in. */
  readonly tagSerials: readonly string[] | undefined;
}

/** Queues those who waited for the user to be there as their manager, and groups that gain or lose the user. */
export async function recordPushed(tx: Executor, { id }: ById, pushed: PushedUser): Promise<void> {
  const { serial, changes, version, isActiveThere, awaitedManager, tagSerials } = pushed;
  // One at a time: a manager and a report who are pushed at the same time would miss each other.
  await tx.query('SELECT FROM scim_targets WHERE id = $1 FOR NO KEY UPDATE', [id]);
  await tx.query({
    name: 'note-user-pushed',
    text: `UPDATE scim_target_users AS u SET attempts = 0, last_error = NULL, last_status = NULL, pushed_version = $4,
             is_active_there = $5, awaited_manager = $6,
             next_at = CASE WHEN EXISTS (SELECT FROM scim_target_users m WHERE m.target_id = $1 AND m.user_serial = $6
                                           AND m.remote_id IS NOT NULL) THEN now()
                            WHEN changes <> $3 THEN next_at END
           WHERE target_id = $1 AND user_serial = $2`,
    values: [id, serial, changes, version, isActiveThere, awaitedManager],
  });
  await tx.query({
    name: 'queue-reports-of-pushed',
    text: `UPDATE scim_target_users SET changes = changes + 1, next_at = now(), awaited_manager = NULL
           WHERE target_id = $1 AND awaited_manager = $2`,
    values: [id, serial],
  });
  if (tagSerials !== undefined) await wantGroups(tx, id, serial, tagSerials);
}

async function wantGroups(tx: Executor, id: string, serial: string, tags: readonly string[]): Promise<void> {
  await tx.query({
    name: 'want-groups',
    text: `WITH wanted AS (
             INSERT INTO scim_target_members AS m (target_id, user_serial, tag_serial, is_there, is_wanted)
             SELECT $1, $2, tag, false, true FROM unnest($3::text[]) AS tag ORDER BY tag
             ON CONFLICT (target_id, user_serial, tag_serial) DO UPDATE SET is_wanted = true WHERE NOT (m.is_wanted AND m.is_there)
             RETURNING tag_serial, is_there),
           unwanted AS (
             UPDATE scim_target_members SET is_wanted = false
             WHERE target_id = $1 AND user_serial = $2 AND is_wanted AND is_there AND NOT (tag_serial = ANY ($3::text[]))
             RETURNING tag_serial),
           never_there AS (
             DELETE FROM scim_target_members
             WHERE target_id = $1 AND user_serial = $2 AND NOT is_there AND NOT (tag_serial = ANY ($3::text[])))
           INSERT INTO scim_target_groups AS g (target_id, tag_serial, next_at)
           SELECT $1, tag_serial, now() FROM (SELECT tag_serial FROM wanted UNION SELECT tag_serial FROM unwanted) AS groups
           ORDER BY tag_serial
           ON CONFLICT (target_id, tag_serial)
           DO UPDATE SET changes = g.changes + 1, next_at = least(g.next_at, now())`,
    values: [id, serial, textArray(tags)],
  });
}

/** The user is no longer there. A change that was queued meanwhile begins anew. */
export async function forgetUser(tx: Executor, { id }: ById, serial: string, changes: number): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'forget-pushed-user',
    text: 'DELETE FROM scim_target_users WHERE target_id = $1 AND user_serial = $2 AND changes = $3',
    values: [id, serial, changes],
  });
  if (rowCount === 1) return;
  await tx.query({
    name: 'forget-remote-user',
    text: `UPDATE scim_target_users SET remote_id = NULL, is_active_there = false WHERE target_id = $1 AND user_serial = $2`,
    values: [id, serial],
  });
  await tx.query('DELETE FROM scim_target_members WHERE target_id = $1 AND user_serial = $2', [id, serial]);
}

export interface PushFailed {
  readonly error: TargetError;
  readonly status: number | null;
  readonly pauseMs: number;
}

export async function recordUserFailed(
  executor: Executor,
  { id }: ById,
  serial: string,
  { error, status, pauseMs }: PushFailed,
): Promise<void> {
  await executor.query({
    name: 'note-user-not-pushed',
    text: `UPDATE scim_target_users SET attempts = attempts + 1, last_error = $3, last_status = $4,
             next_at = now() + make_interval(secs => $5::float8 / 1000)
           WHERE target_id = $1 AND user_serial = $2`,
    values: [id, serial, error, status, pauseMs],
  });
}

/** The tag has another display name, so the groups of all targets get another name. */
export async function queueGroup(tx: Executor, tagSerial: string): Promise<void> {
  await tx.query({
    name: 'queue-renamed-group',
    text: `UPDATE scim_target_groups SET changes = changes + 1, next_at = now() WHERE tag_serial = $1`,
    values: [tagSerial],
  });
}

export interface QueuedGroup {
  readonly serial: string;
  readonly remoteId: string | null;
  readonly changes: number;
  readonly attempts: number;
}

export async function dueGroups(executor: Executor, { id }: ById, limit: number): Promise<QueuedGroup[]> {
  const { rows } = await executor.query<QueuedGroup>({
    name: 'due-target-groups',
    text: `SELECT tag_serial AS serial, remote_id AS "remoteId", changes, attempts FROM scim_target_groups
           WHERE target_id = $1 AND next_at <= now() ORDER BY next_at LIMIT $2`,
    values: [id, limit],
  });
  return rows;
}

export async function setRemoteGroup(
  tx: Executor,
  { id }: ById,
  tagSerial: string,
  remoteId: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'set-remote-group',
    text: `UPDATE scim_target_groups SET remote_id = $3 WHERE target_id = $1 AND tag_serial = $2
             AND NOT EXISTS (SELECT FROM scim_target_groups o
                             WHERE o.target_id = $1 AND o.remote_id = $3 AND o.tag_serial <> $2)`,
    values: [id, tagSerial, remoteId],
  });
  // A new group has no members.
  if (remoteId === null) {
    const group = 'target_id = $1 AND tag_serial = $2';
    await tx.query(`DELETE FROM scim_target_members WHERE ${group} AND NOT is_wanted`, [id, tagSerial]);
    await tx.query(`UPDATE scim_target_members SET is_there = false WHERE ${group}`, [id, tagSerial]);
  }
  return rowCount === 1;
}

export interface PendingMember {
  readonly serial: string;
  readonly remoteId: string;
  readonly isWanted: boolean;
}

/** Who is to be added or removed. */
export async function pendingMembers(
  executor: Executor,
  { id }: ById,
  tagSerial: string,
  limit: number,
): Promise<PendingMember[]> {
  const { rows } = await executor.query<PendingMember>({
    name: 'pending-members',
    text: `SELECT user_serial AS serial, remote_id AS "remoteId", is_wanted AS "isWanted"
           FROM scim_target_members JOIN scim_target_users USING (target_id, user_serial)
           WHERE target_id = $1 AND tag_serial = $2 AND is_there <> is_wanted AND remote_id IS NOT NULL LIMIT $3`,
    values: [id, tagSerial, limit],
  });
  return rows;
}

/** A group of which more members are pending stays in the queue. */
export async function recordGroupPushed(
  tx: Executor,
  { id }: ById,
  { serial, changes }: Pick<QueuedGroup, 'serial' | 'changes'>,
  members: readonly PendingMember[],
  isComplete: boolean,
): Promise<void> {
  const of = (isWanted: boolean) =>
    plainArray(members.filter((each) => each.isWanted === isWanted).map((each) => each.serial));
  await tx.query({
    name: 'note-members-pushed',
    text: `UPDATE scim_target_members SET is_there = user_serial = ANY ($3::uuid[])
           WHERE target_id = $1 AND tag_serial = $2 AND (user_serial = ANY ($3::uuid[]) OR user_serial = ANY ($4::uuid[]))`,
    values: [id, serial, of(true), of(false)],
  });
  await tx.query({
    name: 'forget-former-members',
    text: `DELETE FROM scim_target_members
           WHERE target_id = $1 AND tag_serial = $2 AND user_serial = ANY ($3::uuid[]) AND NOT is_wanted AND NOT is_there`,
    values: [id, serial, of(false)],
  });
  await tx.query({
    name: 'note-group-pushed',
    text: `UPDATE scim_target_groups SET next_at = CASE WHEN $4 AND changes = $3 THEN NULL ELSE now() END, attempts = 0,
             last_error = NULL, last_status = NULL
           WHERE target_id = $1 AND tag_serial = $2`,
    values: [id, serial, changes, isComplete],
  });
}

export async function recordGroupFailed(
  executor: Executor,
  { id }: ById,
  tagSerial: string,
  { error, status, pauseMs }: PushFailed,
): Promise<void> {
  await executor.query({
    name: 'note-group-not-pushed',
    text: `UPDATE scim_target_groups SET attempts = attempts + 1, last_error = $3, last_status = $4,
             next_at = now() + make_interval(secs => $5::float8 / 1000)
           WHERE target_id = $1 AND tag_serial = $2`,
    values: [id, tagSerial, error, status, pauseMs],
  });
}
