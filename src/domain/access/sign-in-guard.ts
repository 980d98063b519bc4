import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Limits } from '../../contract/limits.js';
import { usernameKey } from '../../contract/users.js';
import {
  type AttemptGuards,
  countAttempt,
  deleteGuards,
  uncountAttempt,
} from '../../storage/access/sign-in-guards.js';
import type { Executor } from '../../storage/database.js';

export type { AttemptGuards };

/** Failures of a name are kept for a day. An address is shared, so its failures mean less. */
const nameForgottenSeconds = 86_400;
const addressForgottenSeconds = 900;
const addressDelayMaxSeconds = 60;
export const guardsForgottenSeconds = Math.max(nameForgottenSeconds, addressForgottenSeconds);

export interface Attempt {
  readonly address: string;
  readonly name: string;
  /** Undefined if nobody has the name. */
  readonly userSerial: string | undefined;
}

/**
 * The guards that count an attempt: the address it comes from, the name it is for, and the user who has the name, whose
 * failures remain when the name changes. A user has two names at a time, and the failures of one delay the other only
 * beyond what is free for both. A name that nobody has is counted as often, so that attempts take the same time.
 */
export function attemptGuards(limits: Limits, { address, name, userSerial }: Attempt): AttemptGuards {
  const ofName = {
    key: nameKey(name),
    freeFailures: limits.signInFreeFailures,
    delayMaxSeconds: limits.signInDelayMaxSeconds,
    forgetAfterSeconds: nameForgottenSeconds,
  };
  return {
    name: ofName,
    user: {
      ...ofName,
      key: userSerial === undefined ? guardKey('nobody', usernameKey(name)) : userKey(userSerial),
      freeFailures: 2 * limits.signInFreeFailures,
    },
    address: {
      key: guardKey('address', network(address)),
      freeFailures: limits.signInFreeFailuresPerAddress,
      delayMaxSeconds: Math.min(addressDelayMaxSeconds, limits.signInDelayMaxSeconds),
      forgetAfterSeconds: addressForgottenSeconds,
    },
  };
}

const linksFree = 3;
const linkDelayMaxSeconds = 900;

/** Requests for links to a new password are counted apart from attempts to sign in, so that neither delays the other. */
export function recoveryGuards(limits: Limits, { address, name, userSerial }: Attempt): AttemptGuards {
  const of = `link for ${userSerial ?? usernameKey(name)}`;
  const guards = attemptGuards(limits, {
    address: `link ${network(address)}`,
    name: `link ${name}`,
    userSerial: of,
  });
  const free = { freeFailures: linksFree, delayMaxSeconds: linkDelayMaxSeconds };
  return {
    address: guards.address,
    name: { ...guards.name, ...free },
    user: { ...guards.user, ...free, freeFailures: 2 * linksFree },
  };
}

/** Counts an attempt under all guards before it is checked. Returns the seconds to wait; 0 if it may proceed. */
export async function admitAttempt(executor: Executor, guards: AttemptGuards): Promise<number> {
  const waits = await countAttempt(executor, guards);
  if (waits.name || waits.user) await uncountAttempt(executor, guards.address);
  if (waits.user) await uncountAttempt(executor, guards.name);
  return Math.ceil(waits.user ?? waits.name ?? waits.address);
}

/** A correct password resets the failures of the user. Those of the address stay, because they may belong to others. */
export async function clearAttempts(
  executor: Executor,
  { address, name, user }: AttemptGuards,
): Promise<void> {
  await uncountAttempt(executor, address); // first, as when counting: the lock order
  await deleteGuards(executor, [name.key]);
  await deleteGuards(executor, [user.key]);
}

/** An attempt that could not be checked is not a failure. */
export async function withdrawAttempt(
  executor: Executor,
  { address, name, user }: AttemptGuards,
): Promise<void> {
  for (const guard of [address, name, user]) await uncountAttempt(executor, guard);
}

/** Called when users are erased or get a new password: guesses at the old one no longer matter. */
export async function forgetFailuresOf(
  executor: Executor,
  users: readonly { readonly serial: string; readonly names: readonly string[] }[],
): Promise<void> {
  const names = users.flatMap((user) => user.names);
  await deleteGuards(executor, names.map(nameKey));
  await deleteGuards(
    executor,
    users.map(({ serial }) => userKey(serial)),
  );
}

function nameKey(name: string): string {
  return guardKey('name', usernameKey(name));
}

function userKey(serial: string): string {
  return guardKey('user', serial);
}

function guardKey(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}:${value}`).digest('base64url');
}

/** In IPv6 a single customer usually has a whole /64 network of addresses. */
export function network(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
