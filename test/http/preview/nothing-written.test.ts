import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { serialsOf } from '../../support/bulk-reports.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();

const creates = '/service/users/create-bulk';
const updates = '/service/users/update-bulk';

/** Items with every outcome: successes that would touch each table, and failures. */
async function itemsFor(path: string): Promise<unknown[]> {
  const holder = await service.givenUser({ username: newId('u') });
  if (path === creates) {
    const user = aUser({ username: newId('u'), password: 'initial', tagSerials: ['T1'] });
    return [user, user, aUser({ employeeID: holder.employeeID }), aUser({ isActive: false }), 7];
  }
  const [signedIn, inactive] = [
    await givenSignedInUser(service),
    await service.givenUser({ isActive: false }),
  ];
  return [
    itemFor(signedIn.employeeID, { isActive: false, newEmployeeID: newId() }), // would end a session
    itemFor(inactive.employeeID, { phone: '123' }), // would activate a dormant delivery
    rename(inactive.employeeID, holder.employeeID),
    itemFor(newId()),
    itemFor(holder.employeeID, { name: 'Holder', username: null }),
    7,
  ];
}

describe('a dry run writes nothing and takes no locks', () => {
  test.each([
    ['of creates with effects and held deliveries', creates, '&effects=true&deliver=hold'],
    ['of updates with effects', updates, '&effects=true'],
    ['of updates in final-state mode, confirmed', updates, '&mode=finalState&confirm=3'],
  ])('%s', async (_, path, more) => {
    const items = await itemsFor(path);
    const before = await tableStates(service);
    const reply = await service.post(`${path}?dryRun=true${more}`, { items });
    expect(reply.status).toBe(200);
    expect(serialsOf(reply).length).toBeGreaterThan(1);
    expect(reply.headers.get('x-call-id')).toBeNull();
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });

  test.each([
    [
      'creates',
      creates,
      ['call_items', 'calls', 'change_numbers', 'changes', 'credentials', 'deliveries', 'users'],
    ],
    [
      'updates',
      updates,
      ['call_items', 'calls', 'change_numbers', 'changes', 'deliveries', 'sessions', 'users'],
    ],
  ])('while the actual call of %s changes the expected tables', async (_, path, traces) => {
    const items = await itemsFor(path);
    const before = await tableStates(service);
    await service.post(path, { items });
    expect(changedBetween(before, await tableStates(service)).sort()).toEqual(traces);
  });
});

test('a dry run waits for no locks', async () => {
  const [toCreate, toUpdate] = [await itemsFor(creates), await itemsFor(updates)];
  const rival = await service.database.pool.connect();
  try {
    await rival.query('BEGIN');
    await rival.query('SELECT FROM users FOR UPDATE');
    expect((await service.post(`${creates}?dryRun=true`, { items: toCreate })).status).toBe(200);
    expect((await service.post(`${updates}?dryRun=true`, { items: toUpdate })).status).toBe(200);
  } finally {
    await rival.query('ROLLBACK');
    rival.release();
  }
});

describe('a dry run with an Idempotency-Key', () => {
  test('does not use the key, so the call still can', async () => {
    const [path, items] = [updates, await itemsFor(updates)];
    const headers = { 'idempotency-key': newId('key') };
    const before = await tableStates(service);
    const preview = await service.post(`${path}?dryRun=true`, { items }, { headers });
    expect(preview.headers.get('idempotent-replayed')).toBeNull();
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
    const call = await service.post(path, { items }, { headers });
    expect([call.status, call.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(serialsOf(call)).toHaveLength(serialsOf(preview).length);
  });

  test('is not answered with the report of the call that used the key', async () => {
    const user = await service.givenUser();
    const headers = { 'idempotency-key': newId('key') };
    const items = [itemFor(user.employeeID, { phone: '123' })];
    await service.post(updates, { items }, { headers });
    const preview = await service.post(`${updates}?dryRun=true`, { items }, { headers });
    expect(preview.headers.get('idempotent-replayed')).toBeNull();
    expect(preview.json.data.successItems).toMatchObject([{ effect: { kind: 'unchanged' } }]);
  });
});

test('a dry run validates the body', async () => {
  for (const path of [creates, updates]) {
    const invalid = await service.post(`${path}?dryRun=true`, { items: [], dry_run: 1 });
    expectFailure(invalid, 400, 10004, 'REQUEST_BODY_INVALID', /"dry_run" is unknown/);
  }
});
