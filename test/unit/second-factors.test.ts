import { describe, expect, test } from 'vitest';
import { restrictionOf } from '../../src/domain/access/sessions.js';
import {
  newRecoveryCodes,
  plainRecoveryCode,
  recoveryCodeHash,
} from '../../src/domain/factors/recovery-codes.js';
import { relyingPartyOf } from '../../src/domain/factors/relying-party.js';
import { newTotpSecret, stepOfCode, totpUri } from '../../src/domain/factors/totp.js';
import { TestApp } from '../support/second-factors.js';

describe('the site that passkeys belong to', () => {
  const request = { protocol: 'https', host: 'evil.example' };

  test('is the public URL, whatever the request says', () => {
    const site = relyingPartyOf('https://people.example.com:8443/rollcall', request);
    expect(site).toEqual({ id: 'people.example.com', origin: 'https://people.example.com:8443' });
    expect(relyingPartyOf('https://192.0.2.1', request)).toBeUndefined();
    expect(relyingPartyOf('https://[2001:db8::1]', request)).toBeUndefined();
  });

  test('is localhost without one, and no name or address that a Host header makes up', () => {
    const at = (host: string | undefined) => relyingPartyOf(undefined, { protocol: 'http', host });
    expect(at('localhost:8080')).toEqual({ id: 'localhost', origin: 'http://localhost:8080' });
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1:8080', '', undefined]) {
      expect(at(host)).toBeUndefined();
    }
  });
});

describe('a code of an app', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

  test('is the one of RFC 6238, and belongs to its step or the one before or after', () => {
    const at = (seconds: number) => stepOfCode(secret, '287082', seconds * 1_000); // of second 59, step 1
    expect([at(0), at(30), at(59), at(60), at(89)]).toEqual([1, 1, 1, 1, 1]);
    expect(at(90)).toBeUndefined();
    for (const wrong of ['', '28708', '2870822', '94287082', 'abcdef', '287083']) {
      expect(stepOfCode(secret, wrong, 59_000)).toBeUndefined();
    }
  });

  test('comes from a secret of 160 bits, which its URI names', () => {
    const made = newTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(made, 'ada@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Rollcall',
      secret: made,
      period: '30',
    });
    expect(stepOfCode(made, new TestApp(made).code(), Date.now())).toBeDefined();
  });
});

describe('recovery codes', () => {
  test('are ten different ones, and are read however they are typed', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    expect(plainRecoveryCode(' o1iL-abcd efgh ')).toBe('0111ABCDEFGH');
  });

  test('have another hash for another user', () => {
    expect(recoveryCodeHash('a', 'ABCD')).toEqual(recoveryCodeHash('a', 'ab-cd'));
    expect(recoveryCodeHash('a', 'ABCD')).not.toEqual(recoveryCodeHash('b', 'ABCD'));
  });
});

test.each([
  ['required', true, 'factor'],
  ['required', false, 'factor'],
  ['enrol', true, 'password'],
  ['enrol', false, 'enrolment'],
  ['none', true, 'password'],
  ['none', false, undefined],
] as const)(
  'a session that lacks %s and must change its password (%s) is restricted to: %s',
  (secondFactor, mustChangePassword, restriction) => {
    expect(restrictionOf({ secondFactor, mustChangePassword })).toBe(restriction);
  },
);
