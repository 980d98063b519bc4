import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { freezeMinute } from '../../support/frozen-minute.js';
import { chunked, rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, credentialsIn, issueToken, type Reply, useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const bodyMaxBytes = 2_000;
const bulkBodyMaxBytes = 5_000;
const headersMaxBytes = 8_000;
/** Requests per minute. */
const max = { client: 15, anonymous: 8, token: 4, signIn: 4, user: 8, searches: 6 };

const service = useOwnService({
  ROLLCALL_BODY_MAX_BYTES: String(bodyMaxBytes),
  ROLLCALL_BULK_BODY_MAX_BYTES: String(bulkBodyMaxBytes),
  ROLLCALL_BULK_ITEMS_MAX: '3',
  ROLLCALL_HEADERS_MAX_BYTES: String(headersMaxBytes),
  ROLLCALL_TRUSTED_PROXIES: '127.0.0.1',
  ROLLCALL_REQUESTS_PER_MINUTE_MAX: String(max.client),
  ROLLCALL_ANONYMOUS_REQUESTS_PER_MINUTE_MAX: String(max.anonymous),
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: String(max.token),
  ROLLCALL_SIGN_IN_REQUESTS_PER_MINUTE_MAX: String(max.signIn),
  ROLLCALL_USER_REQUESTS_PER_MINUTE_MAX: String(max.user),
  ROLLCALL_SEARCHES_PER_MINUTE_MAX: String(max.searches),
  ROLLCALL_DOCS: 'off',
  ROLLCALL_OPENID_PROVIDER: 'on',
  ROLLCALL_PUBLIC_URL: '',
});

// Every test has a minute of its own.
beforeEach(() => freezeMinute());
afterEach(() => void vi.useRealTimers());

const ownToken = async () => issueToken(service.url, await givenClient(service));

const json = (token: string, more: Record<string, string>) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...more,
});

describe('the size of a body', () => {
  /** A body of exactly this many bytes, since white space around JSON counts too. */
  const padded = (value: unknown, bytes: number) => JSON.stringify(value).padEnd(bytes, ' ');

  test.each([
    ['/service/users', bodyMaxBytes, aUser()],
    ['/service/users/create-bulk', bulkBodyMaxBytes, { items: [] }],
    ['/service/users/update-bulk', bulkBodyMaxBytes, { items: [] }],
    ['/service/users/lookup', bulkBodyMaxBytes, { employeeIDs: ['E1'] }],
  ] as const)('on %s may be %i bytes, by Content-Length and in chunks', async (path, maxBytes, value) => {
    const token = await ownToken();
    const send = (rawBody: string) => service.request('POST', path, { token, rawBody });
    const largest = padded(value, maxBytes);
    expect([200, 201]).toContain((await send(largest)).status);
    const detail = new RegExp(`limit of ${maxBytes} bytes`);
    expectFailure(await send(`${largest} `), 413, 10012, 'REQUEST_BODY_TOO_LARGE', detail);
    const headers = json(token, { 'transfer-encoding': 'chunked' });
    const inChunks = await sendRaw(service.url, rawRequest('POST', path, headers, chunked(largest, ' ')));
    expectFailure(inChunks, 413, 10012, 'REQUEST_BODY_TOO_LARGE', detail);
  });

  test('is rejected by Content-Length alone, before the body arrives', async () => {
    const headers = json(await ownToken(), { 'content-length': '1000000000' });
    const reply = await sendRaw(service.url, rawRequest('POST', '/service/users', headers));
    expectFailure(reply, 413, 10012, 'REQUEST_BODY_TOO_LARGE', /limit of 2000 bytes/);
  });

  test('is also limited for a patch and a token request', async () => {
    const { serial } = await service.givenUser();
    const patch = await service.request('PATCH', `/service/users/${serial}`, {
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

  test('is counted in bytes, and chunks of any size are read completely', async () => {
    const headers = json(await ownToken(), { 'transfer-encoding': 'chunked' });
    const send = (user: object) =>
      sendRaw(
        service.url,
        rawRequest('POST', '/service/users', headers, chunked(...Array.from(JSON.stringify(user)))),
      );
    expect((await send(aUser({ name: 'Zoë 🚀' }))).status).toBe(201);
    const user = aUser({ name: '🚀'.repeat(100), tagSerials: ['é'.repeat(800)] });
    expect(JSON.stringify(user).length).toBeLessThan(bodyMaxBytes);
    expect((await send(user)).status).toBe(413);
  });
});

test.each([
  ['/service/users/create-bulk', 'items', /at most 3 items, but this one has 4/],
  ['/service/users/update-bulk', 'items', /at most 3 items, but this one has 4/],
  ['/service/users/lookup', 'employeeIDs', /at most 3 employee IDs, but this one has 4/],
])('the number of elements of %s is limited', async (path, list, detail) => {
  const send = (...elements: string[]) => service.post(path, { [list]: elements });
  expect((await send('a', 'b', 'c')).status).toBe(200);
  expectFailure(await send('a', 'b', 'c', 'c'), 413, 10013, 'REQUEST_TOO_MANY_ITEMS', detail);
});

describe('headers', () => {
  test.each([
    ['are too large', () => rawRequest('GET', '/healthz', { 'x-large': 'x'.repeat(headersMaxBytes) })],
    ['have a URL that is too long', () => rawRequest('GET', `/${'x'.repeat(headersMaxBytes)}`, {})],
  ])('that %s fail with 431', async (_, request) => {
    const reply = await sendRaw(service.url, request());
    expectFailure(reply, 431, 10016, 'REQUEST_HEADERS_TOO_LARGE', /limit of 8000 bytes/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('connection')).toBe('close');
  });
});

test('headers or a body that do not arrive in time fail with 408 and change nothing', async () => {
  const user = aUser();
  const headers = json(await ownToken(), { 'content-length': '1500' });
  const { server } = service.app;
  const { headersTimeout, requestTimeout } = server;
  const restore = () => void Object.assign(server, { headersTimeout, requestTimeout });
  onTestFinished(restore);
  // They expire at the next check, which affects only these requests.
  Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
  const replies = await Promise.all([
    sendRaw(service.url, 'GET /healthz HTTP/1.1\r\nHost: rollcall.test\r\n'),
    sendRaw(service.url, rawRequest('POST', '/service/users', headers, JSON.stringify(user))),
  ]);
  restore();
  for (const reply of replies) {
    const detail = /Send the headers within 20000 ms and the complete request within \d+ ms/;
    expectFailure(reply, 408, 10010, 'REQUEST_TIMEOUT', detail);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('connection')).toBe('close');
  }
  const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
  expect(listed.json.data.items).toEqual([]);
});

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

const from = (address: string, token: string | null = null) => ({
  token,
  headers: { 'x-forwarded-for': address },
});

function expectTooMany(reply: Reply, limit: number, what: RegExp): void {
  expectFailure(reply, 429, 10015, 'REQUEST_RATE_LIMITED', what);
  expect(reply.headers.get('ratelimit-limit')).toBe(String(limit));
  expect(reply.headers.get('ratelimit-remaining')).toBe('0');
  expect(reply.headers.get('ratelimit-reset')).toBe('59');
  expect(reply.headers.get('retry-after')).toBe('59');
}

async function times(count: number, send: () => Promise<Reply>, status: number): Promise<void> {
  for (let each = 0; each < count; each++) expect((await send()).status).toBe(status);
}

describe('requests of a client', () => {
  const me = (token: string) => service.get('/service/auth/me', { token });

  test('are counted down in the RateLimit headers, and fail with 429 once they are used up', async () => {
    const client = await givenClient(service);
    const token = await issueToken(service.url, client);
    for (let left = max.client - 1; left >= 0; left--) {
      const { status, headers } = await me(token);
      const told = ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name));
      expect([status, ...told]).toEqual([200, String(max.client), String(left)]);
    }
    const what = /Too many requests from this client\. Retry in 59 s; the limit is 15 per minute/;
    expectTooMany(await me(token), max.client, what);
    // All its tokens and operations, without even parsing the body.
    const another = await issueToken(service.url, client);
    const create = await service.request('POST', '/service/users', { token: another, rawBody: '{"broken' });
    expectFailure(create, 429, 10015, 'REQUEST_RATE_LIMITED', /requests from this client/);
    expect((await me(await ownToken())).status).toBe(200);
  });

  test('have a separate limit for lists, searches and lookups', async () => {
    const token = await ownToken();
    await times(max.searches - 1, () => service.get('/service/users?search=ada', { token }), 200);
    await times(1, () => service.post('/service/users/lookup', { employeeIDs: ['E1'] }, { token }), 200);
    const list = await service.get('/service/users', { token });
    expectTooMany(list, max.searches, /lists, searches and lookups/);
    expect((await me(token)).status).toBe(200);
  });

  test('who is a user have a separate limit, whatever the role', async () => {
    const { token } = await givenSignedInUser(service, 'administrator');
    await times(max.user - 1, () => me(token), 200); // and one to change the password
    expectTooMany(await me(token), max.user, /requests from this user/);
  });
});

describe('requests without a valid token', () => {
  test.each([
    ['/', 200],
    ['/assets/nothing.js', 404],
    ['/nope', 404],
    ['/.well-known/jwks.json', 200],
    ['/service/users', 401],
  ])('are counted per address: %s (%i)', async (path, status) => {
    const address = newAddress();
    await times(max.anonymous, () => service.get(path, from(address)), status);
    const what = /without a valid token from this address/;
    expectTooMany(await service.get(path, from(address)), max.anonymous, what);
    expect((await service.get(path, from(newAddress()))).status).toBe(status);
  });

  test('exhaust the limit of the address for any token, which is then not even looked up', async () => {
    const address = newAddress();
    await times(max.anonymous, () => service.get('/service/users', from(address, 'rcs_guess')), 401);
    const reads = vi.spyOn(service.database.pool, 'query');
    const reply = await service.get('/service/users', from(address, 'rcs_guess2'));
    expectTooMany(reply, max.anonymous, /this address/);
    // The service also reads other tables in the background.
    expect(reads.mock.calls.filter(([query]) => /\bsessions\b/.test(JSON.stringify(query)))).toEqual([]);
    reads.mockRestore();
    expect((await service.get('/service/users', from(newAddress(), service.token))).status).toBe(200);
  });

  test('do not include those of authenticated callers, and never block the probes', async () => {
    const address = newAddress();
    const token = await ownToken();
    await times(max.anonymous + 1, () => service.get('/service/auth/me', from(address, token)), 200);
    await times(max.anonymous, () => service.get('/nope', from(address)), 404);
    expect((await service.get('/nope', from(address))).status).toBe(429);
    for (const probe of ['/healthz', '/readyz'])
      await times(max.anonymous + 1, () => service.get(probe, from(address)), 200);
  });

  test('from one IPv6 network are counted together', async () => {
    const [one, two] = ['2001:db8:1:2::1', '2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd'];
    await times(max.anonymous, () => service.get('/nope', from(one)), 404);
    expect((await service.get('/nope', from(two))).status).toBe(429);
    expect((await service.get('/nope', from('2001:db8:1:3::1'))).status).toBe(404);
    expect((await service.get('/nope', from('2001:db8::1'))).status).toBe(404);
  });

  test.each(['/service/auth/sso/start', '/oidc/auth'])(
    'are counted separately where they begin a sign-in: %s',
    async (path) => {
      const address = newAddress();
      const statuses = [];
      for (let count = 0; count < max.signIn; count++)
        statuses.push((await service.get(path, from(address))).status);
      expect(statuses).not.toContain(429);
      const reply = await service.get(path, from(address));
      expectTooMany(reply, max.signIn, /sign-ins begun from this address/);
      expect((await service.get('/', from(address))).status).toBe(200);
    },
  );

  test('are counted separately where they check secrets', async () => {
    const address = newAddress();
    const { clientId, clientSecret } = credentialsIn(service.dataDir);
    const askToken = (from: string, secret: string) =>
      service.request('POST', '/oauth/token', {
        token: null,
        rawBody: `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`,
        headers: { 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded' },
      });
    await times(max.token, () => askToken(address, 'guess'), 401);
    const refused = await askToken(address, clientSecret);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ error: 'invalid_request', errorCode: 10015 });
    expect((await askToken(newAddress(), clientSecret)).status).toBe(200);
    const signIn = () =>
      service.post('/service/auth/sign-in', { username: 'nobody', password: 'guess' }, from(address));
    await times(max.signIn, signIn, 401);
    expectTooMany(await signIn(), max.signIn, /sign-in attempts from this address/);
    expect((await service.get('/nope', from(address))).status).toBe(404);
  });

  test('are shared with other nodes through the database', async () => {
    const address = newAddress();
    await times(max.anonymous, () => service.get('/nope', from(address)), 404);
    const counts = async () => {
      const { rows } = await service.database.pool.query(
        'SELECT count::int FROM request_counts WHERE window_start BETWEEN $1 AND $2', // of this test
        [new Date(Date.now() - 60_000), new Date()],
      );
      return rows;
    };
    await expect.poll(counts).toEqual([{ count: max.anonymous }]);
  });
});

test('a service with documentation turned off has no page, no description and no link to them', async () => {
  for (const path of ['/docs', '/docs/json', '/docs/static/swagger-ui.css', '/openapi.json']) {
    const reply = await service.get(path, { token: null });
    expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /disabled/);
  }
  const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
  expect(json).not.toHaveProperty('service_documentation');
});

describe('a service without a public URL', () => {
  test('uses its own address as issuer, even on a port chosen at start', async () => {
    const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
    expect(json).toMatchObject({ issuer: service.url, token_endpoint: `${service.url}/oauth/token` });
    const { iss } = JSON.parse(Buffer.from(service.token.split('.')[1] ?? '', 'base64url').toString());
    expect(iss).toBe(service.url);
    expect((await service.get('/service/auth/me')).status).toBe(200);
  });

  test('sends no Strict-Transport-Security, and has no security.txt without a contact', async () => {
    expect((await service.get('/healthz')).headers.get('strict-transport-security')).toBeNull();
    expect((await service.get('/.well-known/security.txt')).status).toBe(404);
  });
});
