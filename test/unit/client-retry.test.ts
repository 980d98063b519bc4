import { describe, expect, test } from 'vitest';
import { pauseAfter, readRetryAfter, retryPolicy } from '../../client/src/retry.js';

const policy = retryPolicy();
const many = (attempt: number, retryAfterMs?: number) =>
  Array.from({ length: 200 }, () => pauseAfter(attempt, retryAfterMs, policy));

describe('pause before a retry', () => {
  test.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [6, 8_000],
    [9, 8_000],
  ])('after attempt %i is at most %i ms, and at least half of that', (attempt, longest) => {
    const pauses = many(attempt);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  test('is never shorter than Retry-After', () => {
    expect(Math.min(...many(1, 3_000), ...many(9, 3_000))).toBeGreaterThanOrEqual(3_000);
  });

  test('adds up to more than 15 s, after which an abandoned bulk call can be resumed', () => {
    const shortest = (attempt: number) => Math.max(2_000, (policy.pauseMs * 2 ** (attempt - 1)) / 2);
    const sum = [1, 2, 3, 4, 5, 6, 7].reduce(
      (total, attempt) => total + Math.min(shortest(attempt), policy.pauseMaxMs / 2),
      0,
    );
    expect(policy.attemptsMax).toBe(8);
    expect(sum).toBeGreaterThan(15_000);
  });
});

describe('Retry-After', () => {
  const inAMinute = () => new Date(Date.now() + 60_000).toUTCString();

  test.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is %j ms', (header, ms) => {
    expect(readRetryAfter(header)).toBe(ms);
  });

  test('a future date is the time until then', () => {
    const ms = readRetryAfter(inAMinute());
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(60_000);
  });
});
