import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { freezeMinute } from '../../support/frozen-minute.js';
import { chunked, rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, issueToken, useOwnService } from '../../support/service.js';

const bodyMaxBytes = 2_000;
const bulkBodyMaxBytes = 5_000;
const headersMaxBytes = 8_000;
const requestsMax = 40;

const service = useOwnService({
  ROLLCALL_BODY_MAX_BYTES: String(bodyMaxBytes),
  ROLLCALL_BULK_BODY_MAX_BYTES: String(bulkBodyMaxBytes),
  ROLLCALL_BULK_ITEMS_MAX: '3',
  ROLLCALL_HEADERS_MAX_BYTES: String(headersMaxBytes),
  ROLLCALL_REQUESTS_PER_MINUTE_MAX: String(requestsMax),
});

/** Makes the server time out at its next check, which affects only the request of the test. */
function expireSoon(...timeouts: ('headersTimeout' | 'requestTimeout')[]): () => void {
  const { server } = service.app;
  const { headersTimeout, requestTimeout } = server;
  for (const timeout of timeouts) server[timeout] = 1;
  const restore = () => void Object.assign(server, { headersTimeout, requestTimeout });
  onTestFinished(restore);
  return restore;
}

/** A body of exactly this many bytes, since white space around JSON counts too. */
const padded = (value: unknown, bytes: number) => JSON.stringify(value).padEnd(bytes, ' ');

/** Requests are counted per client, so each test has its own. */
const ownToken = async () => issueToken(service.url, await givenClient(service));

const json = (token: string, more: Record<string, string>) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...more,
});

describe('the size of a body', () => {
  const operations = [
    ['/service/users', bodyMaxBytes, aUser()],
    ['/service/users/create-bulk', bulkBodyMaxBytes, { items: [] }],
    ['/service/users/update-bulk', bulkBodyMaxBytes, { items: [] }],
    ['/service/users/lookup', bulkBodyMaxBytes, { employeeIDs: ['E1'] }],
  ] as const;

  test.each(operations)('on %s may be %i bytes', async (path, maxBytes, value) => {
    const token = await ownToken();
    const reply = await service.request('POST', path, { token, rawBody: padded(value, maxBytes) });
    expect([200, 201], reply.text).toContain(reply.status);
  });

  test.each(operations)('on %s may not exceed %i bytes, by Content-Length', async (path, maxBytes, value) => {
    const token = await ownToken();
    const reply = await service.request('POST', path, { token, rawBody: padded(value, maxBytes + 1) });
    expectFailure(reply, 413, 10012, 'REQUEST_BODY_TOO_LARGE', new RegExp(`limit of ${maxBytes} bytes`));
  });

  test.each(operations)('on %s may not exceed %i bytes, in chunks', async (path, maxBytes, value) => {
    const headers = json(await ownToken(), { 'transfer-encoding': 'chunked' });
    const [first, rest] = [padded(value, maxBytes), ' '];
    const reply = await sendRaw(service.url, rawRequest('POST', path, headers, chunked(first, rest)));
    expectFailure(reply, 413, 10012, 'REQUEST_BODY_TOO_LARGE', new RegExp(`limit of ${maxBytes} bytes`));
  });

  test('is rejected by Content-Length alone, before the body arrives', async () => {
    const headers = json(await ownToken(), { 'content-length': '1000000000' });
    const reply = await sendRaw(service.url, rawRequest('POST', '/service/users', headers));
    expectFailure(reply, 413, 10012, 'REQUEST_BODY_TOO_LARGE', /limit of 2000 bytes/);
  });

  test('is also limited for a patch and a token request', async () => {
    const token = await ownToken();
    const { serial } = await service.givenUser();
    const patch = await service.request('PATCH', `/service/users/${serial}`, {
      token,
      rawBody: padded({ name: 'X' }, bodyMaxBytes + 1),
    });
    expectFailure(patch, 413, 10012, 'REQUEST_BODY_TOO_LARGE', /limit of 2000 bytes/);
    const form = await service.request('POST', '/oauth/token', {
      token: null,
      rawBody: `grant_type=client_credentials&x=${'x'.repeat(bodyMaxBytes)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(413);
    expect(form.json).toMatchObject({ error: 'invalid_request', errorCode: 10012 });
  });

  test('is counted in bytes, not characters', async () => {
    const body = JSON.stringify(aUser({ name: 'é'.repeat(200), tagSerials: ['é'.repeat(64)] }));
    const rawBody = body + ' '.repeat(bodyMaxBytes + 1 - Buffer.byteLength(body));
    expect(rawBody.length).toBeLessThan(bodyMaxBytes);
    const reply = await service.request('POST', '/service/users', { token: await ownToken(), rawBody });
    expect(reply.status).toBe(413);
  });

  test('need not be declared: a body in chunks of any size is read completely', async () => {
    const user = aUser({ name: 'Zoë 🚀' });
    const headers = json(await ownToken(), { 'transfer-encoding': 'chunked' });
    const chunks = Array.from(JSON.stringify(user));
    const reply = await sendRaw(
      service.url,
      rawRequest('POST', '/service/users', headers, chunked(...chunks)),
    );
    expect(reply.status, reply.text).toBe(201);
  });
});

describe('the number of items', () => {
  test.each(['/service/users/create-bulk', '/service/users/update-bulk'])(
    'of %s is limited',
    async (path) => {
      const token = await ownToken();
      expect((await service.post(path, { items: [1, 2, 3] }, { token })).status).toBe(200);
      const reply = await service.post(path, { items: [1, 2, 3, 4] }, { token });
      expectFailure(reply, 413, 10013, 'REQUEST_TOO_MANY_ITEMS', /at most 3 items, but this one has 4/);
    },
  );

  test('of /service/users/lookup is limited too', async () => {
    const token = await ownToken();
    const lookup = (...employeeIDs: string[]) =>
      service.post('/service/users/lookup', { employeeIDs }, { token });
    expect((await lookup('a', 'b', 'c')).status).toBe(200);
    const detail = /at most 3 employee IDs, but this one has 4/;
    expectFailure(await lookup('a', 'b', 'c', 'c'), 413, 10013, 'REQUEST_TOO_MANY_ITEMS', detail);
  });
});

describe('headers', () => {
  test('that are too large fail with 431', async () => {
    const request = rawRequest('GET', '/healthz', { 'x-large': 'x'.repeat(headersMaxBytes) });
    const reply = await sendRaw(service.url, request);
    expectFailure(reply, 431, 10016, 'REQUEST_HEADERS_TOO_LARGE', /limit of 8000 bytes/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('connection')).toBe('close');
  });

  test('with a URL that is too long fail with 431', async () => {
    const reply = await sendRaw(service.url, rawRequest('GET', `/${'x'.repeat(headersMaxBytes)}`, {}));
    expectFailure(reply, 431, 10016, 'REQUEST_HEADERS_TOO_LARGE', /limit of 8000 bytes/);
  });

  test('that do not arrive in time fail with 408', async () => {
    expireSoon('headersTimeout');
    const reply = await sendRaw(service.url, 'GET /healthz HTTP/1.1\r\nHost: rollcall.test\r\n');
    expectFailure(reply, 408, 10010, 'REQUEST_TIMEOUT', /Send the headers within 20000 ms/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('connection')).toBe('close');
  });
});

describe('a body', () => {
  test('that does not arrive in time fails with 408 and changes nothing', async () => {
    const user = aUser();
    const headers = json(await ownToken(), { 'content-length': '1500' });
    const expireLate = expireSoon('headersTimeout', 'requestTimeout');
    const reply = await sendRaw(
      service.url,
      rawRequest('POST', '/service/users', headers, JSON.stringify(user)),
    );
    expectFailure(reply, 408, 10010, 'REQUEST_TIMEOUT', /complete request within \d+ ms/);
    expireLate();
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`, {
      token: await ownToken(),
    });
    expect(listed.json.data.items).toEqual([]);
  });
});

describe('requests of a client', () => {
  beforeEach(() => freezeMinute());
  afterEach(() => void vi.useRealTimers());

  const read = (token: string | null) => service.get('/service/users?limit=1', { token });

  test('are counted down in the RateLimit headers, and fail with 429 once they are used up', async () => {
    const token = await ownToken();
    for (let left = requestsMax - 1; left >= 0; left--) {
      const reply = await read(token);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('ratelimit-limit')).toBe(String(requestsMax));
      expect(reply.headers.get('ratelimit-remaining')).toBe(String(left));
    }
    const refused = await read(token);
    expectFailure(
      refused,
      429,
      10015,
      'REQUEST_RATE_LIMITED',
      /Too many requests from this client\. Retry in \d+ s; the limit is 40 per minute/,
    );
    expect(refused.headers.get('ratelimit-limit')).toBe('40');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    for (const name of ['ratelimit-reset', 'retry-after']) {
      const seconds = Number(refused.headers.get(name));
      expect(seconds, name).toBeGreaterThan(0);
      expect(seconds, name).toBeLessThanOrEqual(60);
    }
  });

  async function givenUsedUp() {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    for (let count = 0; count < requestsMax; count++) await read(token);
    expect((await read(token)).status).toBe(429);
    return { client, token };
  }

  test('are counted across all its tokens and operations', async () => {
    const { client } = await givenUsedUp();
    const token = await issueToken(service.url, client);
    expect((await read(token)).status).toBe(429);
    expect((await service.post('/service/users', aUser(), { token })).status).toBe(429);
    expect((await service.post('/service/users/update-bulk', { items: [] }, { token })).status).toBe(429);
  });

  test('are rejected without processing or even parsing the body', async () => {
    const { token } = await givenUsedUp();
    const reply = await service.request('POST', '/service/users', { token, rawBody: '{"broken' });
    expectFailure(reply, 429, 10015, 'REQUEST_RATE_LIMITED', /requests from this client/);
  });

  test('do not affect other clients or the probes', async () => {
    await givenUsedUp();
    expect((await read(await ownToken())).status).toBe(200);
    for (let count = 0; count <= requestsMax; count++) {
      expect((await service.get('/healthz', { token: null })).status).toBe(200);
    }
    expect((await service.get('/readyz', { token: null })).status).toBe(200);
  });
});
