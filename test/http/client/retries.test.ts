import { describe, expect, test } from 'vitest';
import {
  ConnectionFailed,
  newIdempotencyKey,
  type Pause,
  type RetryOptions,
} from '../../../client/src/index.js';
import { newId, useService } from '../../support/service.js';
import {
  type Answer,
  broken,
  clientOf,
  errorOf,
  Front,
  failing,
  held,
  saying,
  unheard,
  useFront,
} from './front.js';

const service = useService();
const front = useFront(service);

const users = '/service/users';
const lookups = '/service/users/lookup';
const few = { query: { limit: 1 } };
const person = () => ({
  employeeID: newId(),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  isActive: true,
});
const withKey = () => ({ headers: { 'idempotency-key': newIdempotencyKey() } });
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);

const unavailable = failing(503, 'SERVICE_UNAVAILABLE');
const unknown = failing(503, 'SERVICE_OUTCOME_UNKNOWN');
const proxy = saying(503, 'upstream reset', { 'content-type': 'text/plain' });

const cutShort: Answer = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"status":', () => response.destroy());
};

const howMany = async ({ employeeID }: { employeeID: string }) =>
  (await service.get(`/service/users?employeeID=${employeeID}`)).json.data.items.length;

describe('the client resends', () => {
  test.each([
    ['429 with seconds', failing(429, 'REQUEST_RATE_LIMITED', { 'retry-after': '1' })],
    ['429 with a date', failing(429, 'REQUEST_RATE_LIMITED', { 'retry-after': new Date(0).toUTCString() })],
    ['429 from a proxy', saying(429, 'slow down')],
    ['503 without Retry-After', unavailable],
    ['503 with an invalid Retry-After', failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': 'soon' })],
  ])('a create after %s, applied once', async (_, answer) => {
    const rollcall = clientOf(front, service);
    const body = person();
    front.answer(users, answer);
    expect((await rollcall.call('createUser', { body })).status).toBe(201);
    expect(front.requests(users)).toHaveLength(2);
    expect(await howMany(body)).toBe(1);
  });

  test.each([
    ['whose outcome is unknown', unknown],
    ['whose connection breaks', broken],
    ['lost by a proxy', proxy],
    ['whose response is cut short', cutShort],
  ])('a read %s', async (_, answer) => {
    const rollcall = clientOf(front, service);
    front.answer(users, answer, answer);
    expect((await rollcall.call('listUsers', few)).status).toBe(200);
    expect(front.requests(users)).toHaveLength(3);
  });

  test.each([
    ['whose connection breaks', broken],
    ['whose response is lost', unheard],
    ['lost by a proxy', proxy],
  ])('a lookup %s, since it is a read despite being a POST', async (_, answer) => {
    const rollcall = clientOf(front, service);
    const { employeeID } = await service.givenUser();
    front.answer(lookups, answer, answer);
    const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs: [employeeID, 'nobody'] } });
    expect(body.data).toMatchObject({ items: [{ employeeID }], notFound: ['nobody'] });
    expect(front.requests(lookups)).toHaveLength(3);
  });

  test.each([
    ['whose outcome is unknown', unknown],
    ['whose connection breaks', broken],
    ['whose response is lost', unheard],
    ['lost by a proxy', proxy],
  ])('a create with a key %s, applied once', async (_, answer) => {
    const rollcall = clientOf(front, service);
    const body = person();
    front.answer(users, answer);
    const reply = await rollcall.call('createUser', { body, ...withKey() });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('idempotent-replayed')).toBe(answer === unheard ? 'true' : null);
    expect(front.requests(users).map((request) => request.headers['idempotency-key'])).toHaveLength(2);
    expect(await howMany(body)).toBe(1);
  });

  test('a request whose first attempt is still running', async () => {
    const rollcall = clientOf(front, service);
    front.answer(users, broken, ...times(2, failing(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '0' })));
    expect((await rollcall.call('createUser', { body: person(), ...withKey() })).status).toBe(201);
    expect(front.requests(users)).toHaveLength(4);
  });
});

describe('a request that may have been applied is not resent', () => {
  test.each([
    ['whose outcome is unknown', unknown, 'SERVICE_OUTCOME_UNKNOWN'],
    ['whose connection breaks', broken, 'ConnectionFailed'],
    ['whose response is lost', unheard, 'ConnectionFailed'],
    ['lost by a proxy', proxy, 'UnexpectedReply'],
  ])('for a create without a key %s', async (_, answer, name) => {
    const rollcall = clientOf(front, service);
    const body = person();
    front.answer(users, answer);
    const error = await errorOf(rollcall.call('createUser', { body }));
    expect(error).toMatchObject({ name, outcomeUnknown: true });
    expect(front.requests(users)).toHaveLength(1);
    expect(await howMany(body)).toBe(answer === unheard ? 1 : 0);
  });
});

describe('the client does not resend', () => {
  test.each([
    [failing(500, 'SERVICE_INTERNAL_ERROR'), 'SERVICE_INTERNAL_ERROR'],
    [failing(429, 'ACCESS_SIGN_IN_DELAYED', { 'retry-after': '1' }), 'ACCESS_SIGN_IN_DELAYED'],
    [failing(409, 'CALL_RUNNING'), 'CALL_RUNNING'],
    [saying(500, 'oops'), 'UnexpectedReply'],
  ])('a read after other errors (%#)', async (answer, name) => {
    const rollcall = clientOf(front, service);
    front.answer(users, answer);
    expect(await errorOf(rollcall.call('listUsers', few))).toMatchObject({ name, outcomeUnknown: false });
    expect(front.requests(users)).toHaveLength(1);
  });
});

describe('retry options', () => {
  test.each<[string, RetryOptions | false | undefined, RetryOptions | false | undefined, number]>([
    ['of the client', { attemptsMax: 3, pauseMs: 1 }, undefined, 3],
    ['of the call, overriding the client,', { attemptsMax: 3, pauseMs: 1 }, { attemptsMax: 2 }, 2],
    ['that are off', false, undefined, 1],
    ['of the call, when off in the client,', false, { attemptsMax: 2, pauseMs: 1 }, 2],
    [
      'of the client, when undefined in the call,',
      { attemptsMax: 2, pauseMs: 1 },
      { attemptsMax: undefined },
      2,
    ],
  ])('%s limit the attempts', async (_, ofClient, ofCall, attempts) => {
    const rollcall = clientOf(front, service, { retry: ofClient });
    front.answer(users, ...times(5, unavailable));
    const error = await errorOf(rollcall.call('listUsers', { ...few, retry: ofCall }));
    expect(error).toMatchObject({ name: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(front.requests(users)).toHaveLength(attempts);
  });

  test('report each pause with its cause', async () => {
    front.answer(users, broken, unavailable);
    const pauses: Pause[] = [];
    const retry = { pauseMs: 1, onPause: (pause: Pause) => void pauses.push(pause) };
    await clientOf(front, service, { retry }).call('listUsers', few);
    expect(pauses.map(({ attempt, error }) => [attempt, error?.name])).toEqual([
      [1, 'ConnectionFailed'],
      [2, 'SERVICE_UNAVAILABLE'],
    ]);
    for (const { ms } of pauses) expect(ms).toBeGreaterThan(0);
  });

  test('default to eight attempts', async () => {
    const rollcall = clientOf(front, service);
    front.answer(users, ...times(20, unavailable));
    await errorOf(rollcall.call('listUsers', few));
    expect(front.requests(users)).toHaveLength(8);
  });

  test('stop when the pauses would exceed the maximum wait', async () => {
    const rollcall = clientOf(front, service);
    front.answer(users, failing(429, 'REQUEST_RATE_LIMITED', { 'retry-after': '61' }));
    expect(await errorOf(rollcall.call('listUsers', few))).toMatchObject({ retryAfterMs: 61_000 });
    front.answer(users, ...times(3, failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' })));
    const error = errorOf(rollcall.call('listUsers', { ...few, retry: { waitMaxMs: 1_500 } }));
    expect(await error).toMatchObject({ retryAfterMs: 1_000 });
    expect(front.requests(users)).toHaveLength(1 + 2);
  });

  test('report a known outcome when a lookup fails', async () => {
    const rollcall = clientOf(front, service, { retry: { attemptsMax: 2, pauseMs: 1 } });
    front.answer(lookups, broken, broken);
    const error = await errorOf(rollcall.call('lookupUsers', { body: { employeeIDs: ['E1'] } }));
    expect(error).toMatchObject({ name: 'ConnectionFailed', outcomeUnknown: false });
  });

  test('report an unknown outcome if an earlier attempt may have been applied', async () => {
    const rollcall = clientOf(front, service, { retry: { attemptsMax: 2, pauseMs: 1 } });
    front.answer(users, broken, unavailable);
    const error = await errorOf(rollcall.call('createUser', { body: person(), ...withKey() }));
    expect(error).toMatchObject({ name: 'SERVICE_UNAVAILABLE', outcomeUnknown: true });
  });
});

describe('an abort', () => {
  const reason = new Error('enough');
  const late = failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' });

  test('before the call sends nothing', async () => {
    const rollcall = clientOf(front, service);
    const call = rollcall.call('listUsers', { ...few, signal: AbortSignal.abort(reason) });
    expect(await errorOf(call)).toBe(reason);
    expect(front.requests(users)).toEqual([]);
  });

  test('ends the request in progress', async () => {
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    const never = held();
    front.answer(users, never.gate);
    const call = errorOf(rollcall.call('listUsers', { ...few, signal: stop.signal }));
    await never.reached;
    stop.abort(reason);
    expect(await call).toBe(reason);
    never.open();
  });

  test('ends the pause before the next attempt', async () => {
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    front.answer(users, (turn) => {
      late(turn);
      turn.response.on('close', () => setImmediate(() => stop.abort(reason)));
    });
    expect(await errorOf(rollcall.call('listUsers', { ...few, signal: stop.signal }))).toBe(reason);
    expect(front.requests(users)).toHaveLength(1);
  });

  test('of the retries lets the request finish and reports its outcome', async () => {
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    const slow = held(late);
    front.answer(users, slow.gate);
    const call = errorOf(rollcall.call('listUsers', { ...few, retry: { signal: stop.signal } }));
    await slow.reached;
    stop.abort(reason);
    slow.open();
    expect(await call).toMatchObject({ name: 'SERVICE_UNAVAILABLE', retryAfterMs: 50_000 });
  });
});

test('a refused connection is reported as ConnectionFailed', async () => {
  const gone = new Front(() => '');
  await gone.start();
  const baseUrl = gone.url;
  await gone.stop();
  const rollcall = clientOf(front, service, { baseUrl, retry: { attemptsMax: 2, pauseMs: 1 } });
  const error = await errorOf(rollcall.call('getHealth'));
  expect(error).toBeInstanceOf(ConnectionFailed);
  expect(error).toMatchObject({ message: 'GET /healthz: no reply (ECONNREFUSED).' });
});
