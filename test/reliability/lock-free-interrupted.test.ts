import { describe, expect, test } from 'vitest';
import { itemFor } from '../support/bulk-items.js';
import { aRival, lookUp, ownDatabase, untilWaiting } from '../support/concurrent-transactions.js';
import { expectCompleted, logRows } from '../support/log-replay.js';
import { repair, whenStored } from '../support/sabotage.js';
import { type GivenUser, newId, useService } from '../support/service.js';
import { runUpdates, verdictsOf } from '../support/update-runs.js';

/** Calls in which the database stops one chunk while others succeed. */
const service = useService();

const givenUsers = (count: number) => Promise.all(Array.from({ length: count }, () => service.givenUser()));
const phones = (users: readonly GivenUser[]) =>
  users.map(({ employeeID }) => itemFor(employeeID, { phone: '555' }));

async function callOf(key: string) {
  const [row] = await lookUp<{ id: string; state: string; succeeded: number; parts: number[] }>(
    service,
    `SELECT calls.id, state, succeeded, ARRAY(SELECT first_item FROM call_parts WHERE call_id = calls.id ORDER BY 1) AS parts
     FROM calls JOIN idempotency_keys ON call_id = calls.id WHERE key = $1`,
    [key],
  );
  if (!row) throw new Error('the call is not recorded');
  return row;
}

/** Nine users in chunks of two. A rival locks the fifth, so that chunk waits while all others are committed. */
async function withAHole(key: string) {
  const users = await givenUsers(9);
  const database = ownDatabase(service);
  const rival = await aRival(service);
  await rival.hold((users[4] as GivenUser).serial);
  const running = runUpdates(service, phones(users), { key, database });
  await untilWaiting(service, 1);
  await expect.poll(async () => (await callOf(key)).succeeded, { interval: 5 }).toBe(7);
  return { users, items: phones(users), rival, running };
}

/** Terminates or cancels the connection that waits for a lock. */
async function toWhoWaits(what: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
  const done = await lookUp(
    service,
    `SELECT ${what}(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'rollcall' AND wait_event_type = 'Lock'`,
  );
  expect(done).toHaveLength(1);
}

/** Each user was changed once, and the call is reported as completed. */
async function expectWhole(users: readonly GivenUser[], key: string): Promise<void> {
  const { id } = await callOf(key);
  const counts = { items: users.length, succeeded: users.length, failed: 0 };
  const log = await expectCompleted(service.database.pool, id, counts);
  const told = log.slice(0, -1).map(({ serial, version, fields }) => ({ serial, version, fields }));
  const fields = { phone: { before: null, after: '555' } };
  const bySerial = (a: { serial: string | null }, b: { serial: string | null }) =>
    (a.serial ?? '') < (b.serial ?? '') ? -1 : 1;
  expect(told.toSorted(bySerial)).toEqual(
    users.map(({ serial }) => ({ serial, version: 2, fields })).toSorted(bySerial),
  );
  const again = await runUpdates(service, phones(users), { key });
  expect(again).toMatchObject({ ok: true, callId: id, isReplay: true });
  expect(verdictsOf(again)).toEqual(users.map(() => true));
}

/** Resends the call with another chunk size, and expects it to complete. */
async function expectGoneOn(users: readonly GivenUser[], key: string, chunkItems: number): Promise<void> {
  const goneOn = await runUpdates(service, phones(users), { key, chunkItems });
  expect(verdictsOf(goneOn)).toEqual(users.map(() => true));
  expect(goneOn).toMatchObject({ isReplay: false });
  await expectWhole(users, key);
}

function expectHole(verdicts: readonly unknown[], error: string): void {
  expect(verdicts).toEqual([true, true, true, true, error, error, true, true, true]);
}

describe('one of several chunks', () => {
  test.each([1, 4])(
    'whose connection is terminated leaves a gap, which is filled in chunks of %i',
    async (size) => {
      const key = newId('key');
      const { users, running, rival } = await withAHole(key);
      await toWhoWaits('pg_terminate_backend');
      const result = await running;
      expectHole(verdictsOf(result), 'SERVICE_UNAVAILABLE');
      const details = result.ok && result.outcomes.flatMap((each) => (each.ok ? [] : [each.failure.detail]));
      const reason = 'the database is unreachable. Nothing was changed; retry the request.';
      expect(details).toEqual([4, 5].map((at) => `items[${at}]: ${reason}`));
      expect(await callOf(key)).toMatchObject({ state: 'interrupted', succeeded: 7, parts: [0, 2, 6, 8] });
      const logged = await logRows(service.database.pool, (await callOf(key)).id);
      expect(logged.map(({ kind }) => kind)).toEqual(Array(7).fill('updated'));
      await rival.commit();
      await expectGoneOn(users, key, size);
    },
  );

  test('that takes too long leaves a gap, which is filled once nothing is in the way', async () => {
    const key = newId('key');
    const { users, running, rival } = await withAHole(key);
    await toWhoWaits('pg_cancel_backend'); // as the server does on a timeout
    const result = await running;
    expectHole(verdictsOf(result), 'SERVICE_UNAVAILABLE');
    const details = result.ok && result.outcomes.flatMap((each) => (each.ok ? [] : [each.failure.detail]));
    const reason = 'the database is overloaded. Nothing was changed; retry the request.';
    expect(details).toEqual([4, 5].map((at) => `items[${at}]: ${reason}`));
    expect(await callOf(key)).toMatchObject({ state: 'interrupted', succeeded: 7, parts: [0, 2, 6, 8] });
    await rival.commit();
    await expectGoneOn(users, key, 3);
  });

  test('whose connection is terminated during its commit is reported as unknown', async () => {
    const key = newId('key');
    const users = await givenUsers(6);
    const { employeeID } = users[2] as GivenUser;
    await whenStored(service, employeeID, 'PERFORM pg_terminate_backend(pg_backend_pid())', 'at the commit');
    const verdicts = verdictsOf(
      await runUpdates(service, phones(users), { key, database: ownDatabase(service) }),
    );
    await repair(service, employeeID);
    expect(verdicts.slice(2, 4)).toEqual(Array(2).fill('SERVICE_OUTCOME_UNKNOWN'));
    expect([true, 'SERVICE_UNAVAILABLE']).toContain(verdicts[4]);
    await expectGoneOn(users, key, 100);
  });

  test('that fails with an internal error is reported as such, and the others succeed', async () => {
    const key = newId('key');
    const users = await givenUsers(6);
    const { employeeID } = users[2] as GivenUser;
    await whenStored(service, employeeID, `RAISE EXCEPTION 'a fault'`);
    const verdicts = verdictsOf(await runUpdates(service, phones(users), { key }));
    await repair(service, employeeID);
    expect(verdicts.slice(0, 4)).toEqual([true, true, 'SERVICE_INTERNAL_ERROR', 'SERVICE_INTERNAL_ERROR']);
    expect((await callOf(key)).state).toBe('interrupted');
    await expectGoneOn(users, key, 2);
  });
});

describe('two nodes running a call with a gap', () => {
  test('exclude each other: one fills the gap, and the other writes nothing', async () => {
    const key = newId('key');
    const { users, items, running, rival } = await withAHole(key);
    const early = await runUpdates(service, items, { key });
    expect(early).toMatchObject({ ok: false, failure: { error: 'IDEMPOTENCY_KEY_IN_USE' } });
    await lookUp(service, 'UPDATE calls SET claimed_until = now() WHERE id = $1', [(await callOf(key)).id]);
    const other = runUpdates(service, items, { key, chunkItems: 1 });
    await untilWaiting(service, 2);
    await rival.commit();
    const [first, second] = await Promise.all([running, other]);
    expect(first.ok, 'whoever was taken for dead').toBe(false);
    expect(verdictsOf(second)).toEqual(users.map(() => true));
    await expectWhole(users, key);
  });

  test('cannot undo it while one fills the gap; an undo then takes over an expired claim', async () => {
    const key = newId('key');
    const { users, running, rival } = await withAHole(key);
    const { id } = await callOf(key);
    expect((await service.request('POST', `/service/calls/${id}/undo`)).json.errorCode).toBe(10302);
    await lookUp(service, `UPDATE calls SET claimed_until = now() - interval '1 second' WHERE id = $1`, [id]);
    const undone = await service.request('POST', `/service/calls/${id}/undo`);
    expect(undone.json.data.successItems).toHaveLength(7);
    await rival.commit();
    expect(await running).toMatchObject({ ok: false, failure: { error: 'CALL_UNDONE' } });
    const rows = await lookUp(service, 'SELECT DISTINCT phone FROM users WHERE serial = ANY ($1::uuid[])', [
      users.map(({ serial }) => serial),
    ]);
    expect(rows).toEqual([{ phone: null }]);
  });
});
