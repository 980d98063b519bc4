import { describe, expect, test } from 'vitest';
import { itemFor } from '../support/bulk-items.js';
import {
  aRival,
  giveTimeFor,
  holdNext,
  lookUp,
  ownDatabase,
  untilWaiting,
} from '../support/concurrent-transactions.js';
import { expectCompleted } from '../support/log-replay.js';
import { type GivenUser, newId, useService } from '../support/service.js';
import { runUpdates } from '../support/update-runs.js';

/**
 * Users who are changed between the look that a plan is made over and its write: the change is made beforehand but
 * committed only once the write waits for it. What is reported has to be true of what was there then.
 */
const service = useService();

interface Meanwhile {
  readonly user?: Record<string, unknown>;
  readonly item?: Record<string, unknown>;
  /** Columns that somebody changes meanwhile. */
  readonly change?: Record<string, unknown>;
  readonly also?: (rival: Awaited<ReturnType<typeof aRival>>, user: GivenUser) => Promise<void>;
}

/** Runs a call on the user, on one beside them in the same part, and on one in another part. */
async function changedMeanwhile({ user: fields, item, change, also }: Meanwhile) {
  const user = await service.givenUser(fields);
  const beside = await service.givenUser();
  const elsewhere = await service.givenUser();
  const rival = await aRival(service);
  if (change) await rival.change(user.serial, change);
  await also?.(rival, user);
  const items = [
    itemFor(user.employeeID, { phone: '555', ...item }),
    itemFor(beside.employeeID, { phone: '555' }),
    itemFor(elsewhere.employeeID, { phone: '555' }),
  ];
  const key = newId('key');
  const running = runUpdates(service, items, { key });
  await untilWaiting(service, 1);
  await rival.commit();
  const result = await running;
  if (!result.ok) throw new Error(result.failure.detail);
  const [outcome, ...others] = result.outcomes;
  const phone = { before: null, after: '555' };
  expect(others, 'those beside have nothing to do with it').toEqual(
    [beside, elsewhere].map(({ serial }) => ({
      ok: true,
      serial,
      effect: { kind: 'updated', fields: { phone } },
    })),
  );
  const succeeded = outcome?.ok ? 3 : 2;
  const log = await expectCompleted(service.database.pool, result.callId, {
    ...{ items: 3, succeeded, failed: 3 - succeeded },
  });
  expect(await runUpdates(service, items, { key }), 'the same answer again').toEqual({
    ...result,
    isReplay: true,
  });
  const [row] = await lookUp(
    service,
    'SELECT version, name, username, phone, is_active FROM users WHERE serial = $1',
    [user.serial],
  );
  const logged = log.filter(({ serial }) => serial === user.serial);
  return { user, outcome, row, logged: logged.map(({ version, fields }) => ({ version, fields })) };
}

const refused = (error: string) => ({ ok: false, failure: expect.objectContaining({ error }) });

describe('a user who is changed between the look and the write', () => {
  test('in the same field: the change starts from there', async () => {
    const { user, outcome, row, logged } = await changedMeanwhile({ change: { phone: '777' } });
    const fields = { phone: { before: '777', after: '555' } };
    expect(outcome).toEqual({ ok: true, serial: user.serial, effect: { kind: 'updated', fields } });
    expect(logged).toEqual([{ version: 3, fields }]);
    expect(row).toMatchObject({ version: 3, phone: '555' });
  });

  test('to what the item asks for: nothing is changed, and no version is spent', async () => {
    const { user, outcome, row, logged } = await changedMeanwhile({ change: { phone: '555' } });
    expect(outcome).toEqual({ ok: true, serial: user.serial, effect: { kind: 'unchanged', fields: {} } });
    expect(logged).toEqual([]);
    expect(row).toMatchObject({ version: 2, phone: '555' });
  });

  test('in another field: that change stays', async () => {
    const { outcome, row, logged } = await changedMeanwhile({
      user: { organizationSerial: 'O1' },
      change: { organization_serial: 'O2' },
    });
    expect(outcome).toMatchObject({ ok: true, effect: { kind: 'updated' } });
    expect(logged).toEqual([{ version: 3, fields: { phone: { before: null, after: '555' } } }]);
    expect(row).toMatchObject({ version: 3 });
  });

  test('in a field that the item names without changing it: the item has the last word', async () => {
    const { outcome, row } = await changedMeanwhile({ change: { name: 'Grace', is_active: false } });
    expect(outcome).toMatchObject({
      effect: {
        fields: {
          name: { before: 'Grace', after: 'Ada Lovelace' },
          isActive: { before: false, after: true },
          phone: { before: null, after: '555' },
        },
      },
    });
    expect(row).toMatchObject({ name: 'Ada Lovelace', is_active: true });
  });

  test('and loses the email, so that the item would leave no contact', async () => {
    const { outcome, row, logged } = await changedMeanwhile({
      user: { phone: '123' },
      item: { phone: null },
      change: { email: null },
    });
    expect(outcome).toEqual(refused('USER_CONTACT_REQUIRED'));
    expect([row?.phone, logged]).toEqual(['123', []]);
  });

  test('and renamed: nobody has the employee ID', async () => {
    const { outcome, row } = await changedMeanwhile({ change: { employee_id: newId() } });
    expect(outcome).toEqual(refused('USER_NOT_FOUND'));
    expect(row).toMatchObject({ version: 2, phone: null });
  });

  test('and renamed, while another took the employee ID: it is that one who is changed', async () => {
    const heir = await service.givenUser();
    const { outcome, row } = await changedMeanwhile({
      change: { employee_id: newId() },
      also: (rival, { employeeID }) => rival.change(heir.serial, { employee_id: employeeID }),
    });
    expect(outcome).toMatchObject({ ok: true, serial: heir.serial });
    expect(row).toMatchObject({ version: 2, phone: null });
    expect(await service.readUser(heir.serial)).toMatchObject({ phone: '555' });
  });

  test('and deleted: nobody has the employee ID', async () => {
    const { outcome, row } = await changedMeanwhile({
      also: async (rival, { serial }) => {
        await rival.query('WITH gone AS (DELETE FROM deliveries WHERE user_serial = $1) SELECT', [serial]);
        await rival.query('DELETE FROM users WHERE serial = $1', [serial]);
      },
    });
    expect(outcome).toEqual(refused('USER_NOT_FOUND'));
    expect(row).toBeUndefined();
  });

  test('in the username that the item names: it is given back', async () => {
    const username = newId('u');
    const { outcome, row } = await changedMeanwhile({
      ...{ user: { username }, item: { username } },
      change: { username: `${username}x` },
    });
    expect(outcome).toMatchObject({
      effect: { fields: { username: { before: `${username}x`, after: username } } },
    });
    expect(row).toMatchObject({ username });
  });

  test('in the username that the item names, which another has now: the item is refused whole', async () => {
    const username = newId('u');
    const other = await service.givenUser();
    const { outcome, row } = await changedMeanwhile({
      ...{ user: { username }, item: { username } },
      change: { username: null },
      also: (rival) => rival.change(other.serial, { username: username.toUpperCase() }),
    });
    expect(outcome).toEqual(refused('USER_USERNAME_EXISTS'));
    expect(row).toMatchObject({ version: 2, username: null, phone: null });
  });

  test('only by a lock that changes nothing: nothing is planned anew, and the write goes through', async () => {
    const { outcome, row } = await changedMeanwhile({ also: (rival, { serial }) => rival.hold(serial) });
    expect(outcome).toMatchObject({ ok: true, effect: { fields: { phone: { after: '555' } } } });
    expect(row).toMatchObject({ version: 2, phone: '555' });
  });
});

describe('users of two parts who are both changed meanwhile', () => {
  test('are done one after the other: a name that a later item frees is not free for an earlier one', async () => {
    const [x, y, q] = [newId('x'), newId('y'), newId('q')];
    const first = await service.givenUser({ username: x });
    const second = await service.givenUser({ username: y });
    const [rival, slow] = [await aRival(service), await aRival(service)];
    await rival.change(first.serial, { username: q });
    await rival.change(second.serial, { username: x });
    const { held } = await holdNext(service, slow, first.serial); // keeps the first part for a while
    const running = runUpdates(
      service,
      [
        itemFor(first.employeeID, { username: x, phone: '555' }), // has it at the look, and then the second user does
        itemFor(second.employeeID, { username: y, phone: '555' }),
      ],
      { chunkItems: 1, database: ownDatabase(service) },
    );
    await untilWaiting(service, 2);
    await rival.commit();
    await held;
    await giveTimeFor(service, `(SELECT username FROM users WHERE serial = '${second.serial}') = '${y}'`);
    await slow.commit();
    const result = await running;
    expect(result.ok && result.outcomes).toEqual([
      refused('USER_USERNAME_EXISTS'),
      expect.objectContaining({ ok: true }),
    ]);
    expect(await service.readUser(first.serial)).toMatchObject({ username: q });
    expect(await service.readUser(second.serial)).toMatchObject({ username: y });
  });
});
