import { expect, test } from 'vitest';
import { bar } from '../../../src/cli/stats/stats.js';

test.each([
  [0, 10, ''],
  [10, 10, '█'.repeat(20)],
  [5, 10, '█'.repeat(10)],
  [1, 1_000_000, '▏'],
  [0, 0, ''],
])('%i of %i', (value, max, drawn) => {
  expect(bar(value, max)).toBe(drawn);
});
