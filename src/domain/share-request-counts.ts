import { createHash } from 'node:crypto';
import { addRequestCounts } from '../storage/access/request-counts.js';
import type { Database } from '../storage/database.js';
import { type RateLimiter, windowMs } from './rate-limiter.js';

const shareIntervalMs = 1_000;

/**
 * Shares request counts of the busiest callers with other nodes and workers, in one statement per second. While the
 * database is unavailable, every process counts alone.
 */
export function startSharing(database: Database, limiter: RateLimiter): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return; // wait for a slow database to answer before asking again
    isRunning = true;
    shareCounts(database, limiter, Date.now())
      .catch(() => {}) // retried in a second, with the counts that were not shared
      .finally(() => {
        isRunning = false;
      });
  }, shareIntervalMs).unref();
}

export async function shareCounts(database: Database, limiter: RateLimiter, nowMs: number): Promise<void> {
  const { window, counts } = limiter.takeUnshared(nowMs);
  if (counts.length === 0) return;
  const keyByHash = new Map(counts.map(({ key }) => [hashed(key), key]));
  try {
    const totals = await addRequestCounts(database.pool, {
      windowStart: new Date(window * windowMs),
      counts: counts.map(({ key, added }) => ({ key: hashed(key), added })),
    });
    for (const { key, total } of totals) {
      const known = keyByHash.get(key);
      if (known !== undefined) limiter.setTotal(window, known, total);
    }
  } catch (error) {
    limiter.returnUnshared(window, counts);
    throw error;
  }
}

/** Keys contain addresses and user serials, which do not belong in another table. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
