import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { bearer, createClient, followEvents, type Rollcall } from '../../client/src/index.js';

const silenceMaxMs = 1_500;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

const event = (sequence: number) =>
  `id: ${sequence}\ndata: {"type":"user.deleted","data":{"sequence":${sequence}}}\n\n`;

/** A service that streams these texts one by one as the reader asks for them, each after a period of silence. */
function streaming(texts: readonly string[], silenceMs: number) {
  const service = { connections: 0 };
  const fetch: typeof globalThis.fetch = async (_, init) => {
    service.connections++;
    const left = texts.values();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(stream) {
          await nextTurn(); // by now, the reader is waiting
          vi.advanceTimersByTime(silenceMs);
          init?.signal?.throwIfAborted();
          const { value = ': beat\n\n' } = left.next();
          stream.enqueue(new TextEncoder().encode(value));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const rollcall = createClient({ baseUrl: 'http://rollcall.example', auth: bearer('token'), fetch });
  return { service, rollcall };
}

/** Reads up to the second event. Throws if the client reconnects. */
async function readTwo(rollcall: Rollcall, think = () => {}): Promise<void> {
  const onReconnect = () => {
    throw new Error('the connection was given up');
  };
  for await (const { sequence } of followEvents(rollcall, { after: 1, silenceMaxMs, onReconnect })) {
    if (sequence === 3) break;
    think();
  }
}

test('keeps a connection with heartbeats, however long there are no events', async () => {
  const beats = Array.from({ length: 20 }, (_, beat) => [': beat\n\n', 'id: 1\n\n', '\n'][beat % 3] ?? '');
  const { service, rollcall } = streaming([event(2), ...beats, event(3)], silenceMaxMs - 1);
  await readTwo(rollcall);
  expect(service.connections).toBe(1);
});

test('abandons a silent connection', async () => {
  const { rollcall } = streaming([event(2), event(3)], silenceMaxMs);
  await expect(readTwo(rollcall)).rejects.toThrow('the connection was given up');
});

test('keeps a connection with a slow reader', async () => {
  const { service, rollcall } = streaming([event(2) + event(3)], 0);
  await readTwo(rollcall, () => vi.advanceTimersByTime(2 * silenceMaxMs));
  expect(service.connections).toBe(1);
});
