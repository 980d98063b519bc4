import type { Logger } from 'pino';
import type { DeliveryChannel } from '../contract/deliveries.js';
import { type DeliveryKind, noticeSubjects } from '../contract/enums.js';
import { signInNameOf } from '../domain/access/sign-in.js';
import type { LimitedDatabase } from '../domain/database.js';
import { generatePassword, HashingBusy, type PasswordHasher } from '../domain/passwords/password.js';
import { confirmationMinutes, newConfirmationCode } from '../domain/profile/confirmation-code.js';
import { linkMinutes, newLinkToken, requestMinutes } from '../domain/recovery/password-link.js';
import type { SecretCipher } from '../domain/secrets/secret-cipher.js';
import type { InitialPasswordContext } from '../domain/users/insert-created.js';
import type { LanguageContext } from '../domain/users/user-language.js';
import { renewInitialPassword, replaceByInitialPassword } from '../storage/access/credentials.js';
import { putInvitation, putPasswordLink } from '../storage/access/password-links.js';
import { type Database, type Executor, transaction } from '../storage/database.js';
import { setConfirmationCode } from '../storage/delivery/contact-confirmations.js';
import {
  type ClaimedDelivery,
  lockClaim,
  markCancelled,
  markDormant,
  markFailed,
  markSent,
  releaseDeliveryClaim,
  renewClaim,
} from '../storage/delivery/delivery-claims.js';
import { databaseOutage, OutcomeUnknown } from '../storage/errors.js';
import { getUser, lockStatus } from '../storage/users/read-users.js';
import { getLanguage } from '../storage/users/user-languages.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Channels } from './channels.js';
import {
  type ConfirmationMessage,
  DeliveryFailed,
  type InvitationMessage,
  type LinkMessage,
  type Message,
  type PasswordKind,
  type PasswordMessage,
} from './message.js';
import { leaseMs, pauseAfter } from './retry.js';

/** What it takes to send messages to users. */
export interface DeliveryContext extends LimitedDatabase, LanguageContext, InitialPasswordContext {
  readonly passwords: PasswordHasher;
  /** Whether messages bring an initial password, or a link to choose one. */
  readonly initialPassword: 'message' | 'link';
  readonly metrics?: Metrics | undefined;
}

/**
 * Generates the password or link, stores its hash, and only then sends it: the latest message always works, and what was
 * generated exists only in the message. A delivery that another node has claimed since, or that was canceled, is left alone.
 */
export async function deliverPassword(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  kind: PasswordKind,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const user = (await getUser(context.database.pool, delivery.userSerial))?.user;
  if (user && !user.isActive) return makeDormant(context.database, delivery);
  await attemptDelivery(context, delivery, logger, async () => {
    if (!user) throw new DeliveryFailed('userGone');
    const signInName = await signInNameOf(context.database.pool, user);
    const language = (await getLanguage(context.database.pool, user.serial)) ?? context.language;
    // The user was read before the claim is checked again: a change of address in between ends the claim.
    const content =
      context.initialPassword === 'link'
        ? await prepareInvitation(context, kind, delivery, user)
        : await preparePassword(context, kind, delivery, user);
    if (!content) return undefined;
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      language,
      to: user,
      user: { ...user, signInName },
      ...content,
    });
  });
}

/** Checks again under a lock: activating the user at this moment would miss a delivery that is not dormant yet. */
async function makeDormant(database: Database, delivery: ClaimedDelivery): Promise<void> {
  await transaction(database, async (tx) => {
    if (await lockStatus(tx, delivery.userSerial)) await releaseDeliveryClaim(tx, delivery);
    else await markDormant(tx, delivery);
  });
}

/** Stores the hash of the password. Undefined if the claim is no longer valid. */
async function preparePassword(
  context: DeliveryContext,
  kind: PasswordKind,
  delivery: ClaimedDelivery,
  to: Message['to'],
): Promise<Pick<PasswordMessage, 'kind' | 'password' | 'expiresAt'> | undefined> {
  const { database, limits, passwords, cipher } = context;
  const { id, userSerial, secret } = delivery;
  const expiresAt = initialExpiry(context);
  const password = secret === null ? generatePassword() : openSecret(cipher, secret, id);
  const passwordHash = secret === null ? await passwords.hash(password) : undefined;
  const isClaimed = await transaction(database, async (tx) => {
    if (!(await lockClaim(tx, delivery))) return false;
    if (passwordHash === undefined) await renewInitialPassword(tx, userSerial, expiresAt);
    else await replaceByInitialPassword(tx, { userSerial, passwordHash }, expiresAt);
    await renewClaim(tx, delivery, leaseMs(limits.deliveryTimeoutMs), to); // last, so that waiting for locks does not reduce the time to send
    return true;
  });
  return isClaimed ? { kind, password, expiresAt } : undefined;
}

/** Stores the hash of the link. A given password stays valid, and is not in the message. */
async function prepareInvitation(
  context: DeliveryContext,
  kind: PasswordKind,
  delivery: ClaimedDelivery,
  to: Message['to'],
): Promise<Pick<InvitationMessage, 'kind' | 'isReset' | 'token' | 'expiresAt'> | undefined> {
  const { database, limits } = context;
  const { token, tokenHash } = newLinkToken();
  const expiresAt = initialExpiry(context);
  const isClaimed = await transaction(database, async (tx) => {
    if (!(await lockClaim(tx, delivery))) return false;
    await renewInitialPassword(tx, delivery.userSerial, expiresAt);
    await putInvitation(tx, { deliveryId: delivery.id, tokenHash, expiresAt }, to);
    await renewClaim(tx, delivery, leaseMs(limits.deliveryTimeoutMs), to);
    return true;
  });
  return isClaimed
    ? { kind: 'initial-link', isReset: kind === 'reset-password', token, expiresAt }
    : undefined;
}

function initialExpiry({ initialPasswordLifetimeHours }: DeliveryContext): Date {
  return new Date(Date.now() + initialPasswordLifetimeHours * 3_600_000);
}

function openSecret(cipher: SecretCipher, secret: Buffer, id: string): string {
  try {
    return cipher.decrypt(secret, id);
  } catch {
    throw new DeliveryFailed('passwordLost');
  }
}

/** Each attempt has a code of its own, so that only its hash is stored and the latest message always works. */
export function deliverConfirmation(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const { code, codeHash } = newConfirmationCode(delivery.id);
  const expiresAt = new Date(Date.now() + confirmationMinutes * 60_000);
  const store = (tx: Executor) => setConfirmationCode(tx, delivery.id, { codeHash, expiresAt });
  const content = { kind: 'confirm-contact', code, expiresAt } as const;
  return deliverIfStored(context, channels, delivery, logger, { store, content });
}

/** The same for links. A message that was late for an hour is not expected anymore. */
export function deliverPasswordLink(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  const { token, tokenHash } = newLinkToken();
  const expiresAt = new Date(Date.now() + linkMinutes * 60_000);
  const link = { deliveryId: delivery.id, tokenHash, expiresAt };
  const store = (tx: Executor) => putPasswordLink(tx, link, requestMinutes);
  const content = { kind: 'password-link', token, expiresAt } as const;
  return deliverIfStored(context, channels, delivery, logger, { store, content });
}

interface Expected {
  /** False if nobody waits for the message anymore. */
  store(tx: Executor): Promise<boolean>;
  readonly content:
    | Pick<ConfirmationMessage, 'kind' | 'code' | 'expiresAt'>
    | Pick<LinkMessage, 'kind' | 'token' | 'expiresAt'>;
}

async function deliverIfStored(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  delivery: ClaimedDelivery,
  logger: Logger,
  { store, content }: Expected,
): Promise<void> {
  await attemptDelivery(context, delivery, logger, async () => {
    const addressee = await addresseeOf(context, delivery.userSerial);
    const isStored = await transaction(context.database, async (tx) => {
      if (!(await lockClaim(tx, delivery))) return false;
      if (await store(tx)) return true;
      await markCancelled(tx, delivery);
      return false;
    });
    if (!isStored) return undefined;
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      to: { email: delivery.toEmail, phone: delivery.toPhone },
      ...addressee,
      ...content,
    });
  });
}

/** Goes to the address before the change, whatever the user's current address and status are. */
export async function deliverNotice(
  context: DeliveryContext,
  channels: Pick<Channels, 'deliver'>,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  await attemptDelivery(context, delivery, logger, async () => {
    const addressee = await addresseeOf(context, delivery.userSerial);
    const changed = new Set(delivery.changed?.split(' '));
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      kind: 'account-changed',
      to: { email: delivery.toEmail, phone: delivery.toPhone },
      ...addressee,
      changed: noticeSubjects.filter((subject) => changed.has(subject)),
      changedAt: delivery.createdAt,
    });
  });
}

/** The user as messages name them, and their language. */
async function addresseeOf(
  { database: { pool }, language }: DeliveryContext,
  serial: string,
): Promise<Pick<Message, 'user' | 'language'>> {
  const user = (await getUser(pool, serial))?.user;
  if (!user) throw new DeliveryFailed('userGone');
  const signInName = await signInNameOf(pool, user);
  return { user: { ...user, signInName }, language: (await getLanguage(pool, serial)) ?? language };
}

/** Tries to send a message and records the outcome. `send` returns undefined if it is not to be sent anymore. */
async function attemptDelivery(
  context: DeliveryContext,
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
  { database, limits, metrics }: DeliveryContext,
  delivery: ClaimedDelivery,
  error: unknown,
  logger: Logger,
): Promise<void> {
  const { problem, problemCode, reason, isFinal } = failureOf(error);
  const isLast = isFinal || delivery.attempt >= limits.deliveryAttemptsMax;
  const state = stateAfterFailure({ ...delivery, isFinal, isLast });
  const pauses = { firstMs: limits.deliveryPauseMs, longestMs: limits.deliveryPauseMaxMs };
  const pauseMs = pauseAfter(delivery.attempt, pauses, Math.random());
  await markFailed(database.pool, delivery, { problem, problemCode, reason, state, pauseMs });
  metrics?.message(state === 'waiting' ? 'retried' : 'parked');
  logger.warn(
    { delivery: delivery.id, attempt: delivery.attempt, reason },
    state === 'waiting' ? 'message not sent, retrying later' : `message ${state}`,
  );
}

/** A notice to an address that is wrong, or was, helps nobody. What people wait for is parked until someone corrects it. */
function stateAfterFailure(failed: {
  readonly kind: DeliveryKind;
  readonly isFinal: boolean;
  readonly isLast: boolean;
}): 'waiting' | 'parked' | 'cancelled' {
  if (failed.isFinal && failed.kind === 'account-changed') return 'cancelled';
  return failed.isLast ? 'parked' : 'waiting';
}

function isExpected(error: unknown): boolean {
  return error instanceof DeliveryFailed || error instanceof HashingBusy;
}

function failureOf(error: unknown): DeliveryFailed {
  if (error instanceof DeliveryFailed) return error;
  return new DeliveryFailed(error instanceof HashingBusy ? 'busy' : 'internal');
}
