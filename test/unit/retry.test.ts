import { describe, expect, test } from 'vitest';
import { pauseAfter } from '../../src/delivery/retry.js';

const limits = { firstMs: 30_000, longestMs: 3_600_000 };

describe('pause after a failed attempt', () => {
  test('starts as configured, and doubles each time', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempt) => pauseAfter(attempt, limits, 1));
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000]);
  });

  test('never exceeds the maximum', () => {
    for (const attempt of [8, 9, 12, 31, 32, 64, 1_000, 2 ** 31 - 1]) {
      expect(pauseAfter(attempt, limits, 1)).toBe(3_600_000);
    }
  });

  test('is the maximum after the first attempt if that is shorter', () => {
    expect(pauseAfter(1, { firstMs: 5_000, longestMs: 1_000 }, 1)).toBe(1_000);
  });

  test.each([1, 2, 5, 12])('is half random after attempt %i', (attempt) => {
    const longest = pauseAfter(attempt, limits, 1);
    expect(pauseAfter(attempt, limits, 0)).toBe(longest / 2);
    expect(pauseAfter(attempt, limits, 0.5)).toBe((longest * 3) / 4);
    for (let draw = 0; draw < 1; draw += 0.01) {
      const pause = pauseAfter(attempt, limits, draw);
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThan(longest);
    }
  });
});
