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
 * Users that change between the read for a plan and its write: the change is made in advance but committed only once
 * the write waits for it. The reported result must match the state at that time.
 */
const service = useService();

interface Meanwhile {
  readonly user?: Record<string, unknown>;
  readonly item?: Record<string, unknown>;
  /** Columns that change meanwhile. */
  readonly change?: Record<string, unknown>;
  readonly also?: (rival: Awaited<ReturnType<typeof aRival>>, user: GivenUser) => Promise<void>;
}

/** Runs a call on the user, on one in the same chunk, and on one in another chunk. */
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

describe('a user changed between read and write', () => {
  test('in the same field: the item starts from the new value', async () => {
    const { user, outcome, row, logged } = await changedMeanwhile({ change: { phone: '777' } });
    const fields = { phone: { before: '777', after: '555' } };
    expect(outcome).toEqual({ ok: true, serial: user.serial, effect: { kind: 'updated', fields } });
    expect(logged).toEqual([{ version: 3, fields }]);
    expect(row).toMatchObject({ version: 3, phone: '555' });
  });

  test('to what the item asks for: nothing changes, and the version stays', async () => {
    const { user, outcome, row, logged } = await changedMeanwhile({ change: { phone: '555' } });
    expect(outcome).toEqual({ ok: true, serial: user.serial, effect: { kind: 'unchanged', fields: {} } });
    expect(logged).toEqual([]);
    expect(row).toMatchObject({ version: 2, phone: '555' });
  });

  test('in another field: that change is kept', async () => {
    const { outcome, row, logged } = await changedMeanwhile({
      user: { organizationSerial: 'O1' },
      change: { organization_serial: 'O2' },
    });
    expect(outcome).toMatchObject({ ok: true, effect: { kind: 'updated' } });
    expect(logged).toEqual([{ version: 3, fields: { phone: { before: null, after: '555' } } }]);
    expect(row).toMatchObject({ version: 3 });
  });

  test('in a field that the item repeats: the item wins', async () => {
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

  test('by removing the email: an item that removes the phone too is rejected', async () => {
    const { outcome, row, logged } = await changedMeanwhile({
      user: { phone: '123' },
      item: { phone: '' },
      change: { email: null },
    });
    expect(outcome).toEqual(refused('USER_CONTACT_REQUIRED'));
    expect([row?.phone, logged]).toEqual(['123', []]);
  });

  test('by a rename: the employee ID is not found', async () => {
    const { outcome, row } = await changedMeanwhile({ change: { employee_id: newId() } });
    expect(outcome).toEqual(refused('USER_NOT_FOUND'));
    expect(row).toMatchObject({ version: 2, phone: null });
  });

  test('by a rename, with another user taking the employee ID: that user is updated', async () => {
    const heir = await service.givenUser();
    const { outcome, row } = await changedMeanwhile({
      change: { employee_id: newId() },
      also: (rival, { employeeID }) => rival.change(heir.serial, { employee_id: employeeID }),
    });
    expect(outcome).toMatchObject({ ok: true, serial: heir.serial });
    expect(row).toMatchObject({ version: 2, phone: null });
    expect(await service.readUser(heir.serial)).toMatchObject({ phone: '555' });
  });

  test('by deletion: the employee ID is not found', async () => {
    const { outcome, row } = await changedMeanwhile({
      also: async (rival, { serial }) => {
        await rival.query('WITH gone AS (DELETE FROM deliveries WHERE user_serial = $1) SELECT', [serial]);
        await rival.query('DELETE FROM users WHERE serial = $1', [serial]);
      },
    });
    expect(outcome).toEqual(refused('USER_NOT_FOUND'));
    expect(row).toBeUndefined();
  });

  test('in the username that the item repeats: the username is restored', async () => {
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

  test('in the username that the item repeats and another user has taken: the whole item is rejected', async () => {
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

  test('by a lock only: nothing is planned again, and the write succeeds', async () => {
    const { outcome, row } = await changedMeanwhile({ also: (rival, { serial }) => rival.hold(serial) });
    expect(outcome).toMatchObject({ ok: true, effect: { fields: { phone: { after: '555' } } } });
    expect(row).toMatchObject({ version: 2, phone: '555' });
  });
});

describe('users in two chunks that both change meanwhile', () => {
  test('are processed in order: a name freed by a later item is not free for an earlier one', async () => {
    const [x, y, q] = [newId('x'), newId('y'), newId('q')];
    const first = await service.givenUser({ username: x });
    const second = await service.givenUser({ username: y });
    const [rival, slow] = [await aRival(service), await aRival(service)];
    await rival.change(first.serial, { username: q });
    await rival.change(second.serial, { username: x });
    const { held } = await holdNext(service, slow, first.serial); // delays the first chunk
    const running = runUpdates(
      service,
      [
        itemFor(first.employeeID, { username: x, phone: '555' }), // has the name only when it is read
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
