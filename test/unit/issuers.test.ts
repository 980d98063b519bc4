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

describe('the setting of issuers', () => {
  test('needs the issuer and the audience; the rest has defaults', () => {
    expect(parsed(least)).toEqual({
      ok: true,
      issuers: [{ ...least, algorithms: ['RS256', 'ES256'], claim: 'scope', scopes: undefined }],
    });
  });

  test('takes every field as it is given', () => {
    const given = {
      ...least,
      algorithms: ['PS512', 'EdDSA'],
      claim: 'realm_access.roles',
      scopes: { 'hr-admins': ['users:read', 'users:write'], nobody: [] },
    };
    expect(parsed(given)).toEqual({ ok: true, issuers: [given] });
  });

  test('may name no issuer at all', () => {
    expect(parsed()).toEqual({ ok: true, issuers: [] });
  });

  test.each([
    'https://login.example.com/',
    'https://login.example.com/tenant/v2.0',
    'https://Login.Example.com',
    'http://localhost:8081/realms/hr',
    'http://127.0.0.1:8081',
    'http://[::1]:8081',
  ])('keeps the issuer %s exactly as it is written', (issuer) => {
    expect(parsed({ ...least, issuer })).toMatchObject({ ok: true, issuers: [{ issuer }] });
  });

  test('tells two issuers apart by a slash at the end, as their tokens do', () => {
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
  ])('refuses the issuer %j', (issuer) => {
    expect(problem({ ...least, issuer })).toBe(
      `issuers[0].issuer must be an https:// URL (http:// for a loopback host) without a user, query or fragment; ${JSON.stringify(issuer)} is not.`,
    );
  });

  test.each([
    ['a missing issuer', { audience: 'rollcall' }, 'issuers[0].issuer must be an https:// URL'],
    ['an issuer that is no text', { ...least, issuer: 7 }, 'issuers[0].issuer must be an https:// URL'],
    ['a missing audience', { issuer: least.issuer }, 'issuers[0].audience must be a text that is not empty.'],
    [
      'an empty audience',
      { ...least, audience: '' },
      'issuers[0].audience must be a text that is not empty.',
    ],
    ['several audiences', { ...least, audience: ['a'] }, 'issuers[0].audience must be a text'],
    ['an empty claim', { ...least, claim: '' }, 'issuers[0].claim must be a text that is not empty.'],
    ['a claim that is null', { ...least, claim: null }, 'issuers[0].claim must be a text'],
    [
      'no algorithms',
      { ...least, algorithms: [] },
      'issuers[0].algorithms must be a list of one or more of RS256,',
    ],
    ['an algorithm alone', { ...least, algorithms: 'RS256' }, 'issuers[0].algorithms must be a list'],
    ['mixed algorithms', { ...least, algorithms: ['RS256', 1] }, 'issuers[0].algorithms must be a list'],
    ['scopes as a list', { ...least, scopes: ['users:read'] }, 'issuers[0].scopes must be an object'],
    ['scopes that are null', { ...least, scopes: null }, 'issuers[0].scopes must be an object'],
    [
      'a scope alone',
      { ...least, scopes: { hr: 'users:read' } },
      'issuers[0].scopes["hr"] must be a list out of users:read,',
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
  ])('refuses %s', (_, entry, sentence) => {
    expect(problem(entry)).toContain(sentence);
  });

  test.each(['none', 'None', 'HS256', 'HS512', 'RS1', 'dir', 'rs256', 'constructor'])(
    'refuses the algorithm %s: only keys that can be published sign',
    (algorithm) => {
      expect(problem({ ...least, algorithms: ['RS256', algorithm] })).toBe(
        `issuers[0].algorithms: "${algorithm}" is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA.`,
      );
    },
  );

  test('refuses an issuer that is named twice', () => {
    expect(problem(least, { ...least, audience: 'other' })).toBe(
      'issuers[1].issuer: issuers[0] is "https://login.example.com" already.',
    );
  });

  test('takes nothing from what every object inherits', () => {
    expect(parseIssuers('[{"__proto__":{"issuer":"https://a.example","audience":"x"}}]')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('"__proto__" is not one of the fields'),
    });
  });

  test.each(['', 'https://login.example.com', '{"issuer":"https://login.example.com"}', '[', 'null'])(
    'refuses the text %j, which is no JSON array',
    (text) => {
      expect(parseIssuers(text)).toMatchObject({
        ok: false,
        problem: expect.stringContaining('issuers must be a JSON array'),
      });
    },
  );

  test('tells all mistakes at once', () => {
    const told = problem({ ...least, audience: '' }, { ...least, issuer: 'x' });
    expect(told).toContain('issuers[0].audience must be');
    expect(told).toContain('issuers[1].issuer must be');
  });
});

describe('the claim that says what a token allows', () => {
  const mapping = { 'hr-admins': ['users:read', 'users:write'], readers: ['users:read'] } as const;

  function allowed(claims: object, claim: string, scopes?: typeof mapping) {
    return scopesIn(claims, { claim, scopes });
  }

  test('is a text of values with spaces between, or a list of values', () => {
    expect(allowed({ scope: 'openid users:read  users:write' }, 'scope')).toEqual([
      'users:read',
      'users:write',
    ]);
    expect(allowed({ scope: ['openid', 'users:read'] }, 'scope')).toEqual(['users:read']);
    expect(allowed({ scope: ['users:read users:write'] }, 'scope')).toEqual([]);
  });

  test('with a mapping, allows what its values stand for, once each', () => {
    expect(allowed({ groups: ['readers', 'staff', 'hr-admins'] }, 'groups', mapping)).toEqual([
      'users:read',
      'users:write',
    ]);
  });

  test('with a mapping, does not count the names of scopes themselves', () => {
    expect(allowed({ groups: ['access:admin'] }, 'groups', mapping)).toEqual([]);
  });

  test.each([7, true, null, { 'users:read': true }, ['users:read', 7], [['users:read']]])(
    'allows nothing when it is %j',
    (value) => {
      expect(allowed({ scope: value }, 'scope')).toEqual([]);
    },
  );

  test('allows nothing when it is absent', () => {
    expect(allowed({}, 'scope')).toEqual([]);
    expect(allowed({ realm_access: {} }, 'realm_access.roles')).toEqual([]);
    expect(allowed({ realm_access: 'roles' }, 'realm_access.length')).toEqual([]);
  });

  test('is reached into objects by dots', () => {
    const claims = { resource_access: { rollcall: { roles: ['users:read'] } } };
    expect(allowed(claims, 'resource_access.rollcall.roles')).toEqual(['users:read']);
  });

  test('is found by its whole name first, dots and all', () => {
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
  ])('is never what every object inherits: %s', (claim) => {
    expect(allowed({ realm_access: {} }, claim, mapping)).toEqual([]);
  });

  test('can be named like something that every object inherits, if the token has it', () => {
    expect(allowed(JSON.parse('{"__proto__":{"roles":["users:read"]}}'), '__proto__.roles')).toEqual([
      'users:read',
    ]);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'gives nothing for the value %s, which no mapping names',
    (value) => {
      expect(allowed({ groups: [value] }, 'groups', mapping)).toEqual([]);
    },
  );

  test('gives what a mapping says for a value named like something that every object inherits', () => {
    const result = parseIssuers(
      '[{"issuer":"https://login.example.com","audience":"x","claim":"groups","scopes":{"__proto__":["audit:read"]}}]',
    );
    if (!result.ok || !result.issuers[0]) throw new Error('the issuers were refused');
    expect(scopesIn({ groups: ['__proto__'] }, result.issuers[0])).toEqual(['audit:read']);
    expect(scopesIn({ groups: ['length'] }, result.issuers[0])).toEqual([]);
  });
});
