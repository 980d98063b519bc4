import type { TargetError } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { TargetSettings } from './targets.js';

/** A target that this node pushes to. */
export interface ClaimedTarget extends TargetSettings {
  readonly id: string;
  readonly claim: number;
  /** Moves as the log is followed. */
  position: number;
  readonly attempts: number;
  readonly isSyncing: boolean;
  readonly secret: Buffer;
}

interface ClaimedRow extends Omit<ClaimedTarget, 'position'> {
  readonly position: string;
}

/** There is something to read from the log, to put into the queue, to push or to compare. */
const hasWork = `(position < $1 OR synced_at IS NULL
  OR EXISTS (SELECT FROM scim_target_users u WHERE u.target_id = id AND u.next_at <= now())
  OR EXISTS (SELECT FROM scim_target_groups g WHERE g.target_id = id AND g.next_at <= now())
  OR EXISTS (SELECT FROM scim_comparisons c WHERE c.target_id = scim_targets.id AND c.ended_at IS NULL))`;

const isDue = `paused_at IS NULL AND next_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
  AND secret_key_id = ANY ($2::text[]) AND ${hasWork}`;

export interface TargetClaimRequest {
  readonly settled: number;
  /** The keys that this node has. */
  readonly keyIds: readonly string[];
  readonly count: number;
  readonly leaseMs: number;
}

/** Claims targets that have work. If the node dies, they are due again after the lease. */
export async function claimTargets(
  executor: Executor,
  { settled, keyIds, count, leaseMs }: TargetClaimRequest,
): Promise<ClaimedTarget[]> {
  const { rows } = await executor.query<ClaimedRow>({
    name: 'claim-scim-targets',
    text: `UPDATE scim_targets SET claims = claims + 1, claimed_until = now() + make_interval(secs => $4::float8 / 1000)
           WHERE id = ANY (ARRAY(SELECT id FROM scim_targets WHERE ${isDue} ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED))
           RETURNING id, claims AS claim, name, url, organization_serials AS "organizationSerials",
             tag_serials AS "tagSerials", sends_groups AS "sendsGroups", sends_sensitive AS "sendsSensitive",
             on_deactivate AS "onDeactivate", requests_per_second AS "requestsPerSecond", position, attempts,
             synced_at IS NULL AS "isSyncing", secret`,
    values: [settled, [...keyIds], count, leaseMs],
  });
  return rows.map(({ position, ...row }) => ({ ...row, position: Number(position) }));
}

export async function anyTargetActive(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>({
    name: 'any-scim-target-active',
    text: 'SELECT EXISTS (SELECT FROM scim_targets WHERE paused_at IS NULL) AS found',
  });
  return rows[0]?.found === true;
}

type Claim = Pick<ClaimedTarget, 'id' | 'claim'>;

const stillClaimed = 'id = $1 AND claims = $2 AND paused_at IS NULL';

/** Returns false if the claim was lost. */
export async function renewClaim(
  executor: Executor,
  { id, claim }: Claim,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'renew-scim-target-claim',
    text: `UPDATE scim_targets SET claimed_until = now() + make_interval(secs => $3::float8 / 1000) WHERE ${stillClaimed}`,
    values: [id, claim, leaseMs],
  });
  return rowCount === 1;
}

/** The target has taken something. */
export async function recordReached(
  executor: Executor,
  { id, claim }: Claim,
  { wasPushed }: { readonly wasPushed: boolean },
): Promise<void> {
  await executor.query({
    name: 'note-scim-target-reached',
    text: `UPDATE scim_targets SET attempts = 0, failing_since = NULL, last_error = NULL, last_status = NULL,
             pushed_at = CASE WHEN $3 THEN now() ELSE pushed_at END
           WHERE ${stillClaimed}`,
    values: [id, claim, wasPushed],
  });
}

interface TargetFailed {
  readonly error: TargetError;
  readonly status: number | null;
  readonly pauseMs: number;
  readonly giveUpHours: number;
}

/** Ends the claim, and pauses the target if it has failed for too long. Undefined if the claim was lost. */
export async function recordUnreached(
  executor: Executor,
  { id, claim }: Claim,
  { error, status, pauseMs, giveUpHours }: TargetFailed,
): Promise<{ readonly isPaused: boolean } | undefined> {
  const isOver = 'failing_since <= now() - make_interval(hours => $6)';
  const { rows } = await executor.query<{ isPaused: boolean }>({
    name: 'note-scim-target-failed',
    text: `UPDATE scim_targets SET attempts = attempts + 1, last_error = $3, last_status = $4, claimed_until = NULL,
             next_at = now() + make_interval(secs => $5::float8 / 1000), failing_since = coalesce(failing_since, now()),
             paused_at = CASE WHEN ${isOver} THEN now() END, paused_because = CASE WHEN ${isOver} THEN 'failing' END
           WHERE ${stillClaimed} RETURNING paused_at IS NOT NULL AS "isPaused"`,
    values: [id, claim, error, status, pauseMs, giveUpHours],
  });
  return rows[0];
}

export async function releaseTarget(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'release-scim-target',
    text: `UPDATE scim_targets SET claimed_until = NULL, next_at = now() WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}
