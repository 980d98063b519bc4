import { type CryptoKey, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { issueToken, newId, type Reply, useOwnService } from '../../support/service.js';

const issuer = 'https://rollcall.example';
const service = useOwnService({ ROLLCALL_PUBLIC_URL: issuer });

function withAuthorization(authorization: string): Promise<Reply> {
  return service.get('/service/users?limit=1', { token: null, headers: { authorization } });
}

function expectTokenInvalid(reply: Reply): void {
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /invalid or has expired.*POST \/oauth\/token/);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}

function expectTokenRequired(reply: Pick<Reply, 'status' | 'headers' | 'json'>): void {
  expectFailure(reply, 401, 10201, 'ACCESS_TOKEN_REQUIRED', /Authorization: Bearer <token>/);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
}

const now = () => Math.floor(Date.now() / 1000);

/** What the service itself would sign, except for the given changes. */
async function signed(
  changes: { claims?: JWTPayload; header?: Record<string, unknown>; key?: CryptoKey } = {},
) {
  const { clientId } = await givenClient(service);
  const { rows } = await service.database.pool.query('SELECT kid, private_jwk FROM signing_keys');
  const key = changes.key ?? ((await importJWK(rows[0].private_jwk, 'ES256')) as CryptoKey);
  const claims = {
    scope: 'users:read users:write',
    iss: issuer,
    aud: 'rollcall',
    sub: clientId,
    iat: now(),
    exp: now() + 60,
    jti: newId('token-'),
    ...changes.claims,
  };
  const header = { alg: 'ES256', kid: rows[0].kid as string, typ: 'at+jwt', ...changes.header };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

describe('a token is accepted', () => {
  test.each([
    ['after Bearer', (token: string) => `Bearer ${token}`],
    ['after bearer in any case', (token: string) => `bEARER ${token}`],
    ['after more than one space', (token: string) => `Bearer   ${token}`],
    ['bare, as in the contract', (token: string) => token],
  ])('%s', async (_, headerFor) => {
    expect((await withAuthorization(headerFor(service.token))).status).toBe(200);
  });

  test('when it is signed with the key of the service and valid', async () => {
    expect((await withAuthorization(await signed())).status).toBe(200);
  });

  test('repeatedly', async () => {
    const token = await signed();
    for (let count = 0; count < 3; count++) expect((await withAuthorization(token)).status).toBe(200);
  });
});

describe('a request without a token fails with 401 and 10201', () => {
  test('when it has no Authorization header', async () => {
    expectTokenRequired(await service.get('/service/users', { token: null }));
  });

  test.each(['Bearer', 'Bearer ', 'bearer', 'Basic YTpi', 'Bearer a b', 'Digest username="a"'])(
    'when the header has no token: %s',
    async (authorization) => {
      expectTokenRequired(await withAuthorization(authorization));
    },
  );

  test.each([
    ['POST', '/service/users'],
    ['GET', '/service/users'],
    ['POST', '/service/users/create-bulk'],
    ['POST', '/service/users/update-bulk'],
    ['POST', '/service/users/lookup'],
    ['GET', '/service/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
    ['PATCH', '/service/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
  ])('on %s %s', async (method, path) => {
    expectTokenRequired(await service.request(method, path, { token: null }));
  });
});

describe('a token is rejected with 401 and 10202', () => {
  test.each([
    ['a word', 'token'],
    ['three words', 'a.b.c'],
    ['only dots', '..'],
    ['five parts, like an encrypted token', 'a.b.c.d.e'],
    ['a header that is not JSON', `${Buffer.from('x').toString('base64url')}.e30.x`],
    ['a null header', `${Buffer.from('null').toString('base64url')}.e30.x`],
    ['a very long one', 'a'.repeat(5_000)],
  ])('when it is malformed: %s', async (_, token) => {
    expectTokenInvalid(await withAuthorization(`Bearer ${token}`));
  });

  test('when its algorithm is none', async () => {
    const [, payload] = (await signed()).split('.');
    const { rows } = await service.database.pool.query('SELECT kid FROM signing_keys');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: rows[0].kid, typ: 'at+jwt' })).toString(
        'base64url',
      );
      expectTokenInvalid(await withAuthorization(`Bearer ${header}.${payload}.`));
    }
  });

  test('when it is signed with the public key as a shared secret', async () => {
    const { keys } = (await service.get('/.well-known/jwks.json')).json;
    const [, payload = ''] = (await signed()).split('.');
    const header = { alg: 'HS256', kid: keys[0].kid, typ: 'at+jwt' };
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(secret);
    expectTokenInvalid(await withAuthorization(`Bearer ${token}`));
  });

  test('when another key signed it under a known key ID', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expectTokenInvalid(await withAuthorization(await signed({ key: privateKey })));
  });

  test('when it contains its own key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)) };
    expectTokenInvalid(await withAuthorization(await signed({ key: privateKey, header: { jwk } })));
  });

  test.each([
    ['its key ID is unknown', { kid: 'unknown' }],
    ['it has no key ID', { kid: undefined }],
    ['its key ID is not a string', { kid: 7 }],
    ['it is of another type', { typ: 'JWT' }],
  ])('when %s', async (_, header) => {
    expectTokenInvalid(await withAuthorization(await signed({ header })));
  });

  test.each([
    ['it is for another audience', () => ({ aud: 'another service' })],
    ['it has no audience', () => ({ aud: undefined })],
    ['it is from another issuer', () => ({ iss: 'https://elsewhere.example' })],
    ['it has no issuer', () => ({ iss: undefined })],
    ['it has expired', () => ({ iat: now() - 120, exp: now() - 1 })],
    ['it never expires', () => ({ exp: undefined })],
    ['it is not valid yet', () => ({ nbf: now() + 600 })],
    ['its client does not exist', () => ({ sub: newId('client') })],
    ['it has no subject', () => ({ sub: undefined })],
    ['it has no scope', () => ({ scope: undefined })],
  ])('when %s', async (_, claims) => {
    expectTokenInvalid(await withAuthorization(await signed({ claims: claims() as JWTPayload })));
  });

  test('when its claims were changed after signing', async () => {
    const token = await signed({ claims: { scope: 'users:read' } });
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const more = Buffer.from(JSON.stringify({ ...claims, scope: 'users:read users:write' })).toString(
      'base64url',
    );
    expectTokenInvalid(await withAuthorization(`${header}.${more}.${signature}`));
  });

  test('when its signature was changed, truncated or removed', async () => {
    const token = await signed();
    const [header, payload, signature = ''] = token.split('.');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    for (const other of [flipped, signature.slice(0, -4), '']) {
      expectTokenInvalid(await withAuthorization(`Bearer ${header}.${payload}.${other}`));
    }
  });

  test('when it is valid but has an extra character', async () => {
    expect((await withAuthorization(service.token)).status).toBe(200);
    expectTokenInvalid(await withAuthorization(`${service.token}.`));
  });

  test('as soon as it expires, even if it was accepted before', async () => {
    const token = await signed({ claims: { exp: now() + 2 } });
    expect((await withAuthorization(token)).status).toBe(200);
    await expect.poll(async () => (await withAuthorization(token)).status).toBe(401);
  });
});

describe('a token without the scope fails with 403 and 10203', () => {
  test.each([
    ['GET', '/service/users', 'users:read', 'users:write'],
    ['GET', '/service/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'users:read', 'users:write'],
    ['POST', '/service/users', 'users:write', 'users:read'],
    ['POST', '/service/users/create-bulk', 'users:write', 'users:read'],
    ['POST', '/service/users/update-bulk', 'users:write', 'users:read'],
    ['POST', '/service/users/lookup', 'users:read', 'users:write'],
    ['PATCH', '/service/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'users:write', 'access:admin'],
  ] as const)('%s %s requires %s', async (method, path, needed, other) => {
    const refused = await service.request(method, path, { token: await service.tokenFor(other) });
    expectFailure(refused, 403, 10203, 'ACCESS_SCOPE_MISSING', new RegExp(`requires the scope ${needed}\\.`));
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${needed}"`,
    );
    const allowed = await service.request(method, path, { token: await service.tokenFor(needed) });
    expect([401, 403]).not.toContain(allowed.status);
  });

  test('even if the token claims a scope that its client does not have', async () => {
    const { clientId } = await givenClient(service, ['users:read']);
    const token = await signed({ claims: { sub: clientId } });
    expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
    const reply = await service.post('/service/users', {}, { token });
    expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', /users:write/);
  });
});

// Each takes seconds, so they run concurrently.
describe.concurrent('within seconds, tokens in use lose', () => {
  const statusOf = (token: string) => async () =>
    (await service.get('/service/users?limit=1', { token })).status;

  test('all access when their client is disabled', async () => {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    expect(await statusOf(token)()).toBe(200);
    await service.database.pool.query('UPDATE clients SET disabled_at = now() WHERE id = $1', [
      client.clientId,
    ]);
    await expect.poll(statusOf(token), { interval: 200 }).toBe(401);
    expectTokenInvalid(await withAuthorization(token));
  });

  test('all access when their client is deleted', async () => {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    expect(await statusOf(token)()).toBe(200);
    await service.database.pool.query('DELETE FROM clients WHERE id = $1', [client.clientId]);
    await expect.poll(statusOf(token), { interval: 200 }).toBe(401);
  });

  test('a scope that is removed from their client', async () => {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    expect(await statusOf(token)()).toBe(200);
    await service.database.pool.query(`UPDATE clients SET scopes = '{users:write}' WHERE id = $1`, [
      client.clientId,
    ]);
    await expect.poll(statusOf(token), { interval: 200 }).toBe(403);
  });
});

describe('the caller is authenticated before the body is read', () => {
  const broken = { rawBody: '{"broken', headers: { 'content-type': 'application/json' } };

  test('an invalid body without a token fails with 401', async () => {
    expectTokenRequired(await service.request('POST', '/service/users', { ...broken, token: null }));
  });

  test('an invalid body with an invalid token fails with 401', async () => {
    expectTokenInvalid(
      await service.request('POST', '/service/users/update-bulk', { ...broken, token: 'x' }),
    );
  });

  test('an invalid body without the scope fails with 403', async () => {
    const token = await service.tokenFor('users:read');
    expect((await service.request('POST', '/service/users', { ...broken, token })).status).toBe(403);
  });

  test('a body that is too large, of the wrong type and without a token fails with 401', async () => {
    const reply = await service.request('POST', '/service/users', {
      token: null,
      rawBody: 'x'.repeat(100_000),
      headers: { 'content-type': 'text/plain', accept: 'text/html' },
    });
    expectTokenRequired(reply);
  });

  test('a request is rejected as soon as its headers have arrived', async () => {
    const head = rawRequest('POST', '/service/users', {
      'content-type': 'application/json',
      'content-length': '50',
    });
    const reply = await sendRaw(service.url, head);
    expectTokenRequired(reply);
  });
});
