import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { type Event, eventOf } from '../domain/events/event.js';
import { signatureHeader } from '../domain/webhooks/webhook-signature.js';
import { readFeed } from '../storage/changes/change-feed.js';
import {
  type ClaimedWebhook,
  listWebhookSecrets,
  recordDelivered,
  recordFailed,
  recordSending,
  releaseWebhookClaim,
} from '../storage/delivery/webhook-claims.js';
import { leaseMs, pauseAfter } from './retry.js';
import type { WebhookAnswer, WebhookPost, WebhookRequest } from './webhook-request.js';

/** Rows that are looked at for one message. */
const rowsAtOnce = 1_000;
const messageMaxBytes = 1024 * 1024;
/** After so many messages, or so long, others get a turn, where more webhooks are behind than a node serves at once. */
const messagesInOneTurn = 50;
const turnMs = 10_000;

/**
 * Sends what has settled since the last message, in order, until there is no more or an attempt fails. What is sent is
 * noted before, so that a further attempt, on whichever node, is at the same message with the same ID.
 */
export async function deliverEvents(
  context: Context,
  post: WebhookPost,
  webhook: ClaimedWebhook,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const { pool } = context.database;
  let { position, sendingTo, attempts } = webhook;
  const turnEnds = performance.now() + turnMs;
  const isOver = () => signal.aborted || performance.now() > turnEnds;
  for (let sent = 0; sent < messagesInOneTurn && !isOver(); sent++) {
    const upTo = sendingTo ?? context.changes.settled;
    if (position >= upTo) break;
    const { events, end } = await nextMessage(context, webhook, position, upTo);
    if (events.length > 0) {
      const message = await compose(context, webhook, events);
      if (!(await isNoted(context, webhook, end))) return;
      const answer = await post.post(message());
      if (!answer.ok && signal.aborted) break; // the node stops: another one may try at once
      if (!answer.ok) return putOff(context, webhook, answer, attempts + 1, logger);
    }
    if (!(await recordDelivered(pool, webhook, end, { wasSent: events.length > 0 }))) return;
    position = end;
    sendingTo = null;
    if (events.length > 0) attempts = 0;
  }
  await releaseWebhookClaim(pool, webhook);
}

/**
 * Notes what is about to be sent. The claim has to outlast the attempt, so a note that took long is made again: part of the
 * claim was over when it was there.
 */
async function isNoted(
  { database, limits }: Context,
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

/** The events of the next message, and the number up to which it tells everything. */
async function nextMessage(
  { database }: Context,
  { eventTypes, batchMax }: ClaimedWebhook,
  after: number,
  upTo: number,
): Promise<{ events: readonly Event[]; end: number }> {
  const rows = await readFeed(database.pool, { after, upTo, limit: rowsAtOnce });
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
  // Fewer rows than asked for: what has no row up to there was rolled back.
  return { events, end: rows.length < rowsAtOnce ? upTo : (rows.at(-1)?.sequence ?? upTo) };
}

/** The message, signed at the moment it is sent. */
async function compose(
  { database, cipher }: Context,
  webhook: ClaimedWebhook,
  events: readonly Event[],
): Promise<() => WebhookRequest> {
  const [first] = events;
  const last = events.at(-1);
  const isOne = events.length === 1;
  const id = isOne ? `evt_${first?.sequence}` : `evt_${first?.sequence}-${last?.sequence}`;
  const body = isOne ? (first?.json ?? '') : batchOf(events);
  const encrypted = await listWebhookSecrets(database.pool, webhook.id);
  const secrets = encrypted.map((each) => cipher.decrypt(each.secret, each.id));
  return () => {
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    return {
      url: webhook.url,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signatureHeader(secrets, { id, timestampSeconds, body }),
      },
      body,
    };
  };
}

/** Dated by its last event, so that every attempt sends the same. */
function batchOf(events: readonly Event[]): string {
  const all = events.map(({ json }) => json).join(',');
  return `{"type":"batch","timestamp":"${events.at(-1)?.timestamp}","data":{"events":[${all}]}}`;
}

async function putOff(
  { database, limits }: Context,
  webhook: ClaimedWebhook,
  { reason, gone, retryAfterSeconds = 0 }: Extract<WebhookAnswer, { ok: false }>,
  attempt: number,
  logger: Logger,
): Promise<void> {
  const pauses = { firstMs: limits.webhookPauseMs, longestMs: limits.webhookPauseMaxMs };
  const pauseMs = Math.max(pauseAfter(attempt, pauses, Math.random()), retryAfterSeconds * 1_000);
  const { webhookGiveUpHours: giveUpHours } = limits;
  const noted = await recordFailed(database.pool, webhook, { reason, pauseMs, gone, giveUpHours });
  if (!noted) return;
  logger.warn(
    { webhook: webhook.id, attempt, reason },
    noted.isDisabled ? 'webhook disabled' : 'webhook not delivered; it is tried again later',
  );
}
