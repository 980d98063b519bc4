import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigInvalid, type Environment, readConfig } from '../../src/config.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const issuer = 'https://login.example.com';
const least = { issuer, audience: 'rollcall' };

function problems(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
}

describe('ROLLCALL_ISSUERS', () => {
  test('is read with defaults', () => {
    const { issuers } = readConfig({ ROLLCALL_ISSUERS: JSON.stringify([least]) });
    expect(issuers).toEqual([
      { ...least, algorithms: ['RS256', 'ES256'], claim: 'scope', scopes: undefined },
    ]);
  });

  test('is empty when unset', () => {
    expect(readConfig({}).issuers).toEqual([]);
    expect(readConfig({ ROLLCALL_ISSUERS: '' }).issuers).toEqual([]);
    expect(readConfig({ ROLLCALL_ISSUERS: '[]' }).issuers).toEqual([]);
  });

  test('can be read from a multi-line file', () => {
    const file = join(temporaryDirectory(), 'issuers.json');
    writeFileSync(file, `${JSON.stringify([least], undefined, 2)}\n`);
    expect(readConfig({ ROLLCALL_ISSUERS_FILE: file }).issuers).toMatchObject([least]);
  });

  test('is rejected with the same message if the file is invalid', () => {
    const file = join(temporaryDirectory(), 'issuers.json');
    writeFileSync(file, JSON.stringify([{ issuer }]));
    expect(problems({ ROLLCALL_ISSUERS_FILE: file })).toEqual([
      'ROLLCALL_ISSUERS must be a JSON array of issuers: issuers[0].audience must be a non-empty string.',
    ]);
  });

  test('is rejected if the file is missing or the variable is also set', () => {
    expect(problems({ ROLLCALL_ISSUERS_FILE: '/nowhere/issuers.json' })).toEqual([
      'ROLLCALL_ISSUERS_FILE points to /nowhere/issuers.json, which cannot be read (ENOENT).',
    ]);
    const file = join(temporaryDirectory(), 'issuers.json');
    writeFileSync(file, '[]');
    expect(problems({ ROLLCALL_ISSUERS: '[]', ROLLCALL_ISSUERS_FILE: file })).toEqual([
      'ROLLCALL_ISSUERS and ROLLCALL_ISSUERS_FILE are both set. Keep only one of them.',
    ]);
  });

  test.each([
    [
      'text that is not JSON',
      issuer,
      'issuers must be a JSON array, as in [{"issuer":"https://…","audience":"…"}].',
    ],
    ['an object', JSON.stringify(least), 'issuers must be a JSON array'],
    ['a missing audience', JSON.stringify([{ issuer }]), 'issuers[0].audience must be a non-empty string.'],
    [
      'an issuer without TLS',
      JSON.stringify([{ ...least, issuer: 'http://login.example.com' }]),
      'issuers[0].issuer must be an https:// URL (http:// for a loopback host) without a user, query or fragment; "http://login.example.com" is not.',
    ],
    [
      'a shared secret',
      JSON.stringify([{ ...least, algorithms: ['HS256'] }]),
      'issuers[0].algorithms: "HS256" is not one of RS256,',
    ],
    [
      'an unknown scope',
      JSON.stringify([{ ...least, scopes: { hr: ['users:all'] } }]),
      'issuers[0].scopes["hr"]: "users:all" is not one of users:read, users:write, access:admin, audit:read, attributes:sensitive, scim.',
    ],
    [
      'a misspelt field',
      JSON.stringify([{ ...least, audiance: 'x' }]),
      'issuers[0]: "audiance" is not one of the fields',
    ],
    [
      'a duplicate issuer',
      JSON.stringify([least, least]),
      `issuers[1].issuer: issuers[0] is "${issuer}" already.`,
    ],
  ])('rejects %s and says why', (_, text, sentence) => {
    const told = problems({ ROLLCALL_ISSUERS: text });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^ROLLCALL_ISSUERS must be a JSON array of issuers: issuers.+\.$/);
    expect(told[0]).toContain(sentence);
  });

  test.each([
    ['with the same URL', { ROLLCALL_PUBLIC_URL: issuer }],
    ['even if the URL differs by a trailing slash', { ROLLCALL_PUBLIC_URL: `${issuer}/` }],
  ])('cannot include this service, %s', (_, environment) => {
    expect(problems({ ...environment, ROLLCALL_ISSUERS: JSON.stringify([least]) })).toEqual([
      'ROLLCALL_ISSUERS includes ROLLCALL_PUBLIC_URL, which is this service. Remove it.',
    ]);
  });

  test('cannot include this service at its default URL', () => {
    const text = JSON.stringify([{ ...least, issuer: 'http://localhost:8080' }]);
    expect(problems({ ROLLCALL_ISSUERS: text })).toEqual([
      'ROLLCALL_ISSUERS includes ROLLCALL_PUBLIC_URL, which is this service. Remove it.',
    ]);
  });
});
