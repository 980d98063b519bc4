import { describe, expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { pruneChanges } from '../../../src/storage/changes/changes.js';
import { transaction } from '../../../src/storage/database.js';
import { itemFor } from '../../support/bulk-items.js';
import { givenCreates, givenUpdates, readCall, undo, undone } from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { untilIndexed } from '../../support/index-checks.js';
import { aUser, useOwnService } from '../../support/service.js';

// A service of its own: pruning would delete the changes of other tests.
const service = useOwnService();

const keptDays = 10;
const pool = () => service.database.pool;

/** Only changes that are indexed are pruned. */
async function tidy(): Promise<void> {
  await untilIndexed(pool());
  await runHousekeeping(service.context, { accessEventsDays: 365, changesDays: keptDays });
}

/** Makes the change log, the calls or both this many days older. */
async function age(days: number, ...tables: ('changes' | 'calls')[]): Promise<void> {
  if (tables.includes('changes'))
    await pool().query('UPDATE changes SET at = at - make_interval(days => $1)', [days]);
  if (tables.includes('calls'))
    await pool().query('UPDATE calls SET started_at = started_at - make_interval(days => $1)', [days]);
}

async function history(serial: string): Promise<unknown[]> {
  return (await service.get(`/service/users/${serial}/history`)).json.data?.items;
}

async function prunedTo(): Promise<number> {
  return Number((await pool().query('SELECT pruned_to FROM change_log')).rows[0].pruned_to);
}

async function lastNumber(): Promise<number> {
  return Number((await pool().query('SELECT max(seq) AS last FROM changes')).rows[0].last);
}

describe('a change older than the retention period', () => {
  test('is pruned, and newer changes are kept', async () => {
    const user = await service.givenUser();
    await patchUser(service, user.serial, { name: 'Old' });
    await age(keptDays, 'changes');
    await pool().query(`UPDATE changes SET at = at + interval '1 minute'`);
    await tidy();
    expect(await history(user.serial), 'not old enough by a minute').toHaveLength(2);
    await pool().query(`UPDATE changes SET at = at - interval '2 minutes'`);
    const last = await lastNumber();
    await patchUser(service, user.serial, { name: 'New' });
    await tidy();
    expect(await history(user.serial)).toMatchObject([{ fields: { name: { before: 'Old', after: 'New' } } }]);
    expect(await prunedTo()).toBe(last);
  });

  test('is kept until the indexer has processed it', async () => {
    const user = await service.givenUser();
    await patchUser(service, user.serial, { name: 'Old' });
    await untilIndexed(pool());
    await age(keptDays + 1, 'changes');
    const last = await lastNumber();
    const kept = await transaction(service.database, async (tx) => {
      // The transaction keeps the indexer from advancing it again.
      await tx.query('UPDATE index_state SET position = $1', [last - 1]);
      await pruneChanges(tx, keptDays);
      const { rows } = await tx.query<{ seq: string }>('SELECT seq FROM changes');
      await tx.query('UPDATE index_state SET position = $1', [last]);
      return rows.map(({ seq }) => Number(seq));
    });
    expect(kept).toEqual([last]);
    expect(await prunedTo()).toBe(last - 1);
    await tidy();
    expect(await history(user.serial)).toEqual([]);
  });

  test('is recorded as pruned, also after a run that prunes nothing', async () => {
    await service.givenUser();
    await age(keptDays + 1, 'changes');
    const last = await lastNumber();
    await tidy();
    expect(await prunedTo()).toBe(last);
    await tidy();
    expect(await prunedTo()).toBe(last);
  });

  test('is pruned however many there are', async () => {
    const user = await service.givenUser();
    await pool().query(
      `INSERT INTO changes (at, user_serial, version, employee_id, kind, fields)
       SELECT now() - interval '1 year', $1, 1, 'E1', 'updated', '{}' FROM generate_series(1, 6000)`,
      [user.serial],
    );
    await patchUser(service, user.serial, { name: 'New' });
    await age(keptDays + 1, 'changes');
    await patchUser(service, user.serial, { name: 'Newer' });
    await tidy();
    const { rows } = await pool().query('SELECT count(*)::int AS left FROM changes');
    expect(rows).toEqual([{ left: 1 }]);
    expect(await history(user.serial)).toHaveLength(1);
  });

  test('leaves an empty history for an existing user and none for a deleted one', async () => {
    const user = await service.givenUser();
    const { callId, serials } = await givenCreates(service, [aUser()]);
    await undo(service, callId);
    await age(keptDays + 1, 'changes');
    await tidy();
    expect(await history(user.serial)).toEqual([]);
    const gone = await service.get(`/service/users/${serials[0]}/history`);
    expectFailure(gone, 404, 10102, 'USER_NOT_FOUND', /./);
  });
});

describe('a call', () => {
  test('is kept twice as long as its changes', async () => {
    const user = await service.givenUser();
    const old = await givenUpdates(service, [itemFor(user.employeeID, { phone: '123' })]);
    await age(keptDays + 1, 'changes', 'calls');
    await tidy();
    expect(await readCall(service, old)).toMatchObject({ state: 'done', changes: 1 });
    expectFailure(await undo(service, old), 410, 10303, 'CALL_TOO_OLD', /./);
    await age(keptDays, 'calls');
    const young = await givenUpdates(service, [itemFor(user.employeeID, { phone: '456' })]);
    await tidy();
    expectFailure(await service.get(`/service/calls/${old}`), 404, 10301, 'CALL_NOT_FOUND', /./);
    expectFailure(await undo(service, old), 404, 10301, 'CALL_NOT_FOUND', /./);
    expect(await readCall(service, young)).toMatchObject({ state: 'done', changes: 1 });
    expect((await undo(service, young)).status).toBe(200);
    expect(await service.readUser(user.serial)).toMatchObject({ phone: '123' });
  });

  test('whose changes are pruned while it is still recorded fails with 410 and 10303', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { phone: '123' })]);
    await age(keptDays + 1, 'changes');
    await tidy();
    const refused = await undo(service, callId);
    expectFailure(
      refused,
      410,
      10303,
      'CALL_TOO_OLD',
      /^The call can no longer be undone: only 0 of its 1 changes are still in the change log\./,
    );
    expect(await service.readUser(user.serial)).toMatchObject({ phone: '123' });
  });

  test('that changed nothing can be undone for as long as it is kept', async () => {
    const callId = await givenUpdates(service, []);
    await age(keptDays + 1, 'changes');
    await tidy();
    expect((await undo(service, callId)).status).toBe(200);
  });

  test('that was undone stays undone after the undo is deleted', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { phone: '123' })]);
    const undoId = await undone(service, callId);
    await pool().query(`UPDATE calls SET started_at = now() - interval '1 year' WHERE id = $1`, [undoId]);
    await tidy();
    expect(await readCall(service, callId)).toMatchObject({ undoneBy: null });
    expect(await service.readUser(user.serial)).toMatchObject({ phone: null });
  });
});
