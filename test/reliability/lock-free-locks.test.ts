import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ConnectionShare } from '../../src/storage/connection-share.js';
import { itemFor } from '../support/bulk-items.js';
import {
  aRival,
  giveTimeFor,
  holdNext,
  lookUp,
  ownDatabase,
  untilWaiting,
} from '../support/concurrent-transactions.js';
import { type GivenUser, newId, TestService, useService } from '../support/service.js';
import { runUpdates, verdictsOf } from '../support/update-runs.js';

const service = useService();

const givenUsers = (count: number) => Promise.all(Array.from({ length: count }, () => service.givenUser()));
const serialsOf = (users: readonly GivenUser[]) => users.map(({ serial }) => serial);
const phones = (users: readonly GivenUser[]) =>
  users.map(({ employeeID }) => itemFor(employeeID, { phone: '555' }));

/** Work on a connection of the pool that ends when the test says so. */
function heldWork(pool: ReturnType<typeof ownDatabase>['pool']) {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const state = { hasBegun: false };
  const work = async () => {
    state.hasBegun = true;
    const client = await pool.connect();
    await ended;
    client.release();
  };
  return { state, work, end };
}

describe('a connection share', () => {
  test('runs two tasks at once for a single user of the pool, and no more', async () => {
    const { pool } = ownDatabase(service);
    const turns = new ConnectionShare(pool, 2);
    const works = [heldWork(pool), heldWork(pool), heldWork(pool)];
    const all = works.map(({ work }) => turns.run('read', work));
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, true, false]);
    works[1]?.end();
    await all[1];
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, true, true]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test('runs one task at a time while another has a connection, and two again afterwards', async () => {
    const { pool } = ownDatabase(service);
    const other = await pool.connect();
    const turns = new ConnectionShare(pool, 2);
    const works = [heldWork(pool), heldWork(pool), heldWork(pool), heldWork(pool)];
    const all = works.map(({ work }) => turns.run('read', work));
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, false, false, false]);
    works[0]?.end();
    await all[0];
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, true, false, false]);
    other.release();
    works[1]?.end();
    await all[1];
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, true, true, true]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test('runs one task at a time even while another is only waiting for a connection', async () => {
    const { pool } = ownDatabase(service);
    const idle = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    for (const client of idle) client.release();
    const turns = new ConnectionShare(pool, 2);
    const works = [heldWork(pool), heldWork(pool)];
    const other = pool.connect();
    const all = works.map(({ work }) => turns.run('read', work));
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, false]);
    (await other).release();
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test('never uses more connections than the pool has', async () => {
    const { pool } = ownDatabase(service, { max: 1 });
    const turns = new ConnectionShare(pool, 5);
    const works = [heldWork(pool), heldWork(pool)];
    const all = works.map(({ work }) => turns.run('read', work));
    await settled();
    expect(works.map(({ state }) => state.hasBegun)).toEqual([true, false]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test('alternates between waiting reads and writes', async () => {
    const { pool } = ownDatabase(service);
    const turns = new ConnectionShare(pool, 1);
    const order: string[] = [];
    const take = (kind: 'read' | 'write', name: string) =>
      turns.run(kind, async () => {
        order.push(name);
      });
    const kinds = ['read', 'read', 'read', 'write', 'write', 'write', 'write'] as const;
    await Promise.all(kinds.map((kind, index) => take(kind, `${kind} ${index}`)));
    expect(order).toEqual(['read 0', 'write 3', 'read 1', 'write 4', 'read 2', 'write 5', 'write 6']);
  });

  test('frees the connection of a failed task', async () => {
    const { pool } = ownDatabase(service, { max: 1 });
    const turns = new ConnectionShare(pool, 1);
    const failing = turns.run('read', async () => {
      throw new Error('it failed');
    });
    const next = turns.run('read', async () => 'its turn');
    await expect(failing).rejects.toThrow('it failed');
    expect(await next).toBe('its turn');
  });
});

describe('a call with several chunks', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
  ])('that is alone on the pool and may use %i connections uses %i', async (connectionsMax, used) => {
    const users = await givenUsers(5);
    const database = ownDatabase(service);
    const rival = await aRival(service);
    await rival.hold(...serialsOf(users));
    const running = runUpdates(service, phones(users), { chunkItems: 1, connectionsMax, database });
    await untilWaiting(service, used);
    expect([database.pool.totalCount, database.pool.waitingCount]).toEqual([used, 0]);
    await rival.commit();
    expect(verdictsOf(await running)).toEqual(users.map(() => true));
    expect(database.pool.totalCount, 'at any moment').toBe(used);
  });

  test('uses one connection at a time if another request is running', async () => {
    const users = await givenUsers(5);
    const database = ownDatabase(service);
    const other = await database.pool.connect();
    const rival = await aRival(service);
    await rival.hold(...serialsOf(users));
    const running = runUpdates(service, phones(users), { chunkItems: 1, database });
    await untilWaiting(service, 1);
    await rival.commit();
    expect(verdictsOf(await running)).toEqual(users.map(() => true));
    expect(database.pool.totalCount, 'at any moment, with the one of somebody else').toBe(2);
    other.release();
  });

  test('uses one connection at a time if another request is running, also for a chunk that lost a race', async () => {
    const [x, q] = [newId('x'), newId('q')];
    const [first, second, third] = (await givenUsers(3)) as [GivenUser, GivenUser, GivenUser];
    await service.request('PATCH', `/service/users/${first.serial}`, { body: { username: x } });
    const database = ownDatabase(service);
    const other = await database.pool.connect();
    const [rival, slow] = [await aRival(service), await aRival(service)];
    // Once the first chunk has lost, it waits for the user who has the name by now.
    await rival.change(first.serial, { username: q });
    await rival.change(third.serial, { username: x });
    const { held } = await holdNext(service, slow, third.serial);
    const items = [itemFor(first.employeeID, { username: x, phone: '555' }), ...phones([second])];
    const running = runUpdates(service, items, { chunkItems: 1, database });
    await untilWaiting(service, 1);
    await rival.commit();
    await held;
    await untilWaiting(service, 1);
    await giveTimeFor(service, `(SELECT phone FROM users WHERE serial = '${second.serial}') = '555'`);
    await slow.commit();
    const result = await running;
    other.release();
    expect(verdictsOf(result)).toEqual(['USER_USERNAME_EXISTS', true]);
    expect(database.pool.totalCount, 'at any moment, with the one of somebody else').toBe(2);
  });
});

test('users are written and locked in serial order, whatever their names and places, to prevent deadlocks', async () => {
  const own = await TestService.start();
  try {
    const low = await own.givenUser({ employeeID: newId('Z') });
    const high = await own.givenUser({ employeeID: newId('A') });
    expect(low.serial < high.serial).toBe(true);
    // Once updated, the row with the lower serial comes after the other.
    await own.database.pool.query(`UPDATE users SET phone = '123' WHERE serial = $1`, [low.serial]);
    for (const settings of [{}, { mode: 'finalState' }] as const) {
      const rival = await aRival(own);
      await rival.hold(low.serial);
      const running = runUpdates(own, phones([low, high]), settings);
      await untilWaiting(own, 1);
      const free = await lookUp(own, 'SELECT serial FROM users WHERE serial = $1 FOR UPDATE SKIP LOCKED', [
        high.serial,
      ]);
      await rival.commit();
      expect(verdictsOf(await running)).toEqual([true, true]);
      expect(free, 'whoever waits for the lower does not hold the higher').toEqual([{ serial: high.serial }]);
    }
  } finally {
    await own.stop();
  }
});
