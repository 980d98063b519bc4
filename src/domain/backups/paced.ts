import { setTimeout } from 'node:timers/promises';

/** How much of the time to work while something else is more important. */
const busyShare = 0.2;

const realTime = { now: () => performance.now(), pause: (ms: number): Promise<unknown> => setTimeout(ms) };

/** Passes chunks on as fast as they can be made, but makes them only part of the time while `isBusy`. */
export async function* paced<T>(
  chunks: AsyncGenerator<T>,
  isBusy: () => boolean,
  { now, pause } = realTime,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const start = now();
      const next = await chunks.next();
      if (next.done) return;
      const workedMs = now() - start;
      yield next.value;
      if (isBusy()) await pause(workedMs * (1 / busyShare - 1));
    }
  } finally {
    await chunks.return(undefined);
  }
}
