import type { EventType, WebhookDisabledCause, WebhookProblem } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
  readonly batchMax: number;
}

export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly isActive: boolean;
  readonly disabledCause: WebhookDisabledCause | null;
  readonly disabledBecause: string | null;
  readonly deliveredUpTo: number;
  readonly lastDeliveryAt: string | null;
  readonly attempts: number;
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastProblem: WebhookProblem | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt: string | null }[];
}

interface WebhookRow extends Omit<Webhook, 'deliveredUpTo'> {
  readonly deliveredUpTo: string;
}

/** Times in JSON format, so that those of secrets, which are read as JSON, look the same as the others. */
const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whether a secret still signs. */
export const isValid = '(expires_at IS NULL OR expires_at > now())';

const webhookColumns = `id, url, nullif(description, '') AS description, event_types AS "eventTypes", batch_max AS "batchMax",
  disabled_at IS NULL AS "isActive", disabled_because AS "disabledBecause",
  CASE WHEN disabled_because IS NOT NULL THEN disabled_cause END AS "disabledCause", position AS "deliveredUpTo",
  ${time('delivered_at')} AS "lastDeliveryAt", attempts, ${time('failing_since')} AS "failingSince",
  CASE WHEN attempts > 0 AND disabled_at IS NULL THEN ${time('next_at')} END AS "nextAttemptAt",
  CASE WHEN last_error IS NOT NULL THEN last_problem END AS "lastProblem",
  CASE WHEN last_error IS NOT NULL THEN last_status END AS "lastStatusCode", last_error AS "lastError", ${time('created_at')} AS "createdAt",
  (SELECT coalesce(json_agg(json_build_object('createdAt', ${time('s.created_at')}, 'expiresAt', ${time('s.expires_at')})
     ORDER BY s.id DESC), '[]') FROM webhook_secrets s WHERE s.webhook_id = webhooks.id AND ${isValid}) AS secrets`;

function webhookOf({ deliveredUpTo, ...row }: WebhookRow): Webhook {
  return { ...row, deliveredUpTo: Number(deliveredUpTo) };
}

export async function insertWebhook(
  tx: Executor,
  webhook: WebhookSettings & { readonly id: string; readonly position: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO webhooks (id, url, description, event_types, batch_max, position) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      webhook.id,
      webhook.url,
      webhook.description ?? '',
      webhook.eventTypes,
      webhook.batchMax,
      webhook.position,
    ],
  );
}

export async function getWebhook(executor: Executor, id: string): Promise<Webhook | undefined> {
  const { rows } = await executor.query<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1`, [
    id,
  ]);
  return rows[0] && webhookOf(rows[0]);
}

export async function lockWebhook(tx: Executor, id: string): Promise<Webhook | undefined> {
  await tx.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [id]);
  return getWebhook(tx, id);
}

/** In order of creation. */
export async function listWebhooks(
  executor: Executor,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<Webhook[]> {
  const { rows } = await executor.query<WebhookRow>(
    `SELECT ${webhookColumns} FROM webhooks WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`,
    [afterId ?? null, limit],
  );
  return rows.map(webhookOf);
}

/** The message being retried is rebuilt and sent immediately, with a fresh count of attempts. */
const restartDelivery =
  'claims = claims + 1, claimed_until = NULL, sending_to = NULL, attempts = 0, failing_since = NULL, next_at = now()';

export async function updateWebhook(
  tx: Executor,
  webhook: WebhookSettings & Pick<Webhook, 'id' | 'isActive'>,
  { restart }: { readonly restart: boolean },
): Promise<void> {
  const { id, url, description, eventTypes, batchMax, isActive } = webhook;
  await tx.query(
    `UPDATE webhooks SET url = $2, description = $3, event_types = $4, batch_max = $5,
       ${restart ? `${restartDelivery}, last_error = NULL,` : ''}
       disabled_because = CASE WHEN $6 = (disabled_at IS NULL) THEN disabled_because END,
       disabled_at = CASE WHEN $6 THEN NULL ELSE coalesce(disabled_at, now()) END
     WHERE id = $1`,
    [id, url, description ?? '', eventTypes, batchMax, isActive],
  );
}

export async function moveWebhook(tx: Executor, id: string, position: number): Promise<void> {
  await tx.query(`UPDATE webhooks SET position = $2, ${restartDelivery} WHERE id = $1`, [id, position]);
}

/** What waits is tried at once. */
export async function hurryWebhook(executor: Executor, id: string): Promise<void> {
  await executor.query('UPDATE webhooks SET next_at = now() WHERE id = $1', [id]);
}

/** The receiver accepted what it was sent by hand. It probably accepts what waits, too, so that is tried at once. */
export async function recordSentByHand(executor: Executor, id: string): Promise<void> {
  await executor.query('UPDATE webhooks SET delivered_at = now(), next_at = now() WHERE id = $1', [id]);
}

export async function deleteWebhook(tx: Executor, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM webhooks WHERE id = $1', [id]);
  return rowCount === 1;
}

export async function insertWebhookSecret(
  tx: Executor,
  { id, webhookId, secret }: { id: string; webhookId: string; secret: EncryptedSecret },
): Promise<void> {
  await tx.query(
    'INSERT INTO webhook_secrets (id, webhook_id, secret, secret_key_id) VALUES ($1, $2, $3, $4)',
    [id, webhookId, secret.bytes, secret.keyId],
  );
}

/**
 * Lets the current secret expire after the overlap and the previous ones immediately: there are never more than two.
 */
export async function endSecrets(tx: Executor, webhookId: string, overlapSeconds: number): Promise<void> {
  await tx.query(
    `DELETE FROM webhook_secrets WHERE webhook_id = $1
       AND id <> (SELECT id FROM webhook_secrets WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1)`,
    [webhookId],
  );
  await tx.query(
    `UPDATE webhook_secrets SET expires_at = least(expires_at, now() + make_interval(secs => $2)) WHERE webhook_id = $1`,
    [webhookId, overlapSeconds],
  );
}

export async function deleteExpiredWebhookSecrets(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM webhook_secrets WHERE expires_at <= now()');
}
