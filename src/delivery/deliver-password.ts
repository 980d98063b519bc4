import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { generatePassword, HashingBusy } from '../domain/passwords/password.js';
import type { Vault } from '../domain/passwords/vault.js';
import { renewInitialPassword, replaceByInitialPassword } from '../storage/credentials.js';
import { transaction } from '../storage/database.js';
import {
  type ClaimedDelivery,
  giveBack,
  lockClaim,
  markDormant,
  markFailed,
  markSent,
  renewClaim,
} from '../storage/delivery-claims.js';
import { databaseTrouble, OutcomeUnknown } from '../storage/errors.js';
import { getUser, lockStatus } from '../storage/users.js';
import type { Channels } from './channels.js';
import { DeliveryFailed } from './message.js';
import { leaseMs, pauseAfter } from './retry.js';

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
  if (user && !user.isActive) return putToSleep(context, delivery);
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
    logger.debug({ delivery: delivery.id, channel, attempt: delivery.attempt }, 'message sent');
  } catch (error) {
    // Without its database a node can say nothing of the message; the claim runs out and it is due again.
    if (databaseTrouble(error) !== undefined || error instanceof OutcomeUnknown) throw error;
    if (!isExpected(error))
      logger.error({ err: error }, 'a fault of the service kept a message from being sent');
    await putOff(context, delivery, reasonOf(error), logger);
  }
}

/** Looked at once more under a lock: somebody made active at this moment would wake what does not sleep yet. */
async function putToSleep({ database }: Context, delivery: ClaimedDelivery): Promise<void> {
  await transaction(database, async (tx) => {
    if (await lockStatus(tx, delivery.userSerial)) await giveBack(tx, delivery);
    else await markDormant(tx, delivery);
  });
}

async function putOff(
  { database, limits }: Context,
  delivery: ClaimedDelivery,
  reason: string,
  logger: Logger,
): Promise<void> {
  const isLast = delivery.attempt >= limits.deliveryAttemptsMax;
  const state = isLast ? 'parked' : 'waiting';
  const pauses = { firstMs: limits.deliveryPauseMs, longestMs: limits.deliveryPauseMaxMs };
  const pauseMs = pauseAfter(delivery.attempt, pauses, Math.random());
  await markFailed(database.pool, delivery, { reason, state, pauseMs });
  logger.warn(
    { delivery: delivery.id, attempt: delivery.attempt, reason },
    isLast ? 'message parked after its last attempt' : 'message not sent; it is tried again later',
  );
}

function isExpected(error: unknown): boolean {
  return error instanceof DeliveryFailed || error instanceof HashingBusy;
}

function reasonOf(error: unknown): string {
  if (error instanceof DeliveryFailed) return error.reason;
  if (error instanceof HashingBusy) return 'The node was too busy to make the password.';
  return 'A fault of the service; the operator finds its cause in the log.';
}

/** The password of the message, with its hash stored; undefined if the claim does not stand any more. */
async function makePassword(
  { database, limits, passwords, vault, initialPasswords }: Context,
  delivery: ClaimedDelivery,
): Promise<{ password: string; expiresAt: Date } | undefined> {
  const { id, userSerial, secret } = delivery;
  const expiresAt = new Date(Date.now() + initialPasswords.lifetimeHours * 3_600_000);
  const password = secret === null ? generatePassword() : openSecret(vault, secret, id);
  const passwordHash = secret === null ? await passwords.hash(password) : undefined;
  const stands = await transaction(database, async (tx) => {
    if (!(await lockClaim(tx, delivery))) return false;
    if (passwordHash === undefined) await renewInitialPassword(tx, userSerial, expiresAt);
    else await replaceByInitialPassword(tx, { userSerial, passwordHash }, expiresAt);
    await renewClaim(tx, delivery, leaseMs(limits.deliveryTimeoutMs)); // last, so that no wait before it eats into the time to send
    return true;
  });
  return stands ? { password, expiresAt } : undefined;
}

function openSecret(vault: Vault, secret: Buffer, id: string): string {
  try {
    return vault.open(secret, id);
  } catch {
    throw new DeliveryFailed('The given password cannot be decrypted; reset the password to send a new one.');
  }
}
