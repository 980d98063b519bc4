import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Limits } from '../../contract/limits.js';
import { usernameKey } from '../../contract/users.js';
import {
  type AttemptGuards,
  countAttempt,
  deleteGuard,
  uncountAttempt,
} from '../../storage/access/sign-in-guards.js';
import type { Executor } from '../../storage/database.js';

export type { AttemptGuards };

/** A person comes back the next day; an address is shared, and its failures mean less. */
const nameForgottenSeconds = 86_400;
const addressForgottenSeconds = 900;
const addressDelayMaxSeconds = 60;
export const guardsForgottenSeconds = Math.max(nameForgottenSeconds, addressForgottenSeconds);

/** What one attempt to guess a password is counted under: the name it is for and the address it comes from. */
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

/** Counts an attempt under both, before it is looked at. Gives the whole seconds to wait, 0 if it may go on. */
export async function admitAttempt(executor: Executor, guards: AttemptGuards): Promise<number> {
  const waits = await countAttempt(executor, guards);
  if (waits.name !== undefined && waits.name > 0) await uncountAttempt(executor, guards.address.key);
  return Math.ceil(waits.name ?? waits.address);
}

/** After the right password the failures of the name are forgotten; those of the address stay, they may be others'. */
export async function clearAttempts(executor: Executor, { name, address }: AttemptGuards): Promise<void> {
  await uncountAttempt(executor, address.key); // first, as when they are counted: the order of the locks
  await deleteGuard(executor, name.key);
}

/** An attempt that could not be looked at did not fail. */
export async function withdrawAttempt(executor: Executor, { name, address }: AttemptGuards): Promise<void> {
  await uncountAttempt(executor, address.key);
  await uncountAttempt(executor, name.key);
}

/** For somebody who gets a new password: whatever was guessed about the old one is over. */
export async function forgetFailuresOf(executor: Executor, username: string): Promise<void> {
  await deleteGuard(executor, nameKey(username));
}

function nameKey(username: string): string {
  return guardKey('name', usernameKey(username));
}

function guardKey(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}:${value}`).digest('base64url');
}

/** In IPv6 a single customer has a whole network of 64 bits to choose addresses from. */
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
