import type { EventType, WebhookProblem } from '../../contract/enums.js';
import { changesOfUsers } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { deleteBatch, plainArray, textArray, whereAll } from '../sql.js';

export interface DeliveryUser {
  readonly serial: string;
  readonly employeeID: string | null;
  readonly fields: readonly string[];
}

/** An attempt as it is recorded. */
export type Attempt = Omit<WebhookDelivery, 'at' | 'users' | 'user'>;

/** One attempt to deliver a message. */
export interface WebhookDelivery {
  readonly id: string;
  readonly at: string;
  /** The numbers of its events. */
  readonly sequences: readonly number[];
  /** Of the first event. */
  readonly eventType: EventType;
  readonly users: number;
  readonly user: DeliveryUser | null;
  readonly attempt: number;
  readonly isDelivered: boolean;
  /** Null if there was no response. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Why it was not delivered. */
  readonly problem: WebhookProblem | null;
  /** The same as a sentence. */
  readonly reason: string | null;
  /** The beginning of the body; null if it had none, or if it may be about a user who was erased. */
  readonly response: string | null;
}

/** Kept per webhook. */
const keptPerWebhook = 100;

/** Records an attempt, and forgets the oldest ones. A webhook that was deleted meanwhile has none. */
export async function recordWebhookDelivery(
  executor: Executor,
  webhookId: string,
  delivery: Attempt,
): Promise<void> {
  const { id, sequences, eventType, attempt, isDelivered } = delivery;
  const { statusCode, durationMs, problem, reason, response } = delivery;
  await executor.query({
    name: 'record-webhook-delivery',
    text: `WITH forgotten AS (
             DELETE FROM webhook_deliveries WHERE webhook_id = $2 AND id <= (
               SELECT id FROM webhook_deliveries WHERE webhook_id = $2 ORDER BY id DESC OFFSET ${keptPerWebhook - 1} LIMIT 1))
           INSERT INTO webhook_deliveries (id, webhook_id, sequences, event_type, attempt, is_delivered, status,
             duration_ms, problem, reason, response)
           SELECT $1::uuid, id, $3::bigint[], $4, $5::integer, $6::boolean, $7::integer, $8::integer, $9, $10, $11
           FROM webhooks WHERE id = $2`,
    values: [
      ...[id, webhookId, plainArray(sequences), eventType, attempt, isDelivered],
      ...[statusCode, durationMs, problem, reason, response],
    ],
  });
}

interface DeliveryRow extends Omit<WebhookDelivery, 'at' | 'sequences'> {
  readonly at: Date;
  readonly sequences: readonly string[];
}

/** Whom its events are about. Those that are gone from the log are not counted. */
const about = `(SELECT count(DISTINCT user_serial)::integer FROM changes WHERE seq = ANY (sequences)) AS users,
  (SELECT json_build_object('serial', user_serial, 'employeeID', nullif(employee_id, ''),
     'fields', coalesce((SELECT json_agg(key ORDER BY key) FROM json_object_keys(fields) AS key), '[]'))
   FROM changes WHERE seq = ANY (sequences) AND user_serial IS NOT NULL ORDER BY seq LIMIT 1) AS user`;

const columns = `id, at, sequences, event_type AS "eventType", attempt, is_delivered AS "isDelivered",
  status AS "statusCode", duration_ms AS "durationMs", problem, reason, response, ${about}`;

function deliveryOf({ at, sequences, ...row }: DeliveryRow): WebhookDelivery {
  return { ...row, at: at.toISOString(), sequences: sequences.map(Number) };
}

/** Newest first. */
export async function listWebhookDeliveries(
  executor: Executor,
  webhookId: string,
  { before, limit, isDelivered }: { before: string | undefined; limit: number; isDelivered?: boolean },
): Promise<WebhookDelivery[]> {
  const { where, values } = whereAll({ 'id < ?': before, 'is_delivered = ?': isDelivered }, [
    webhookId,
    limit,
  ]);
  const { rows } = await executor.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_deliveries WHERE webhook_id = $1 AND ${where} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows.map(deliveryOf);
}

export async function getWebhookDelivery(
  executor: Executor,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const { rows } = await executor.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`,
    [webhookId, id],
  );
  return rows[0] && deliveryOf(rows[0]);
}

const keptDays = 7;

/** Returns true if there may be more. */
export function deleteOldWebhookDeliveries(executor: Executor): Promise<boolean> {
  const condition = 'at < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'webhook_deliveries', condition, values: [keptDays] });
}

/** A receiver may have repeated what it was sent about these users, or otherwise mention them. */
export async function eraseWebhookResponses(
  tx: Executor,
  serials: readonly string[],
  texts: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'erase-webhook-responses',
    text: `UPDATE webhook_deliveries SET response = NULL
           WHERE response IS NOT NULL AND (sequences && ARRAY(${changesOfUsers})
             OR EXISTS (SELECT FROM unnest($2::text[]) AS text WHERE strpos(lower(response), lower(text)) > 0))`,
    values: [plainArray(serials), textArray(texts)],
  });
}
