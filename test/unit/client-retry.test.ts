import { describe, expect, test } from 'vitest';
import {
  ConnectionFailed,
  newIdempotencyKey,
  type Pause,
  type RetryOptions,
} from '../../client/src/index.js';
import { pauseAfter, readRetryAfter, retryPolicy } from '../../client/src/retry.js';
import {
  type Answer,
  broken,
  errorOf,
  Front,
  failing,
  held,
  saying,
  unheard,
  useFront,
} from '../http/client/front.js';
import { fakeClient, useFakeService } from '../support/fake-service.js';
import { newId } from '../support/service.js';

const policy = retryPolicy();
const many = (attempt: number, retryAfterMs?: number) =>
  Array.from({ length: 200 }, () => pauseAfter(attempt, retryAfterMs, policy));

describe('pause before a retry', () => {
  test.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [6, 8_000],
    [9, 8_000],
  ])('after attempt %i is at most %i ms, and at least half of that', (attempt, longest) => {
    const pauses = many(attempt);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  test('is never shorter than Retry-After', () => {
    expect(Math.min(...many(1, 3_000), ...many(9, 3_000))).toBeGreaterThanOrEqual(3_000);
  });

  test('adds up to more than 15 s, after which an abandoned bulk call can be resumed', () => {
    const shortest = (attempt: number) => Math.max(2_000, (policy.pauseMs * 2 ** (attempt - 1)) / 2);
    const sum = [1, 2, 3, 4, 5, 6, 7].reduce(
      (total, attempt) => total + Math.min(shortest(attempt), policy.pauseMaxMs / 2),
      0,
    );
    expect(policy.attemptsMax).toBe(8);
    expect(sum).toBeGreaterThan(15_000);
  });
});

describe('Retry-After', () => {
  test.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is %j ms', (header, ms) => {
    expect(readRetryAfter(header)).toBe(ms);
  });

  test('a future date is the time until then', () => {
    const ms = readRetryAfter(new Date(Date.now() + 60_000).toUTCString());
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(60_000);
  });
});

const service = useFakeService();
const front = useFront(service);

const users = '/service/users';
const lookups = '/service/users/lookup';
const few = { query: { limit: 1 } };
const user = () => ({ employeeID: newId(), name: 'Ada', email: 'ada@example.com', isActive: true });
const withKey = () => ({ headers: { 'idempotency-key': newIdempotencyKey() } });
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);

const unavailable = failing(503, 'SERVICE_UNAVAILABLE');
const unknown = failing(503, 'SERVICE_OUTCOME_UNKNOWN');
const proxy = saying(503, 'upstream reset', { 'content-type': 'text/plain' });
const cutShort: Answer = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"status":', () => response.destroy());
};

describe('the client resends', () => {
  test.each([
    ['429 with seconds', failing(429, 'REQUEST_RATE_LIMITED', { 'retry-after': '0' })],
    ['429 from a proxy', saying(429, 'slow down')],
    ['503 without Retry-After', unavailable],
    ['503 with an invalid Retry-After', failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': 'soon' })],
  ])('a create after %s, which changed nothing', async (_, answer) => {
    front.answer(users, answer);
    expect((await fakeClient(front).call('createUser', { body: user() })).status).toBe(201);
    expect(front.requests(users)).toHaveLength(2);
  });

  test.each([
    ['whose outcome is unknown', unknown],
    ['whose connection breaks', broken],
    ['lost by a proxy', proxy],
    ['whose response is cut short', cutShort],
  ])('a read %s, and a lookup, which is a read despite being a POST', async (_, answer) => {
    const rollcall = fakeClient(front);
    front.answer(users, answer, answer);
    expect((await rollcall.call('listUsers', few)).status).toBe(200);
    expect(front.requests(users)).toHaveLength(3);
    front.answer(lookups, answer);
    const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs: ['nobody'] } });
    expect(body.data.notFound).toEqual(['nobody']);
  });

  test.each([
    ['whose outcome is unknown', unknown],
    ['whose connection breaks', broken],
    ['whose response is lost', unheard],
    ['lost by a proxy', proxy],
  ])('a create with a key %s, applied once, but none without a key', async (_, answer) => {
    const rollcall = fakeClient(front);
    front.answer(users, answer, answer);
    const reply = await rollcall.call('createUser', { body: user(), ...withKey(), retry: { pauseMs: 1 } });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('idempotent-replayed')).toBe(answer === unheard ? 'true' : null);
    const keys = front.requests(users).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);

    const body = user();
    front.answer(users, answer);
    const error = await errorOf(rollcall.call('createUser', { body }));
    expect(error).toMatchObject({ outcomeUnknown: true });
    expect(front.requests(users)).toHaveLength(4);
    expect(service.users.has(body.employeeID)).toBe(answer === unheard);
  });

  test('a request whose first attempt is still running', async () => {
    front.answer(users, broken, ...times(2, failing(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '0' })));
    const reply = await fakeClient(front).call('createUser', { body: user(), ...withKey() });
    expect(reply.status).toBe(201);
    expect(front.requests(users)).toHaveLength(4);
  });

  test.each([
    [failing(500, 'SERVICE_INTERNAL_ERROR'), 'SERVICE_INTERNAL_ERROR'],
    [failing(429, 'ACCESS_SIGN_IN_DELAYED', { 'retry-after': '1' }), 'ACCESS_SIGN_IN_DELAYED'],
    [failing(409, 'CALL_RUNNING'), 'CALL_RUNNING'],
    [saying(500, 'oops'), 'UnexpectedReply'],
  ])('no read after other errors (%#)', async (answer, name) => {
    front.answer(users, answer);
    const error = await errorOf(fakeClient(front).call('listUsers', few));
    expect(error).toMatchObject({ name, outcomeUnknown: false });
    expect(front.requests(users)).toHaveLength(1);
  });
});

describe('retry options', () => {
  const short = { attemptsMax: 2, pauseMs: 1 };

  test.each<[string, RetryOptions | false | undefined, RetryOptions | false | undefined, number]>([
    ['of the client', { attemptsMax: 3, pauseMs: 1 }, undefined, 3],
    ['of the call, overriding the client,', { attemptsMax: 3, pauseMs: 1 }, { attemptsMax: 2 }, 2],
    ['that are off', false, undefined, 1],
    ['of the call, when off in the client,', false, short, 2],
    ['of the client, when undefined in the call,', short, { attemptsMax: undefined }, 2],
    ['that are left out', { pauseMs: 1 }, undefined, 8],
  ])('%s limit the attempts', async (_, ofClient, ofCall, attempts) => {
    front.answer(users, ...times(9, unavailable));
    const error = await errorOf(
      fakeClient(front, { retry: ofClient }).call('listUsers', { ...few, retry: ofCall }),
    );
    expect(error).toMatchObject({ name: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(front.requests(users)).toHaveLength(attempts);
  });

  test('report each pause with its cause', async () => {
    front.answer(users, broken, unavailable);
    const pauses: Pause[] = [];
    const retry = { pauseMs: 1, onPause: (pause: Pause) => void pauses.push(pause) };
    await fakeClient(front, { retry }).call('listUsers', few);
    expect(pauses.map(({ attempt, error }) => [attempt, error?.name])).toEqual([
      [1, 'ConnectionFailed'],
      [2, 'SERVICE_UNAVAILABLE'],
    ]);
    for (const { ms } of pauses) expect(ms).toBeGreaterThan(0);
  });

  test('stop when the pauses would exceed the maximum wait', async () => {
    const rollcall = fakeClient(front);
    front.answer(users, failing(429, 'REQUEST_RATE_LIMITED', { 'retry-after': '61' }));
    expect(await errorOf(rollcall.call('listUsers', few))).toMatchObject({ retryAfterMs: 61_000 });
    front.answer(users, ...times(3, unavailable));
    const retry = { pauseMs: 20, pauseMaxMs: 20, waitMaxMs: 20 }; // one pause of 10 to 20 ms, but not two
    await errorOf(rollcall.call('listUsers', { ...few, retry }));
    expect(front.requests(users)).toHaveLength(1 + 2);
  });

  test('report whether the outcome of any attempt is unknown, which that of a read never is', async () => {
    const rollcall = fakeClient(front, { retry: short });
    front.answer(lookups, broken, broken);
    const lookup = await errorOf(rollcall.call('lookupUsers', { body: { employeeIDs: ['E1'] } }));
    expect(lookup).toMatchObject({ name: 'ConnectionFailed', outcomeUnknown: false });
    front.answer(users, broken, unavailable);
    const create = await errorOf(rollcall.call('createUser', { body: user(), ...withKey() }));
    expect(create).toMatchObject({ name: 'SERVICE_UNAVAILABLE', outcomeUnknown: true });
  });
});

describe('an abort', () => {
  const reason = new Error('enough');
  const late = failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' });

  test('before the call sends nothing', async () => {
    const call = fakeClient(front).call('listUsers', { ...few, signal: AbortSignal.abort(reason) });
    expect(await errorOf(call)).toBe(reason);
    expect(front.requests(users)).toEqual([]);
  });

  test('ends the request in progress', async () => {
    const stop = new AbortController();
    const never = held();
    front.answer(users, never.gate);
    const call = errorOf(fakeClient(front).call('listUsers', { ...few, signal: stop.signal }));
    await never.reached;
    stop.abort(reason);
    expect(await call).toBe(reason);
    never.open();
  });

  test('ends the pause before the next attempt', async () => {
    const stop = new AbortController();
    front.answer(users, (turn) => {
      late(turn);
      turn.response.on('close', () => setImmediate(() => stop.abort(reason)));
    });
    expect(await errorOf(fakeClient(front).call('listUsers', { ...few, signal: stop.signal }))).toBe(reason);
    expect(front.requests(users)).toHaveLength(1);
  });

  test('of the retries lets the request finish and reports its outcome', async () => {
    const stop = new AbortController();
    const slow = held(late);
    front.answer(users, slow.gate);
    const call = errorOf(fakeClient(front).call('listUsers', { ...few, retry: { signal: stop.signal } }));
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
  const error = await errorOf(fakeClient(front, { baseUrl, retry: false }).call('getHealth'));
  expect(error).toBeInstanceOf(ConnectionFailed);
  expect(error).toMatchObject({ message: 'GET /healthz: no reply (ECONNREFUSED).' });
});
