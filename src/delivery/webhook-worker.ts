import type { Logger } from 'pino';
import type { ChangeContext } from '../domain/changes/follower.js';
import type { LimitedDatabase } from '../domain/database.js';
import { type Event, eventOf, readShown } from '../domain/events/events.js';
import { type NoticeContext, queueNotice } from '../domain/notices/notices.js';
import type { SecretContext } from '../domain/secrets/secret-cipher.js';
import { deliveryOf } from '../domain/webhooks/webhook-deliveries.js';
import { messageOf, rowsPerMessage } from '../domain/webhooks/webhook-events.js';
import {
  signedRequest,
  type WebhookAnswer,
  type WebhookRequest,
} from '../domain/webhooks/webhook-message.js';
import { type Database, transaction } from '../storage/database.js';
import {
  anyWebhookActive,
  type ClaimedWebhook,
  claimWebhooks,
  listWebhookSecrets,
  recordDelivered,
  recordFailed,
  recordSending,
  releaseWebhookClaim,
} from '../storage/delivery/webhook-claims.js';
import { recordWebhookDelivery } from '../storage/delivery/webhook-deliveries.js';
import type { Metrics } from '../telemetry/metrics.js';
import { traced } from '../telemetry/tracing.js';
import { type DeliveryWorker, pauseUnlessStopped, startClaiming } from './claim-loop.js';
import { leaseMs, pauseAfter } from './retry.js';
import type { WebhookPost } from './webhook-request.js';

export interface WebhookDeliveryContext extends LimitedDatabase, SecretContext, ChangeContext, NoticeContext {
  readonly metrics?: Metrics | undefined;
}

/** How often to check for webhooks while there are none. */
const idlePollMs = 2_000;

/**
 * Sends events to webhooks, in order per webhook. Any number of nodes can run this: a webhook is claimed by one node at a
 * time. Webhooks are independent, so one that hangs does not delay the others.
 */
export function startWebhooks(
  context: WebhookDeliveryContext,
  post: WebhookPost,
  concurrency: number,
  logger: Logger,
): DeliveryWorker {
  const worker = startClaiming(
    {
      what: 'webhooks',
      claim: (count, stopping) => claim(context, count, stopping),
      send: (webhook, stopping) =>
        traced({ name: 'deliver events', attributes: { 'rollcall.webhook.id': webhook.id } }, () =>
          deliverEvents(context, post, webhook, stopping, logger),
        ),
      concurrency,
      pollMs: context.limits.eventPollMs,
    },
    logger,
  );
  return {
    // Requests are aborted; the next node repeats them.
    stop: async () => {
      const stopped = worker.stop();
      post.close();
      await stopped;
    },
  };
}

async function claim(
  { database, changes, limits, cipher }: WebhookDeliveryContext,
  count: number,
  stopping: AbortSignal,
): Promise<ClaimedWebhook[]> {
  if (!(await anyWebhookActive(database.pool))) {
    await pauseUnlessStopped(idlePollMs, stopping);
    return [];
  }
  const settled = await changes.refresh();
  const lease = leaseMs(limits.webhookTimeoutMs);
  return claimWebhooks(database.pool, { settled, keyIds: cipher.keyIds, count, leaseMs: lease });
}

const messageMaxBytes = 1024 * 1024;

/** After this many messages, or this long, another webhook that is behind gets the slot. */
const messagesPerClaimMax = 50;
const claimMaxMs = 10_000;

/**
 * Sends the events that have settled since the last message, in order, until there are no more or an attempt fails. Each
 * message is recorded before it is sent, so that a retry on any node sends the same message with the same ID.
 */
async function deliverEvents(
  context: WebhookDeliveryContext,
  post: WebhookPost,
  webhook: ClaimedWebhook,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const { pool } = context.database;
  let { position, sendingTo, attempts } = webhook;
  const endsAt = performance.now() + claimMaxMs;
  const isOver = () => signal.aborted || performance.now() > endsAt;
  for (let sent = 0; sent < messagesPerClaimMax && !isOver(); sent++) {
    const upTo = sendingTo ?? context.changes.settled;
    if (position >= upTo) break;
    const { events, end } = await nextMessage(context.database, webhook, position, upTo);
    if (events.length > 0) {
      const message = await compose(context, webhook, events);
      if (!(await recordWithLease(context, webhook, end))) return;
      const beganMs = performance.now();
      const answer = await post.post(message());
      context.metrics?.webhookMessage(answer.ok ? 'delivered' : 'failed');
      if (!answer.ok && signal.aborted) break; // the node is stopping: another one may try immediately
      const durationMs = Math.round(performance.now() - beganMs);
      await recordWebhookDelivery(
        pool,
        webhook.id,
        deliveryOf(events, answer, { attempt: attempts + 1, durationMs }),
      );
      if (!answer.ok) return recordFailure(context, webhook, answer, attempts + 1, logger);
    }
    if (!(await recordDelivered(pool, webhook, end, { wasSent: events.length > 0 }))) return;
    position = end;
    sendingTo = null;
    if (events.length > 0) attempts = 0;
  }
  await releaseWebhookClaim(pool, webhook);
}

/**
 * Records what is about to be sent. The claim has to outlast the attempt, so if recording was slow and used up part of it,
 * it is repeated.
 */
async function recordWithLease(
  { database, limits }: LimitedDatabase,
  webhook: ClaimedWebhook,
  end: number,
): Promise<boolean> {
  const { webhookTimeoutMs } = limits;
  for (;;) {
    const began = performance.now();
    if (!(await recordSending(database.pool, webhook, end, leaseMs(webhookTimeoutMs)))) return false;
    if (performance.now() - began < webhookTimeoutMs) return true;
  }
}

/** The events of the next message, and the sequence number that it covers up to. */
async function nextMessage(
  database: Database,
  { eventTypes, batchMax }: ClaimedWebhook,
  after: number,
  upTo: number,
): Promise<{ events: readonly Event[]; end: number }> {
  const rows = await readShown(database, { after, upTo, limit: rowsPerMessage });
  const wanted = new Set(eventTypes);
  const events: Event[] = [];
  let bytes = 0;
  for (const row of rows) {
    const event = eventOf(row, wanted);
    if (!event) continue;
    bytes += Buffer.byteLength(event.json);
    if (events.length === batchMax || (events.length > 0 && bytes > messageMaxBytes)) {
      return { events, end: (events.at(-1) as Event).sequence };
    }
    events.push(event);
  }
  // Fewer rows than requested: the missing numbers up to there were rolled back.
  return { events, end: rows.length < rowsPerMessage ? upTo : (rows.at(-1)?.sequence ?? upTo) };
}

/** Signed at the moment of sending. */
async function compose(
  { database, cipher }: SecretContext,
  webhook: ClaimedWebhook,
  events: readonly Event[],
): Promise<() => WebhookRequest> {
  const message = messageOf(events);
  const encrypted = await listWebhookSecrets(database.pool, webhook.id);
  const secrets = encrypted.map((each) => cipher.decrypt(each.secret, each.id));
  return () => signedRequest(webhook.url, message, secrets);
}

/** Administrators are told of a webhook that nothing is sent to anymore. */
async function recordFailure(
  context: LimitedDatabase & NoticeContext,
  webhook: ClaimedWebhook,
  { problem, status, reason, gone, retryAfterSeconds = 0 }: Extract<WebhookAnswer, { ok: false }>,
  attempt: number,
  logger: Logger,
): Promise<void> {
  const { database, limits } = context;
  const pauses = { firstMs: limits.webhookPauseMs, longestMs: limits.webhookPauseMaxMs };
  const pauseMs = Math.max(pauseAfter(attempt, pauses, Math.random()), retryAfterSeconds * 1_000);
  const { webhookGiveUpHours: giveUpHours } = limits;
  const noted = await transaction(database, async (tx) => {
    const recorded = await recordFailed(tx, webhook, {
      ...{ problem, status, reason, pauseMs, gone, giveUpHours },
    });
    if (recorded?.isDisabled) {
      const { id, url } = webhook;
      const facts = { webhook: { id, host: new URL(url).host } };
      await queueNotice(context, tx, { topic: 'webhookDisabled', facts });
    }
    return recorded;
  });
  if (!noted) return;
  logger.warn(
    { webhook: webhook.id, attempt, reason },
    noted.isDisabled ? 'webhook disabled' : 'webhook not delivered, retrying later',
  );
}
