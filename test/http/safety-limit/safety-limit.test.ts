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

/** Of ten users it lets two pass, and not three. */
const service = useOwnService({ ROLLCALL_SAFETY_LIMIT_PERCENT: '20' });

const updates = '/service/users/update-bulk';

/** So many users and no others, the first administrator among them; those who are not that one. */
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

function expectBraked(reply: Reply, numbers: string, confirm: number): void {
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

describe('a bulk update of ten users, of whom one call may deactivate or rename 20%', () => {
  test('may deactivate two, and not three', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(deactivation)));
    const refused = await update(users.slice(2, 5).map(deactivation));
    expectBraked(refused, 'deactivate 3 of 10 users \\(30\\.0%\\)', 3);
    expect(await service.readUser(users[2]?.serial as string)).toMatchObject({ isActive: true });
  });

  test('may rename two, and not three', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(renaming)));
    const refused = await update(users.slice(2, 5).map(renaming));
    expectBraked(refused, 'rename 3 of 10 users \\(30\\.0%\\)', 3);
  });

  test('counts those together, and one who is both once', async () => {
    const [a, b, c] = (await everybodyIs(10)) as [GivenUser, GivenUser, GivenUser];
    const refused = await update([
      itemFor(a.employeeID, { newEmployeeID: newId(), isActive: false }),
      deactivation(b),
      renaming(c),
    ]);
    expectBraked(refused, 'deactivate 2 and rename 2 of 10 users \\(30\\.0%\\)', 3);
  });

  test('is refused whole: nothing is written and no call is on record', async () => {
    const users = await everybodyIs(10);
    const before = await tableStates(service);
    const items = [
      itemFor(users[8]?.employeeID as string, { name: 'New' }),
      ...users.slice(0, 3).map(renaming),
    ];
    expect((await update(items)).status).toBe(409);
    const after = await tableStates(service);
    // Rows are locked until the refusal is known, which leaves a mark on them.
    expect(changedBetween(before, after).filter((name) => name !== 'users')).toEqual([]);
    expect(await service.readUser(users[8]?.serial as string)).toMatchObject({ name: users[8]?.name });
  });

  test('may change whatever else it likes in all of them', async () => {
    const users = await everybodyIs(10, { isActive: false });
    const items = users.map(({ employeeID }) =>
      itemFor(employeeID, { name: 'New', username: newId('u'), phone: '123', isActive: true }),
    );
    await expectDone(await update(items));
  });

  test('counts only those who would change: not whoever is inactive, or is given the own name', async () => {
    const users = await everybodyIs(10, { isActive: false });
    await expectDone(
      await update(
        users.map(({ employeeID }) => itemFor(employeeID, { newEmployeeID: employeeID, isActive: false })),
      ),
    );
  });

  test('does not count items that fail', async () => {
    const users = await everybodyIs(10);
    const items = [
      ...users.slice(0, 2).map(deactivation),
      ...users.slice(2, 9).map(({ employeeID }) => itemFor(employeeID, { newEmployeeID: 'admin' })),
    ];
    const reply = await update(items);
    expect(reply.status).toBe(200);
    expect(reply.json.data.failedItems).toHaveLength(7);
  });

  test('counts where users end up, not what items did in between', async () => {
    const users = await everybodyIs(10);
    const there = newId();
    const items = users
      .slice(0, 5)
      .flatMap(({ employeeID }) => [rename(employeeID, there), rename(there, employeeID)]);
    await expectDone(await update(items));
  });

  test('counts those of a swap', async () => {
    const [a, b, c] = (await everybodyIs(10)) as [GivenUser, GivenUser, GivenUser];
    const circle = [
      rename(a.employeeID, b.employeeID),
      rename(b.employeeID, c.employeeID),
      rename(c.employeeID, a.employeeID),
    ];
    expectBraked(await update(circle, '?mode=finalState'), 'rename 3 of 10 users .*', 3);
    await expectDone(await update(circle, '?mode=finalState&confirm=3'));
  });

  test('is not kept from creating', async () => {
    await everybodyIs(2);
    await givenCreates(
      service,
      Array.from({ length: 20 }, () => aUser({ isActive: false })),
    );
  });
});

describe('?confirm', () => {
  test('with the number lets the call pass', async () => {
    const users = await everybodyIs(10);
    const reply = await update(users.slice(0, 5).map(deactivation), '?confirm=5');
    await expectDone(reply);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ items: 5, succeeded: 5, changes: 5 });
  });

  test.each([0, 3, 5, 10, 999_999_999])('with another number, %i, does not', async (confirmed) => {
    const users = await everybodyIs(10);
    const refused = await update(users.slice(0, 4).map(renaming), `?confirm=${confirmed}`);
    expectBraked(refused, 'rename 4 of 10 users .*', 4);
  });

  test('with another number does not hold up a call that may pass', async () => {
    const users = await everybodyIs(10);
    await expectDone(await update(users.slice(0, 2).map(renaming), '?confirm=7'));
  });

  test.each([
    ['all', /"confirm" must be a whole number/],
    ['-1', /"confirm" must be a whole number/],
    ['3.0', /"confirm" must be a whole number/],
    ['', /"confirm" must be a whole number/],
    ['3&confirm=3', /"confirm" appears more than once/],
  ])('=%s gets 400 with 10005', async (confirm, detail) => {
    const refused = await update([], `?confirm=${confirm}`);
    expectFailure(refused, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });

  test('is not known to create-bulk', async () => {
    const reply = await service.post('/service/users/create-bulk?confirm=1', { items: [] });
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"confirm" is unknown/);
  });
});

describe('a preview', () => {
  test('is held up like the call, and passes with the same number', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(deactivation);
    const [preview, reply] = [await update(items, '?dryRun=true'), await update(items)];
    expectBraked(preview, 'deactivate 3 of 10 users .*', 3);
    expect(preview.text).toBe(reply.text);
    const confirmed = await update(items, '?dryRun=true&confirm=3');
    expect(confirmed.json.data.successItems).toHaveLength(3);
    expect(confirmed.headers.get('x-call-id')).toBeNull();
  });
});

describe('with an Idempotency-Key', () => {
  test('a call that is held up keeps nothing: the key may come again, confirmed or not', async () => {
    const users = await everybodyIs(10);
    const items = users.slice(0, 3).map(deactivation);
    const headers = { 'idempotency-key': newId('key') };
    for (let sent = 0; sent < 2; sent++) {
      expectBraked(await update(items, '', headers), 'deactivate 3 .*', 3);
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

  test('a call that is held up is not on record', async () => {
    const users = await everybodyIs(10);
    const requestId = newId('request');
    const headers = { 'idempotency-key': newId('key'), 'x-request-id': requestId };
    expect((await update(users.slice(0, 3).map(renaming), '', headers)).status).toBe(409);
    const { items } = (await service.get(`/service/calls?requestId=${requestId}`)).json.data;
    expect(items).toEqual([]);
  });
});

describe('an undo', () => {
  test('that would rename too many is held up, like its preview, until it is confirmed', async () => {
    const users = await everybodyIs(10);
    const serials = users.map(({ serial }) => serial);
    const before = await statesOf(service, serials);
    const callId = await givenUpdates(service, users.slice(0, 3).map(renaming), '?confirm=3');
    const [preview, refused] = [await previewUndo(service, callId), await undo(service, callId)];
    expectBraked(refused, 'rename 3 of 10 users \\(30\\.0%\\)', 3);
    expect(preview.text).toBe(refused.text);
    expect((await readCall(service, callId)).undoneBy).toBeNull();
    expect(Object.values(verdictsOf(await undo(service, callId, '?dryRun=true&confirm=3')))).toHaveLength(3);
    expect(Object.values(verdictsOf(await undo(service, callId, '?confirm=3')))).toEqual(
      Array(3).fill('updated'),
    );
    expect(await statesOf(service, serials)).toEqual(before);
  });

  test('that would deactivate too many is held up', async () => {
    const users = await everybodyIs(10, { isActive: false });
    const callId = await givenUpdates(
      service,
      users.slice(0, 3).map(({ employeeID }) => itemFor(employeeID)),
    );
    expectBraked(await undo(service, callId), 'deactivate 3 of 10 users .*', 3);
  });

  test('that would remove too many is held up, active or not', async () => {
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

  test('that activates, or brings back, is not', async () => {
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

  test('counts only those who are not kept', async () => {
    const users = await everybodyIs(10);
    const callId = await givenUpdates(service, users.slice(0, 3).map(renaming), '?confirm=3');
    await service.request('PATCH', `/service/users/${users[0]?.serial}`, { body: { employeeID: newId() } });
    expect(Object.values(verdictsOf(await undo(service, callId))).sort()).toEqual(
      [10110, 'updated', 'updated'].sort(),
    );
  });

  test('of a call that broke off, if it is held up, leaves the call to be gone on with', async () => {
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

test('the share is of all users, and may be met exactly', async () => {
  const users = await everybodyIs(25);
  await expectDone(await update(users.slice(0, 5).map(renaming)));
  expectBraked(
    await update(users.slice(5, 11).map(deactivation)),
    'deactivate 6 of 25 users \\(24\\.0%\\)',
    6,
  );
});

describe('at the level of the domain', () => {
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

  test.each([0, 100])('a share of %i holds nobody up', async (percent) => {
    const users = await everybodyIs(10);
    expect(await run(users.map(renaming), percent)).toMatchObject({ ok: true });
  });

  test('a share of 1 holds up a call on few users, however few it changes', async () => {
    const users = await everybodyIs(10);
    expect(await run(users.slice(0, 1).map(renaming), 1)).toMatchObject({
      ok: false,
      failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT' },
    });
  });

  test('a long call is counted as a whole, not transaction by transaction', async () => {
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

  test('a call that broke off has passed it, and is gone on with', async () => {
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
