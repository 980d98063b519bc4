import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../src/domain/rate-limiter.js';
import { shareCounts } from '../../src/domain/share-request-counts.js';
import { deleteOldRequestCounts } from '../../src/storage/access/request-counts.js';
import { faultyDatabase } from '../support/faulty-database.js';
import { newId, useService } from '../support/service.js';

const service = useService();
const max = 40;

function takeTimes(limiter: RateLimiter, key: string, count: number, nowMs: number): void {
  for (let each = 0; each < count; each++) limiter.take(key, max, nowMs);
}

describe('shared request counts', () => {
  test('apply to all nodes: what one uses up, the others reject', async () => {
    const nowMs = Date.now();
    const [one, two, other] = [new RateLimiter(), new RateLimiter(), newId()];
    const key = newId();
    takeTimes(one, key, 30, nowMs);
    takeTimes(two, key, 10, nowMs);
    expect(two.take(other, max, nowMs)).toMatchObject({ isAllowed: true });
    await shareCounts(service.database, one, nowMs);
    await shareCounts(service.database, two, nowMs);
    expect(two.take(key, max, nowMs)).toMatchObject({ isAllowed: false });
    expect(two.take(other, max, nowMs)).toMatchObject({ isAllowed: true });
    // The first node learns of it the next time it shares its own counts.
    takeTimes(one, key, 1, nowMs);
    await shareCounts(service.database, one, nowMs);
    expect(one.take(key, max, nowMs)).toMatchObject({ isAllowed: false });
    expect(one.take(key, max, nowMs + 60_000)).toMatchObject({ isAllowed: true });
  });

  test('of several concurrent nodes are all added up', async () => {
    const nowMs = Date.now();
    const keys = [newId(), newId(), newId()];
    const nodes = Array.from({ length: 8 }, () => new RateLimiter());
    for (const node of nodes) for (const key of keys) takeTimes(node, key, 4, nowMs);
    await Promise.all(nodes.map((node) => shareCounts(service.database, node, nowMs)));
    const last = new RateLimiter();
    for (const key of keys) takeTimes(last, key, 2, nowMs);
    await shareCounts(service.database, last, nowMs);
    for (const key of keys) expect(last.peek(key, max, nowMs)).toMatchObject({ remaining: max - 8 * 4 - 2 });
  });

  test('contain no address and no serial', async () => {
    const nowMs = Date.now();
    const limiter = new RateLimiter();
    takeTimes(limiter, 'address 192.0.2.77', max, nowMs);
    await shareCounts(service.database, limiter, nowMs);
    const { rows } = await service.database.pool.query('SELECT key FROM request_counts');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('192.0.2.77');
  });

  test('are shared again after a database outage', async () => {
    const nowMs = Date.now();
    const key = newId();
    const limiter = new RateLimiter();
    takeTimes(limiter, key, 20, nowMs);
    const away = faultyDatabase(service.database, () => 'no connection');
    // The pool's own `query` connects by itself; this one uses the faulty `connect`.
    const database = {
      ...away,
      pool: Object.assign(Object.create(away.pool), { query: () => away.pool.connect() }),
    };
    await expect(shareCounts(database, limiter, nowMs)).rejects.toThrow('cut');
    await shareCounts(service.database, limiter, nowMs);
    const other = new RateLimiter();
    takeTimes(other, key, 3, nowMs);
    await shareCounts(service.database, other, nowMs);
    expect(other.peek(key, max, nowMs)).toMatchObject({ remaining: max - 23 });
  });

  test('are deleted long after their minute has passed', async () => {
    const longAgoMs = Date.now() - 3_600_000;
    const limiter = new RateLimiter();
    takeTimes(limiter, newId(), max, longAgoMs);
    await shareCounts(service.database, limiter, longAgoMs);
    await deleteOldRequestCounts(service.database.pool);
    const { rows } = await service.database.pool.query(
      `SELECT FROM request_counts WHERE window_start < now() - interval '30 minutes'`,
    );
    expect(rows).toEqual([]);
  });
});
