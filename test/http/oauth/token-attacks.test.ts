import { createPrivateKey, createPublicKey, type JsonWebKey, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { type Reply, useService } from '../../support/service.js';

const service = useService();
const path = '/service/users?limit=1';
const issuer = 'http://localhost:8080';

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

async function ownKey(): Promise<{ kid: string; jwk: JWK }> {
  const { rows } = await service.database.pool.query(
    'SELECT kid, private_jwk AS jwk FROM signing_keys WHERE retired_at IS NULL',
  );
  return rows[0];
}

/** Claims that the service itself would sign, for a client with all scopes. */
async function goodClaims(): Promise<Record<string, unknown>> {
  const { clientId } = await givenClient(service);
  const now = Math.floor(Date.now() / 1000);
  const scope = 'users:read users:write access:admin audit:read';
  return { scope, iss: issuer, aud: 'rollcall', sub: clientId, iat: now, exp: now + 60, jti: 'x' };
}

/** Signed by hand with the key of the service, so that nothing is wrong except what the test changes. */
async function signedByHand(header: Record<string, unknown>, claims?: Record<string, unknown>) {
  const { kid, jwk } = await ownKey();
  const complete = { alg: 'ES256', typ: 'at+jwt', kid, ...header };
  const content = `${base64(complete)}.${base64(claims ?? (await goodClaims()))}`;
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return { content, key, kid };
}

const raw = (content: string, key: ReturnType<typeof createPrivateKey>) =>
  sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');

function expectInvalid(reply: Reply): void {
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /^The token is invalid or has expired\. /);
}

describe('a token with valid claims is rejected', () => {
  test('unless it is signed as the service does, which proves that these tests can make valid tokens', async () => {
    const { content, key } = await signedByHand({});
    expect((await service.get(path, { token: `${content}.${raw(content, key)}` })).status).toBe(200);
  });

  test('when its signature is all zeros or another trivial value', async () => {
    const { content } = await signedByHand({});
    for (const bytes of [
      Buffer.alloc(64),
      Buffer.alloc(64, 1),
      Buffer.alloc(64, 255),
      Buffer.from('3006020100020100', 'hex'),
    ]) {
      expectInvalid(await service.get(path, { token: `${content}.${bytes.toString('base64url')}` }));
    }
  });

  test('when its signature is DER-encoded', async () => {
    const { content, key } = await signedByHand({});
    const der = sign('sha256', Buffer.from(content), key).toString('base64url');
    expectInvalid(await service.get(path, { token: `${content}.${der}` }));
  });

  test.each(['ES384', 'ES512', 'RS256', 'PS256', 'EdDSA', 'HS256', 'es256', 'ECDH-ES', 'none', ''])(
    'when it is signed by the service, but its header says %j',
    async (alg) => {
      const { content, key } = await signedByHand({ alg });
      expectInvalid(await service.get(path, { token: `${content}.${raw(content, key)}` }));
    },
  );

  test('when the public key is used as a shared secret, in any encoding', async () => {
    const { kid, jwk } = await ownKey();
    const key = createPublicKey(createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }));
    const forms = [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      Buffer.from(String(jwk.x), 'base64url'),
      Buffer.from(`${jwk.x}${jwk.y}`, 'base64url'),
    ];
    for (const secret of forms) {
      const token = await new SignJWT(await goodClaims())
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        .sign(new Uint8Array(Buffer.from(secret)));
      expectInvalid(await service.get(path, { token }));
    }
  });

  test('when it names one key of the service but is signed by another', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const other = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(other);
    await service.database.pool.query(
      'INSERT INTO signing_keys (kid, private_jwk, retired_at) VALUES ($1, $2, now())',
      [kid, JSON.stringify(other)],
    );
    onTestFinished(async () => {
      await service.database.pool.query('DELETE FROM signing_keys WHERE kid = $1', [kid]);
    });
    const claims = await goodClaims();
    const token = (named: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: named }).sign(privateKey);
    const good = await token(kid);
    await expect.poll(async () => (await service.get(path, { token: good })).status).toBe(200);
    expectInvalid(await service.get(path, { token: await token((await ownKey()).kid) }));
  });

  test('without a request to any key URL in its header', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256', use: 'sig' };
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys.json`;
    const claims = await goodClaims();
    const own = (await ownKey()).kid;
    for (const header of [{ jku: url }, { x5u: url }, { jku: url, x5u: url, jwk }, { x5c: ['MIIB'] }]) {
      for (const kid of ['mine', own, url]) {
        const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid, ...header };
        const token = await new SignJWT(claims).setProtectedHeader(protectedHeader).sign(privateKey);
        expectInvalid(await service.get(path, { token }));
      }
    }
    expect(asked).toBe(0);
  });

  test.each([
    ['has an unknown critical extension', { crit: ['exp'], exp: 1 }],
    ['has a missing critical extension', { crit: ['x'] }],
    ['has an empty crit list', { crit: [] }],
    ['has a crit that is not a list', { crit: 'b64' }],
    ['has an unencoded payload', { crit: ['b64'], b64: false }],
    ['claims compression', { zip: 'DEF', crit: ['zip'] }],
  ])('when its header %s', async (_, header) => {
    const { content, key } = await signedByHand(header);
    expectInvalid(await service.get(path, { token: `${content}.${raw(content, key)}` }));
  });

  test.each([
    ['a path', '../../../../dev/null'],
    ['SQL', `x' UNION SELECT 'x`],
    ['a name that every object has', '__proto__'],
    ['another name that every object has', 'constructor'],
    ['a NUL', 'a\u0000b'],
    ['empty', ''],
    ['a very long text', 'k'.repeat(8_000)],
    ['a list', ['x']],
    ['an object', { toString: 1 }],
    ['null', null],
  ])('when its key ID is %s', async (_, kid) => {
    const { content, key } = await signedByHand({ kid });
    expectInvalid(await service.get(path, { token: `${content}.${raw(content, key)}` }));
  });
});

describe('text that only looks like a token is rejected', () => {
  test.each([
    ['null claims', 'null'],
    ['a list as claims', '[]'],
    ['text as claims', '"x"'],
    ['claims that are not JSON', '{'],
    ['deeply nested claims', `${'['.repeat(4_000)}${']'.repeat(4_000)}`],
    ['an object as the issuer', '{"iss":{"toString":1}}'],
    ['a list as the issuer', `{"iss":["${issuer}"]}`],
    ['the name of an object property as the issuer', '{"iss":"__proto__"}'],
    ['an infinite expiry', `{"iss":"${issuer}","aud":"rollcall","exp":1e999}`],
    ['text as the expiry', `{"iss":"${issuer}","aud":"rollcall","exp":"9999999999"}`],
  ])('with %s', async (_, claims) => {
    const { kid } = await ownKey();
    const header = base64({ alg: 'ES256', typ: 'at+jwt', kid });
    expectInvalid(await service.get(path, { token: `${header}.${base64(claims)}.${'A'.repeat(86)}` }));
  });

  test('almost as long as the header limit', async () => {
    const header = base64({ alg: 'ES256', typ: 'at+jwt', kid: (await ownKey()).kid, pad: 'p'.repeat(7_000) });
    const token = `${header}.${base64({ iss: issuer, pad: 'p'.repeat(4_000) })}.${'A'.repeat(86)}`;
    expect(token.length).toBeGreaterThan(14_000);
    expectInvalid(await service.get(path, { token }));
    expectInvalid(await service.get(path, { token: 'a'.repeat(15_000) }));
    expectInvalid(await service.get(path, { token: '.'.repeat(15_000) }));
  });
});

describe('text in the form of a session token is rejected', () => {
  const notSignedIn = /^Your session has ended\. Sign in again with POST \/service\/auth\/sign-in\.$/;

  test('when it is random', async () => {
    const token = `rcs_${randomBytes(32).toString('base64url')}`;
    const reply = await service.get(path, { token });
    expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', notSignedIn);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  test.each([
    ['one character fewer', (token: string) => token.slice(0, -1)],
    ['one character more', (token: string) => `${token}A`],
    ['another prefix', (token: string) => token.replace('rcs_', 'RCS_')],
    ['no prefix', (token: string) => token.replace('rcs_', '')],
    ['another last character', (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')],
  ])('when it is a valid one with %s', async (_, changed) => {
    const { token } = await givenPerson(service, 'viewer');
    expect((await service.get(path, { token })).status).toBe(200);
    const reply = await service.get(path, { token: changed(token) });
    expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /./);
  });

  test('when it is the hash stored in the database', async () => {
    const { serial, token } = await givenPerson(service, 'viewer');
    const { rows } = await service.database.pool.query(
      'SELECT token_hash FROM sessions WHERE user_serial = $1',
      [serial],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { token_hash: hash } of rows) {
      expect(hash).not.toContain(token.slice(4));
      for (const guess of [hash, `rcs_${hash}`, `rcs_${hash.slice(0, 43)}`]) {
        expectFailure(await service.get(path, { token: guess }), 401, 10202, 'ACCESS_TOKEN_INVALID', /./);
      }
    }
  });
});

describe('an Authorization header', () => {
  test('of ten megabytes fails with 431, and other connections are unaffected', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const read = async () => {
      const headers = { authorization: `Bearer ${service.token}` };
      const [reply] = (await once(get(`${service.url}${path}`, { agent, headers }), 'response')) as [
        IncomingMessage,
      ];
      reply.resume();
      await once(reply, 'end');
      return { status: reply.statusCode, port: reply.socket?.localPort };
    };
    const before = await read();
    const huge = rawRequest('GET', path, { authorization: `Bearer ${'a'.repeat(10 * 1024 * 1024)}` });
    const reply = await sendRaw(service.url, huge);
    expectFailure(
      reply,
      431,
      10016,
      'REQUEST_HEADERS_TOO_LARGE',
      /^The headers exceed the limit of 16384 bytes/,
    );
    expect(await read()).toEqual({ ...before, status: 200 });
  });

  const codes = [...Array(32).keys(), 127].map((code) => [code.toString(16).padStart(2, '0'), code] as const);

  test.each(codes)('with the control character %s in a valid token is rejected', async (_, code) => {
    const { token } = service;
    const cut = 30;
    const broken = `${token.slice(0, cut)}${String.fromCharCode(code)}${token.slice(cut)}`;
    const reply = await sendRaw(service.url, rawRequest('GET', path, { authorization: `Bearer ${broken}` }));
    expect([400, 401]).toContain(reply.status);
    expect([10001, 10201, 10202]).toContain(reply.json.errorCode);
    expect(reply.text).not.toContain(token.slice(cut));
  });

  test.each([0x80, 0xa0, 0xad, 0xff])('with the byte %i in a valid token is rejected', async (byte) => {
    const { token } = service;
    const [head = '', tail = ''] = rawRequest('GET', path, { authorization: `Bearer ${token}` }).split(token);
    const parts = [
      Buffer.from(head + token.slice(0, 30)),
      Buffer.from([byte]),
      Buffer.from(token.slice(30) + tail),
    ];
    const reply = await sendRaw(service.url, Buffer.concat(parts));
    expect([400, 401]).toContain(reply.status);
  });

  test('sent twice is rejected', async () => {
    const headers = `authorization: Bearer x\r\nauthorization: Bearer ${service.token}`;
    const request = `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n\r\n`;
    const reply = await sendRaw(service.url, request);
    expect(reply.status).toBe(400);
  });
});
