import { describe, expect, test } from 'vitest';
import type { Executor } from '../../../src/storage/database.js';
import { itemFor, rename } from '../../support/bulk-items.js';
import { givenCreates } from '../../support/calls.js';
import { expectCompleted } from '../../support/log-replay.js';
import { aUser, type GivenUser, newId, useService } from '../../support/service.js';
import { type RunSettings, runUpdates, verdictsOf } from '../../support/update-runs.js';

/** How lock-free calls, and calls that cannot be lock-free, are recorded. */
const service = useService();
const pool: Executor = {
  query: ((...query: Parameters<Executor['query']>) =>
    service.database.pool.query(...query)) as Executor['query'],
};

async function givenUsers(count: number): Promise<GivenUser[]> {
  const users = Array.from({ length: count }, () => aUser());
  if (count === 0) return [];
  const { serials } = await givenCreates(service, users);
  return users.map((user, at) => ({ ...user, serial: serials[at] as string }));
}

const phone = ({ employeeID }: GivenUser, number = '555') => itemFor(employeeID, { phone: number });
const deactivation = ({ employeeID }: GivenUser) => itemFor(employeeID, { isActive: false });

/** The result of a completed call, and the number of transactions that wrote changes. */
async function completed(items: readonly unknown[], settings: RunSettings = {}) {
  const result = await runUpdates(service, items, settings);
  const verdicts = verdictsOf(result);
  if (!result.ok) throw new Error('the call was rejected');
  const succeeded = verdicts.filter((verdict) => verdict === true).length;
  const log = await expectCompleted(pool, result.callId, {
    ...{ items: items.length, succeeded, failed: items.length - succeeded },
  });
  const transactions = new Set(log.slice(0, -1).map(({ transaction }) => transaction)).size;
  const { rows: parts } = await pool.query(
    `SELECT first_item AS first, json_array_length(outcomes) AS items FROM call_parts WHERE call_id = $1 ORDER BY 1`,
    [result.callId],
  );
  return {
    verdicts,
    log,
    transactions,
    parts: parts.map(({ first, items }) => `${first}+${items}`).join(' '),
    callId: result.callId,
  };
}

describe.each([
  ['with', () => ({ key: newId('key') })],
  ['without', () => ({})],
])('a call %s a key is completed once', (_, keyed: () => RunSettings) => {
  test.each([
    [0, '0+0'],
    [3, '0+3'],
    [7, '0+3 3+3 6+1'],
  ])('in chunks of three, with %i items', async (count, expected) => {
    const users = await givenUsers(count);
    const settings = { ...keyed(), chunkItems: 3 };
    const { log, transactions, parts } = await completed(
      users.map((user) => phone(user)),
      settings,
    );
    const logged = log.slice(0, -1).map(({ serial }) => serial);
    expect(logged.sort()).toEqual(users.map(({ serial }) => serial).sort());
    expect(transactions).toBe(Math.ceil(count / 3));
    expect(parts).toBe(settings.key === undefined ? '' : expected);
  });

  test('with items that change nothing or fail', async () => {
    const [a, b] = (await givenUsers(2)) as [GivenUser, GivenUser];
    const items = [itemFor(a.employeeID), 7, itemFor(newId()), itemFor(b.employeeID), null];
    const { verdicts, log } = await completed(items, keyed());
    expect(verdicts.map((verdict) => verdict === true)).toEqual([true, false, false, true, false]);
    expect(log).toHaveLength(1);
  });

  test('with a chunk in the middle that changes a username', async () => {
    const users = await givenUsers(7);
    const username = newId('u');
    const items = users.map(({ employeeID }, at) =>
      itemFor(employeeID, at === 3 ? { username } : { phone: '555' }),
    );
    const { verdicts, log } = await completed(items, keyed());
    expect(verdicts).toEqual(users.map(() => true));
    const order = log.map(({ serial }) => users.findIndex((user) => user.serial === serial));
    expect(order.indexOf(3), 'after those before it').toBeGreaterThan(
      Math.max(order.indexOf(0), order.indexOf(1)),
    );
    expect(order.indexOf(3), 'before those after it').toBeLessThan(
      Math.min(...[4, 5, 6].map((later) => order.indexOf(later))),
    );
  });
});

describe('a call that has to be planned as a whole runs in one transaction', () => {
  test('in final-state mode', async () => {
    const users = await givenUsers(6);
    const [a, b, ...others] = users as [GivenUser, GivenUser, ...GivenUser[]];
    const swap = [
      rename(a.employeeID, b.employeeID),
      ...others.map((user) => phone(user)),
      rename(b.employeeID, a.employeeID),
    ];
    const swapped = await completed(swap, { mode: 'finalState' });
    expect([swapped.verdicts, swapped.transactions]).toEqual([users.map(() => true), 1]);
    const plain = await completed(users.map((user) => deactivation(user)).slice(2), { mode: 'finalState' });
    expect(plain.transactions).toBe(1);
  });

  test('under a safety limit, which rejects it or lets it pass as a whole', async () => {
    const users = await givenUsers(5);
    const items = users.map(deactivation);
    const { rows } = await pool.query('SELECT count(*)::int FROM users');
    const safetyLimitPercent = (4 / rows[0].count) * 100;
    const { rows: before } = await pool.query('SELECT last_value FROM change_numbers');
    const refused = await runUpdates(service, items, { safetyLimitPercent });
    expect(refused).toMatchObject({ ok: false, failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT' } });
    expect((await pool.query('SELECT last_value FROM change_numbers')).rows).toEqual(before);
    const passed = await completed(items, { safetyLimitPercent, confirmed: 5 });
    expect(passed.transactions).toBe(1);
  });

  test('but not under a safety limit that it cannot reach', async () => {
    const users = await givenUsers(5);
    const items = users.map((user) => phone(user));
    expect((await completed(items, { safetyLimitPercent: 1 })).transactions).toBe(3);
  });
});
