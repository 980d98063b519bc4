import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { linkMark } from '../storage/access/password-links.js';
import { transaction } from '../storage/database.js';
import {
  anyDeliveryDue,
  type ClaimedDelivery,
  claimDeliveries,
  lockSendAllowance,
  spendSendAllowance,
} from '../storage/delivery/delivery-claims.js';
import { traced } from '../telemetry/tracing.js';
import type { Channels } from './channels.js';
import { type DeliveryWorker, startClaiming } from './claim-loop.js';
import {
  type DeliveryContext,
  deliverConfirmation,
  deliverNotice,
  deliverPassword,
  deliverPasswordLink,
} from './deliver-message.js';
import { leaseMs } from './retry.js';

/**
 * Sends queued messages. Any number of nodes can run this: a message is claimed by one node at a time, and all share one
 * rate limit.
 */
export function startDeliveries(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  concurrency: number,
  logger: Logger,
): DeliveryWorker {
  return startClaiming(
    {
      what: 'queued messages',
      claim: (count, stopping) => claim(context, count, stopping),
      send: (delivery) => deliver(context, channels, delivery, logger),
      concurrency,
      pollMs: context.limits.deliveryPollMs,
    },
    logger,
  );
}

function deliver(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const { kind, attempt } = delivery;
  const attributes = { 'rollcall.message.kind': kind, 'rollcall.message.attempt': attempt };
  return traced({ name: 'deliver message', kind: SpanKind.PRODUCER, attributes }, () => {
    if (kind === 'account-changed') return deliverNotice(context, channels, delivery, logger);
    if (kind === 'confirm-contact') return deliverConfirmation(context, channels, delivery, logger);
    if (kind === 'password-link') return deliverPasswordLink(context, channels, delivery, logger);
    return deliverPassword(context, channels, kind, delivery, logger);
  });
}

async function claim(
  { database, limits, cipher }: DeliveryContext,
  free: number,
  stopping: AbortSignal,
): Promise<ClaimedDelivery[]> {
  const keyIds = [...cipher.keyIds, linkMark];
  if (!(await anyDeliveryDue(database.pool, keyIds))) return [];
  return transaction(database, async (tx) => {
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
}
