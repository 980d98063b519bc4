import type { EventType, WebhookProblem } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';
import { isValid } from './webhooks.js';

/** A webhook that this node is delivering to. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly claim: number;
  readonly url: string;
  readonly eventTypes: readonly EventType[];
  readonly batchMax: number;
  readonly position: number;
  /** The last number of the message that was tried before, if it failed. */
  readonly sendingTo: number | null;
  readonly attempts: number;
}

interface ClaimedRow extends Omit<ClaimedWebhook, 'position' | 'sendingTo'> {
  readonly position: string;
  readonly sendingTo: string | null;
}

/** Claimed only by nodes that have the keys of all its secrets: a message that lacks a signature could be rejected. */
const isDue = `disabled_at IS NULL AND position < $1 AND next_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
  AND NOT EXISTS (SELECT FROM webhook_secrets s WHERE s.webhook_id = webhooks.id AND NOT (s.secret_key_id = ANY ($2::text[]))
                  AND ${isValid})`;

export interface ClaimRequest {
  readonly settled: number;
  /** The keys that this node has. */
  readonly keyIds: readonly string[];
  readonly count: number;
  readonly leaseMs: number;
}

/** Claims webhooks that have events to deliver. If the node dies, they are due again after the lease. */
export async function claimWebhooks(
  executor: Executor,
  { settled, keyIds, count, leaseMs }: ClaimRequest,
): Promise<ClaimedWebhook[]> {
  const { rows } = await executor.query<ClaimedRow>({
    name: 'claim-webhooks',
    text: `UPDATE webhooks SET claims = claims + 1, claimed_until = now() + make_interval(secs => $4::float8 / 1000)
           WHERE id = ANY (ARRAY(SELECT id FROM webhooks WHERE ${isDue} ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED))
           RETURNING id, claims AS claim, url, event_types AS "eventTypes", batch_max AS "batchMax", position,
             sending_to AS "sendingTo", attempts`,
    values: [settled, textArray(keyIds), count, leaseMs],
  });
  return rows.map(({ position, sendingTo, ...row }) => ({
    ...row,
    position: Number(position),
    sendingTo: sendingTo === null ? null : Number(sendingTo),
  }));
}

export async function anyWebhookActive(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>({
    name: 'any-webhook-active',
    text: 'SELECT EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL) AS found',
  });
  return rows[0]?.found === true;
}

export interface EncryptedWebhookSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** Newest first. */
export async function listWebhookSecrets(
  executor: Executor,
  webhookId: string,
): Promise<EncryptedWebhookSecret[]> {
  const { rows } = await executor.query<EncryptedWebhookSecret>({
    name: 'list-webhook-secrets',
    text: `SELECT id, secret FROM webhook_secrets
           WHERE webhook_id = $1 AND ${isValid} ORDER BY id DESC`,
    values: [webhookId],
  });
  return rows;
}

type Claim = Pick<ClaimedWebhook, 'id' | 'claim'>;

const stillClaimed = 'id = $1 AND claims = $2 AND disabled_at IS NULL';

/** Records what is about to be sent, and renews the claim. Returns false if the claim was lost. */
export async function recordSending(
  executor: Executor,
  { id, claim }: Claim,
  sendingTo: number,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'note-webhook-sending',
    text: `UPDATE webhooks SET sending_to = $3, claimed_until = now() + make_interval(secs => $4::float8 / 1000)
           WHERE ${stillClaimed}`,
    values: [id, claim, sendingTo, leaseMs],
  });
  return rowCount === 1;
}

/** Everything up to the number was delivered, or does not concern the receiver. */
export async function recordDelivered(
  executor: Executor,
  { id, claim }: Claim,
  position: number,
  { wasSent }: { readonly wasSent: boolean },
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: wasSent ? 'note-webhook-delivered' : 'note-webhook-passed',
    text: `UPDATE webhooks SET position = $3, sending_to = NULL
             ${wasSent ? ', attempts = 0, failing_since = NULL, last_error = NULL, delivered_at = now()' : ''}
           WHERE ${stillClaimed}`,
    values: [id, claim, position],
  });
  return rowCount === 1;
}

interface FailedAnswer {
  readonly problem: WebhookProblem;
  readonly status: number | null;
  readonly reason: string;
  readonly gone: boolean;
}

export async function recordFailed(
  executor: Executor,
  { id, claim }: Claim,
  failed: Pick<FailedAnswer, 'problem' | 'status' | 'reason' | 'gone'> & {
    pauseMs: number;
    giveUpHours: number;
  },
): Promise<{ readonly isDisabled: boolean } | undefined> {
  const { rows } = await executor.query<{ isDisabled: boolean }>({
    name: 'note-webhook-failed',
    text: `UPDATE webhooks SET attempts = attempts + 1, last_error = $3, last_problem = $7, last_status = $8, claimed_until = NULL,
             next_at = now() + make_interval(secs => $4::float8 / 1000), failing_since = coalesce(failing_since, now()),
             disabled_at = CASE WHEN $5 OR failing_since <= now() - make_interval(hours => $6) THEN now() END,
             disabled_cause = CASE WHEN $5 THEN 'gone'
               WHEN failing_since <= now() - make_interval(hours => $6) THEN 'failing' END,
             disabled_because = CASE WHEN $5 THEN 'The receiver answered 410 Gone.'
               WHEN failing_since <= now() - make_interval(hours => $6)
               THEN 'Every attempt has failed for ' || $6::integer || ' hours.' END
           WHERE ${stillClaimed} RETURNING disabled_at IS NOT NULL AS "isDisabled"`,
    values: [
      ...[id, claim, failed.reason, failed.pauseMs, failed.gone, failed.giveUpHours],
      ...[failed.problem, failed.status],
    ],
  });
  return rows[0];
}

/** Releases the claim: there is nothing more to send for now, or other webhooks have waited longer. */
export async function releaseWebhookClaim(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'give-webhook-back',
    text: `UPDATE webhooks SET claimed_until = NULL, next_at = now() WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}
