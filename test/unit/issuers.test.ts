import { describe, expect, test } from 'vitest';
import { parseIssuers, scopesIn } from '../../src/contract/issuers.js';

const least = { issuer: 'https://login.example.com', audience: 'rollcall' };

function parsed(...entries: unknown[]) {
  return parseIssuers(JSON.stringify(entries));
}

function problem(...entries: unknown[]): string {
  const result = parsed(...entries);
  return result.ok ? '' : result.problem;
}

describe('issuers setting', () => {
  test('requires the issuer and the audience, and has defaults for the rest', () => {
    expect(parsed(least)).toEqual({
      ok: true,
      issuers: [{ ...least, algorithms: ['RS256', 'ES256'], claim: 'scope', scopes: undefined }],
    });
  });

  test('keeps every field as given', () => {
    const given = {
      ...least,
      algorithms: ['PS512', 'EdDSA'],
      claim: 'realm_access.roles',
      scopes: { 'hr-admins': ['users:read', 'users:write'], nobody: [] },
    };
    expect(parsed(given)).toEqual({ ok: true, issuers: [given] });
  });

  test('can be empty', () => {
    expect(parsed()).toEqual({ ok: true, issuers: [] });
  });

  test.each([
    'https://login.example.com/',
    'https://login.example.com/tenant/v2.0',
    'https://Login.Example.com',
    'http://localhost:8081/realms/hr',
    'http://127.0.0.1:8081',
    'http://[::1]:8081',
  ])('keeps the issuer %s exactly as written', (issuer) => {
    expect(parsed({ ...least, issuer })).toMatchObject({ ok: true, issuers: [{ issuer }] });
  });

  test('distinguishes issuers by a trailing slash, as tokens do', () => {
    expect(problem(least, { ...least, issuer: `${least.issuer}/` })).toBe('');
  });

  test.each([
    'login.example.com',
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'ftp://login.example.com',
    'https://login.example.com?tenant=1',
    'https://login.example.com?',
    'https://login.example.com#top',
    'https://user:secret@login.example.com',
    ' https://login.example.com',
    'https://login.example.com\n',
    '',
  ])('rejects the issuer %j', (issuer) => {
    expect(problem({ ...least, issuer })).toBe(
      `issuers[0].issuer must be an https:// URL (http:// for a loopback host) without a user, query or fragment; ${JSON.stringify(issuer)} is not.`,
    );
  });

  test.each([
    ['a missing issuer', { audience: 'rollcall' }, 'issuers[0].issuer must be an https:// URL'],
    ['an issuer that is not a string', { ...least, issuer: 7 }, 'issuers[0].issuer must be an https:// URL'],
    ['a missing audience', { issuer: least.issuer }, 'issuers[0].audience must be a non-empty string.'],
    ['an empty audience', { ...least, audience: '' }, 'issuers[0].audience must be a non-empty string.'],
    ['several audiences', { ...least, audience: ['a'] }, 'issuers[0].audience must be a non-empty string'],
    ['an empty claim', { ...least, claim: '' }, 'issuers[0].claim must be a non-empty string.'],
    ['a claim that is null', { ...least, claim: null }, 'issuers[0].claim must be a non-empty string'],
    [
      'no algorithms',
      { ...least, algorithms: [] },
      'issuers[0].algorithms must be a list of one or more of RS256,',
    ],
    [
      'an algorithm that is not in a list',
      { ...least, algorithms: 'RS256' },
      'issuers[0].algorithms must be a list',
    ],
    ['mixed algorithms', { ...least, algorithms: ['RS256', 1] }, 'issuers[0].algorithms must be a list'],
    ['scopes as a list', { ...least, scopes: ['users:read'] }, 'issuers[0].scopes must be an object'],
    ['scopes that are null', { ...least, scopes: null }, 'issuers[0].scopes must be an object'],
    [
      'a scope that is not in a list',
      { ...least, scopes: { hr: 'users:read' } },
      'issuers[0].scopes["hr"] must be a list of scopes: users:read,',
    ],
    [
      'an unknown scope',
      { ...least, scopes: { hr: ['users:read', 'users:all'] } },
      'issuers[0].scopes["hr"]: "users:all" is not one of users:read,',
    ],
    [
      'an unknown field',
      { ...least, audiences: ['x'] },
      'issuers[0]: "audiences" is not one of the fields issuer, audience, algorithms, claim, scopes.',
    ],
    ['a text', 'https://login.example.com', 'issuers[0] must be an object'],
    ['null', null, 'issuers[0] must be an object'],
    ['a list', [], 'issuers[0] must be an object'],
  ])('rejects %s', (_, entry, sentence) => {
    expect(problem(entry)).toContain(sentence);
  });

  test.each(['none', 'None', 'HS256', 'HS512', 'RS1', 'dir', 'rs256', 'constructor'])(
    'rejects the algorithm %s, because only asymmetric algorithms are allowed',
    (algorithm) => {
      expect(problem({ ...least, algorithms: ['RS256', algorithm] })).toBe(
        `issuers[0].algorithms: "${algorithm}" is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA.`,
      );
    },
  );

  test('rejects a duplicate issuer', () => {
    expect(problem(least, { ...least, audience: 'other' })).toBe(
      'issuers[1].issuer: issuers[0] is "https://login.example.com" already.',
    );
  });

  test('ignores inherited properties', () => {
    expect(parseIssuers('[{"__proto__":{"issuer":"https://a.example","audience":"x"}}]')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('"__proto__" is not one of the fields'),
    });
  });

  test.each(['', 'https://login.example.com', '{"issuer":"https://login.example.com"}', '[', 'null'])(
    'rejects %j, which is not a JSON array',
    (text) => {
      expect(parseIssuers(text)).toMatchObject({
        ok: false,
        problem: expect.stringContaining('issuers must be a JSON array'),
      });
    },
  );

  test('reports all mistakes at once', () => {
    const told = problem({ ...least, audience: '' }, { ...least, issuer: 'x' });
    expect(told).toContain('issuers[0].audience must be');
    expect(told).toContain('issuers[1].issuer must be');
  });
});

describe('scopes claim', () => {
  const mapping = { 'hr-admins': ['users:read', 'users:write'], readers: ['users:read'] } as const;

  function allowed(claims: object, claim: string, scopes?: typeof mapping) {
    return scopesIn(claims, { claim, scopes });
  }

  test('is a space-separated string or a list', () => {
    expect(allowed({ scope: 'openid users:read  users:write' }, 'scope')).toEqual([
      'users:read',
      'users:write',
    ]);
    expect(allowed({ scope: ['openid', 'users:read'] }, 'scope')).toEqual(['users:read']);
    expect(allowed({ scope: ['users:read users:write'] }, 'scope')).toEqual([]);
  });

  test('with a mapping, grants the mapped scopes once each', () => {
    expect(allowed({ groups: ['readers', 'staff', 'hr-admins'] }, 'groups', mapping)).toEqual([
      'users:read',
      'users:write',
    ]);
  });

  test('with a mapping, ignores the names of scopes', () => {
    expect(allowed({ groups: ['access:admin'] }, 'groups', mapping)).toEqual([]);
  });

  test.each([7, true, null, { 'users:read': true }, ['users:read', 7], [['users:read']]])(
    'grants nothing if it is %j',
    (value) => {
      expect(allowed({ scope: value }, 'scope')).toEqual([]);
    },
  );

  test('grants nothing if it is absent', () => {
    expect(allowed({}, 'scope')).toEqual([]);
    expect(allowed({ realm_access: {} }, 'realm_access.roles')).toEqual([]);
    expect(allowed({ realm_access: 'roles' }, 'realm_access.length')).toEqual([]);
  });

  test('can be nested, with a dotted path', () => {
    const claims = { resource_access: { rollcall: { roles: ['users:read'] } } };
    expect(allowed(claims, 'resource_access.rollcall.roles')).toEqual(['users:read']);
  });

  test('is looked up by its full name first, including dots', () => {
    expect(allowed({ 'https://example.com/roles': ['users:read'] }, 'https://example.com/roles')).toEqual([
      'users:read',
    ]);
    expect(allowed({ 'a.b': 'users:read', a: { b: 'access:admin' } }, 'a.b')).toEqual(['users:read']);
  });

  test.each([
    'constructor',
    '__proto__',
    'constructor.name',
    '__proto__.scope',
    'realm_access.constructor.name',
  ])('is never an inherited property: %s', (claim) => {
    expect(allowed({ realm_access: {} }, claim, mapping)).toEqual([]);
  });

  test('can have the name of an inherited property if the token contains it', () => {
    expect(allowed(JSON.parse('{"__proto__":{"roles":["users:read"]}}'), '__proto__.roles')).toEqual([
      'users:read',
    ]);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'grants nothing for the unmapped value %s',
    (value) => {
      expect(allowed({ groups: [value] }, 'groups', mapping)).toEqual([]);
    },
  );

  test('maps a value that has the name of an inherited property', () => {
    const result = parseIssuers(
      '[{"issuer":"https://login.example.com","audience":"x","claim":"groups","scopes":{"__proto__":["audit:read"]}}]',
    );
    if (!result.ok || !result.issuers[0]) throw new Error('the issuers were rejected');
    expect(scopesIn({ groups: ['__proto__'] }, result.issuers[0])).toEqual(['audit:read']);
    expect(scopesIn({ groups: ['length'] }, result.issuers[0])).toEqual([]);
  });
});
