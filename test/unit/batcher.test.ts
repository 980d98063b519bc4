import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Batcher } from '../../src/domain/batcher.js';

/** Work that the test completes by hand. Batches are recorded in the order they started. */
function heldWork() {
  const batches: { items: readonly string[]; end: () => void; fail: (error: unknown) => void }[] = [];
  const work = (items: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => `${item} done`)), fail: reject });
    });
  const at = (index: number) => {
    const batch = batches[index];
    if (!batch) throw new Error(`batch ${index} has not started`);
    return batch;
  };
  return { work, at, begun: () => batches.map(({ items }) => items) };
}

describe('Batcher', () => {
  test('runs an item immediately and on its own when idle', async () => {
    const { work, at, begun } = heldWork();
    const together = new Batcher(work, { concurrency: 1, batchMax: 10 });
    const done = together.add('a');
    expect(begun(), 'before anything else can run').toEqual([['a']]);
    at(0).end();
    expect(await done).toBe('a done');
    const next = together.add('b');
    expect(begun()).toEqual([['a'], ['b']]);
    at(1).end();
    expect(await next).toBe('b done');
  });

  test('batches items that arrive while a batch runs, in order', async () => {
    const { work, at, begun } = heldWork();
    const together = new Batcher(work, { concurrency: 1, batchMax: 10 });
    const first = together.add('a');
    const others = ['b', 'c', 'd'].map((item) => together.add(item));
    expect(begun()).toEqual([['a']]);
    at(0).end();
    await first;
    expect(begun()).toEqual([['a'], ['b', 'c', 'd']]);
    at(1).end();
    expect(await Promise.all(others)).toEqual(['b done', 'c done', 'd done']);
    expect(begun(), 'nobody is left').toHaveLength(2);
  });

  test('splits queued items into batches of at most batchMax and skips none', async () => {
    const { work, at, begun } = heldWork();
    const together = new Batcher(work, { concurrency: 1, batchMax: 2 });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => together.add(item));
    for (let index = 0; index < 4; index++) {
      await expect.poll(() => begun().length).toBe(index + 1);
      at(index).end();
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => `${item} done`));
    expect(begun()).toEqual([['a'], ['b', 'c'], ['d', 'e'], ['f']]);
  });

  test('runs up to the allowed number of batches in parallel; the first to finish takes the queued items', async () => {
    const { work, at, begun } = heldWork();
    const together = new Batcher(work, { concurrency: 2, batchMax: 2 });
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((item) => together.add(item));
    expect(begun()).toEqual([['a'], ['b']]);
    at(1).end();
    expect(await b).toBe('b done');
    expect(begun()).toEqual([['a'], ['b'], ['c', 'd']]);
    at(2).end();
    expect(await Promise.all([c, d])).toEqual(['c done', 'd done']);
    expect(begun(), 'while the first still runs').toEqual([['a'], ['b'], ['c', 'd'], ['e']]);
    at(0).end();
    at(3).end();
    expect(await Promise.all([a, e])).toEqual(['a done', 'e done']);
  });

  test('rejects only the items of a failed batch', async () => {
    const { work, at, begun } = heldWork();
    const together = new Batcher(work, { concurrency: 1, batchMax: 2 });
    const outcomes = Promise.allSettled(['a', 'b', 'c', 'd'].map((item) => together.add(item)));
    const trouble = new Error('no');
    at(0).end();
    await expect.poll(() => begun().length).toBe(2);
    at(1).fail(trouble);
    await expect.poll(() => begun().length).toBe(3);
    at(2).end();
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: 'a done' },
      { status: 'rejected', reason: trouble },
      { status: 'rejected', reason: trouble },
      { status: 'fulfilled', value: 'd done' },
    ]);
  });

  test('continues after the work function throws synchronously', async () => {
    const trouble = new Error('no');
    const work = (items: readonly string[]) => {
      if (items.includes('bad')) throw trouble;
      return Promise.resolve(items);
    };
    const together = new Batcher(work, { concurrency: 1, batchMax: 1 });
    const outcomes = await Promise.allSettled(['bad', 'good'].map((item) => together.add(item)));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: trouble },
      { status: 'fulfilled', value: 'good' },
    ]);
    expect(await together.add('later')).toBe('later');
  });

  test('loses no item that is added again as soon as it resolves or rejects', async () => {
    let works = 0;
    const work = async (items: readonly number[]) => {
      if (++works % 3 === 0) throw new Error('this time not');
      return items.map((item) => item * 2);
    };
    const together = new Batcher(work, { concurrency: 2, batchMax: 3 });
    const untilDone = (item: number): Promise<number> => together.add(item).catch(() => untilDone(item));
    const twice = async (item: number) => untilDone(await untilDone(item));
    const items = Array.from({ length: 50 }, (_, item) => item);
    expect(await Promise.all(items.map(twice))).toEqual(items.map((item) => item * 4));
  });

  test('settles every item correctly for any order of arrivals, completions and failures', async () => {
    const moves = fc.array(fc.constantFrom<'come' | 'end' | 'fail'>('come', 'come', 'end', 'fail'), {
      maxLength: 60,
    });
    const model = async (
      steps: ('come' | 'end' | 'fail')[],
      atOnce: number,
      batchMax: number,
      choices: number[],
    ) => {
      const running: { items: readonly number[]; settle: (isGood: boolean) => void }[] = [];
      let most = 0;
      const together = new Batcher<number, string>(
        (items) =>
          new Promise((resolve, reject) => {
            running.push({
              items,
              settle: (isGood) => (isGood ? resolve(items.map(String)) : reject(new Error(String(items)))),
            });
            most = Math.max(most, running.length);
            expect(items.length).toBeLessThanOrEqual(batchMax);
          }),
        { concurrency: atOnce, batchMax },
      );
      const answers: Promise<string>[] = [];
      const expected: string[] = [];
      const order: number[] = [];
      const settleOne = async (choice: number, isGood: boolean) => {
        const [batch] = running.splice(choice % Math.max(running.length, 1), 1);
        if (!batch) return;
        order.push(...batch.items);
        for (const item of batch.items) expected[item] = isGood ? String(item) : `failed ${batch.items}`;
        batch.settle(isGood);
        await new Promise(setImmediate);
      };
      for (const [index, step] of steps.entries()) {
        if (step === 'come') {
          const answer = together.add(answers.length);
          answers.push(answer.catch((error: Error) => `failed ${error.message}`));
        } else await settleOne(choices[index % choices.length] ?? 0, step === 'end');
      }
      while (running.length > 0) await settleOne(0, true);
      expect(await Promise.all(answers)).toEqual(expected);
      expect(order.toSorted((a, b) => a - b)).toEqual(answers.map((_, item) => item));
      expect(most).toBeLessThanOrEqual(atOnce);
    };
    const choices = fc.array(fc.nat({ max: 10 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), choices, model),
      { numRuns: 200 },
    );
  });
});
