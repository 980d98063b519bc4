import { expect, test } from 'vitest';
import { LargeBodies } from '../../src/http/large-bodies.js';

const mb = 1024 * 1024;

test('processes large bodies in order as memory allows, and small ones immediately', async () => {
  const bodies = new LargeBodies(20 * mb);
  const started: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const begin = (name: string, bytes: number) =>
    bodies.run(bytes, async () => {
      started.push(name);
      await finished;
    });
  const running = [
    begin('a', 12 * mb),
    begin('b', 12 * mb),
    begin('c', 2 * mb),
    begin('small', 1_000),
    begin('huge', 100 * mb),
  ];
  await Promise.resolve();
  expect(started.sort(), 'b has no room beside a, and c does not overtake b').toEqual(['a', 'small']);
  finish();
  await Promise.all(running);
  expect(started).toEqual(['a', 'small', 'b', 'c', 'huge']);
});

test('failed work frees memory, too', async () => {
  const bodies = new LargeBodies(mb);
  await expect(bodies.run(mb, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await bodies.run(mb, async () => 'yes')).toBe('yes');
});
