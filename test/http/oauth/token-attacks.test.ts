import { createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { claimsOf, signingKey, tokenIssuer } from '../../support/own-tokens.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { useService } from '../../support/service.js';

const service = useService();
const path = '/service/users?limit=1';

let clientId: string;
beforeAll(async () => {
  ({ clientId } = await givenClient(service));
});

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A header and the claims of a valid token, and the key of the service to sign them by hand. */
async function unsigned(header: Record<string, unknown> = {}) {
  const { kid, jwk } = await signingKey(service);
  const content = `${base64({ alg: 'ES256', typ: 'at+jwt', kid, ...header })}.${base64(claimsOf(clientId))}`;
  return { content, key: createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }) };
}

/** Signed as the service does, so that nothing is wrong except what the test changes. */
async function signedByHand(header?: Record<string, unknown>): Promise<string> {
  const { content, key } = await unsigned(header);
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const statusOf = async (token: string) => (await service.get(path, { token })).status;

/** Sends all of them at once, because unknown key IDs wait for the next read of the keys together. */
async function expectAllInvalid(tokens: readonly (string | Promise<string>)[]): Promise<void> {
  const replies = await Promise.all(tokens.map(async (token) => service.get(path, { token: await token })));
  for (const reply of replies) {
    expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /^The token is invalid or has expired\. /);
  }
}

describe('a token with valid claims is rejected', () => {
  test('unless it is signed as the service does, which proves that these tests can make valid tokens', async () => {
    expect(await statusOf(await signedByHand())).toBe(200);
  });

  test('when its signature is trivial or DER-encoded', async () => {
    const { content, key } = await unsigned();
    const signatures = [
      Buffer.alloc(64),
      Buffer.alloc(64, 1),
      Buffer.alloc(64, 255),
      Buffer.from('3006020100020100', 'hex'),
      sign('sha256', Buffer.from(content), key),
    ];
    await expectAllInvalid(signatures.map((bytes) => `${content}.${bytes.toString('base64url')}`));
  });

  test('when it is signed by the service, but its header names another algorithm', async () => {
    const algorithms = ['ES384', 'ES512', 'RS256', 'PS256', 'EdDSA', 'HS256', 'es256', 'ECDH-ES', 'none', ''];
    await expectAllInvalid(algorithms.map((alg) => signedByHand({ alg })));
  });

  test('when the public key is used as a shared secret, in any encoding', async () => {
    const { kid, jwk } = await signingKey(service);
    const key = createPublicKey(createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }));
    const secrets = [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      Buffer.from(String(jwk.x), 'base64url'),
      Buffer.from(`${jwk.x}${jwk.y}`, 'base64url'),
    ];
    await expectAllInvalid(
      secrets.map((secret) =>
        new SignJWT(claimsOf(clientId))
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
          .sign(new Uint8Array(Buffer.from(secret))),
      ),
    );
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
    const token = (named: string) =>
      new SignJWT(claimsOf(clientId))
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: named })
        .sign(privateKey);
    const good = await token(kid);
    await expect.poll(() => statusOf(good)).toBe(200);
    await expectAllInvalid([token((await signingKey(service)).kid)]);
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
    const own = (await signingKey(service)).kid;
    const headers = [{ jku: url }, { x5u: url }, { jku: url, x5u: url, jwk }, { x5c: ['MIIB'] }];
    await expectAllInvalid(
      headers.flatMap((header) =>
        ['mine', own, url].map((kid) =>
          new SignJWT(claimsOf(clientId))
            .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
            .sign(privateKey),
        ),
      ),
    );
    expect(asked).toBe(0);
  });

  test('when its header has an extension, or a key ID that is no ID', async () => {
    const extensions = [
      { crit: ['exp'], exp: 1 },
      { crit: ['x'] },
      { crit: [] },
      { crit: 'b64' },
      { crit: ['b64'], b64: false },
      { zip: 'DEF', crit: ['zip'] },
    ];
    const kids = [
      '../../../../dev/null',
      `x' UNION SELECT 'x`,
      '__proto__',
      'constructor',
      'a\u0000b',
      '',
      'k'.repeat(8_000),
      ['x'],
      { toString: 1 },
      null,
    ];
    await expectAllInvalid([...extensions, ...kids.map((kid) => ({ kid }))].map(signedByHand));
  });
});

describe('text that only looks like a token is rejected', () => {
  test('whatever its claims are', async () => {
    const { kid } = await signingKey(service);
    const header = base64({ alg: 'ES256', typ: 'at+jwt', kid });
    const claims = [
      'null',
      '[]',
      '"x"',
      '{',
      `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
      '{"iss":{"toString":1}}',
      `{"iss":["${tokenIssuer}"]}`,
      '{"iss":"__proto__"}',
      `{"iss":"${tokenIssuer}","aud":"rollcall","exp":1e999}`,
      `{"iss":"${tokenIssuer}","aud":"rollcall","exp":"9999999999"}`,
    ];
    await expectAllInvalid(claims.map((each) => `${header}.${base64(each)}.${'A'.repeat(86)}`));
  });

  test('almost as long as the header limit', async () => {
    const { kid } = await signingKey(service);
    const header = base64({ alg: 'ES256', typ: 'at+jwt', kid, pad: 'p'.repeat(7_000) });
    const token = `${header}.${base64({ iss: tokenIssuer, pad: 'p'.repeat(4_000) })}.${'A'.repeat(86)}`;
    expect(token.length).toBeGreaterThan(14_000);
    await expectAllInvalid([token, 'a'.repeat(15_000), '.'.repeat(15_000)]);
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

  test('with a control character or a byte outside ASCII in a valid token is rejected', async () => {
    const { token } = service;
    const [head = '', tail = ''] = rawRequest('GET', path, { authorization: `Bearer ${token}` }).split(token);
    const bytes = [...Array(32).keys(), 127, 0x80, 0xa0, 0xad, 0xff];
    const replies = bytes.map(async (byte) => {
      const parts = [head + token.slice(0, 30), token.slice(30) + tail].map((part) => Buffer.from(part));
      const request = Buffer.concat([parts[0] as Buffer, Buffer.from([byte]), parts[1] as Buffer]);
      const { status, text } = await sendRaw(service.url, request);
      return { byte, isRejected: status === 400 || status === 401, leaks: text.includes(token.slice(30)) };
    });
    expect(await Promise.all(replies)).toEqual(
      bytes.map((byte) => ({ byte, isRejected: true, leaks: false })),
    );
  });

  test('sent twice is rejected', async () => {
    const headers = `authorization: Bearer x\r\nauthorization: Bearer ${service.token}`;
    const request = `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n\r\n`;
    expect((await sendRaw(service.url, request)).status).toBe(400);
  });
});
