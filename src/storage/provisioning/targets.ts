import type { PausedCause, TargetDeactivation, TargetError } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { textArray } from '../sql.js';

export interface TargetSettings {
  readonly name: string;
  readonly url: string;
  /** Empty: any. */
  readonly organizationSerials: readonly string[];
  /** Empty: any. */
  readonly tagSerials: readonly string[];
  readonly sendsGroups: boolean;
  readonly sendsSensitive: boolean;
  readonly onDeactivate: TargetDeactivation;
  readonly requestsPerSecond: number;
}

interface Comparison {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly compared: number;
  readonly total: number | null;
  readonly groupsCompared: number;
  readonly missing: number;
  readonly extra: number;
  readonly different: number;
  readonly error: TargetError | null;
}

export interface Target extends TargetSettings {
  readonly id: string;
  readonly isPaused: boolean;
  readonly pausedBecause: PausedCause | null;
  readonly isSyncing: boolean;
  readonly users: number;
  readonly groups: number;
  readonly queued: number;
  readonly failed: number;
  readonly lastPushAt: string | null;
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastError: TargetError | null;
  readonly lastStatus: number | null;
  readonly comparison: Comparison | null;
  readonly createdAt: string;
}

/** Times in JSON format, so that those of the comparison, which are read as JSON, look the same as the others. */
const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const counted = (table: string, condition: string) =>
  `(SELECT count(*)::integer FROM ${table} AS counted WHERE target_id = scim_targets.id AND ${condition})`;
const both = (condition: string) =>
  `${counted('scim_target_users', condition)} + ${counted('scim_target_groups', condition)}`;

const settingColumns = `id, name, url, organization_serials AS "organizationSerials", tag_serials AS "tagSerials",
  sends_groups AS "sendsGroups", sends_sensitive AS "sendsSensitive", on_deactivate AS "onDeactivate",
  requests_per_second AS "requestsPerSecond"`;

const targetColumns = `${settingColumns}, paused_at IS NOT NULL AS "isPaused", paused_because AS "pausedBecause",
  synced_at IS NULL AS "isSyncing", ${counted('scim_target_users', 'remote_id IS NOT NULL')} AS users,
  ${counted('scim_target_groups', 'remote_id IS NOT NULL')} AS groups,
  ${both('next_at IS NOT NULL')} AS queued, ${both('next_at IS NOT NULL AND attempts > 0')} AS failed,
  ${time('pushed_at')} AS "lastPushAt", ${time('failing_since')} AS "failingSince",
  CASE WHEN attempts > 0 AND paused_at IS NULL THEN ${time('next_at')} END AS "nextAttemptAt",
  last_error AS "lastError", last_status AS "lastStatus", ${time('created_at')} AS "createdAt",
  (SELECT json_build_object('startedAt', ${time('started_at')}, 'endedAt', ${time('ended_at')}, 'compared', compared,
     'total', total, 'groupsCompared', groups_compared, 'missing', missing, 'extra', extra, 'different', different, 'error', error)
   FROM scim_comparisons WHERE target_id = scim_targets.id) AS comparison`;

interface NewTarget extends TargetSettings {
  readonly id: string;
  readonly position: number;
  readonly secret: EncryptedSecret;
}

export async function insertTarget(tx: Executor, target: NewTarget): Promise<void> {
  await tx.query(
    `INSERT INTO scim_targets (id, position, name, url, organization_serials, tag_serials, sends_groups, sends_sensitive,
       on_deactivate, requests_per_second, secret, secret_key_id)
     VALUES ($1, $2, $3, $4, $5::text[], $6::text[], $7, $8, $9, $10, $11, $12)`,
    [target.id, target.position, ...settingsOf(target), target.secret.bytes, target.secret.keyId],
  );
}

function settingsOf(target: TargetSettings): unknown[] {
  return [
    target.name,
    target.url,
    textArray(target.organizationSerials),
    textArray(target.tagSerials),
    target.sendsGroups,
    target.sendsSensitive,
    target.onDeactivate,
    target.requestsPerSecond,
  ];
}

export async function getTarget(executor: Executor, id: string): Promise<Target | undefined> {
  const { rows } = await executor.query<Target>(`SELECT ${targetColumns} FROM scim_targets WHERE id = $1`, [
    id,
  ]);
  return rows[0];
}

export async function lockTarget(tx: Executor, id: string): Promise<Target | undefined> {
  await tx.query('SELECT FROM scim_targets WHERE id = $1 FOR UPDATE', [id]);
  return getTarget(tx, id);
}

/** In order of creation. */
export async function listTargets(
  executor: Executor,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<Target[]> {
  const { rows } = await executor.query<Target>(
    `SELECT ${targetColumns} FROM scim_targets WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`,
    [afterId ?? null, limit],
  );
  return rows;
}

/** Whoever works on the target loses the claim, and what failed is tried again at once. */
export async function updateTarget(
  tx: Executor,
  target: TargetSettings & Pick<Target, 'id' | 'isPaused'>,
): Promise<void> {
  await tx.query(
    `UPDATE scim_targets SET name = $2, url = $3, organization_serials = $4::text[], tag_serials = $5::text[],
       sends_groups = $6, sends_sensitive = $7, on_deactivate = $8, requests_per_second = $9,
       claims = claims + 1, claimed_until = NULL, attempts = 0, failing_since = NULL, next_at = now(), last_error = NULL,
       last_status = NULL, paused_because = CASE WHEN $10 = (paused_at IS NOT NULL) THEN paused_because END,
       paused_at = CASE WHEN $10 THEN coalesce(paused_at, now()) END
     WHERE id = $1`,
    [target.id, ...settingsOf(target), target.isPaused],
  );
}

export async function setTargetSecret(tx: Executor, id: string, secret: EncryptedSecret): Promise<void> {
  await tx.query('UPDATE scim_targets SET secret = $2, secret_key_id = $3 WHERE id = $1', [
    id,
    secret.bytes,
    secret.keyId,
  ]);
}

export async function deleteTarget(tx: Executor, id: string): Promise<void> {
  await tx.query('DELETE FROM scim_targets WHERE id = $1', [id]);
}

/** Begins to put everybody into the queue, and then goes on from a number of the log. */
export async function restartSync(executor: Executor, id: string, position: number): Promise<void> {
  await executor.query(
    `UPDATE scim_targets SET synced_at = NULL, sync_after = NULL, next_at = now(), position = greatest(position, $2)
     WHERE id = $1`,
    [id, position],
  );
}

export interface PushFailure {
  readonly kind: 'user' | 'group';
  readonly serial: string;
  readonly attempts: number;
  readonly error: TargetError;
  readonly status: number | null;
  readonly nextAttemptAt: Date | null;
}

/** What could not be pushed, groups first. */
export async function listPushFailures(
  executor: Executor,
  targetId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<PushFailure[]> {
  const failed = (kind: string, table: string, serial: string) =>
    `SELECT '${kind}' AS kind, ${serial}::text COLLATE "C" AS serial, attempts, last_error AS error, last_status AS status,
       next_at AS "nextAttemptAt"
     FROM ${table} WHERE target_id = $1 AND next_at IS NOT NULL AND attempts > 0`;
  const { rows } = await executor.query<PushFailure>(
    `SELECT * FROM (${failed('group', 'scim_target_groups', 'tag_serial')}
       UNION ALL ${failed('user', 'scim_target_users', 'user_serial')}) AS failures
     WHERE $2::text IS NULL OR kind || ':' || serial > $2 COLLATE "C" ORDER BY kind || ':' || serial COLLATE "C" LIMIT $3`,
    [targetId, after ?? null, limit],
  );
  return rows;
}

export async function isSyncing(executor: Executor, id: string): Promise<boolean> {
  const { rows } = await executor.query<{ isSyncing: boolean }>({
    name: 'is-target-syncing',
    text: 'SELECT synced_at IS NULL AS "isSyncing" FROM scim_targets WHERE id = $1',
    values: [id],
  });
  return rows[0]?.isSyncing === true;
}
