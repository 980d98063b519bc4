import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { generatePassword, HashingBusy } from '../domain/passwords/password.js';
import { renewInitialPassword, replaceByInitialPassword } from '../storage/credentials.js';
import { transaction } from '../storage/database.js';
import {
  type ClaimedDelivery,
  lockClaim,
  markDormant,
  markFailed,
  markSent,
} from '../storage/delivery-claims.js';
import { getUser } from '../storage/users.js';
import type { Channels } from './channels.js';
import { DeliveryFailed } from './message.js';
import { pauseAfter } from './retry.js';

/**
 * Makes the password, stores its hash, and only then sends it: the latest message always works, and a generated password
 * is nowhere but in the message. What was claimed since by another, or cancelled, is left alone.
 */
export async function deliverPassword(
  context: Context,
  channels: Channels,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const { pool } = context.database;
  const user = (await getUser(pool, delivery.userSerial))?.user;
  if (user && !user.isActive) return markDormant(pool, delivery);
  try {
    if (!user) throw new DeliveryFailed('The user is not there any more.');
    const made = await makePassword(context, delivery);
    if (!made) return;
    const { password, expiresAt } = made;
    const channel = await channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      kind: delivery.kind,
      to: user,
      user,
      password,
      expiresAt,
    });
    await markSent(pool, delivery, channel);
    logger.info({ delivery: delivery.id, channel, attempt: delivery.attempt }, 'message sent');
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await putOff(context, delivery, reason, logger);
  }
}

async function putOff(
  { database, limits }: Context,
  delivery: ClaimedDelivery,
  reason: string,
  logger: Logger,
): Promise<void> {
  const isLast = delivery.attempt >= limits.deliveryAttemptsMax;
  const state = isLast ? 'parked' : 'waiting';
  const pauseMs = pauseAfter(delivery.attempt, limits, Math.random());
  await markFailed(database.pool, delivery, { reason, state, pauseMs });
  logger.warn(
    { delivery: delivery.id, attempt: delivery.attempt, reason },
    isLast ? 'message parked after its last attempt' : 'message not sent; it is tried again later',
  );
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DeliveryFailed) return error.reason;
  return error instanceof HashingBusy ? 'The node was too busy to make the password.' : undefined;
}

/** The password of the message, with its hash stored; undefined if the claim does not stand any more. */
async function makePassword(
  { database, passwords, vault, initialPasswords }: Context,
  delivery: ClaimedDelivery,
): Promise<{ password: string; expiresAt: Date } | undefined> {
  const { id, userSerial, secret } = delivery;
  const expiresAt = new Date(Date.now() + initialPasswords.lifetimeHours * 3_600_000);
  const password = secret === null ? generatePassword() : vault.open(secret, id);
  const passwordHash = secret === null ? await passwords.hash(password) : undefined;
  const stands = await transaction(database, async (tx) => {
    if (!(await lockClaim(tx, delivery))) return false;
    if (passwordHash === undefined) await renewInitialPassword(tx, userSerial, expiresAt);
    else await replaceByInitialPassword(tx, { userSerial, passwordHash }, expiresAt);
    return true;
  });
  return stands ? { password, expiresAt } : undefined;
}
