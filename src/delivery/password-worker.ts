import { setTimeout as pause } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { transaction } from '../storage/database.js';
import {
  anyDeliveryDue,
  type ClaimedDelivery,
  claimDeliveries,
  lockSendAllowance,
  spendSendAllowance,
} from '../storage/delivery/delivery-claims.js';
import { databaseOutage } from '../storage/errors.js';
import { traced } from '../telemetry/tracing.js';
import type { Channels } from './channels.js';
import { type DeliveryContext, deliverNotice, deliverPassword } from './deliver-message.js';
import { leaseMs } from './retry.js';

export interface DeliveryWorker {
  /** Claims nothing new, waits for messages being sent, and closes the channels. */
  stop(): Promise<void>;
}

/**
 * Sends queued messages. Any number of nodes can run this: a message is claimed by one node at a time, and all share one
 * rate limit.
 */
export function startDeliveries(
  context: DeliveryContext,
  channels: Channels,
  concurrency: number,
  logger: Logger,
): DeliveryWorker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const start = (delivery: ClaimedDelivery) => {
    const work = deliver(context, channels, delivery, logger)
      // Whatever went wrong, the claim expires and the message is due again.
      .catch((error: unknown) => logger.warn({ err: error }, 'message not sent, retrying'))
      .finally(() => running.delete(work));
    running.add(work);
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const free = concurrency - running.size;
      const claimed = free > 0 ? await claim(context, free, logger, stopping.signal) : [];
      claimed.forEach(start);
      const more = claimed.length === free && free > 0;
      if (!more || running.size >= concurrency) await Promise.race([nextPoll(), ...running]);
    }
  };

  // One timer at a time: messages that are sent in the meantime don't start another.
  let polling: Promise<void> | undefined;
  const nextPoll = () => {
    polling ??= pause(context.limits.deliveryPollMs, undefined, { signal: stopping.signal })
      .catch(() => {})
      .finally(() => {
        polling = undefined;
      });
    return polling;
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running);
      channels.close();
    },
  };
}

function deliver(
  context: DeliveryContext,
  channels: Channels,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const { kind, attempt } = delivery;
  const attributes = { 'rollcall.message.kind': kind, 'rollcall.message.attempt': attempt };
  return traced({ name: 'deliver message', kind: SpanKind.PRODUCER, attributes }, () =>
    kind === 'account-changed'
      ? deliverNotice(context, channels, delivery, logger)
      : deliverPassword(context, channels, kind, delivery, logger),
  );
}

async function claim(
  { database, limits, cipher }: DeliveryContext,
  free: number,
  logger: Logger,
  stopping: AbortSignal,
): Promise<ClaimedDelivery[]> {
  const { keyIds } = cipher;
  try {
    if (!(await anyDeliveryDue(database.pool, keyIds))) return [];
    return await transaction(database, async (tx) => {
      const count = Math.min(free, await lockSendAllowance(tx, limits.deliveriesPerMinuteMax));
      if (count === 0) return [];
      const claimed = await claimDeliveries(tx, {
        keyIds,
        count,
        leaseMs: leaseMs(limits.deliveryTimeoutMs),
      });
      await spendSendAllowance(tx, claimed.length);
      stopping.throwIfAborted(); // others send what was queued while this node was asked to stop
      return claimed;
    });
  } catch (error) {
    const isExpected = stopping.aborted || databaseOutage(error) !== undefined;
    if (!isExpected) logger.error({ err: error }, 'cannot read the message queue');
    return [];
  }
}
