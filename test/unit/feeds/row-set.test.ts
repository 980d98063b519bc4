import { expect, test } from 'vitest';
import { RowSet } from '../../../src/domain/feeds/row-set.js';

test('a set of rows has exactly those added to it, in any order and beyond its first size', () => {
  const rows = [0, 7, 8, 1_000_003, 8_191, 8_192, 65_536];
  const set = new RowSet();
  for (const row of rows) set.add(row);
  for (const row of rows) {
    const around = [row - 1, row, row + 1].filter((each) => each >= 0);
    expect(around.map((each) => set.has(each))).toEqual(around.map((each) => rows.includes(each)));
  }
  expect(set.has(5_000_000)).toBe(false);
});
