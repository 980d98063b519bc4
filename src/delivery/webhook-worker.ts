import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { anyWebhookActive, type ClaimedWebhook, claimWebhooks } from '../storage/delivery/webhook-claims.js';
import { databaseOutage } from '../storage/errors.js';
import { traced } from '../telemetry/tracing.js';
import { deliverEvents } from './deliver-events.js';
import { leaseMs } from './retry.js';
import type { WebhookPost } from './webhook-request.js';

export interface WebhookWorker {
  /** Claims nothing new and aborts requests, which the next node repeats. */
  stop(): Promise<void>;
}

/** How often to check for webhooks while there are none. */
const idlePollMs = 2_000;

/**
 * Sends events to webhooks, in order per webhook. Any number of nodes can run this: a webhook is claimed by one node at a
 * time. Webhooks are independent, so one that hangs does not delay the others.
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
    const work = traced({ name: 'deliver events', attributes: { 'rollcall.webhook.id': webhook.id } }, () =>
      deliverEvents(context, post, webhook, signal, logger),
    )
      // Whatever went wrong, the claim expires and the webhook is due again.
      .catch((error: unknown) => logger.warn({ err: error }, 'webhook not delivered, retrying'))
      .finally(() => running.delete(work));
    running.add(work);
  };

  const claim = async (): Promise<ClaimedWebhook[]> => {
    try {
      if (!(await anyWebhookActive(database.pool))) {
        await sleep(idlePollMs);
        return [];
      }
      const settled = await changes.refresh();
      const count = concurrency - running.size;
      const lease = leaseMs(limits.webhookTimeoutMs);
      return await claimWebhooks(database.pool, { settled, keyIds: cipher.keyIds, count, leaseMs: lease });
    } catch (error) {
      if (databaseOutage(error) === undefined) logger.error({ err: error }, 'cannot read the webhooks');
      return [];
    }
  };

  const sleep = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});
  const loop = async () => {
    while (!signal.aborted) {
      const claimed = running.size < concurrency ? await claim() : [];
      claimed.forEach(start);
      await (running.size < concurrency ? sleep(limits.eventPollMs) : Promise.race(running));
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
