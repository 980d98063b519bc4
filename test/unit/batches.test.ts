import { expect, test } from 'vitest';
import { batchesOf } from '../../src/domain/users/batches.js';

const sizes = (tags: readonly number[]) => [...batchesOf(tags, (count) => count)].map(({ length }) => length);

test('a batch has at most 2,500 users, fewer if they have many tags, and no user is left out', () => {
  expect(sizes([])).toEqual([]);
  expect(sizes(new Array(2_500).fill(10))).toEqual([2_500]);
  expect(sizes(new Array(5_001).fill(0))).toEqual([2_500, 2_500, 1]);
  expect(sizes(new Array(1_000).fill(100))).toEqual([250, 250, 250, 250]);
  expect(sizes([1, 30_000, 30_000, 1])).toEqual([1, 1, 1, 1]);
  const users = Array.from({ length: 4_000 }, (_, index) => index % 120);
  expect([...batchesOf(users, (count) => count)].flat()).toEqual(users);
});
