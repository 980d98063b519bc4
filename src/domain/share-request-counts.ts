import { createHash } from 'node:crypto';
import { addRequestCounts } from '../storage/access/request-counts.js';
import type { Database } from '../storage/database.js';
import { type RateLimiter, windowMs } from './rate-limiter.js';

const shareEveryMs = 1_000;

/**
 * Tells the other nodes and workers, every second and in one statement, how many requests the busiest callers have sent here,
 * and learns what they have sent elsewhere. While the database is away every process counts for itself.
 */
export function startSharing(database: Database, limiter: RateLimiter): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return; // a slow database is not asked again before it has answered
    isRunning = true;
    shareCounts(database, limiter, Date.now())
      .catch(() => {}) // it is tried again in a second, with what was not told
      .finally(() => {
        isRunning = false;
      });
  }, shareEveryMs).unref();
}

export async function shareCounts(database: Database, limiter: RateLimiter, nowMs: number): Promise<void> {
  const { window, counts } = limiter.takeUntold(nowMs);
  if (counts.length === 0) return;
  const keyByHash = new Map(counts.map(({ key }) => [hashed(key), key]));
  try {
    const totals = await addRequestCounts(database.pool, {
      windowStart: new Date(window * windowMs),
      counts: counts.map(({ key, added }) => ({ key: hashed(key), added })),
    });
    for (const { key, total } of totals) {
      const known = keyByHash.get(key);
      if (known !== undefined) limiter.learn(window, known, total);
    }
  } catch (error) {
    limiter.takeBack(window, counts);
    throw error;
  }
}

/** Keys hold addresses and serials of people, which have no business in another table. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
