import { v7 } from 'uuid';
import { eventTypes } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { prunedTo } from '../../storage/changes/change-feed.js';
import type { Database } from '../../storage/database.js';
import { listWebhookSecrets } from '../../storage/delivery/webhook-claims.js';
import {
  type Attempt,
  listWebhookDeliveries as readDeliveries,
  getWebhookDelivery as readDelivery,
  recordWebhookDelivery,
  type WebhookDelivery,
} from '../../storage/delivery/webhook-deliveries.js';
import { recordSentByHand, type Webhook } from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { type Event, eventOf, readShown } from '../events/events.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { messageOf, rowsPerMessage } from './webhook-events.js';
import { signedRequest, type WebhookAnswer } from './webhook-message.js';
import { getWebhook, type TestWebhookContext } from './webhooks.js';

/** Newest first: the last 100 attempts of the last seven days. */
export async function listWebhookDeliveries(
  database: Database,
  id: string,
  filters: { readonly isDelivered?: boolean },
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const list = { name: 'webhook-deliveries', filters: { ...filters, id }, isKey: isSerial, keyOf: byId };
  const deliveries = await pageByKey(page, list, (before, limit) =>
    readDeliveries(database.pool, id, { ...filters, before, limit }),
  );
  if (!deliveries.ok || deliveries.items.length > 0) return deliveries;
  const found = await getWebhook(database, id);
  return found.ok ? deliveries : found;
}

interface DeliveredMessage extends WebhookDelivery {
  /** The body, put together again from the change log; null if the log no longer has all of its events. */
  readonly payload: string | null;
}

export async function getWebhookDelivery(
  database: Database,
  id: string,
  deliveryId: string,
): Promise<Result<{ delivery: DeliveredMessage }>> {
  const found = await findDelivery(database, id, deliveryId);
  if (!found.ok) return found;
  const { delivery, webhook } = found;
  const events = await eventsOf(database, webhook, delivery);
  return { ok: true, delivery: { ...delivery, payload: events && messageOf(events).body } };
}

/**
 * Sends the same message once more, with the same ID. The webhook keeps its position, and if the receiver accepts it, what
 * waits is sent as well.
 */
export async function resendWebhookDelivery(
  { database, cipher, webhookSender }: TestWebhookContext,
  id: string,
  deliveryId: string,
  caller: Caller,
): Promise<Result<{ delivery: WebhookDelivery }>> {
  const found = await findDelivery(database, id, deliveryId);
  if (!found.ok) return found;
  const { delivery, webhook } = found;
  const events = await eventsOf(database, webhook, delivery);
  if (!events) {
    const kept = await prunedTo(database.pool);
    const detail = `The change log no longer has its events. Those up to ${kept} are gone.`;
    return { ok: false, failure: failure('EVENTS_PRUNED', detail, { prunedTo: kept }) };
  }
  await recordAccess(database.pool, 'webhook.resent', caller, { detail: { webhookId: id } });
  const encrypted = await listWebhookSecrets(database.pool, id);
  const secrets = encrypted.map((each) => cipher.decrypt(each.secret, each.id));
  const beganMs = performance.now();
  const answer = await webhookSender.post(signedRequest(webhook.url, messageOf(events), secrets));
  const durationMs = Math.round(performance.now() - beganMs);
  const sent = deliveryOf(events, answer, { attempt: delivery.attempt + 1, durationMs });
  await recordWebhookDelivery(database.pool, id, sent);
  if (answer.ok) await recordSentByHand(database.pool, id);
  return { ok: true, delivery: { ...delivery, ...sent, at: new Date().toISOString() } };
}

/** An attempt, as it is recorded. */
export function deliveryOf(
  events: readonly Event[],
  answer: WebhookAnswer,
  { attempt, durationMs }: Pick<WebhookDelivery, 'attempt' | 'durationMs'>,
): Attempt {
  const [first] = events;
  if (!first) throw new Error('a message has at least one event');
  return {
    ...{ id: v7(), attempt, durationMs, eventType: first.type, response: answer.response },
    ...{
      sequences: events.map(({ sequence }) => sequence),
      isDelivered: answer.ok,
      statusCode: answer.status,
    },
    ...(answer.ok ? { problem: null, reason: null } : { problem: answer.problem, reason: answer.reason }),
  };
}

async function findDelivery(
  database: Database,
  id: string,
  deliveryId: string,
): Promise<Result<{ delivery: WebhookDelivery; webhook: Webhook }>> {
  const found = await getWebhook(database, id);
  if (!found.ok) return found;
  const delivery = isSerial(deliveryId) ? await readDelivery(database.pool, id, deliveryId) : undefined;
  return delivery ? { ok: true, delivery, webhook: found.webhook } : noSuchDelivery();
}

function noSuchDelivery(): { readonly ok: false; readonly failure: Failure } {
  const detail = 'No delivery of this webhook has this ID. Deliveries are kept for seven days.';
  return { ok: false, failure: failure('ACCESS_DELIVERY_NOT_FOUND', detail) };
}

/** Null if the log no longer has all of them. Types that the webhook no longer wants are sent as they are. */
async function eventsOf(
  database: Database,
  webhook: Webhook,
  { sequences }: WebhookDelivery,
): Promise<readonly Event[] | null> {
  const [first = 0] = sequences;
  const upTo = sequences.at(-1) ?? 0;
  const rows = await readShown(database, { after: first - 1, upTo, limit: rowsPerMessage });
  const [wanted, all] = [new Set(webhook.eventTypes), new Set(eventTypes)];
  const sent = new Set(sequences);
  const events = rows.flatMap((row) =>
    sent.has(row.sequence) ? (eventOf(row, wanted) ?? eventOf(row, all) ?? []) : [],
  );
  return events.length === sequences.length ? events : null;
}
