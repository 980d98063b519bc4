import { afterEach, expect, test, vi } from 'vitest';
import { forEachInSlices, inSlices, nextTask } from '../../../console/src/components/yield-to-browser.js';

const elements = Array.from({ length: 1_000 }, (_, number) => number);

afterEach(() => void vi.restoreAllMocks());

/** A clock that says how long each element takes. */
function takingMs(ms: number): () => void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return () => {
    now += ms;
  };
}

/** How far the work was when another task, such as a click, got its turn. */
async function progressAtNextTask(work: (visit: () => void) => Promise<void>): Promise<number> {
  let done = 0;
  const other = nextTask().then(() => done);
  await work(() => {
    done++;
  });
  expect(done).toBe(elements.length);
  return other;
}

const eachWay: [string, (visit: () => void) => Promise<void>][] = [
  ['forEachInSlices', (visit) => forEachInSlices(elements, visit)],
  [
    'inSlices',
    async (visit) => {
      for await (const _ of inSlices(elements)) visit();
    },
  ],
];

test.each(eachWay)('%s lets other tasks run in between', async (_, work) => {
  const tick = takingMs(0.2);
  const progress = await progressAtNextTask((visit) =>
    work(() => {
      tick();
      visit();
    }),
  );
  expect(progress).toBeLessThan(elements.length);
});

test.each(eachWay)('%s does not pause if the work is short', async (_, work) => {
  takingMs(0);
  expect(await progressAtNextTask(work)).toBe(elements.length);
});
