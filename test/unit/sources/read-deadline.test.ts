import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readBytes } from '../../../src/sources/read-bytes.js';
import { startDeadline } from '../../../src/sources/read-deadline.js';
import { neverAborted } from '../../support/source-reading.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const timeouts = { idleMs: 60_000, totalMs: 7_200_000, slowMs: 300_000, slowBytes: 1_000 };

/** How many of 30 chunks are read, if each comes after 50 seconds, or is asked for so late. */
async function chunksRead(bytes: number, { isCallerSlow = false } = {}): Promise<number | object> {
  async function* dripping() {
    for (let chunk = 0; chunk < 30; chunk++) {
      await Promise.resolve(); // somebody waits from now on
      if (!isCallerSlow) vi.advanceTimersByTime(50_000);
      yield new Uint8Array(bytes);
    }
  }
  const options = { deadline: startDeadline(neverAborted(), timeouts), bytesMax: 100_000 };
  const problemOf = () => ({ code: 'ended_early' }) as const;
  let chunks = 0;
  for await (const _ of readBytes(dripping(), { ...options, problemOf })) {
    chunks += 1;
    if (isCallerSlow) vi.advanceTimersByTime(50_000);
  }
  return chunks;
}

test('a source that sends too little over five minutes ends, however often a byte comes', async () => {
  await expect(chunksRead(100)).rejects.toMatchObject({ problem: { code: 'timed_out' } });
  expect(await chunksRead(200)).toBe(30);
});

test('the time that the caller takes does not count', async () => {
  expect(await chunksRead(1, { isCallerSlow: true })).toBe(30);
});
