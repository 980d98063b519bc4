import { expect } from 'vitest';
import { attemptGuards } from '../../src/domain/access/sign-in-guard.js';
import type { Reply, TestService } from './service.js';

/**
 * What tests of access need other than the defaults, in one place, so that they share a service. The
 * test acts as a trusted proxy, so that each attempt can have its own address.
 */
export const strictSignIn = {
  ROLLCALL_TRUSTED_PROXIES: '127.0.0.1',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '4',
  ROLLCALL_SIGN_IN_DELAY_MAX_SECONDS: '100',
  ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS: '3',
  ROLLCALL_INITIAL_PASSWORD_RULES: 'full',
  ROLLCALL_SESSION_LIFETIME_SECONDS: '600',
  ROLLCALL_COMPANY_NAME: 'Acme, Rocket Works',
  ROLLCALL_CHANGE_NOTICES: 'off',
  ROLLCALL_REFUSED_PASSWORDS: 'Breached Elsewhere 7\nanother one of these',
} as const;

const nobody = { address: '', name: '', userSerial: undefined };

/** The keys that failures are counted under. */
export const nameKey = ({ context }: TestService, username: string) =>
  attemptGuards(context.limits, { ...nobody, name: username }).name.key;
export const addressKey = ({ context }: TestService, address: string) =>
  attemptGuards(context.limits, { ...nobody, address }).address.key;
export const userKey = ({ context }: TestService, userSerial: string) =>
  attemptGuards(context.limits, { ...nobody, userSerial }).user.key;

/** How many failures are counted now. */
export async function failuresOf({ database }: TestService, key: string): Promise<number> {
  const { rows } = await database.pool.query('SELECT failures FROM sign_in_guards WHERE key = $1', [key]);
  return rows[0]?.failures ?? 0;
}

/** The next attempt has to wait this long, or not at all if the seconds are negative. */
export async function setWait({ database }: TestService, key: string, seconds: number): Promise<void> {
  const { rowCount } = await database.pool.query(
    'UPDATE sign_in_guards SET open_at = clock_timestamp() + make_interval(secs => $2) WHERE key = $1',
    [key, seconds],
  );
  expect(rowCount, 'there are failures').toBe(1);
}

/** How many passwords were hashed or compared. */
export async function hashesOf({ context }: TestService, work: () => Promise<unknown>): Promise<number> {
  const before = context.passwords.hashesDone;
  await work();
  return context.passwords.hashesDone - before;
}

export async function expireInitialPassword({ database }: TestService, serial: string): Promise<void> {
  await database.pool.query('UPDATE credentials SET expires_at = now() WHERE user_serial = $1', [serial]);
}

/** The password of the user, hashed with other parameters. */
export async function storeHash({ database }: TestService, serial: string, hash: string): Promise<void> {
  await database.pool.query('UPDATE credentials SET password_hash = $2 WHERE user_serial = $1', [
    serial,
    hash,
  ]);
}

/** Everything visible in a reply, except values that count or date the request. */
export function visible({ status, text, headers }: Reply): string {
  const shown = [...headers].filter(([name]) => !/^(?:date|x-request-id|ratelimit-.*)$/.test(name));
  return JSON.stringify([status, text, shown]);
}
