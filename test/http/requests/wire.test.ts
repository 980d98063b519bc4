import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { chunked, openSocket, rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, useService } from '../../support/service.js';

const service = useService();

const jsonHeaders = () => ({ authorization: service.token, 'content-type': 'application/json' });

async function exists(employeeID: string): Promise<boolean> {
  const reply = await service.get(`/service/users?employeeID=${employeeID}`);
  return reply.json.data.items.length > 0;
}

describe('invalid HTTP fails with 400 and 10001, as JSON', () => {
  // Versions and hosts are tested in test/unit/request-headers.test.ts.
  test.each([
    ['plain text', 'hello\r\n\r\n'],
    ['an unknown method', 'FETCH /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the URL', 'GET /health z HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nA: b\0c\r\n\r\n'],
    ['a length that is not a number', 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
    [
      'two lengths',
      'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length together with chunks, as in request smuggling',
      'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown transfer coding', 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n'],
    [
      'a chunk whose size is not a number',
      'POST /oauth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n',
    ],
    ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a request line without a version', 'GET /healthz\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Host headers on an unknown path', 'GET /nope HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n'],
    [
      'two Authorization headers',
      'GET /service/users HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
    ],
    ['an unknown expectation', rawRequest('GET', '/healthz', { expect: 'the-unexpected' })],
    ['the start of a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
  ])('%s', async (_, bytes) => {
    const reply = await sendRaw(service.url, bytes);
    expectFailure(reply, 400, 10001, 'REQUEST_MALFORMED', /./);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('connection')).toBe('close');
  });
});

describe('unusual but valid HTTP is served', () => {
  test.each([
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n'],
    ['a Host in IPv6', rawRequest('GET', '/healthz', { host: '[::1]:8080' })],
    ['an absolute URL, as sent to a proxy', rawRequest('GET', 'http://rollcall.test/healthz', {})],
    [
      'an upgrade offer, which is ignored',
      rawRequest('GET', '/healthz', { connection: 'Upgrade, close', upgrade: 'h2c' }),
    ],
  ])('%s', async (_, request) => {
    expect((await sendRaw(service.url, request)).status).toBe(200);
  });

  test('a client that waits for 100 Continue before sending the body', async () => {
    const body = JSON.stringify(aUser());
    const headers = {
      ...jsonHeaders(),
      'content-length': String(Buffer.byteLength(body)),
      expect: '100-continue',
    };
    const reply = await sendRaw(service.url, rawRequest('POST', '/service/users', headers), body);
    expect(reply.status).toBe(100);
    expect(reply.text).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('two pipelined requests, answered in order', async () => {
    const first = rawRequest('GET', '/nope', { connection: 'keep-alive' });
    const reply = await sendRaw(service.url, first + rawRequest('GET', '/healthz', {}));
    expect(reply.status).toBe(404);
    expect(reply.text).toMatch(/HTTP\/1\.1 200 OK/);
  });

  test('a request that arrives byte by byte', async () => {
    const body = JSON.stringify(aUser());
    const headers = { ...jsonHeaders(), 'content-length': String(Buffer.byteLength(body)) };
    const bytes = Array.from(rawRequest('POST', '/service/users', headers, body));
    expect((await sendRaw(service.url, ...bytes)).status).toBe(201);
  });
});

describe('a client that disconnects', () => {
  /** Sends bytes, waits until the service has read them, disconnects, and waits until the service has noticed. */
  async function hangUpAfter(bytes: string): Promise<void> {
    const accepted = new Promise<Socket>((resolve) => service.app.server.once('connection', resolve));
    const socket = await openSocket(service.url);
    const served = await accepted;
    const noticed = new Promise((resolve) => served.once('close', resolve));
    socket.write(bytes);
    await expect.poll(() => served.bytesRead).toBe(Buffer.byteLength(bytes));
    socket.destroy();
    await noticed;
  }

  test.each([
    [
      'with a Content-Length',
      (body: string) => ({ headers: { 'content-length': String(body.length + 100) }, body }),
    ],
    [
      'in chunks',
      (body: string) => ({ headers: { 'transfer-encoding': 'chunked' }, body: chunked(body).slice(0, -5) }),
    ],
  ])('before its body is complete (%s) changes nothing', async (_, partOf) => {
    const user = aUser();
    const { headers, body } = partOf(JSON.stringify(user));
    await hangUpAfter(rawRequest('POST', '/service/users', { ...jsonHeaders(), ...headers }, body));
    expect(await exists(user.employeeID)).toBe(false);
  });

  test('while sending headers has no effect', async () => {
    await hangUpAfter('POST /service/users HTTP/1.1\r\nHost: a\r\nContent-Le');
    expect((await service.get('/readyz')).status).toBe(200);
  });

  test('is not logged as an error of the service or the database', async () => {
    const id = 'hung-up-midway';
    const headers = { ...jsonHeaders(), 'content-length': '500', 'x-request-id': id };
    await hangUpAfter(rawRequest('POST', '/service/users', headers, '{"employeeID": '));
    const lines = service.logs
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.level >= 40)).toEqual([]);
  });
});
