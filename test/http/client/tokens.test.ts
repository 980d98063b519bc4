import { afterEach, describe, expect, test, vi } from 'vitest';
import { bearer, clientCredentials } from '../../../client/src/index.js';
import { createdClient } from '../../support/api-clients.js';
import { useService } from '../../support/service.js';
import { type Answer, broken, clientOf, errorOf, failing, hand, held, saying, useFront } from './front.js';

const service = useService();
const front = useFront(service);

const token = '/oauth/token';
const users = '/service/users';

afterEach(() => {
  vi.useRealTimers();
});

/** A token with a recognizable value. */
const issued = (value: string, seconds: number): Answer =>
  saying(
    200,
    JSON.stringify({ access_token: value, token_type: 'Bearer', expires_in: seconds, scope: 'users:read' }),
  );
const anyone: Answer = saying(200, '{"status":"success","message":"","data":{"items":[],"nextCursor":null}}');

/** The service really rejects the token of this request: it is altered on the way. */
const tampered: Answer = async ({ request, response, pass }) =>
  hand(response, await pass({ authorization: `${request.headers.authorization}x` }));

const tokensSent = () => front.requests(users).map(({ headers }) => headers.authorization);

describe('the token of a client', () => {
  test('is requested once for concurrent calls, and reused', async () => {
    const rollcall = clientOf(front, service);
    await Promise.all(Array.from({ length: 5 }, () => rollcall.call('listUsers', { query: { limit: 1 } })));
    await rollcall.call('listUsers', { query: { limit: 1 } });
    expect(front.requests(token)).toHaveLength(1);
    expect(new Set(tokensSent()).size).toBe(1);
  });

  test('is requested with the configured scope', async () => {
    const { clientId, clientSecret } = await createdClient(service);
    const auth = clientCredentials({ clientId, clientSecret, scope: 'users:read' });
    const rollcall = clientOf(front, service, { auth });
    await rollcall.call('listUsers', { query: { limit: 1 } });
    const refused = rollcall.call('createUser', { body: { employeeID: 'E1', name: 'Ada', isActive: true } });
    expect(await errorOf(refused)).toMatchObject({ name: 'ACCESS_SCOPE_MISSING', status: 403 });
  });

  test.each([
    ['one minute before it expires', 3_600, 3_540],
    ['after 90% of a short lifetime', 60, 54],
  ])('is renewed %s', async (_, lifeSeconds, renewedAfterSeconds) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const rollcall = clientOf(front, service);
    front.answer(token, issued('one', lifeSeconds), issued('two', lifeSeconds));
    front.answer(users, anyone, anyone, anyone);
    const began = Date.now();
    await rollcall.call('listUsers');
    vi.setSystemTime(began + renewedAfterSeconds * 1_000 - 1);
    await rollcall.call('listUsers');
    vi.setSystemTime(began + renewedAfterSeconds * 1_000);
    await rollcall.call('listUsers');
    expect(tokensSent()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
  });

  test('is renewed once for all concurrent calls when it is rejected, and the calls are resent', async () => {
    const rollcall = clientOf(front, service);
    await rollcall.call('listUsers', { query: { limit: 1 } });
    front.answer(users, tampered, tampered, tampered);
    const calls = Array.from({ length: 3 }, () => rollcall.call('listUsers', { query: { limit: 1 } }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(front.requests(token)).toHaveLength(2);
    expect(front.requests(users)).toHaveLength(1 + 3 + 3);
  });

  test('is renewed only once per call: a second rejection is reported', async () => {
    const rollcall = clientOf(front, service);
    front.answer(users, tampered, tampered);
    expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
    expect([front.requests(token).length, front.requests(users).length]).toEqual([2, 2]);
  });

  test('is rejected by the token endpoint if the client is disabled, and requested again afterwards', async () => {
    const client = await createdClient(service);
    const rollcall = clientOf(front, service, { auth: clientCredentials(client) });
    await rollcall.call('listUsers', { query: { limit: 1 } });
    await service.request('PATCH', client.path, { body: { isActive: false } });
    front.answer(users, tampered);
    expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name: 'ACCESS_CLIENT_INVALID' });
    // The failure isn't cached: the next call requests a token again.
    await service.request('PATCH', client.path, { body: { isActive: true } });
    front.answer(users, tampered);
    expect((await rollcall.call('listUsers', { query: { limit: 1 } })).status).toBe(200);
  });

  test('is no longer awaited by an aborted call, but still by the others', async () => {
    const rollcall = clientOf(front, service);
    const renewal = held();
    front.answer(token, renewal.gate);
    const impatient = new AbortController();
    const given = errorOf(rollcall.call('listUsers', { signal: impatient.signal }));
    const patient = rollcall.call('listUsers', { query: { limit: 1 } });
    await renewal.reached;
    impatient.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    renewal.open();
    expect((await patient).status).toBe(200);
    expect(front.requests(token)).toHaveLength(1);
  });

  test('is requested again if the endpoint is busy or the connection breaks', async () => {
    const rollcall = clientOf(front, service);
    front.answer(token, failing(503, 'SERVICE_UNAVAILABLE'), broken);
    expect((await rollcall.call('listUsers', { query: { limit: 1 } })).status).toBe(200);
    expect(front.requests(token)).toHaveLength(3);
  });
});

test.each([
  ['that is always busy', failing(503, 'SERVICE_UNAVAILABLE'), 'SERVICE_UNAVAILABLE'],
  ['whose connection always breaks', broken, 'ConnectionFailed'],
])(
  'a token endpoint %s is retried like any other, and the outcome of the call is known',
  async (_, answer, name) => {
    const rollcall = clientOf(front, service, { retry: { attemptsMax: 3, pauseMs: 1 } });
    front.answer(token, ...Array.from({ length: 20 }, () => answer));
    expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name, outcomeUnknown: false });
    expect(front.requests(token)).toHaveLength(3);
    const create = rollcall.call('createUser', {
      body: { employeeID: 'E1', name: 'Ada', isActive: true },
      headers: { 'idempotency-key': 'never sent' },
    });
    expect(await errorOf(create)).toMatchObject({ name, outcomeUnknown: false });
    expect(front.requests(token)).toHaveLength(6);
    expect(front.requests(users)).toEqual([]);
  },
);

test('a bearer token is resent only if it has changed in the meantime', async () => {
  const given = ['old', service.token, 'old', undefined];
  const rollcall = clientOf(front, service, { auth: bearer(() => given.shift()) });
  expect((await rollcall.call('listUsers', { query: { limit: 1 } })).status).toBe(200);
  expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
  const fixed = clientOf(front, service, { auth: bearer('old') });
  expect(await errorOf(fixed.call('listUsers'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
  expect(front.requests(users)).toHaveLength(2 + 1 + 1);
});
