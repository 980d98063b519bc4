import { expect, test } from 'vitest';
import { paced } from '../../../src/domain/backups/make-backup.js';

/** Chunks that take 10 ms each, on a clock that only moves for them. */
function slowChunks(count: number) {
  const time = { ms: 0, isClosed: false };
  async function* chunks() {
    try {
      for (let chunk = 1; chunk <= count; chunk++) {
        time.ms += 10;
        yield chunk;
      }
    } finally {
      time.isClosed = true;
    }
  }
  const pauses: number[] = [];
  const clock = { now: () => time.ms, pause: async (ms: number) => void pauses.push(ms) };
  return { chunks: chunks(), time, pauses, clock };
}

test('works a fifth of the time while something else is busy, and all the time otherwise', async () => {
  const { chunks, pauses, clock } = slowChunks(4);
  let isBusy = true;
  const received: number[] = [];
  for await (const chunk of paced(chunks, () => isBusy, clock)) {
    received.push(chunk);
    isBusy = chunk <= 2;
  }
  expect(received).toEqual([1, 2, 3, 4]);
  expect(pauses).toEqual([40, 40]);
});

test('ends what it reads from if nobody wants more', async () => {
  const { chunks, time, clock } = slowChunks(4);
  for await (const _ of paced(chunks, () => false, clock)) break;
  expect(time.isClosed).toBe(true);
});
