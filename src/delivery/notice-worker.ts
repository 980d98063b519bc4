import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { NoticeTopic } from '../contract/notices.js';
import type { LimitedDatabase } from '../domain/database.js';
import { audienceOf, chatPurpose, type NoticeContent } from '../domain/notices/notices.js';
import type { SecretContext } from '../domain/secrets/secret-cipher.js';
import type { LanguageContext } from '../domain/users/user-language.js';
import { type Executor, transaction } from '../storage/database.js';
import { lockSendAllowance, spendSendAllowance } from '../storage/delivery/delivery-claims.js';
import { type CallPeople, getCallPeople } from '../storage/delivery/notice-calls.js';
import {
  anyNoticeDue,
  type ClaimedNotice,
  claimNotices,
  endNotice,
  markNoticeFailed,
} from '../storage/delivery/notice-claims.js';
import { getNoticeRecipient } from '../storage/delivery/notices.js';
import { databaseOutage, OutcomeUnknown } from '../storage/errors.js';
import { getLanguage } from '../storage/users/user-languages.js';
import type { Metrics } from '../telemetry/metrics.js';
import { traced } from '../telemetry/tracing.js';
import type { Channels } from './channels.js';
import { chatPayload } from './chat-payload.js';
import { type DeliveryWorker, startClaiming } from './claim-loop.js';
import { DeliveryFailed } from './message.js';
import { noticeText } from './notice-text.js';
import { leaseMs, pauseAfter } from './retry.js';
import type { WebhookAnswer, WebhookPost } from './webhook-request.js';

export interface NoticeDeliveryContext extends LimitedDatabase, LanguageContext, SecretContext {
  readonly metrics?: Metrics | undefined;
  /** In which times are written. */
  readonly timeZone: string;
}

/** What notices are sent with. */
export interface NoticeSenders {
  readonly channels: Pick<Channels, 'notify'>;
  readonly post: Pick<WebhookPost, 'post'>;
  /** Where the console is; undefined if it isn't configured. */
  readonly consoleUrl: string | undefined;
}

/** Few people get notices, and nobody waits for one. */
const noticesAtOnce = 2;

/** Several failures at a time usually have one cause. */
const combined: readonly NoticeTopic[] = ['webhookDisabled', 'scimTargetFailing', 'backupFailed'];
const combinedMs = 300_000;

/** Sends queued notices. Any number of nodes can run this, and all share the rate limit of messages. */
export function startNotices(
  context: NoticeDeliveryContext,
  senders: NoticeSenders,
  logger: Logger,
): DeliveryWorker {
  return startClaiming(
    {
      what: 'queued notices',
      claim: (count, stopping) => claim(context, count, stopping),
      send: (notice) => send(context, senders, notice, logger),
      concurrency: noticesAtOnce,
      pollMs: context.limits.deliveryPollMs,
    },
    logger,
  );
}

async function claim(
  { database, limits, cipher }: NoticeDeliveryContext,
  free: number,
  stopping: AbortSignal,
): Promise<ClaimedNotice[]> {
  if (!(await anyNoticeDue(database.pool))) return [];
  return transaction(database, async (tx) => {
    const count = Math.min(free, await lockSendAllowance(tx, limits.deliveriesPerMinuteMax));
    if (count === 0) return [];
    const lease = leaseMs(limits.deliveryTimeoutMs);
    const { keyIds } = cipher;
    const claimed = await claimNotices(tx, { keyIds, count, leaseMs: lease, combined, combinedMs });
    await spendSendAllowance(tx, claimed.length);
    stopping.throwIfAborted(); // others send what was queued while this node was asked to stop
    return claimed;
  });
}

async function send(
  context: NoticeDeliveryContext,
  senders: NoticeSenders,
  notice: ClaimedNotice,
  logger: Logger,
): Promise<void> {
  const { id, topic, channel, attempt } = notice;
  const attributes = { 'rollcall.message.kind': topic, 'rollcall.message.attempt': attempt };
  const { pool } = context.database;
  try {
    const outcome = await traced({ name: 'deliver notice', kind: SpanKind.PRODUCER, attributes }, () =>
      channel === 'email' ? sendMail(context, senders, notice) : postToChat(context, senders, notice),
    );
    await endNotice(pool, notice, outcome);
    if (outcome === 'cancelled') return;
    context.metrics?.message('sent');
    logger.debug({ notice: id, channel, attempt }, 'notice sent');
  } catch (error) {
    // Without the database nothing can be recorded; the claim expires and the notice is due again.
    if (databaseOutage(error) !== undefined || error instanceof OutcomeUnknown) throw error;
    if (!isExpected(error)) {
      logger.error({ err: error }, 'notice not sent because of an internal error');
    }
    await recordFailure(context, notice, error, logger);
  }
}

/** Cancelled if the user may not get it anymore, or doesn't want it. */
async function sendMail(
  { database, language: defaultLanguage, timeZone }: NoticeDeliveryContext,
  { channels, consoleUrl }: NoticeSenders,
  { id, attempt, topic, userSerial, facts, more }: ClaimedNotice,
): Promise<'sent' | 'cancelled'> {
  const { pool } = database;
  const recipient = userSerial && (await getNoticeRecipient(pool, audienceOf(topic), userSerial));
  if (!recipient) return 'cancelled';
  const language = (await getLanguage(pool, userSerial)) ?? defaultLanguage;
  const content = contentOf({ topic, facts });
  const people = await peopleIn(content, pool);
  const text = noticeText(content, { language, timeZone, more, people, consoleUrl });
  const { email: to, name } = recipient;
  await channels.notify({ deliveryId: id, attempt, language, to, name, text });
  return 'sent';
}

async function postToChat(
  { cipher, language, timeZone }: NoticeDeliveryContext,
  { post, consoleUrl }: NoticeSenders,
  { id, topic, channel, facts, more, secret }: ClaimedNotice,
): Promise<'sent' | 'cancelled'> {
  if (channel === 'email' || secret === null) return 'cancelled';
  const url = cipher.decrypt(secret, chatPurpose(id));
  const text = noticeText(contentOf({ topic, facts }), { language, timeZone, more, consoleUrl });
  const answer = await post.post({ url, headers: {}, body: JSON.stringify(chatPayload(channel, text)) });
  if (!answer.ok) throw new ChatRefused(answer);
  return 'sent';
}

async function peopleIn(content: NoticeContent, executor: Executor): Promise<CallPeople | undefined> {
  const isAboutCall = content.topic === 'callApproval' || content.topic === 'callDecided';
  return isAboutCall ? getCallPeople(executor, content.facts.call.id) : undefined;
}

/** A chat refused a notice. */
class ChatRefused extends Error {
  override readonly name = 'ChatRefused';
  readonly reason: string;
  readonly isFinal: boolean;
  readonly retryAfterMs: number;

  constructor({ reason, gone, retryAfterSeconds = 0 }: WebhookAnswer & { readonly ok: false }) {
    super(reason);
    this.reason = reason;
    this.isFinal = gone;
    this.retryAfterMs = 1_000 * retryAfterSeconds;
  }
}

function isExpected(error: unknown): error is DeliveryFailed | ChatRefused {
  return error instanceof DeliveryFailed || error instanceof ChatRefused;
}

/** The facts were stored together with their topic. */
function contentOf({ topic, facts }: Pick<ClaimedNotice, 'topic' | 'facts'>): NoticeContent {
  return { topic, facts } as NoticeContent;
}

async function recordFailure(
  { database, limits, metrics }: NoticeDeliveryContext,
  notice: ClaimedNotice,
  error: unknown,
  logger: Logger,
): Promise<void> {
  const { id, attempt } = notice;
  const { reason, isFinal } = isExpected(error) ? error : new DeliveryFailed('internal');
  const isLast = isFinal || attempt >= limits.deliveryAttemptsMax;
  const pauses = { firstMs: limits.deliveryPauseMs, longestMs: limits.deliveryPauseMaxMs };
  const askedMs = error instanceof ChatRefused ? error.retryAfterMs : 0;
  await markNoticeFailed(database.pool, notice, {
    reason,
    state: isLast ? 'parked' : 'waiting',
    pauseMs: Math.max(pauseAfter(attempt, pauses, Math.random()), askedMs),
  });
  metrics?.message(isLast ? 'parked' : 'retried');
  logger.warn({ notice: id, attempt, reason }, isLast ? 'notice parked' : 'notice not sent, retrying later');
}
