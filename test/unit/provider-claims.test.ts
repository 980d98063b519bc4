import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { parseRoleMapping, roleIn, userNameIn } from '../../src/contract/provider-claims.js';

describe('a mapping of roles', () => {
  test.each([
    ['hr=operator', [['hr', 'operator']]],
    [
      ' people admins = administrator , hr=operator,',
      [
        ['people admins', 'administrator'],
        ['hr', 'operator'],
      ],
    ],
    [
      'cn=admins,ou=it=administrator, b=viewer',
      [
        ['cn=admins,ou=it', 'administrator'],
        ['b', 'viewer'],
      ],
    ],
  ])('is read from %o', (text, pairs) => {
    expect(parseRoleMapping(text)).toEqual(pairs);
  });

  test.each(['', 'hr', '=operator', 'hr=boss', 'hr=operator;it=viewer', 'hr=operator, boss'])(
    'is not %o',
    (text) => {
      expect(parseRoleMapping(text)).toBeUndefined();
    },
  );

  test('gives the most powerful role of all values, and none without any', () => {
    const mapping = [
      ['hr', 'operator'],
      ['it', 'administrator'],
      ['all', 'viewer'],
    ] as const;
    expect(roleIn({ groups: ['all', 'it', 'hr'] }, 'groups', mapping)).toBe('administrator');
    expect(roleIn({ realm: { roles: 'hr' } }, 'realm.roles', mapping)).toBe('operator');
    for (const groups of [[], ['HR'], 'hr it', undefined, null, 1, { hr: true }]) {
      expect(roleIn({ groups }, 'groups', mapping)).toBeNull();
    }
  });
});

describe('the name of a user in claims', () => {
  test('may be a number, and is trimmed', () => {
    expect(userNameIn({ id: 1001 }, 'id', 'employeeID')).toBe('1001');
    expect(userNameIn({ id: ' E1 ' }, 'id', 'employeeID')).toBe('E1');
  });

  test.each([undefined, null, '', ' ', ['E1'], {}, true, 'E\u00001'])('is not %o', (id) => {
    expect(userNameIn({ id }, 'id', 'employeeID')).toBeUndefined();
  });

  test('is an email only if the provider has verified it', () => {
    const email = 'ada@example.com';
    expect(userNameIn({ email, email_verified: true }, 'email', 'email')).toBe(email);
    for (const verified of [undefined, false, 'true', 1]) {
      expect(userNameIn({ email, email_verified: verified }, 'email', 'email')).toBeUndefined();
    }
  });
});

test('the settings have to be complete, and must not lock everybody out', () => {
  const issuer = { ROLLCALL_SSO_ISSUER: 'https://login.example.com' };
  const complete = {
    ...issuer,
    ROLLCALL_SSO_CLIENT_ID: 'rollcall',
    ROLLCALL_SSO_USER_CLAIM: 'employee_number',
  };
  expect(readConfig(complete).ssoUserField).toBe('employeeID');
  expect(() => readConfig(issuer)).toThrow(/requires ROLLCALL_SSO_CLIENT_ID.*\n.*ROLLCALL_SSO_USER_CLAIM/);
  expect(() => readConfig({ ROLLCALL_LOCAL_SIGN_IN: 'off' })).toThrow(/requires ROLLCALL_SSO_ISSUER/);
  expect(() => readConfig({ ...complete, ROLLCALL_SSO_ROLE_CLAIM: 'groups' })).toThrow(/set together/);
  expect(() => readConfig({ ...complete, ROLLCALL_SSO_SCOPES: 'profile' })).toThrow(/with openid among them/);
  expect(() => readConfig({ ...complete, ROLLCALL_SSO_ISSUER: 'http://login.example.com' })).toThrow(
    /https:/,
  );
});
