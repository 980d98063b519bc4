import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { IssuerSettings } from '../../src/contract/issuers.js';
import { createExternalIssuers, type ExternalIssuers } from '../../src/domain/access/external-issuers.js';
import {
  type ExternalIssuersOptions,
  externalIssuersDefaults,
} from '../../src/domain/access/external-keys.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { rsaKey, rsaKeysMax } from '../support/rsa-keys.js';

const { refreshAfterMs, fetchIntervalMinMs, keepMs } = externalIssuersDefaults;

const invalid = { ok: false, reason: 'invalid', why: expect.stringMatching(/^it/) };
const unreachable = { ok: false, reason: 'unreachable' };

/** For tests that don't modify it. */
const shared = await OidcIssuer.start();
afterAll(() => shared.halt());

async function ownIssuer(): Promise<OidcIssuer> {
  const issuer = await OidcIssuer.start();
  onTestFinished(() => issuer.halt());
  return issuer;
}

/** Verifies tokens of one issuer, with a clock that the test controls and a list of reported problems. */
class Checking {
  readonly troubles: string[] = [];
  readonly #issuer: string;
  readonly #issuers: ExternalIssuers;
  #nowMs = Date.now();

  constructor(
    issuer: { readonly url: string },
    settings: Partial<IssuerSettings> = {},
    options: Partial<ExternalIssuersOptions> = {},
  ) {
    this.#issuer = issuer.url;
    this.#issuers = createExternalIssuers([settingsOf(issuer.url, settings)], {
      now: () => this.#nowMs,
      onFetchFailed: (_, problem) => void this.troubles.push(problem),
      ...options,
    });
  }

  passes(ms: number): void {
    this.#nowMs += ms;
  }

  /** Seconds since 1970, as in tokens. */
  inSeconds(seconds: number): number {
    return Math.floor(this.#nowMs / 1000) + seconds;
  }

  verdict(token: string) {
    return this.#issuers.verify(this.#issuer, token);
  }
}

function settingsOf(issuer: string, settings: Partial<IssuerSettings> = {}): IssuerSettings {
  return {
    issuer,
    audience: 'rollcall',
    algorithms: ['RS256', 'ES256'],
    claim: 'scope',
    scopes: undefined,
    ...settings,
  };
}

function good(token: object = {}) {
  return { ok: true, token: expect.objectContaining(token) };
}

describe('a token of an external issuer is valid', () => {
  test.each(['RS256', 'ES256'] as const)(
    'if it is signed with %s by a key of the issuer',
    async (algorithm) => {
      const token = await shared.token({ algorithm, scope: 'users:read users:write', lifetimeSeconds: 300 });
      expect(await new Checking(shared).verdict(token)).toEqual({
        ok: true,
        token: {
          issuer: shared.url,
          subject: shared.subject,
          scopes: ['users:read', 'users:write'],
          expiresAtMs: expect.any(Number),
        },
      });
    },
  );

  test('until it expires', async () => {
    const checking = new Checking(shared);
    const exp = checking.inSeconds(300);
    expect(await checking.verdict(await shared.sign({ exp }))).toEqual(good({ expiresAtMs: exp * 1000 }));
  });

  test('with the scopes mapped from the values of its claim', async () => {
    const settings: Partial<IssuerSettings> = {
      claim: 'groups',
      scopes: { 'hr-admins': ['users:read', 'users:write'], auditors: ['audit:read', 'users:read'] },
    };
    const token = await shared.token({
      scope: 'access:admin',
      claims: { groups: ['staff', 'hr-admins', 'auditors'] },
    });
    expect(await new Checking(shared, settings).verdict(token)).toEqual(
      good({ scopes: ['users:read', 'users:write', 'audit:read'] }),
    );
  });

  test.each([
    ['realm_access.roles', { realm_access: { roles: ['users:read'] } }],
    ['https://example.com/roles', { 'https://example.com/roles': ['users:read'] }],
  ])('with the scopes of the claim %s', async (claim, claims) => {
    const token = await shared.token({ claims });
    expect(await new Checking(shared, { claim }).verdict(token)).toEqual(good({ scopes: ['users:read'] }));
  });

  test('even if it grants no scopes', async () => {
    expect(await new Checking(shared).verdict(await shared.token())).toEqual(good({ scopes: [] }));
  });

  test('if Rollcall is one of several audiences', async () => {
    const token = await shared.sign({ aud: ['payroll', 'rollcall'] });
    expect(await new Checking(shared).verdict(token)).toEqual(good());
  });

  test('if the clocks differ by a few seconds', async () => {
    const checking = new Checking(shared);
    expect(await checking.verdict(await shared.sign({ exp: checking.inSeconds(-3) }))).toEqual(good());
    expect(await checking.verdict(await shared.sign({ nbf: checking.inSeconds(3) }))).toEqual(good());
  });

  test('only for its own issuer', async () => {
    const other = await ownIssuer();
    const issuers = createExternalIssuers([settingsOf(shared.url), settingsOf(other.url)]);
    const token = await shared.token();
    expect(await issuers.verify(shared.url, token)).toEqual(good());
    expect(await issuers.verify(other.url, token)).toEqual(invalid);
    expect(await issuers.verify('https://login.example.com', token)).toEqual(invalid);
  });

  test('only if its issuer matches a known one exactly', () => {
    const issuers = createExternalIssuers([settingsOf(shared.url)]);
    expect(issuers.knows(shared.url)).toBe(true);
    expect(issuers.knows(`${shared.url}/`)).toBe(false);
    expect(issuers.knows('constructor')).toBe(false);
  });
});

describe('only access tokens of an external issuer are valid', () => {
  test('and others are recognized by their type and claims', async () => {
    const checking = new Checking(shared);
    const rows: [claims: object, typ: string | undefined, verdict: unknown][] = [
      [{}, 'at+jwt', good()],
      [{}, 'JWT', good()],
      [{ typ: 'Bearer' }, undefined, good()],
      [{ typ: 'ID' }, undefined, invalid],
      [{ typ: 'Refresh' }, undefined, invalid],
      [{ nonce: 'n-0S6' }, undefined, invalid],
      [{ at_hash: 'MTIz' }, undefined, invalid],
      [{}, 'logout+jwt', invalid],
      [{}, 'dpop+jwt', invalid],
    ];
    for (const [claims, typ, verdict] of rows) {
      const token = await shared.sign({ ...claims }, typ === undefined ? {} : { typ });
      expect([claims, typ, await checking.verdict(token)]).toEqual([claims, typ, verdict]);
    }
  });
});

describe('a token of an external issuer is rejected', () => {
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const rightClaims = () => ({ iss: shared.url, aud: 'rollcall', sub: 'eve', exp: nowSeconds() + 60 });

  async function forged(key: CryptoKey | Uint8Array, header: { alg: string; kid?: string }): Promise<string> {
    return new SignJWT(rightClaims()).setProtectedHeader(header).sign(key);
  }

  /** Not used by `shared`, which takes the first ones. */
  const foreignJwk = rsaKey(rsaKeysMax - 1);
  const foreignKey = async () => (await importJWK(foreignJwk, 'RS256')) as CryptoKey;

  test('if a claim is wrong or missing', async () => {
    const notSub = 'its claim sub is not valid';
    const claims: [Record<string, unknown>, why: string][] = [
      [{ aud: 'payroll' }, 'it is meant for another audience'],
      [{ aud: undefined }, 'it has no claim aud'],
      [{ iss: 'https://login.example.com' }, 'its claim iss is not valid'],
      [{ iss: `${shared.url}/` }, 'its claim iss is not valid'],
      [{ iss: undefined }, 'it has no claim iss'],
      [{ exp: nowSeconds() - 10 }, 'it has expired'],
      [{ exp: undefined }, 'it has no claim exp'],
      [{ nbf: nowSeconds() + 60 }, 'it is not valid yet'],
      [{ sub: undefined }, 'it has no claim sub'],
      [{ sub: '' }, notSub],
      [{ sub: 'x'.repeat(256) }, notSub],
      [{ sub: 'a\0b' }, notSub],
      [{ sub: 7 }, notSub],
    ];
    const checking = new Checking(shared);
    expect(await checking.verdict(await shared.sign())).toEqual(good());
    for (const [each, why] of claims) {
      const verdict = await checking.verdict(await shared.sign(each));
      expect([each, verdict]).toEqual([each, { ok: false, reason: 'invalid', why }]);
    }
  });

  const forgeries: [string, () => Promise<string>][] = [
    ['is not signed', async () => new UnsecuredJWT(rightClaims()).encode()],
    [
      'is not signed, but names a key',
      async () => {
        const header = Buffer.from(JSON.stringify({ alg: 'none', kid: shared.kid() })).toString('base64url');
        return `${header}.${new UnsecuredJWT(rightClaims()).encode().split('.')[1]}.`;
      },
    ],
    [
      'uses the public key as a shared secret, as PEM',
      async () => {
        const publicKey = (await importJWK(shared.publicJwk(), 'RS256')) as CryptoKey;
        return forged(Buffer.from(await exportSPKI(publicKey)), { alg: 'HS256', kid: shared.kid() });
      },
    ],
    [
      'uses the public key as a shared secret, as JWK',
      async () =>
        forged(Buffer.from(JSON.stringify(shared.publicJwk())), { alg: 'HS256', kid: shared.kid() }),
    ],
    [
      'is signed by a foreign key under the ID of a real one',
      async () => forged(await foreignKey(), { alg: 'RS256', kid: shared.kid() }),
    ],
    ['is signed by a foreign key without an ID', async () => forged(await foreignKey(), { alg: 'RS256' })],
    [
      'names a different key than the one that signed it',
      () => shared.sign({}, { kid: shared.kid('ES256') }),
    ],
    [
      'is signed by the real key with an algorithm that is not allowed',
      () => shared.sign({}, { alg: 'PS256' }),
    ],
    ['requires an extension', () => shared.sign({}, { crit: ['b64'], b64: true })],
    ['was modified after signing', async () => (await shared.sign()).replace(/\..*\./, `.${body()}.`)],
    ['has lost its signature', async () => (await shared.sign()).replace(/[^.]*$/, '')],
    ['is not a token', async () => 'x'],
    ['is not a token with dots', async () => '..'],
    ['is empty', async () => ''],
  ];
  const body = () =>
    Buffer.from(JSON.stringify({ ...rightClaims(), scope: 'access:admin' })).toString('base64url');

  test('if it is forged', async () => {
    const checking = new Checking(shared);
    for (const [what, forge] of forgeries) {
      expect([what, await checking.verdict(await forge())]).toEqual([what, invalid]);
    }
  });

  test('if its algorithm is not configured for the issuer', async () => {
    const checking = new Checking(shared, { algorithms: ['ES256'] });
    expect(await checking.verdict(await shared.token({ algorithm: 'RS256' }))).toEqual(invalid);
    expect(await checking.verdict(await shared.token({ algorithm: 'ES256' }))).toEqual(good());
  });

  test('if its header brings its own keys, which are ignored', async () => {
    const { kty, n, e } = foreignJwk as { kty: string; n: string; e: string };
    const jwk = { kty, n, e, kid: 'eve' };
    const eve = await givenServer({ '/jwks': json({ keys: [jwk] }) });
    const header = { alg: 'RS256', kid: 'eve', jku: `${eve.url}/jwks`, x5u: `${eve.url}/jwks`, jwk };
    const token = await new SignJWT(rightClaims()).setProtectedHeader(header).sign(await foreignKey());
    expect(await new Checking(shared).verdict(token)).toEqual(invalid);
    expect(eve.asked).toEqual([]);
  });
});

describe('keys of an external issuer', () => {
  test('are fetched once for concurrent requests, and not before', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    expect(issuer.asked).toEqual({ discovery: 0, keys: 0 });
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, jti) => issuer.sign({ jti: `${jti}` })));
    const verdicts = await Promise.all(tokens.map((token) => checking.verdict(token)));
    expect(verdicts).toEqual(tokens.map(() => good()));
    expect(issuer.asked).toEqual({ discovery: 1, keys: 1 });
  });

  test('verify the signature of a token only once', async () => {
    const checking = new Checking(shared);
    const token = await shared.token();
    const verify = vi.spyOn(crypto.subtle, 'verify');
    onTestFinished(() => verify.mockRestore());
    await checking.verdict(token);
    expect(await checking.verdict(token)).toEqual(good());
    expect(verify).toHaveBeenCalledTimes(1);
  });

  test('do not extend a verified token beyond its expiry', async () => {
    const checking = new Checking(shared);
    const token = await shared.sign({ exp: checking.inSeconds(60) });
    expect(await checking.verdict(token)).toEqual(good());
    checking.passes(66_000);
    expect(await checking.verdict(token)).toEqual(invalid);
  });

  test('are fetched again for a token with a new key, and the old key is valid while it is published', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    const old = await issuer.token();
    expect(await checking.verdict(old)).toEqual(good());
    await issuer.rotateKeys('keep old');
    checking.passes(fetchIntervalMinMs);
    expect(await checking.verdict(await issuer.token())).toEqual(good());
    expect(await checking.verdict(old)).toEqual(good());
    expect(issuer.asked.keys).toBe(2);
  });

  test('are not fetched again for a new key within the minimum interval', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    await checking.verdict(await issuer.token());
    await issuer.rotateKeys('keep old');
    const token = await issuer.token();
    checking.passes(fetchIntervalMinMs - 1);
    expect(await checking.verdict(token)).toEqual(invalid);
    expect(issuer.asked.keys).toBe(1);
    checking.passes(1);
    expect(await checking.verdict(token)).toEqual(good());
  });

  test('are fetched at most once for a flood of unknown key IDs', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    await checking.verdict(await issuer.token());
    const { asked } = issuer;
    expect(asked.keys).toBe(1);
    const flood = await Promise.all(
      Array.from({ length: 100 }, (_, index) => issuer.sign({}, { kid: `made-up-${index}` })),
    );
    checking.passes(fetchIntervalMinMs);
    const verdicts = await Promise.all(flood.map((token) => checking.verdict(token)));
    for (const token of flood) verdicts.push(await checking.verdict(token));
    expect(verdicts).toEqual([...flood, ...flood].map(() => invalid));
    expect(asked).toEqual({ discovery: 2, keys: 2 });
  });

  test('are refreshed in the background, and tokens of a withdrawn key become invalid', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    const exp = checking.inSeconds(3_600);
    const token = await issuer.sign({ exp });
    expect(await checking.verdict(token)).toEqual(good());
    await issuer.rotateKeys('withdraw old');
    checking.passes(refreshAfterMs);
    expect(await checking.verdict(token)).toEqual(good());
    expect(issuer.asked.keys).toBe(1);
    checking.passes(1);
    expect(await checking.verdict(token)).toEqual(good());
    await expect.poll(() => checking.verdict(token)).toEqual(invalid);
    expect(await checking.verdict(await issuer.sign({ exp }))).toEqual(good());
  });

  test('are refreshed before use if they were unused for a long time', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    const token = await issuer.sign({ exp: checking.inSeconds(3_600) });
    expect(await checking.verdict(token)).toEqual(good());
    await issuer.rotateKeys('withdraw old');
    checking.passes(2 * refreshAfterMs + 1);
    expect(await checking.verdict(token)).toEqual(invalid);
  });

  test('do not invalidate verified tokens if a refresh changes nothing', async () => {
    const checking = new Checking(shared);
    const token = await shared.sign({ exp: checking.inSeconds(3_600) });
    const verify = vi.spyOn(crypto.subtle, 'verify');
    onTestFinished(() => verify.mockRestore());
    await checking.verdict(token);
    const askedBefore = shared.asked.keys;
    checking.passes(2 * refreshAfterMs + 1);
    expect(await checking.verdict(token)).toEqual(good());
    expect(shared.asked.keys).toBe(askedBefore + 1);
    expect(verify).toHaveBeenCalledTimes(1);
  });
});

describe('when an external issuer cannot be reached', () => {
  test('its last keys stay valid for a day', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    const exp = checking.inSeconds(48 * 3_600);
    expect(await checking.verdict(await issuer.sign({ exp, jti: 'before' }))).toEqual(good());
    await issuer.halt();
    checking.passes(keepMs);
    expect(await checking.verdict(await issuer.sign({ exp, jti: 'during' }))).toEqual(good());
    expect(checking.troubles).toEqual([expect.stringMatching(/^it cannot be reached \(\w+\)\.$/)]);
    checking.passes(1);
    expect(await checking.verdict(await issuer.sign({ exp, jti: 'before' }))).toEqual(unreachable);
  });

  test('requests do not wait for it while there are keys, once it has failed', async () => {
    const issuer = await givenKeyServer();
    const checking = new Checking(issuer);
    const token = await issuer.sign({ exp: checking.inSeconds(3_600) });
    expect(await checking.verdict(token)).toEqual(good());
    issuer.routes['/jwks'] = status(500);
    checking.passes(2 * refreshAfterMs + 1);
    expect(await checking.verdict(token)).toEqual(good());
    expect(checking.troubles).toHaveLength(1);
    issuer.routes['/jwks'] = () => {}; // waiting for this would take until the timeout
    checking.passes(fetchIntervalMinMs);
    expect(await checking.verdict(token)).toEqual(good());
    expect(checking.troubles).toHaveLength(1);
  });

  test('a token with an unknown key is neither valid nor invalid', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    expect(await checking.verdict(await issuer.token())).toEqual(good());
    await issuer.halt();
    await issuer.rotateKeys('keep old');
    checking.passes(fetchIntervalMinMs);
    const token = await issuer.sign();
    expect(await checking.verdict(token)).toEqual(unreachable);
    expect(await checking.verdict(token)).toEqual(unreachable);
    expect(checking.troubles).toHaveLength(1);
    await issuer.resume();
    checking.passes(fetchIntervalMinMs);
    expect(await checking.verdict(token)).toEqual(good());
  });

  test('from the start, it is retried after the minimum interval until it responds', async () => {
    const issuer = await ownIssuer();
    const checking = new Checking(issuer);
    const token = await issuer.token();
    await issuer.halt();
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => checking.verdict(token)));
    expect(verdicts).toEqual(verdicts.map(() => unreachable));
    expect(checking.troubles).toHaveLength(1);
    await issuer.resume();
    checking.passes(fetchIntervalMinMs - 1);
    expect(await checking.verdict(token)).toEqual(unreachable);
    expect(issuer.asked.discovery).toBe(0);
    checking.passes(1);
    expect(await checking.verdict(token)).toEqual(good());
    expect(checking.troubles).toHaveLength(1);
  });

  test('because it does not respond, the request times out', async () => {
    const silent = await givenServer({ '/.well-known/openid-configuration': () => {} });
    const checking = new Checking(silent, {}, { fetchTimeoutMs: 20 });
    expect(await checking.verdict(await shared.token())).toEqual(unreachable);
    expect(checking.troubles).toEqual(['it cannot be reached (TimeoutError).']);
  });

  test('because its response never ends, the request times out', async () => {
    const slow = await givenServer({
      '/.well-known/openid-configuration': (response) => void response.writeHead(200).write('{'),
    });
    const checking = new Checking(slow, {}, { fetchTimeoutMs: 200 });
    expect(await checking.verdict(await shared.token())).toEqual(unreachable);
    expect(checking.troubles).toEqual(['it cannot be reached (TimeoutError).']);
  });
});

describe('what an external issuer publishes', () => {
  test.each([
    ['', '/.well-known/openid-configuration'],
    ['/', '/.well-known/openid-configuration'],
    ['/tenant/v2.0', '/tenant/v2.0/.well-known/openid-configuration'],
    ['/tenant/', '/tenant/.well-known/openid-configuration'],
    ['', '/.well-known/oauth-authorization-server'],
    ['/tenant', '/.well-known/oauth-authorization-server/tenant'],
    ['/tenant/', '/.well-known/oauth-authorization-server/tenant'],
  ])('is found for an issuer with the path %j at %s', async (path, document) => {
    const issuer = await givenKeyServer(path, document);
    expect(await new Checking(issuer).verdict(await issuer.sign())).toEqual(good({ issuer: issuer.url }));
  });

  const document = '/.well-known/openid-configuration';
  type Spoil = (issuer: KeyServer) => void;

  const spoilt: [string, Spoil, string][] = [
    [
      'a discovery document of another issuer',
      ({ routes, url }) => {
        routes[document] = json({ issuer: 'https://login.example.com', jwks_uri: `${url}/jwks` });
      },
      'its discovery document names another issuer.',
    ],
    [
      'a discovery document of the issuer with a trailing slash',
      ({ routes, url }) => {
        routes[document] = json({ issuer: `${url}/`, jwks_uri: `${url}/jwks` });
      },
      'its discovery document names another issuer.',
    ],
    [
      'no discovery document',
      ({ routes }) => {
        delete routes[document];
      },
      'it has no discovery document.',
    ],
    [
      'a discovery document that is null',
      ({ routes }) => {
        routes[document] = json(null);
      },
      'its discovery document names another issuer.',
    ],
    [
      'a discovery document that is not JSON',
      ({ routes }) => {
        routes[document] = (response) => void response.end('<html>');
      },
      'it answers with something that is not JSON.',
    ],
    [
      'a redirected discovery document',
      ({ routes, url }) => {
        routes['/elsewhere'] = json({ issuer: url, jwks_uri: `${url}/jwks` });
        routes[document] = redirect('/elsewhere');
      },
      'it answers with status 302 instead of 200.',
    ],
    [
      'no jwks_uri',
      ({ routes, url }) => {
        routes[document] = json({ issuer: url });
      },
      'its discovery document has no jwks_uri that begins with https://.',
    ],
    [
      'a jwks_uri over unencrypted HTTP to another machine',
      ({ routes, url }) => {
        routes[document] = json({ issuer: url, jwks_uri: 'http://keys.example.com/jwks' });
      },
      'its discovery document has no jwks_uri that begins with https://.',
    ],
    [
      'a jwks_uri that is not an HTTP URL',
      ({ routes, url }) => {
        routes[document] = json({ issuer: url, jwks_uri: 'file:///etc/jwks.json' });
      },
      'its discovery document has no jwks_uri that begins with https://.',
    ],
    [
      'redirected keys',
      ({ routes }) => {
        routes['/elsewhere'] = routes['/jwks'] as Route;
        routes['/jwks'] = redirect('/elsewhere');
      },
      'it answers with status 302 instead of 200.',
    ],
    [
      'a key set that is too large',
      ({ routes, keys }) => {
        routes['/jwks'] = json({ keys, padding: 'x'.repeat(512 * 1024) });
      },
      'it answers with more than 524288 bytes.',
    ],
    [
      'no keys at its jwks_uri',
      ({ routes }) => {
        delete routes['/jwks'];
      },
      'its jwks_uri returned no content.',
    ],
    [
      'a key set that is malformed',
      ({ routes, keys }) => {
        routes['/jwks'] = json(keys);
      },
      'what is at its jwks_uri is not a key set.',
    ],
    [
      'an error status',
      ({ routes }) => {
        routes['/jwks'] = status(503);
      },
      'it answers with status 503 instead of 200.',
    ],
  ];

  test.each(spoilt)('is not used: %s', async (_, spoil, sentence) => {
    const issuer = await givenKeyServer();
    spoil(issuer);
    const checking = new Checking(issuer);
    expect(await checking.verdict(await issuer.sign())).toEqual(unreachable);
    expect(checking.troubles).toEqual([sentence]);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  test('does not replace the last valid keys if it becomes invalid', async () => {
    const issuer = await givenKeyServer();
    const original = { ...issuer.routes };
    for (const [what, spoil, sentence] of spoilt) {
      Object.assign(issuer.routes, original);
      const checking = new Checking(issuer);
      const exp = checking.inSeconds(3_600);
      expect(await checking.verdict(await issuer.sign({ exp, jti: 'before' }))).toEqual(good());
      spoil(issuer);
      checking.passes(2 * refreshAfterMs + 1);
      const verdict = await checking.verdict(await issuer.sign({ exp, jti: 'after' }));
      expect([what, verdict, checking.troubles]).toEqual([what, good(), [sentence]]);
    }
  });

  test('can be an empty key set, which withdraws all keys', async () => {
    const issuer = await givenKeyServer();
    const checking = new Checking(issuer);
    const token = await issuer.sign({ exp: checking.inSeconds(3_600) });
    expect(await checking.verdict(token)).toEqual(good());
    issuer.keys.length = 0;
    checking.passes(2 * refreshAfterMs + 1);
    expect(await checking.verdict(token)).toEqual(invalid);
  });

  test('is used without keys that do not belong there or cannot be parsed', async () => {
    const issuer = await givenKeyServer();
    issuer.keys.unshift(
      issuer.privateJwk,
      { kty: 'oct', k: 'c2VjcmV0', kid: '1' },
      { kty: 'RSA', kid: 'broken' },
      null as unknown as JWK,
      'x' as unknown as JWK,
    );
    expect(await new Checking(issuer).verdict(await issuer.sign())).toEqual(good());
  });

  test('is not used if it is a private key, which others may know', async () => {
    const issuer = await givenKeyServer();
    issuer.keys[0] = issuer.privateJwk;
    expect(await new Checking(issuer).verdict(await issuer.sign())).toEqual(invalid);
  });
});

type Route = (response: ServerResponse) => void;

function json(document: unknown): Route {
  return (response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
}

function status(code: number): Route {
  return (response) => void response.writeHead(code).end();
}

function redirect(location: string): Route {
  return (response) => void response.writeHead(302, { location }).end();
}

/** A server with only these routes, for behavior that no real provider has. */
async function givenServer(routes: Record<string, Route>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = String(request.url);
    asked.push(path);
    (routes[path] ?? status(404))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, routes, asked };
}

type KeyServer = Awaited<ReturnType<typeof givenKeyServer>>;

const keyPair = generateKeyPair('ES256', { extractable: true });

/** An issuer that consists of a discovery document and a key set, which the test can corrupt. */
async function givenKeyServer(path = '', document = '/.well-known/openid-configuration') {
  const server = await givenServer({});
  const url = `${server.url}${path}`;
  const { privateKey, publicKey } = await keyPair;
  const keys: JWK[] = [{ ...(await exportJWK(publicKey)), kid: '1' }];
  server.routes[document] = json({ issuer: url, jwks_uri: `${server.url}/jwks` });
  server.routes['/jwks'] = (response) => json({ keys })(response);
  return {
    ...server,
    url,
    keys,
    privateJwk: { ...(await exportJWK(privateKey)), kid: '1' },
    sign: (claims: { exp?: number; jti?: string } = {}) =>
      new SignJWT({
        iss: url,
        aud: 'rollcall',
        sub: 'somebody',
        ...claims,
        exp: claims.exp ?? Date.now() / 1000 + 60,
      })
        .setProtectedHeader({ alg: 'ES256', kid: '1' })
        .sign(privateKey),
  };
}
