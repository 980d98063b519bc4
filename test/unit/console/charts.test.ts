import { describe, expect, test } from 'vitest';
import {
  areaPath,
  axisTicks,
  labelledDays,
  largestSum,
  stacked,
} from '../../../console/src/charts/series.js';
import { dayAfterKey } from '../../../console/src/charts/use-day-cursor.js';

describe('the axis', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [97, [0, 50, 100]],
    [180, [0, 50, 100, 150, 200]],
    [10_283, [0, 5_000, 10_000, 15_000]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])('of values up to %i', (max, ticks) => {
    expect(axisTicks(max)).toEqual(ticks);
  });

  test('labels as many days as fit, and always the last', () => {
    expect(labelledDays(7, 700)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelledDays(30, 500)).toEqual([4, 9, 14, 19, 24, 29]);
    expect(labelledDays(366, 300).at(-1)).toBe(365);
    expect(labelledDays(1, 10)).toEqual([0]);
    expect(labelledDays(0, 500)).toEqual([]);
  });
});

test('layers are on top of each other', () => {
  const series = [{ values: [1, 2] }, { values: [3, 0] }];
  expect(stacked(series).map(({ spans }) => spans)).toEqual([
    [
      [0, 1],
      [0, 2],
    ],
    [
      [1, 4],
      [2, 2],
    ],
  ]);
  expect([largestSum(series), largestSum([])]).toEqual([4, 0]);
  const path = areaPath(
    stacked(series)[1] as never,
    (day) => day * 10,
    (value) => 5 - value,
  );
  expect(path).toBe('M0,1L10,3L10,3L0,4Z');
});

test.each([
  ['ArrowLeft', undefined, 4],
  ['ArrowLeft', 2, 1],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', undefined, 0],
  ['ArrowRight', 4, 4],
  ['Home', 3, 0],
  ['End', 1, 4],
  ['a', 1, undefined],
])('%s from day %s moves to %s', (key, day, moved) => {
  expect(dayAfterKey(key, day, 5)).toBe(moved);
});
