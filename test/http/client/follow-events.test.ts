import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ConnectionFailed,
  clientCredentials,
  type EventType,
  type FollowOptions,
  followEvents,
  type Reconnect,
  type Rollcall,
  type RollcallEvent,
  UnexpectedReply,
} from '../../../client/src/index.js';
import { createdClient } from '../../support/api-clients.js';
import { anItem, newId, useService } from '../../support/service.js';
import { eagerEvents, givenChanges, loggedAfter } from '../../support/webhooks.js';
import {
  type Answer,
  broken,
  clientOf,
  errorOf,
  failing,
  hand,
  held,
  saying,
  stream,
  useFront,
} from './front.js';

const service = useService(eagerEvents);
const front = useFront(service);

const events = '/service/events';
const token = '/oauth/token';

const lastNumber = async () => (await givenChanges(service, 1))[0] ?? 0;
const lastEventIds = () => front.requests(events).map(({ headers }) => headers['last-event-id']);

/** Follows in the background until the test ends, and records the events. */
function follower<Type extends EventType = EventType>(rollcall: Rollcall, options: FollowOptions<Type> = {}) {
  const leaving = new AbortController();
  const told: RollcallEvent<Type>[] = [];
  const reconnects: Reconnect[] = [];
  const onReconnect = (reconnect: Reconnect) => void reconnects.push(reconnect);
  const run = async () => {
    for await (const event of followEvents(rollcall, { signal: leaving.signal, onReconnect, ...options }))
      told.push(event);
  };
  const ended = run();
  ended.catch(() => {}); // tests that expect a failure check `ended`
  onTestFinished(() => leaving.abort());
  return {
    told,
    reconnects,
    ended,
    leave: (reason?: unknown) => leaving.abort(reason),
    get sequences(): number[] {
      return told.map(({ sequence }) => sequence);
    },
  };
}

const connected = () => expect.poll(() => front.requests(events).length).toBe(1);

describe('followed events', () => {
  test('arrive as they happen, each with its sequence, type, time and data', async () => {
    const after = await lastNumber();
    const { told } = follower(clientOf(front, service), { after });
    const user = await service.givenUser();
    await service.updateBulk([anItem(user, { newEmployeeID: newId(), isActive: false })]);
    await expect.poll(() => told.length).toBe(3);
    const [created, renamed, call] = told;
    expect(told.map(({ sequence, type }) => [sequence - after, type])).toEqual([
      [1, 'user.created'],
      [2, 'user.renamed'],
      [3, 'call.completed'],
    ]);
    if (created?.type !== 'user.created' || call?.type !== 'call.completed')
      throw new Error('of other types');
    expect(Object.keys(created)).toEqual(['sequence', 'type', 'timestamp', 'data']);
    expect(created.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(created.data).toMatchObject({ userSerial: user.serial, employeeID: user.employeeID, version: 1 });
    expect(created.data.fields.name).toEqual({ before: null, after: user.name });
    expect(renamed?.data.types).toEqual(['user.renamed', 'user.deactivated', 'user.updated']);
    expect(call.data.call).toMatchObject({ kind: 'update-bulk', items: 1, succeeded: 1 });
    expect(front.requests(events)).toHaveLength(1);
  });

  test('start at the beginning after 0, however many there are', async () => {
    await givenChanges(service, 2_500);
    const last = await lastNumber();
    const reader = follower(clientOf(front, service), { after: 0 });
    await expect.poll(() => reader.sequences.at(-1)).toBe(last);
    expect(reader.sequences).toEqual(await loggedAfter(service, 0));
  });

  test('are limited to the requested types', async () => {
    const after = await lastNumber();
    const types = ['user.deactivated', 'call.completed'] as const;
    const { told } = follower(clientOf(front, service), { after, types });
    const user = await service.givenUser();
    await service.updateBulk([anItem(user, { isActive: false })]);
    await expect.poll(() => told.map(({ type }) => type)).toEqual(types);
    expect(front.seen.at(-1)?.url).toBe(`${events}?types=user.deactivated%2Ccall.completed`);
  });

  test('keep names with any characters intact, wherever the stream is split', async () => {
    const after = await lastNumber();
    const name = 'data: "é"\\ \u2028id: 9 😀';
    front.answer(events, async ({ response, forward }) => {
      const reply = await forward();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const chunk of reply.body ?? []) for (const byte of chunk) response.write(Buffer.of(byte));
    });
    const { told } = follower(clientOf(front, service), { after });
    await service.givenUser({ name });
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]?.data).toMatchObject({ fields: { name: { after: name } } });
  });

  test('are requested with the headers of any other call', async () => {
    const rollcall = clientOf(front, service, { userAgent: 'badges/1', requestId: 'badges-7' });
    follower(rollcall, { after: 0 });
    await connected();
    const [request] = front.requests(events);
    expect(request?.headers).toMatchObject({
      accept: 'text/event-stream, application/json',
      authorization: expect.stringMatching(/^Bearer ./),
      'last-event-id': '0',
      'user-agent': 'badges/1',
      'x-request-id': 'badges-7',
    });
  });
});

describe('a broken connection resumes where it stopped', () => {
  test('without losing or repeating events, however often and wherever it breaks', async () => {
    const start = await lastNumber();
    await givenChanges(service, 300);
    const last = await lastNumber();
    const bytes = [1, 40, 500, 777, 5_000, 10_001, 20_000];
    front.answer(events, ...bytes.map((bytesMax) => stream(bytesMax).answer));
    const reader = follower(clientOf(front, service), { after: start });
    await expect.poll(() => reader.sequences.at(-1)).toBe(last);
    expect(reader.sequences).toEqual(await loggedAfter(service, start));
    expect(reader.reconnects).toHaveLength(bytes.length);
    expect(new Set(lastEventIds()).size).toBeGreaterThan(3);
  });

  test('before the first event, without missing any in between', async () => {
    const [first, gate] = [stream(), held()];
    front.answer(events, first.answer, gate.gate);
    const reader = follower(clientOf(front, service));
    await expect.poll(first.passed).toBeGreaterThan(0);
    first.breakOff();
    await gate.reached;
    const missed = await lastNumber();
    gate.open();
    await expect.poll(() => reader.sequences).toEqual([missed]);
  });

  test('when the service ends it', async () => {
    const after = await lastNumber();
    front.answer(events, saying(200, 'retry: 2000\n\n', { 'content-type': 'text/event-stream' }));
    const reader = follower(clientOf(front, service), { after });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    expect(reader.reconnects).toMatchObject([
      { attempt: 1, after, cause: { name: 'ConnectionFailed', outcomeUnknown: false } },
    ]);
    expect(reader.reconnects[0]?.cause.message).toBe('The stream of events broke off: it ended.');
  });

  test('when it goes silent', async () => {
    const after = await lastNumber();
    const mute = stream();
    mute.stall();
    front.answer(events, mute.answer);
    const reader = follower(clientOf(front, service), { after, silenceMaxMs: 500 });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    expect(reader.reconnects[0]?.cause.message).toBe(
      'The stream of events broke off: nothing came for 500 ms.',
    );
  });

  test('when the response never starts', async () => {
    const after = await lastNumber();
    front.answer(events, () => {});
    const reader = follower(clientOf(front, service), { after, silenceMaxMs: 500 });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
  });

  test('after temporary errors of the service or of a proxy', async () => {
    const after = await lastNumber();
    const busy = failing(503, 'EVENTS_BUSY', { 'retry-after': '1' });
    const proxy = saying(502, 'bad gateway');
    front.answer(events, broken, failing(503, 'SERVICE_UNAVAILABLE'), proxy, busy);
    front.answer(token, failing(503, 'SERVICE_UNAVAILABLE'), broken);
    const reader = follower(clientOf(front, service), { after });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    expect(reader.reconnects.map(({ attempt, cause }) => [attempt, cause.name])).toEqual([
      [1, 'ConnectionFailed'],
      [2, 'SERVICE_UNAVAILABLE'],
      [3, 'UnexpectedReply'],
      [4, 'EVENTS_BUSY'],
    ]);
    expect(reader.reconnects.at(-1)?.pauseMs).toBeGreaterThanOrEqual(1_000);
    expect(new Set(lastEventIds())).toEqual(new Set([String(after)]));
  });

  test('however many attempts it takes, with pauses that grow until data arrives', async () => {
    const after = await lastNumber();
    const greeting = saying(200, `retry: 2000\nid: ${after}\n\n`, { 'content-type': 'text/event-stream' });
    const last = stream();
    front.answer(events, ...Array.from({ length: 10 }, () => broken), greeting, last.answer);
    const reader = follower(
      clientOf(front, service, { retry: { attemptsMax: 2, pauseMs: 1, pauseMaxMs: 8 } }),
      {
        after,
      },
    );
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    last.breakOff();
    await expect
      .poll(() => reader.reconnects.map(({ attempt }) => attempt))
      .toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]);
    expect(reader.reconnects[9]?.pauseMs).toBeGreaterThanOrEqual(4);
    expect(reader.reconnects.at(-1)).toMatchObject({ after: next });
    expect(reader.reconnects.at(-1)?.pauseMs).toBeLessThanOrEqual(1);
  });
});

describe('a permanent error is thrown', () => {
  const failureOf = (options?: FollowOptions, rollcall = clientOf(front, service)) =>
    errorOf(follower(rollcall, options).ended);

  test('for pruned events', async () => {
    const [first = 0] = await givenChanges(service, 2);
    await service.database.pool.query('UPDATE change_log SET pruned_to = $1', [first]);
    onTestFinished(async () => {
      await service.database.pool.query('UPDATE change_log SET pruned_to = 0');
    });
    expect(await failureOf({ after: first - 1 })).toMatchObject({ name: 'EVENTS_PRUNED', status: 410 });
    expect(front.requests(events)).toHaveLength(1);
  });

  test('for events pruned while following', async () => {
    const after = await lastNumber();
    const first = stream();
    front.answer(events, first.answer, failing(410, 'EVENTS_PRUNED'));
    const reader = follower(clientOf(front, service), { after });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    first.breakOff();
    expect(await errorOf(reader.ended)).toMatchObject({ name: 'EVENTS_PRUNED' });
    expect(lastEventIds()).toEqual([String(after), String(next)]);
  });

  test.each<[string, FollowOptions]>([
    ['unknown types', { types: ['user.eaten' as 'user.created'] }],
    ['no types at all', { types: [] }],
    ['a position ahead of the log', { after: 999_999_999 }],
    ['an invalid position', { after: -1 }],
  ])('for %s', async (_, options) => {
    expect(await failureOf(options)).toMatchObject({ name: 'REQUEST_PARAMETER_INVALID', status: 400 });
  });

  test('for a client without the scope', async () => {
    const auth = clientCredentials(await createdClient(service, ['users:read']));
    const error = await failureOf({}, clientOf(front, service, { auth }));
    expect(error).toMatchObject({ name: 'ACCESS_SCOPE_MISSING', status: 403 });
  });

  test('for a client with the wrong secret', async () => {
    const auth = clientCredentials({ clientId: 'nobody', clientSecret: 'nothing' });
    expect(await failureOf({}, clientOf(front, service, { auth }))).toMatchObject({
      name: 'ACCESS_CLIENT_INVALID',
    });
  });

  test('for a second rejected token in a row, while the first is renewed', async () => {
    const tampered: Answer = async ({ request, response, pass }) =>
      hand(response, await pass({ authorization: `${request.headers.authorization}x` }));
    front.answer(events, tampered);
    const after = await lastNumber();
    const reader = follower(clientOf(front, service), { after });
    const next = await lastNumber();
    await expect.poll(() => reader.sequences).toEqual([next]);
    expect([front.requests(token).length, reader.reconnects.length]).toEqual([2, 0]);
    front.answer(events, tampered, tampered);
    expect(await failureOf()).toMatchObject({ name: 'ACCESS_TOKEN_INVALID', status: 401 });
  });

  test.each([
    [saying(200, '<title>Sign in</title>', { 'content-type': 'text/html' }), 'text/html'],
    [saying(200, '{"status":"success"}', { 'content-type': 'application/json' }), 'not text/event-stream'],
    [saying(404, 'nobody here'), 'no content type'],
  ])('for a response that is not a stream (%#)', async (answer, told) => {
    front.answer(events, answer);
    const error = await failureOf();
    expect(error).toBeInstanceOf(UnexpectedReply);
    expect(String(error)).toContain(`GET /service/events: the reply is not from Rollcall`);
    expect(String(error)).toContain(told);
  });

  test('for a client not made by createClient', async () => {
    const copy = { ...clientOf(front, service) };
    expect(await failureOf({}, copy)).toBeInstanceOf(TypeError);
  });
});

describe('following ends immediately and without an error when aborted', () => {
  test('before it begins', async () => {
    const reader = follower(clientOf(front, service), { signal: AbortSignal.abort(new Error('enough')) });
    await reader.ended;
    expect(front.seen).toEqual([]);
  });

  test('while waiting for a token', async () => {
    const never = held();
    front.answer(token, never.gate);
    const reader = follower(clientOf(front, service));
    await never.reached;
    reader.leave(new Error('enough'));
    await reader.ended;
    never.open();
  });

  test('while waiting for an event, and closes the connection', async () => {
    const isClosed = new Promise<void>((resolve) => {
      front.answer(events, ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n');
        response.on('close', resolve);
      });
    });
    const reader = follower(clientOf(front, service));
    await connected();
    reader.leave();
    await reader.ended;
    await isClosed;
  });

  test('during the pause before the next attempt', async () => {
    front.answer(events, failing(503, 'EVENTS_BUSY', { 'retry-after': '50' }));
    const reader = follower(clientOf(front, service));
    await expect.poll(() => reader.reconnects.length).toBe(1);
    reader.leave();
    await reader.ended;
    expect(front.requests(events)).toHaveLength(1);
  });

  test('by the reader, without delivering events already received', async () => {
    const after = await lastNumber();
    const numbers = await givenChanges(service, 5);
    const leaving = new AbortController();
    const seen: number[] = [];
    for await (const { sequence } of followEvents(clientOf(front, service), {
      after,
      signal: leaving.signal,
    })) {
      if (seen.push(sequence) === 2) leaving.abort();
    }
    expect(seen).toEqual(numbers.slice(0, 2));
  });
});

test('a reader that stops reading closes the connection', async () => {
  const after = await lastNumber();
  await givenChanges(service, 3);
  const isClosed = new Promise<void>((resolve) => {
    front.answer(events, (turn) => {
      turn.response.on('close', resolve);
      return stream().answer(turn);
    });
  });
  for await (const _ of followEvents(clientOf(front, service), { after })) break;
  await isClosed;
});

test('following waits for a service that is not up yet', async () => {
  const rollcall = clientOf(front, service, {
    baseUrl: 'http://127.0.0.1:9',
    retry: { attemptsMax: 1, pauseMs: 1, pauseMaxMs: 1 },
  });
  const reader = follower(rollcall);
  await expect.poll(() => reader.reconnects.length).toBeGreaterThan(3);
  expect(reader.reconnects[0]?.cause).toBeInstanceOf(ConnectionFailed);
  expect(reader.reconnects[0]?.after).toBeUndefined();
});
