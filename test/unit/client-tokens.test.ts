import { afterEach, describe, expect, test, vi } from 'vitest';
import { bearer, clientCredentials } from '../../client/src/index.js';
import { type Answer, broken, errorOf, failing, hand, held, saying, useFront } from '../http/client/front.js';
import { fakeClient, fakeCredentials, useFakeService } from '../support/fake-service.js';

const front = useFront(useFakeService());

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

/** The service rejects the token of this request: it is altered on the way. */
const tampered: Answer = async ({ request, response, pass }) =>
  hand(response, await pass({ authorization: `${request.headers.authorization}x` }));

const tokensSent = () => front.requests(users).map(({ headers }) => headers.authorization);

describe('the token of a client', () => {
  test('is requested once for concurrent calls with its scope, and reused', async () => {
    const auth = clientCredentials({ ...fakeCredentials, scope: 'users:read' });
    const rollcall = fakeClient(front, { auth });
    await Promise.all(Array.from({ length: 5 }, () => rollcall.call('listUsers')));
    await rollcall.call('listUsers');
    const [request, ...others] = front.requests(token);
    expect(others).toEqual([]);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: fakeCredentials.clientId,
      client_secret: fakeCredentials.clientSecret,
      scope: 'users:read',
    });
    expect(new Set(tokensSent()).size).toBe(1);
  });

  test.each([
    ['one minute before it expires', 3_600, 3_540],
    ['after 90% of a short lifetime', 60, 54],
  ])('is renewed %s', async (_, lifeSeconds, renewedAfterSeconds) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const rollcall = fakeClient(front);
    front.answer(token, issued('one', lifeSeconds), issued('two', lifeSeconds));
    front.answer(users, anyone, anyone, anyone);
    const began = Date.now();
    for (const afterMs of [0, renewedAfterSeconds * 1_000 - 1, renewedAfterSeconds * 1_000]) {
      vi.setSystemTime(began + afterMs);
      await rollcall.call('listUsers');
    }
    expect(tokensSent()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
  });

  test('is renewed once for all concurrent calls when it is rejected, and the calls are resent', async () => {
    const rollcall = fakeClient(front);
    await rollcall.call('listUsers');
    front.answer(users, tampered, tampered, tampered);
    const calls = Array.from({ length: 3 }, () => rollcall.call('listUsers'));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(front.requests(token)).toHaveLength(2);
    expect(front.requests(users)).toHaveLength(1 + 3 + 3);
  });

  test('is renewed only once per call: a second rejection is reported', async () => {
    front.answer(users, tampered, tampered);
    const error = await errorOf(fakeClient(front).call('listUsers'));
    expect(error).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
    expect([front.requests(token).length, front.requests(users).length]).toEqual([2, 2]);
  });

  test('is requested again after the token endpoint has rejected the client', async () => {
    const rollcall = fakeClient(front);
    await rollcall.call('listUsers');
    front.answer(users, tampered);
    front.answer(token, failing(401, 'ACCESS_CLIENT_INVALID'));
    expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name: 'ACCESS_CLIENT_INVALID' });
    front.answer(users, tampered);
    expect((await rollcall.call('listUsers')).status).toBe(200);
  });

  test('is no longer awaited by an aborted call, but still by the others', async () => {
    const rollcall = fakeClient(front);
    const renewal = held();
    front.answer(token, renewal.gate);
    const impatient = new AbortController();
    const given = errorOf(rollcall.call('listUsers', { signal: impatient.signal }));
    const patient = rollcall.call('listUsers');
    await renewal.reached;
    impatient.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    renewal.open();
    expect((await patient).status).toBe(200);
    expect(front.requests(token)).toHaveLength(1);
  });

  test('is requested again if the endpoint is busy or the connection breaks', async () => {
    front.answer(token, failing(503, 'SERVICE_UNAVAILABLE'), broken);
    expect((await fakeClient(front).call('listUsers')).status).toBe(200);
    expect(front.requests(token)).toHaveLength(3);
  });
});

test.each([
  ['that is always busy', failing(503, 'SERVICE_UNAVAILABLE'), 'SERVICE_UNAVAILABLE'],
  ['whose connection always breaks', broken, 'ConnectionFailed'],
])(
  'a token endpoint %s is retried like any other, and the outcome of the call is known',
  async (_, answer, name) => {
    const rollcall = fakeClient(front, { retry: { attemptsMax: 3, pauseMs: 1 } });
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
  const refused = failing(401, 'ACCESS_TOKEN_INVALID');
  front.answer(users, refused, anyone, refused, refused);
  const given = ['old', 'new', 'old', undefined];
  const rollcall = fakeClient(front, { auth: bearer(() => given.shift()) });
  expect((await rollcall.call('listUsers')).status).toBe(200);
  expect(await errorOf(rollcall.call('listUsers'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
  const fixed = fakeClient(front, { auth: bearer('old') });
  expect(await errorOf(fixed.call('listUsers'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID' });
  expect(tokensSent()).toEqual(['Bearer old', 'Bearer new', 'Bearer old', 'Bearer old']);
});
