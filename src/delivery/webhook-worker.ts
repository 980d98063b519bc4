import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { anyWebhookActive, type ClaimedWebhook, claimWebhooks } from '../storage/delivery/webhook-claims.js';
import { databaseOutage } from '../storage/errors.js';
import { deliverEvents } from './deliver-events.js';
import { leaseMs } from './retry.js';
import type { WebhookPost } from './webhook-request.js';

export interface WebhookWorker {
  /** Takes nothing new, and ends what is being sent: it is sent again by whoever comes next. */
  stop(): Promise<void>;
}

/** How often to look whether there is any webhook at all, where there was none. */
const noneLookMs = 2_000;

/**
 * Tells webhooks what happened, each in order. Any number of nodes may do so: a webhook is claimed by one of them at a
 * time. Every webhook is served by itself, so that one that hangs holds up no other.
 */
export function startWebhooks(
  context: Context,
  post: WebhookPost,
  concurrency: number,
  logger: Logger,
): WebhookWorker {
  const { database, changes, limits, cipher } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  const start = (webhook: ClaimedWebhook) => {
    const work = deliverEvents(context, post, webhook, signal, logger)
      // Whatever went wrong, the claim runs out and the webhook is due again.
      .catch((error: unknown) => logger.warn({ err: error }, 'a webhook was not served; it is tried again'))
      .finally(() => running.delete(work));
    running.add(work);
  };

  const claim = async (): Promise<ClaimedWebhook[]> => {
    try {
      if (!(await anyWebhookActive(database.pool))) {
        await nap(noneLookMs);
        return [];
      }
      const settled = await changes.refresh();
      const count = concurrency - running.size;
      const lease = leaseMs(limits.webhookTimeoutMs);
      return await claimWebhooks(database.pool, { settled, keyIds: cipher.keyIds, count, leaseMs: lease });
    } catch (error) {
      if (databaseOutage(error) === undefined) logger.error({ err: error }, 'webhooks cannot be looked for');
      return [];
    }
  };

  const nap = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});
  const loop = async () => {
    while (!signal.aborted) {
      const claimed = running.size < concurrency ? await claim() : [];
      claimed.forEach(start);
      await (running.size < concurrency ? nap(limits.eventPollMs) : Promise.race(running));
    }
  };

  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      post.close();
      await looping;
      await Promise.all(running);
    },
  };
}
