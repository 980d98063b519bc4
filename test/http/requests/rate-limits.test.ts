import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { freezeMinute } from '../../support/frozen-minute.js';
import { credentialsIn, issueToken, type Reply, useOwnService } from '../../support/service.js';

const max = { anonymous: 20, token: 6, signIn: 4, person: 8, searches: 10 };

const service = useOwnService({
  ROLLCALL_TRUSTED_PROXIES: '127.0.0.1',
  ROLLCALL_ANONYMOUS_REQUESTS_PER_MINUTE_MAX: String(max.anonymous),
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: String(max.token),
  ROLLCALL_SIGN_IN_REQUESTS_PER_MINUTE_MAX: String(max.signIn),
  ROLLCALL_USER_REQUESTS_PER_MINUTE_MAX: String(max.person),
  ROLLCALL_SEARCHES_PER_MINUTE_MAX: String(max.searches),
});

beforeEach(() => freezeMinute());
afterEach(() => void vi.useRealTimers());

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
  expect(reply.headers.get('retry-after')).toBe('59');
}

async function times(count: number, send: () => Promise<Reply>, status: number): Promise<void> {
  for (let each = 0; each < count; each++) expect((await send()).status).toBe(status);
}

describe('requests without a valid token', () => {
  test.each([
    ['/openapi.json', 200],
    ['/docs/yaml', 200],
    ['/', 200],
    ['/assets/nothing.js', 404],
    ['/nope', 404],
    ['/.well-known/jwks.json', 200],
    ['/service/users', 401],
  ])('are counted per address: %s (%i)', async (path, status) => {
    const address = newAddress();
    await times(max.anonymous, () => service.get(path, from(address)), status);
    expectTooMany(
      await service.get(path, from(address)),
      max.anonymous,
      /without a valid token from this address/,
    );
    expect((await service.get(path, from(newAddress()))).status).toBe(status);
  });

  test('exhaust the limit of the address for any token, which is then not even looked up', async () => {
    const address = newAddress();
    await times(max.anonymous, () => service.get('/service/users', from(address, 'rcs_guess')), 401);
    const reads = vi.spyOn(service.database.pool, 'query');
    expectTooMany(
      await service.get('/service/users', from(address, 'rcs_guess2')),
      max.anonymous,
      /this address/,
    );
    // The service also reads other tables in the background.
    expect(reads.mock.calls.filter(([query]) => /\bsessions\b/.test(JSON.stringify(query)))).toEqual([]);
    reads.mockRestore();
    expect((await service.get('/service/users', from(newAddress(), service.token))).status).toBe(200);
  });

  test('do not include those of authenticated callers', async () => {
    const address = newAddress();
    const token = await issueToken(service.url, await givenClient(service));
    await times(max.anonymous + 1, () => service.get('/service/auth/me', from(address, token)), 200);
    expect((await service.get('/nope', from(address))).status).toBe(404);
  });

  test('from one IPv6 network are counted together', async () => {
    const [one, two] = ['2001:db8:1:2::1', '2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd'];
    await times(max.anonymous, () => service.get('/nope', from(one)), 404);
    expect((await service.get('/nope', from(two))).status).toBe(429);
    expect((await service.get('/nope', from('2001:db8:1:3::1'))).status).toBe(404);
    expect((await service.get('/nope', from('2001:db8::1'))).status).toBe(404);
  });

  test('never block the probes', async () => {
    const address = newAddress();
    await times(max.anonymous + 1, () => service.get('/healthz', from(address)), 200);
    await times(max.anonymous + 1, () => service.get('/readyz', from(address)), 200);
  });
});

describe('operations that check secrets', () => {
  const askToken = (address: string, secret: string) =>
    service.request('POST', '/oauth/token', {
      ...from(address),
      rawBody: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentialsIn(service.dataDir).clientId,
        client_secret: secret,
      }).toString(),
      headers: { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
    });

  test('count token requests per address, separately from other requests', async () => {
    const address = newAddress();
    await times(max.token, () => askToken(address, 'guess'), 401);
    const refused = await askToken(address, credentialsIn(service.dataDir).clientSecret);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ error: 'invalid_request', errorCode: 10015 });
    expect((await service.get('/nope', from(address))).status).toBe(404);
    expect((await askToken(newAddress(), credentialsIn(service.dataDir).clientSecret)).status).toBe(200);
  });

  test('count sign-ins per address, successful or not', async () => {
    const address = newAddress();
    const signIn = () =>
      service.post('/service/auth/sign-in', { username: 'nobody', password: 'guess' }, from(address));
    await times(max.signIn, signIn, 401);
    expectTooMany(await signIn(), max.signIn, /sign-in attempts from this address/);
  });
});

describe('authenticated callers', () => {
  test('have a separate limit for lists, searches and lookups', async () => {
    const token = await issueToken(service.url, await givenClient(service));
    const { serial } = await service.givenUser();
    await times(max.searches - 1, () => service.get('/service/users?search=ada', { token }), 200);
    expect((await service.post('/service/users/lookup', { employeeIDs: ['E1'] }, { token })).status).toBe(
      200,
    );
    expectTooMany(
      await service.get('/service/users', { token }),
      max.searches,
      /lists, searches and lookups/,
    );
    expect((await service.get(`/service/users/${serial}`, { token })).status).toBe(200);
  });

  test('who are users have a separate limit, whatever their role', async () => {
    const { username, password } = credentialsIn(service.dataDir) as unknown as Record<string, string>;
    const { json } = await service.signIn(username, password);
    const me = () => service.get('/service/auth/me', { token: json.data.accessToken });
    await times(max.person, me, 403); // the first administrator must change the password first
    expectTooMany(await me(), max.person, /requests from this user/);
  });
});

describe.skipIf(inject('engine') === 'embedded')('the counts of a busy caller', () => {
  test('are shared with other nodes through the database', async () => {
    await times(max.anonymous, () => service.get('/nope', from(newAddress())), 404);
    const address = newAddress();
    await times(max.anonymous, () => service.get('/nope', from(address)), 404);
    const counts = async () =>
      (await service.database.pool.query('SELECT max(count)::int AS count FROM request_counts')).rows[0]
        .count;
    await expect.poll(counts).toBe(max.anonymous);
  });
});
