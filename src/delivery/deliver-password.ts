import type { Logger } from 'pino';
import { signInNameOf } from '../domain/access/sign-in-name.js';
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
import { getLanguage } from '../storage/users/user-languages.js';
import { attemptDelivery } from './attempt.js';
import type { Channels } from './channels.js';
import { DeliveryFailed, type PasswordKind } from './message.js';
import { leaseMs } from './retry.js';

/**
 * Generates the password, stores its hash, and only then sends it: the latest message always works, and a generated
 * password exists only in the message. A delivery that another node has claimed since, or that was canceled, is left alone.
 */
export async function deliverPassword(
  context: Context,
  channels: Channels,
  kind: PasswordKind,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const user = (await getUser(context.database.pool, delivery.userSerial))?.user;
  if (user && !user.isActive) return makeDormant(context, delivery);
  await attemptDelivery(context, delivery, logger, async () => {
    if (!user) throw new DeliveryFailed('The user no longer exists.');
    const signInName = await signInNameOf(context.database.pool, user);
    const language = (await getLanguage(context.database.pool, user.serial)) ?? context.language;
    // The user was read before the claim is checked again: a change of address in between ends the claim.
    const prepared = await preparePassword(context, delivery);
    if (!prepared) return undefined;
    const { password, expiresAt } = prepared;
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      language,
      kind,
      to: user,
      user: { ...user, signInName },
      password,
      expiresAt,
    });
  });
}

/** Checks again under a lock: activating the user at this moment would miss a delivery that is not dormant yet. */
async function makeDormant({ database }: Context, delivery: ClaimedDelivery): Promise<void> {
  await transaction(database, async (tx) => {
    if (await lockStatus(tx, delivery.userSerial)) await releaseDeliveryClaim(tx, delivery);
    else await markDormant(tx, delivery);
  });
}

/** Stores the hash of the password. Undefined if the claim is no longer valid. */
async function preparePassword(
  { database, limits, passwords, cipher, initialPasswords }: Context,
  delivery: ClaimedDelivery,
): Promise<{ password: string; expiresAt: Date } | undefined> {
  const { id, userSerial, secret } = delivery;
  const expiresAt = new Date(Date.now() + initialPasswords.lifetimeHours * 3_600_000);
  const password = secret === null ? generatePassword() : openSecret(cipher, secret, id);
  const passwordHash = secret === null ? await passwords.hash(password) : undefined;
  const isClaimed = await transaction(database, async (tx) => {
    if (!(await lockClaim(tx, delivery))) return false;
    if (passwordHash === undefined) await renewInitialPassword(tx, userSerial, expiresAt);
    else await replaceByInitialPassword(tx, { userSerial, passwordHash }, expiresAt);
    await renewClaim(tx, delivery, leaseMs(limits.deliveryTimeoutMs)); // last, so that waiting for locks does not reduce the time to send
    return true;
  });
  return isClaimed ? { password, expiresAt } : undefined;
}

function openSecret(cipher: SecretCipher, secret: Buffer, id: string): string {
  try {
    return cipher.decrypt(secret, id);
  } catch {
    throw new DeliveryFailed('The given password cannot be decrypted. Reset the password to send a new one.');
  }
}
