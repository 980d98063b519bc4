import { describe, expect, test } from 'vitest';
import { updateUsersBulk } from '../../../src/domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../../src/domain/users/user-rules.js';
import { itemFor, rename } from '../../support/bulk-items.js';
import {
  callIdOf,
  givenCreates,
  givenUpdates,
  previewUndo,
  readCall,
  statesOf,
  undo,
  verdictsOf,
} from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, type GivenUser, newId, type Reply, useOwnService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

// Allows two of ten users, but not three.
const service = useOwnService({ ROLLCALL_SAFETY_LIMIT_PERCENT: '20' });

const updates = '/service/users/update-bulk';

/** Leaves exactly this many users, including the first administrator; returns the others. */
async function everybodyIs(count: number, overrides: Record<string, unknown> = {}): Promise<GivenUser[]> {
  await service.database.pool.query(`DELETE FROM users WHERE employee_id <> 'admin'`);
  const users = Array.from({ length: count - 1 }, () => aUser(overrides));
  const { serials } = await givenCreates(service, users);
  return users.map((user, at) => ({ ...user, serial: serials[at] as string }));
}

const deactivation = ({ employeeID }: GivenUser) => itemFor(employeeID, { isActive: false });
const renaming = ({ employeeID }: GivenUser) => rename(employeeID, newId());

function update(items: readonly unknown[], query = '', headers: Record<string, string> = {}): Promise<Reply> {
  return service.post(`${updates}${query}`, { items }, { headers });
}

function expectLimitExceeded(reply: Reply, numbers: string, confirm: number): void {
  const detail = new RegExp(
    `^The call would ${numbers}, which exceeds the safety limit of 20%\\. Nothing was changed\\. To proceed, resend with \\?confirm=${confirm}\\.$`,
  );
  expectFailure(reply, 409, 10304, 'CALL_EXCEEDS_SAFETY_LIMIT', detail);
  expect(reply.headers.get('x-call-id')).toBeNull();
}

async function expectDone(reply: Reply): Promise<void> {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data.failedItems).toEqual([]);
}

describe('a bulk upsert of ten users with a safety limit of 20%', () => {
  test('may create any number of users, inactive ones too, but not deactivate three others', async () => {
    const created = Array.from({ length: 5 }, () => aUser({ isActive: false }));
    await everybodyIs(10);
    await expectDone(await service.upsertBulk(created));
    const users = await everybodyIs(10);
    const refused = await service.upsertBulk([...created, ...users.slice(0, 3).map(deactivation)]);
    expectLimitExceeded(refused, 'deactivate 3 of 10 users \\(30\\.0%\\)', 3);
    const { rows } = await service.database.pool.query('SELECT FROM users');
    expect(rows).toHaveLength(10);
  });

  test('counts cleared email addresses', async () => {
    const users = await everybodyIs(10, { phone: '12345' });
    const items = users.slice(0, 3).map(({ employeeID }) => itemFor(employeeID, { email: '' }));
    expectLimitExceeded(
      await service.upsertBulk(items),
      'clear the username, email or phone of 3 of 10 users \\(30\\.0%\\)',
      3,
    );
    await expectDone(await service.upsertBulk(items, '?confirm=3'));
  });
});

describe('a bulk update of ten users with a safety limit of 20%', () => {
  test.each([
    ['usernames', 'username', ''],
    ['phones', 'phone', ''],
  ])('may clear two %s, but not three', async (_, field, empty) => {
    const users = await everybodyIs(10, { email: 'ada@example.com', phone: '12345' });
    await expectDone(await update(users.map((user) => itemFor(user.employeeID, { username: newId('u') }))));
    const clear = ({ employeeID }: GivenUser) => itemFor(employeeID, { [field]: empty });
    await expectDone(await update(users.slice(0, 2).map(clear)));
    const refused = await update(users.slice(2, 5).map(clear));
    expectLimitExceeded(refused, 'clear the username, email or phone of 3 of 10 users \\(30\\.0%\\)', 3);
    // Null keeps a field, so a caller that sends nulls clears nothing.
    await expectDone(
      await update(users.slice(2).map(({ employeeID }) => itemFor(employeeID, { [field]: null }))),
    );
    const [cleared, kept] = [users[0], users[2]] as [GivenUser, GivenUser];
    expect((await service.readUser(cleared.serial))[field]).toBeNull();
    expect((await service.readUser(kept.serial))[field]).not.toBeNull();
    await expectDone(await update(users.slice(2, 5).map(clear), '?confirm=3'));
  });

  test('may deactivate two, but not three', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(deactivation)));
    const refused = await update(users.slice(2, 5).map(deactivation));
    expectLimitExceeded(refused, 'deactivate 3 of 10 users \\(30\\.0%\\)', 3);
    expect(await service.readUser(users[2]?.serial as string)).toMatchObject({ isActive: true });
  });

  test('may rename two, but not three', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(renaming)));
    const refused = await update(users.slice(2, 5).map(renaming));
    expectLimitExceeded(refused, 'rename 3 of 10 users \\(30\\.0%\\)', 3);
  });

  test('counts deactivated and renamed users together, each once', async () => {
    const [a, b, c] = (await everybodyIs(10)) as [GivenUser, GivenUser, GivenUser];
    const refused = await update([
      itemFor(a.employeeID, { newEmployeeID: newId(), isActive: false }),
      deactivation(b),
      renaming(c),
    ]);
    expectLimitExceeded(refused, 'deactivate 2 and rename 2 of 10 users \\(30\\.0%\\)', 3);
  });

  test('is rejected as a whole: nothing is written and no call is recorded', async () => {
    const users = await everybodyIs(10);
    const before = await tableStates(service);
    const items = [
      itemFor(users[8]?.employeeID as string, { name: 'New' }),
      ...users.slice(0, 3).map(renaming),
    ];
    expect((await update(items)).status).toBe(409);
    const after = await tableStates(service);
    // Rows are locked until the rejection, which marks them.
    expect(changedBetween(before, after).filter((name) => name !== 'users')).toEqual([]);
    expect(await service.readUser(users[8]?.serial as string)).toMatchObject({ name: users[8]?.name });
  });

  test('may change any other field of all users', async () => {
    const users = await everybodyIs(10, { isActive: false });
    const items = users.map(({ employeeID }) =>
      itemFor(employeeID, { name: 'New', username: newId('u'), phone: '123', isActive: true }),
    );
    await expectDone(await update(items));
  });

  test('ignores users who are already inactive or keep their employee ID', async () => {
    const users = await everybodyIs(10, { isActive: false });
    await expectDone(
      await update(
        users.map(({ employeeID }) => itemFor(employeeID, { newEmployeeID: employeeID, isActive: false })),
      ),
    );
  });

  test('ignores failed items', async () => {
    const users = await everybodyIs(10);
    const items = [
      ...users.slice(0, 2).map(deactivation),
      ...users.slice(2, 9).map(({ employeeID }) => itemFor(employeeID, { newEmployeeID: 'admin' })),
    ];
    const reply = await update(items);
    expect(reply.status).toBe(200);
    expect(reply.json.data.failedItems).toHaveLength(7);
  });

  test('counts final changes, not intermediate ones', async () => {
    const users = await everybodyIs(10);
    const there = newId();
    const items = users
      .slice(0, 5)
      .flatMap(({ employeeID }) => [rename(employeeID, there), rename(there, employeeID)]);
    await expectDone(await update(items));
  });

  test('counts the users of a swap', async () => {
    const [a, b, c] = (await everybodyIs(10)) as [GivenUser, GivenUser, GivenUser];
    const circle = [
      rename(a.employeeID, b.employeeID),
      rename(b.employeeID, c.employeeID),
      rename(c.employeeID, a.employeeID),
    ];
    expectLimitExceeded(await update(circle, '?mode=finalState'), 'rename 3 of 10 users .*', 3);
    await expectDone(await update(circle, '?mode=finalState&confirm=3'));
  });

  test('does not limit creates', async () => {
    await everybodyIs(2);
    await givenCreates(
      service,
      Array.from({ length: 20 }, () => aUser({ isActive: false })),
    );
  });
});

describe('?confirm', () => {
  test('with the right number lets the call proceed', async () => {
    const users = await everybodyIs(10);
    const reply = await update(users.slice(0, 5).map(deactivation), '?confirm=5');
    await expectDone(reply);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ items: 5, succeeded: 5, changes: 5 });
  });

  test.each([0, 3, 5, 10, 999_999_999])('with a wrong number, %i, does not', async (confirmed) => {
    const users = await everybodyIs(10);
    const refused = await update(users.slice(0, 4).map(renaming), `?confirm=${confirmed}`);
    expectLimitExceeded(refused, 'rename 4 of 10 users .*', 4);
  });

  test('with a wrong number does not block a call within the limit', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(renaming), '?confirm=7'));
  });

  test.each([
    ['all', /"confirm" must be a whole number/],
    ['-1', /"confirm" must be a whole number/],
    ['3.0', /"confirm" must be a whole number/],
    ['', /"confirm" must be a whole number/],
    ['3&confirm=3', /"confirm" appears more than once/],
  ])('=%s fails with 400 and 10005', async (confirm, detail) => {
    const refused = await update([], `?confirm=${confirm}`);
    expectFailure(refused, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });

  test('is unknown to create-bulk', async () => {
    const reply = await service.post('/service/users/create-bulk?confirm=1', { items: [] });
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"confirm" is unknown/);
  });
});

describe('a dry run', () => {
  test('is limited like the call, and proceeds with the same number', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(deactivation);
    const [preview, reply] = [await update(items, '?dryRun=true'), await update(items)];
    expectLimitExceeded(preview, 'deactivate 3 of 10 users .*', 3);
    expect(preview.text).toBe(reply.text);
    const confirmed = await update(items, '?dryRun=true&confirm=3');
    expect(confirmed.json.data.successItems).toHaveLength(3);
    expect(confirmed.headers.get('x-call-id')).toBeNull();
  });
});

describe('with an Idempotency-Key, a limited call', () => {
  test('does not use the key, which can be resent with or without confirmation', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(deactivation);
    const headers = { 'idempotency-key': newId('key') };
    for (let sent = 0; sent < 2; sent++) {
      expectLimitExceeded(await update(items, '', headers), 'deactivate 3 .*', 3);
    }
    const { rows } = await service.database.pool.query('SELECT FROM idempotency_keys WHERE key = $1', [
      headers['idempotency-key'],
    ]);
    expect(rows).toEqual([]);
    const confirmed = await update(items, '?confirm=3', headers);
    await expectDone(confirmed);
    const again = await update(items, '?confirm=3', headers);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([confirmed.text, 'true']);
    expect(callIdOf(again)).toBe(callIdOf(confirmed));
  });

  test('is not recorded', async () => {
    const users = await everybodyIs(10);
    const requestId = newId('request');
    const headers = { 'idempotency-key': newId('key'), 'x-request-id': requestId };
    expect((await update(users.slice(0, 3).map(renaming), '', headers)).status).toBe(409);
    const { items } = (await service.get(`/service/calls?requestId=${requestId}`)).json.data;
    expect(items).toEqual([]);
  });
});

describe('an undo', () => {
  test('that would rename too many users is limited, like its dry run, until confirmed', async () => {
    const users = await everybodyIs(10);
    const serials = users.map(({ serial }) => serial);
    const before = await statesOf(service, serials);
    const callId = await givenUpdates(service, users.slice(0, 3).map(renaming), '?confirm=3');
    const [preview, refused] = [await previewUndo(service, callId), await undo(service, callId)];
    expectLimitExceeded(refused, 'rename 3 of 10 users \\(30\\.0%\\)', 3);
    expect(preview.text).toBe(refused.text);
    expect((await readCall(service, callId)).undoneBy).toBeNull();
    expect(Object.values(verdictsOf(await undo(service, callId, '?dryRun=true&confirm=3')))).toHaveLength(3);
    expect(Object.values(verdictsOf(await undo(service, callId, '?confirm=3')))).toEqual(
      Array(3).fill('updated'),
    );
    expect(await statesOf(service, serials)).toEqual(before);
  });

  test('that would deactivate too many users is limited', async () => {
    const users = await everybodyIs(10, { isActive: false });
    const callId = await givenUpdates(
      service,
      users.slice(0, 3).map(({ employeeID }) => itemFor(employeeID)),
    );
    expectLimitExceeded(await undo(service, callId), 'deactivate 3 of 10 users .*', 3);
  });

  test('that would delete too many users is limited, active or not', async () => {
    await everybodyIs(7);
    for (const isActive of [true, false]) {
      const users = [aUser({ isActive }), aUser({ isActive }), aUser({ isActive })];
      const { callId } = await givenCreates(service, users);
      const refused = await undo(service, callId);
      expect(refused.json, `isActive: ${isActive}`).toMatchObject({ errorCode: 10304 });
      expect(refused.json.detail).toMatch(/ remove 3 of 10 users \(30\.0%\).*\?confirm=3\.$/);
      expect(Object.values(verdictsOf(await undo(service, callId, '?confirm=3')))).toEqual(
        Array(3).fill('deleted'),
      );
    }
  });

  test('that activates or restores users is not limited', async () => {
    const users = await everybodyIs(10);
    const callId = await givenUpdates(service, users.slice(0, 9).map(deactivation), '?confirm=9');
    expect(Object.values(verdictsOf(await undo(service, callId)))).toEqual(Array(9).fill('updated'));
    const created = (
      await givenCreates(
        service,
        Array.from({ length: 20 }, () => aUser()),
      )
    ).callId;
    const removed = callIdOf(await undo(service, created, '?confirm=20'));
    expect(new Set(Object.values(verdictsOf(await undo(service, removed))))).toEqual(new Set(['created']));
  });

  test('ignores users it skips', async () => {
    const users = await everybodyIs(10);
    const callId = await givenUpdates(service, users.slice(0, 3).map(renaming), '?confirm=3');
    await service.request('PATCH', `/service/users/${users[0]?.serial}`, { body: { employeeID: newId() } });
    expect(Object.values(verdictsOf(await undo(service, callId))).sort()).toEqual(
      [10110, 'updated', 'updated'].sort(),
    );
  });

  test('of an interrupted call, if limited, lets the call still resume', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(renaming);
    const headers = { 'idempotency-key': newId('key') };
    const reply = await update(items, '?confirm=3', headers);
    await service.database.pool.query(
      `UPDATE calls SET state = 'interrupted', finished_at = NULL WHERE id = $1`,
      [callIdOf(reply)],
    );
    expect((await undo(service, callIdOf(reply))).status).toBe(409);
    const again = await update(items, '?confirm=3', headers);
    expect([again.status, callIdOf(again)]).toEqual([200, callIdOf(reply)]);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ undoneBy: null });
  });
});

test('the percentage is of all users and may be reached exactly', async () => {
  const users = await everybodyIs(25);
  await expectDone(await update(users.slice(0, 5).map(renaming)));
  expectLimitExceeded(
    await update(users.slice(5, 11).map(deactivation)),
    'deactivate 6 of 25 users \\(24\\.0%\\)',
    6,
  );
});

describe('in the domain', () => {
  const actor = { kind: 'client', id: 'safety-limit', scopes: new Set<never>() } as const;
  const caller = { actor, requestId: 'safety-limit', address: '::1' };
  const run = (
    items: readonly unknown[],
    safetyLimitPercent: number,
    { key, bulkChunkItems = 2_500 }: { key?: string; bulkChunkItems?: number } = {},
  ) =>
    updateUsersBulk(
      { ...service.context, safetyLimitPercent, limits: { ...service.context.limits, bulkChunkItems } },
      items.map((item, position) => parseBulkChange(item, { position })),
      {
        caller,
        effects: false,
        mode: 'oneByOne',
        confirmed: undefined,
        ...(key === undefined ? {} : { key: { key, fingerprint: key } }),
      },
    );

  test.each([0, 100])('a limit of %i blocks no call', async (percent) => {
    const users = await everybodyIs(10);
    expect(await run(users.map(renaming), percent)).toMatchObject({ ok: true });
  });

  test('a limit of 1 blocks any change among few users', async () => {
    const users = await everybodyIs(10);
    expect(await run(users.slice(0, 1).map(renaming), 1)).toMatchObject({
      ok: false,
      failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT' },
    });
  });

  test('a long call is counted as a whole, not chunk by chunk', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(deactivation);
    expect(await run(items, 20, { bulkChunkItems: 1 })).toMatchObject({
      ok: false,
      failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT', detail: expect.stringMatching(/deactivate 3 /) },
    });
    expect(
      await statesOf(
        service,
        users.map(({ serial }) => serial),
      ),
    ).toMatchObject(users.map(() => ({ isActive: true })));
  });

  test('an interrupted call has passed the limit and resumes', async () => {
    const users = await everybodyIs(10);
    const names = Array.from({ length: 5 }, () => newId());
    const items = names.map((name, at) => rename(users[at]?.employeeID as string, name));
    const key = newId('key');
    await whenStored(service, names[2] as string, `RAISE EXCEPTION 'no'`);
    const broken = await run(items, 0, { key, bulkChunkItems: 2 });
    expect(broken.ok && broken.outcomes.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
    await service.database.pool.query(`DROP FUNCTION sabotage_${names[2]?.toLowerCase()} CASCADE`);
    const again = await run(items, 20, { key, bulkChunkItems: 2 });
    expect(again.ok && again.outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  });
});
