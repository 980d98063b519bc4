import type { Logger } from 'pino';
import type { Context } from '../domain/context.js';
import { generatePassword } from '../domain/passwords/password.js';
import type { SecretCipher } from '../domain/secrets/secret-cipher.js';
import { renewInitialPassword, replaceByInitialPassword } from '../storage/access/credentials.js';
import { transaction } from '../storage/database.js';
import {
  type ClaimedDelivery,
  lockClaim,
  markDormant,
  releaseDeliveryClaim,
  renewClaim,
} from '../storage/delivery/delivery-claims.js';
import { getUser, lockStatus } from '../storage/users/read-users.js';
import { attemptDelivery } from './attempt.js';
import type { Channels } from './channels.js';
import { DeliveryFailed, type PasswordKind } from './message.js';
import { leaseMs } from './retry.js';

/**
 * Makes the password, stores its hash, and only then sends it: the latest message always works, and a generated password
 * is nowhere but in the message. What was claimed since by another, or cancelled, is left alone.
 */
export async function deliverPassword(
  context: Context,
  channels: Channels,
  kind: PasswordKind,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const user = (await getUser(context.database.pool, delivery.userSerial))?.user;
  if (user && !user.isActive) return putToSleep(context, delivery);
  await attemptDelivery(context, delivery, logger, async () => {
    if (!user) throw new DeliveryFailed('The user is not there any more.');
    // The user was read before the claim is looked at again: a change of the address in between has ended the claim.
    const made = await makePassword(context, delivery);
    if (!made) return undefined;
    const { password, expiresAt } = made;
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      kind,
      to: user,
      user,
      password,
      expiresAt,
    });
  });
}

/** Looked at once more under a lock: somebody made active at this moment would wake what does not sleep yet. */
async function putToSleep({ database }: Context, delivery: ClaimedDelivery): Promise<void> {
  await transaction(database, async (tx) => {
    if (await lockStatus(tx, delivery.userSerial)) await releaseDeliveryClaim(tx, delivery);
    else await markDormant(tx, delivery);
  });
}

/** The password of the message, with its hash stored; undefined if the claim does not stand any more. */
async function makePassword(
  { database, limits, passwords, cipher, initialPasswords }: Context,
  delivery: ClaimedDelivery,
): Promise<{ password: string; expiresAt: Date } | undefined> {
  const { id, userSerial, secret } = delivery;
  const expiresAt = new Date(Date.now() + initialPasswords.lifetimeHours * 3_600_000);
  const password = secret === null ? generatePassword() : openSecret(cipher, secret, id);
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

function openSecret(cipher: SecretCipher, secret: Buffer, id: string): string {
  try {
    return cipher.decrypt(secret, id);
  } catch {
    throw new DeliveryFailed('The given password cannot be decrypted; reset the password to send a new one.');
  }
}
