import type { Logger } from 'pino';
import type { DeliveryChannel } from '../contract/deliveries.js';
import type { Context } from '../domain/context.js';
import { HashingBusy } from '../domain/passwords/password.js';
import { type ClaimedDelivery, markFailed, markSent } from '../storage/delivery/delivery-claims.js';
import { databaseOutage, OutcomeUnknown } from '../storage/errors.js';
import { DeliveryFailed } from './message.js';
import { pauseAfter } from './retry.js';

/** Tries to send a message and records the outcome. `send` returns undefined if it is not to be sent anymore. */
export async function attemptDelivery(
  context: Context,
  delivery: ClaimedDelivery,
  logger: Logger,
  send: () => Promise<DeliveryChannel | undefined>,
): Promise<void> {
  try {
    const channel = await send();
    if (channel === undefined) return;
    await markSent(context.database.pool, delivery, channel);
    context.metrics?.message('sent');
    logger.debug({ delivery: delivery.id, channel, attempt: delivery.attempt }, 'message sent');
  } catch (error) {
    // Without the database nothing can be recorded; the claim expires and the message is due again.
    if (databaseOutage(error) !== undefined || error instanceof OutcomeUnknown) throw error;
    if (!isExpected(error)) logger.error({ err: error }, 'message not sent because of an internal error');
    await recordFailure(context, delivery, error, logger);
  }
}

async function recordFailure(
  { database, limits, metrics }: Context,
  delivery: ClaimedDelivery,
  error: unknown,
  logger: Logger,
): Promise<void> {
  const reason = reasonOf(error);
  const isFinal = error instanceof DeliveryFailed && error.isFinal;
  const isLast = isFinal || delivery.attempt >= limits.deliveryAttemptsMax;
  const state = isLast ? 'parked' : 'waiting';
  const pauses = { firstMs: limits.deliveryPauseMs, longestMs: limits.deliveryPauseMaxMs };
  const pauseMs = pauseAfter(delivery.attempt, pauses, Math.random());
  await markFailed(database.pool, delivery, { reason, state, pauseMs });
  metrics?.message(isLast ? 'parked' : 'retried');
  logger.warn(
    { delivery: delivery.id, attempt: delivery.attempt, reason },
    isLast ? 'message parked' : 'message not sent, retrying later',
  );
}

function isExpected(error: unknown): boolean {
  return error instanceof DeliveryFailed || error instanceof HashingBusy;
}

function reasonOf(error: unknown): string {
  if (error instanceof DeliveryFailed) return error.reason;
  if (error instanceof HashingBusy) return 'The node was too busy to hash the password.';
  return 'Internal error. See the log of the service.';
}
