import { describe, expect, test } from 'vitest';
import {
  changeSeries,
  changesSummary,
  readRange,
  userSeries,
  usersSummary,
} from '../../../console/src/home/statistics.js';

const noChanges = {
  created: 0,
  updated: 0,
  rehired: 0,
  deleted: 0,
  erased: 0,
  deactivated: 0,
  reactivated: 0,
};
const day = (name: string, active: number, changes: Partial<typeof noChanges> = {}) => ({
  day: name,
  users: { active, inactive: 2 },
  changes: { ...noChanges, ...changes },
});
const days = [
  day('2026-11-14', 10, { created: 3 }),
  day('2026-11-15', 12, { updated: 9, deactivated: 2, reactivated: 1, rehired: 1, deleted: 1, erased: 1 }),
];

describe('Home', () => {
  test('counts every change once', () => {
    const series = changeSeries(days);
    expect(Object.fromEntries(series.map(({ key, values }) => [key, values]))).toEqual({
      created: [3, 0],
      updated: [0, 6],
      deactivated: [0, 2],
      reactivated: [0, 2],
      removed: [0, 2],
    });
    expect(userSeries(days).map(({ values }) => values)).toEqual([
      [10, 12],
      [2, 2],
    ]);
  });

  test('says in words what the charts show', () => {
    expect(usersSummary(days)).toMatch(
      /active users went from 10 to 12, and of inactive users from 2 to 2\.$/,
    );
    expect(changesSummary(days, changeSeries(days))).toMatch(/^15 changes from .* Most of them, 12, on /);
    const quiet = [day('2026-11-14', 1)];
    expect(changesSummary(quiet, changeSeries(quiet))).toMatch(/^No changes from /);
  });

  test.each([
    ['7', 7],
    ['365', 365],
    ['8', 30],
    [null, 30],
  ])('the range %s is %i days', (text, range) => {
    expect(readRange(text)).toBe(range);
  });
});
