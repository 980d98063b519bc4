import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { signedToken, type TokenChanges } from '../../support/own-tokens.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';
import { timePasses } from '../../support/time-passes.js';

const service = useService();

let clientId: string;
beforeAll(async () => {
  ({ clientId } = await givenClient(service));
});

const signed = (changes?: TokenChanges) => signedToken(service, clientId, changes);

function withAuthorization(authorization: string): Promise<Reply> {
  return service.get('/service/users?limit=1', { token: null, headers: { authorization } });
}

const statusOf = async (token: string) => (await service.get('/service/users?limit=1', { token })).status;

function expectTokenRequired(reply: Pick<Reply, 'status' | 'headers' | 'json'>): void {
  expectFailure(reply, 401, 10201, 'ACCESS_TOKEN_REQUIRED', /Authorization: Bearer <token>/);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
}

/** The tokens that are not rejected as invalid. */
async function acceptedOf(tokens: Record<string, string>): Promise<unknown[]> {
  const outcomes = Object.entries(tokens).map(async ([what, token]) => {
    const { status, json, headers } = await withAuthorization(`Bearer ${token}`);
    const outcome = [status, json.errorCode, json.message, headers.get('www-authenticate')];
    const expected = [401, 10202, 'ACCESS_TOKEN_INVALID', 'Bearer error="invalid_token"'];
    return outcome.join() === expected.join() ? [] : [{ what, outcome }];
  });
  return (await Promise.all(outcomes)).flat();
}

const now = () => Math.floor(Date.now() / 1000);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token is accepted', () => {
  test.each([
    ['after Bearer', (token: string) => `Bearer ${token}`],
    ['after bearer in any case', (token: string) => `bEARER ${token}`],
    ['after more than one space', (token: string) => `Bearer   ${token}`],
    ['bare, as in the contract', (token: string) => token],
  ])('%s, repeatedly', async (_, headerFor) => {
    const header = headerFor(await signed());
    for (let count = 0; count < 2; count++) expect((await withAuthorization(header)).status).toBe(200);
  });
});

describe('a request fails with 401 and 10201', () => {
  test.each(['', 'Bearer', 'Bearer ', 'bearer', 'Basic YTpi', 'Bearer a b', 'Digest username="a"'])(
    'if its header has no token: "%s"',
    async (authorization) => {
      expectTokenRequired(await withAuthorization(authorization));
    },
  );
});

describe('a token is rejected with 401 and 10202', () => {
  test('if it is malformed', async () => {
    const text = (content: string) => Buffer.from(content).toString('base64url');
    const malformed = ['token', 'a.b.c', '..', 'a.b.c.d.e', `${text('x')}.e30.x`, `${text('null')}.e30.x`];
    const tokens = [...malformed, 'a'.repeat(5_000), `${service.token}.`];
    expect(await acceptedOf(Object.fromEntries(tokens.map((token) => [token, token])))).toEqual([]);
  });

  test('if another key signed it, even if it contains that key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const header = { jwk: await exportJWK(publicKey) };
    expect(
      await acceptedOf({
        'under a known key ID': await signed({ key: privateKey }),
        'and it contains its own key': await signed({ key: privateKey, header }),
      }),
    ).toEqual([]);
  });

  test('if its header or a claim is wrong, missing or outdated', async () => {
    const headers = [{ kid: 'unknown' }, { kid: undefined }, { kid: 7 }, { typ: 'JWT' }, { typ: undefined }];
    const claims = [
      { aud: 'another service' },
      { aud: undefined },
      { iss: 'https://elsewhere.example' },
      { iss: undefined },
      { iat: now() - 120, exp: now() - 1 },
      { exp: undefined },
      { iat: undefined },
      { nbf: now() + 600 },
      { sub: newId('client') },
      { sub: undefined },
      { scope: undefined },
      { jti: undefined },
    ];
    const changes: TokenChanges[] = [
      ...headers.map((header) => ({ header })),
      ...claims.map((each) => ({ claims: each })),
    ];
    const tokens = await Promise.all(
      changes.map(async (change, index) => [
        `${index}: ${Object.keys(change.header ?? change.claims ?? {})}`,
        await signed(change),
      ]),
    );
    expect(await acceptedOf(Object.fromEntries(tokens))).toEqual([]);
  });

  test('if its claims or its signature were changed', async () => {
    const token = await signed({ claims: { scope: 'users:read' } });
    const [header, payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const more = base64({ ...claims, scope: 'users:read users:write' });
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    expect(
      await acceptedOf({
        claims: `${header}.${more}.${signature}`,
        flipped: `${header}.${payload}.${flipped}`,
        truncated: `${header}.${payload}.${signature.slice(0, -4)}`,
        removed: `${header}.${payload}.`,
      }),
    ).toEqual([]);
    expect(await statusOf(token)).toBe(200);
  });

  test('as soon as it expires, even if it was accepted before', async () => {
    const token = await signed({ claims: { exp: now() + 60 } });
    expect(await statusOf(token)).toBe(200);
    timePasses(60_000);
    expect(await acceptedOf({ token })).toEqual([]);
  });

  test('within three seconds after its client was deleted', async () => {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    expect(await statusOf(token)).toBe(200);
    await service.database.pool.query('DELETE FROM clients WHERE id = $1', [client.clientId]);
    timePasses(3_000);
    expect(await acceptedOf({ token })).toEqual([]);
  });
});

test('a token has no scope that its client does not have, whatever it claims', async () => {
  const client = await givenClient(service, ['users:read']);
  const token = await signedToken(service, client.clientId);
  expect(await statusOf(token)).toBe(200);
  const reply = await service.post('/service/users', {}, { token });
  expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', /users:write/);
});

describe('the caller is authenticated before the body is read', () => {
  const broken = { rawBody: '{"broken', headers: { 'content-type': 'application/json' } };

  test('an invalid body without a token, with an invalid one or without the scope fails with 401 or 403', async () => {
    expectTokenRequired(await service.request('POST', '/service/users', { ...broken, token: null }));
    const invalid = await service.request('POST', '/service/users/update-bulk', { ...broken, token: 'x' });
    expect(invalid.json.errorCode).toBe(10202);
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
    expectTokenRequired(await sendRaw(service.url, head));
  });
});
