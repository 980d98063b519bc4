import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Limits } from '../../contract/limits.js';
import { usernameKey } from '../../contract/users.js';
import {
  type AttemptGuards,
  countAttempt,
  deleteGuard,
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

/** The guards that count an attempt: the name it is for, and the address it comes from. */
export function attemptGuards(limits: Limits, username: string, address: string): AttemptGuards {
  return {
    name: {
      key: nameKey(username),
      freeFailures: limits.signInFreeFailures,
      delayMaxSeconds: limits.signInDelayMaxSeconds,
      forgetAfterSeconds: nameForgottenSeconds,
    },
    address: {
      key: guardKey('address', network(address)),
      freeFailures: limits.signInFreeFailuresPerAddress,
      delayMaxSeconds: Math.min(addressDelayMaxSeconds, limits.signInDelayMaxSeconds),
      forgetAfterSeconds: addressForgottenSeconds,
    },
  };
}

/** Counts an attempt under both guards before it is checked. Returns the seconds to wait; 0 if it may proceed. */
export async function admitAttempt(executor: Executor, guards: AttemptGuards): Promise<number> {
  const waits = await countAttempt(executor, guards);
  if (waits.name !== undefined && waits.name > 0) await uncountAttempt(executor, guards.address.key);
  return Math.ceil(waits.name ?? waits.address);
}

/** A correct password resets the failures of the name. Those of the address stay, because they may belong to others. */
export async function clearAttempts(executor: Executor, { name, address }: AttemptGuards): Promise<void> {
  await uncountAttempt(executor, address.key); // first, as when counting: the lock order
  await deleteGuard(executor, name.key);
}

/** An attempt that could not be checked is not a failure. */
export async function withdrawAttempt(executor: Executor, { name, address }: AttemptGuards): Promise<void> {
  await uncountAttempt(executor, address.key);
  await uncountAttempt(executor, name.key);
}

/** Called when a user gets a new password: guesses at the old one no longer matter. */
export async function forgetFailuresOf(executor: Executor, signInName: string): Promise<void> {
  await deleteGuard(executor, nameKey(signInName));
}

/** Called when users are erased. */
export async function forgetFailuresOfNames(executor: Executor, names: readonly string[]): Promise<void> {
  await deleteGuards(executor, names.map(nameKey));
}

function nameKey(username: string): string {
  return guardKey('name', usernameKey(username));
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
