import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../src/domain/rate-limiter.js';

const minute = 60_000;
const times = (count: number, work: () => unknown) => Array.from({ length: count }, work);

describe('rate limit', () => {
  test('counts down per key, and resets every minute', () => {
    const limiter = new RateLimiter();
    expect(limiter.take('a', 2, 15_000)).toEqual({
      isAllowed: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 45,
    });
    expect(limiter.take('a', 2, 15_500)).toMatchObject({ isAllowed: true, remaining: 0, resetSeconds: 45 });
    expect(limiter.take('a', 2, 59_999)).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    expect(limiter.take('b', 2, 59_999)).toMatchObject({ isAllowed: true });
    expect(limiter.take('a', 2, minute)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  test('of 0 means unlimited', () => {
    expect(new RateLimiter().take('a', 0, 0)).toBeUndefined();
    expect(new RateLimiter().peek('a', 0, 0)).toBeUndefined();
  });

  test('can be read without counting', () => {
    const limiter = new RateLimiter();
    limiter.take('a', 1, 0);
    times(3, () => expect(limiter.peek('a', 1, 0)).toMatchObject({ isAllowed: false }));
    expect(limiter.peek('b', 1, 0)).toMatchObject({ isAllowed: true, remaining: 1 });
    expect(limiter.peek('a', 1, minute)).toBeUndefined();
  });

  test('forgets the oldest keys if there are too many', () => {
    const limiter = new RateLimiter();
    limiter.take('first', 1, 0);
    for (let each = 0; each < 100_000; each++) limiter.take(`${each}`, 1, 0);
    expect(limiter.take('first', 1, 0)).toMatchObject({ isAllowed: true });
    expect(limiter.take('99999', 1, 0)).toMatchObject({ isAllowed: false });
  });
});

describe('counts shared with other nodes', () => {
  test('include only new requests of busy keys', () => {
    const limiter = new RateLimiter();
    times(5, () => limiter.take('busy', 100, 0));
    times(4, () => limiter.take('quiet', 100, 0));
    expect(limiter.takeUnshared(0)).toEqual({ window: 0, counts: [{ key: 'busy', added: 5 }] });
    expect(limiter.takeUnshared(0).counts).toEqual([]);
    limiter.take('busy', 100, 0);
    expect(limiter.takeUnshared(0).counts).toEqual([{ key: 'busy', added: 1 }]);
  });

  test('are added to requests that are not shared yet', () => {
    const limiter = new RateLimiter();
    times(10, () => limiter.take('a', 100, 0));
    const { window } = limiter.takeUnshared(0);
    limiter.take('a', 100, 0);
    limiter.setTotal(window, 'a', 90); // 10 of ours and 80 of another node
    expect(limiter.peek('a', 100, 0)).toMatchObject({ remaining: 9 });
  });

  test('are ignored in a later minute', () => {
    const limiter = new RateLimiter();
    times(10, () => limiter.take('a', 100, 0));
    const { window, counts } = limiter.takeUnshared(0);
    limiter.take('a', 100, minute);
    limiter.setTotal(window, 'a', 90);
    limiter.returnUnshared(window, counts);
    expect(limiter.peek('a', 100, minute)).toMatchObject({ remaining: 99 });
    expect(limiter.takeUnshared(2 * minute).counts).toEqual([]);
  });

  test('are shared again if sharing failed', () => {
    const limiter = new RateLimiter();
    times(10, () => limiter.take('a', 100, 0));
    const { window, counts } = limiter.takeUnshared(0);
    limiter.returnUnshared(window, counts);
    expect(limiter.takeUnshared(0).counts).toEqual([{ key: 'a', added: 10 }]);
  });
});
