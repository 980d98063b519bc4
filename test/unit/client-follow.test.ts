import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bearer,
  ConnectionFailed,
  clientCredentials,
  createClient,
  type FollowOptions,
  followEvents,
  type Reconnect,
  type Rollcall,
  type RollcallEvent,
  UnexpectedReply,
} from '../../client/src/index.js';
import {
  type Answer,
  broken,
  errorOf,
  failing,
  hand,
  held,
  saying,
  stream,
  useFront,
} from '../http/client/front.js';
import { fakeClient, useFakeService } from '../support/fake-service.js';

const service = useFakeService();
const front = useFront(service);

const events = '/service/events';
const token = '/oauth/token';
const eventStream = { 'content-type': 'text/event-stream' };

const logOne = () => service.log(1)[0] ?? 0;
const lastEventIds = () => front.requests(events).map(({ headers }) => headers['last-event-id']);

/** Follows in the background until the test ends, and records the events. */
function follower(rollcall: Rollcall, options: FollowOptions = {}) {
  const leaving = new AbortController();
  const told: RollcallEvent[] = [];
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

const soon = { interval: 5 };

test('events are requested with the headers of any other call, and arrive intact wherever the stream is split', async () => {
  const after = logOne();
  front.answer(events, async ({ response, forward }) => {
    const reply = await forward();
    response.writeHead(200, eventStream);
    for await (const chunk of reply.body ?? []) for (const byte of chunk) response.write(Buffer.of(byte));
  });
  const rollcall = fakeClient(front, { userAgent: 'badges/1', requestId: 'badges-7' });
  const { told } = follower(rollcall, { after, types: ['user.deleted', 'call.completed'] });
  const next = logOne();
  await expect
    .poll(() => told, soon)
    .toEqual([
      { sequence: next, type: 'user.deleted', timestamp: '', data: { sequence: next, name: 'é😀' } },
    ]);
  expect(front.requests(events)).toMatchObject([
    {
      url: `${events}?types=user.deleted%2Ccall.completed`,
      headers: {
        accept: 'text/event-stream, application/json',
        authorization: expect.stringMatching(/^Bearer ./),
        'last-event-id': String(after),
        'user-agent': 'badges/1',
        'x-request-id': 'badges-7',
      },
    },
  ]);
});

describe('a broken connection resumes where it stopped', () => {
  test('without losing or repeating events, however often and wherever it breaks', async () => {
    const after = logOne();
    const numbers = service.log(200);
    const bytes = [1, 40, 500, 777, 5_000, 10_001];
    front.answer(events, ...bytes.map((bytesMax) => stream(bytesMax).answer));
    const reader = follower(fakeClient(front), { after });
    await expect.poll(() => reader.sequences.at(-1), soon).toBe(numbers.at(-1));
    expect(reader.sequences).toEqual(numbers);
    expect(reader.reconnects).toHaveLength(bytes.length);
    expect(new Set(lastEventIds()).size).toBeGreaterThan(3);
  });

  test('before the first event, without missing any in between', async () => {
    const [first, gate] = [stream(), held()];
    front.answer(events, first.answer, gate.gate);
    const reader = follower(fakeClient(front));
    await expect.poll(first.passed, soon).toBeGreaterThan(0);
    first.breakOff();
    await gate.reached;
    const missed = logOne();
    gate.open();
    await expect.poll(() => reader.sequences, soon).toEqual([missed]);
  });

  test('when the service ends it', async () => {
    const after = logOne();
    front.answer(events, saying(200, 'retry: 2000\n\n', eventStream));
    const reader = follower(fakeClient(front), { after });
    const next = logOne();
    await expect.poll(() => reader.sequences, soon).toEqual([next]);
    expect(reader.reconnects).toMatchObject([
      { attempt: 1, after, cause: { name: 'ConnectionFailed', outcomeUnknown: false } },
    ]);
    expect(reader.reconnects[0]?.cause.message).toBe('The stream of events broke off: it ended.');
  });

  test('after temporary errors of the service or of a proxy, and waits as long as they say', async () => {
    const after = logOne();
    const proxy = saying(502, 'bad gateway');
    front.answer(events, broken, failing(503, 'SERVICE_UNAVAILABLE'), proxy, failing(503, 'EVENTS_BUSY'));
    front.answer(token, failing(503, 'SERVICE_UNAVAILABLE'), broken);
    const reader = follower(fakeClient(front), { after });
    const next = logOne();
    await expect.poll(() => reader.sequences, soon).toEqual([next]);
    expect(reader.reconnects.map(({ attempt, cause }) => [attempt, cause.name])).toEqual([
      [1, 'ConnectionFailed'],
      [2, 'SERVICE_UNAVAILABLE'],
      [3, 'UnexpectedReply'],
      [4, 'EVENTS_BUSY'],
    ]);
    expect(new Set(lastEventIds())).toEqual(new Set([String(after)]));
  });

  test('however many attempts it takes, with pauses that grow until data arrives', async () => {
    const after = logOne();
    const greeting = saying(200, `retry: 2000\nid: ${after}\n\n`, eventStream);
    const last = stream();
    front.answer(events, ...Array.from({ length: 10 }, () => broken), greeting, last.answer);
    const retry = { attemptsMax: 2, pauseMs: 1, pauseMaxMs: 8 };
    const reader = follower(fakeClient(front, { retry }), { after });
    const next = logOne();
    await expect.poll(() => reader.sequences, soon).toEqual([next]);
    last.breakOff();
    await expect
      .poll(() => reader.reconnects.map(({ attempt }) => attempt), soon)
      .toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]);
    expect(reader.reconnects[9]?.pauseMs).toBeGreaterThanOrEqual(4);
    expect(reader.reconnects.at(-1)).toMatchObject({ after: next });
    expect(reader.reconnects.at(-1)?.pauseMs).toBeLessThanOrEqual(1);
  });

  test('once the service is up', async () => {
    const retry = { attemptsMax: 1, pauseMs: 1, pauseMaxMs: 1 };
    const reader = follower(fakeClient(front, { baseUrl: 'http://127.0.0.1:9', retry }));
    await expect.poll(() => reader.reconnects.length, soon).toBeGreaterThan(3);
    expect(reader.reconnects[0]?.cause).toBeInstanceOf(ConnectionFailed);
    expect(reader.reconnects[0]?.after).toBeUndefined();
  });
});

describe('a permanent error is thrown', () => {
  const failureOf = (rollcall = fakeClient(front)) => errorOf(follower(rollcall).ended);

  test('for events pruned while following', async () => {
    const after = logOne();
    const first = stream();
    front.answer(events, first.answer, failing(410, 'EVENTS_PRUNED'));
    const reader = follower(fakeClient(front), { after });
    const next = logOne();
    await expect.poll(() => reader.sequences, soon).toEqual([next]);
    first.breakOff();
    expect(await errorOf(reader.ended)).toMatchObject({ name: 'EVENTS_PRUNED', status: 410 });
    expect(lastEventIds()).toEqual([String(after), String(next)]);
  });

  test('for a client with the wrong secret', async () => {
    const auth = clientCredentials({ clientId: 'nobody', clientSecret: 'nothing' });
    expect(await failureOf(fakeClient(front, { auth }))).toMatchObject({ name: 'ACCESS_CLIENT_INVALID' });
  });

  test('for a second rejected token in a row, while the first is renewed', async () => {
    const tampered: Answer = async ({ request, response, pass }) =>
      hand(response, await pass({ authorization: `${request.headers.authorization}x` }));
    front.answer(events, tampered);
    const after = logOne();
    const reader = follower(fakeClient(front), { after });
    const next = logOne();
    await expect.poll(() => reader.sequences, soon).toEqual([next]);
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
    expect(await failureOf({ ...fakeClient(front) })).toBeInstanceOf(TypeError);
  });
});

describe('following ends immediately and without an error when aborted', () => {
  test('before it begins', async () => {
    await follower(fakeClient(front), { signal: AbortSignal.abort(new Error('enough')) }).ended;
    expect(front.seen).toEqual([]);
  });

  test('while waiting for a token', async () => {
    const never = held();
    front.answer(token, never.gate);
    const reader = follower(fakeClient(front));
    await never.reached;
    reader.leave(new Error('enough'));
    await reader.ended;
    never.open();
  });

  test('during the pause before the next attempt', async () => {
    front.answer(events, failing(503, 'EVENTS_BUSY', { 'retry-after': '50' }));
    const reader = follower(fakeClient(front));
    await expect.poll(() => reader.reconnects.length, soon).toBe(1);
    expect(reader.reconnects[0]?.pauseMs).toBeGreaterThanOrEqual(50_000);
    reader.leave();
    await reader.ended;
    expect(front.requests(events)).toHaveLength(1);
  });

  test('while waiting for an event, and closes the connection', async () => {
    const isClosed = new Promise<void>((resolve) => {
      front.answer(events, ({ response }) => {
        response.writeHead(200, eventStream).write('retry: 2000\n\n');
        response.on('close', resolve);
      });
    });
    const reader = follower(fakeClient(front));
    await expect.poll(() => front.requests(events).length, soon).toBe(1);
    reader.leave();
    await reader.ended;
    await isClosed;
  });

  test('by the reader, without delivering events already received, and closes the connection', async () => {
    const after = logOne();
    const numbers = service.log(5);
    const isClosed = new Promise<void>((resolve) => {
      front.answer(events, (turn) => {
        turn.response.on('close', resolve);
        return stream().answer(turn);
      });
    });
    const leaving = new AbortController();
    const seen: number[] = [];
    for await (const { sequence } of followEvents(fakeClient(front), { after, signal: leaving.signal })) {
      if (seen.push(sequence) === 2) leaving.abort();
    }
    expect(seen).toEqual(numbers.slice(0, 2));
    await isClosed;
  });
});

describe('silence', () => {
  const silenceMaxMs = 1_500;

  const event = (sequence: number) =>
    `id: ${sequence}\ndata: {"type":"user.deleted","data":{"sequence":${sequence}}}\n\n`;

  /** A service that streams these texts one by one as the reader asks for them, each after a period of silence. */
  function streaming(texts: readonly string[], silenceMs: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const served = { connections: 0 };
    const fetch: typeof globalThis.fetch = async (_, init) => {
      served.connections++;
      const left = texts.values();
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await nextTurn(); // by now, the reader is waiting
            vi.advanceTimersByTime(silenceMs);
            init?.signal?.throwIfAborted();
            const { value = ': beat\n\n' } = left.next();
            controller.enqueue(new TextEncoder().encode(value));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: eventStream });
    };
    const rollcall = createClient({ baseUrl: 'http://rollcall.example', auth: bearer('token'), fetch });
    return { served, rollcall };
  }

  /** Reads up to the second event. Throws if the client reconnects. */
  async function readTwo(rollcall: Rollcall, think = () => {}): Promise<void> {
    const onReconnect = ({ cause }: Reconnect) => {
      throw cause;
    };
    for await (const { sequence } of followEvents(rollcall, { after: 1, silenceMaxMs, onReconnect })) {
      if (sequence === 3) break;
      think();
    }
  }

  test('does not end a connection with heartbeats, however long there are no events', async () => {
    const beats = Array.from({ length: 20 }, (_, beat) => [': beat\n\n', 'id: 1\n\n', '\n'][beat % 3] ?? '');
    const { served, rollcall } = streaming([event(2), ...beats, event(3)], silenceMaxMs - 1);
    await readTwo(rollcall);
    expect(served.connections).toBe(1);
  });

  test('ends the connection', async () => {
    const { rollcall } = streaming([event(2), event(3)], silenceMaxMs);
    await expect(readTwo(rollcall)).rejects.toThrow(
      'The stream of events broke off: nothing came for 1500 ms.',
    );
  });

  test('ends a request whose response never starts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        void nextTurn().then(() => vi.advanceTimersByTime(silenceMaxMs));
      });
    const rollcall = createClient({ baseUrl: 'http://rollcall.example', auth: bearer('token'), fetch });
    await expect(readTwo(rollcall)).rejects.toBeInstanceOf(ConnectionFailed);
  });

  test('of a slow reader does not end it', async () => {
    const { served, rollcall } = streaming([event(2) + event(3)], 0);
    await readTwo(rollcall, () => vi.advanceTimersByTime(2 * silenceMaxMs));
    expect(served.connections).toBe(1);
  });
});
