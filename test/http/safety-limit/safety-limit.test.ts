import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredUser } from '../../../src/contract/users.js';
import { CallRejected } from '../../../src/domain/bulk/call-errors.js';
import type { Transition } from '../../../src/domain/bulk/plan.js';
import { createSafetyLimit } from '../../../src/domain/bulk/safety-limit.js';
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
import { eraseBulk } from '../../support/erasure.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, type GivenUser, newId, type Reply, useOwnService } from '../../support/service.js';
import { storedUser } from '../../support/stored-user.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

// Allows two of ten users, but not three. That a limit is of the whole call, and that an interrupted call has passed
// it, is in test/http/idempotency/lock-free-record.test.ts and lock-free-interrupted.test.ts.
const service = useOwnService({ ROLLCALL_SAFETY_LIMIT_PERCENT: '20' });

let users: GivenUser[];

/** Leaves ten users, including the first administrator. */
beforeEach(async () => {
  await service.database.pool.query(`DELETE FROM users WHERE employee_id <> 'admin'`);
  const items = Array.from({ length: 9 }, () => aUser({ username: newId('u'), phone: '12345' }));
  const { serials } = await givenCreates(service, items);
  users = items.map((user, at) => ({ ...user, serial: serials[at] as string }));
});

const deactivation = ({ employeeID }: GivenUser) => itemFor(employeeID, { isActive: false });
const renaming = ({ employeeID }: GivenUser) => rename(employeeID, newId());

function update(items: readonly unknown[], query = '', headers: Record<string, string> = {}): Promise<Reply> {
  return service.post(`/service/users/update-bulk${query}`, { items }, { headers });
}

function expectLimitExceeded(reply: Reply, numbers: string, confirm = 3): void {
  const detail = new RegExp(
    `^The call would ${numbers}, which exceeds the safety limit of 20%\\. Nothing was changed\\. To proceed, resend with \\?confirm=${confirm}\\.$`,
  );
  expectFailure(reply, 409, 10304, 'CALL_EXCEEDS_SAFETY_LIMIT', detail);
  expect(reply.headers.get('x-call-id')).toBeNull();
}

function expectDone(reply: Reply): void {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data.failedItems).toEqual([]);
}

describe('of ten users, a limit of 20%', () => {
  const whole = { username: 'ada', phone: '123' };
  let made = 0;
  const change = (before: Partial<StoredUser>, after: Partial<StoredUser>): Transition => {
    const user = storedUser(`E${++made}`, { ...whole, ...before });
    return { before: user, after: { ...user, ...after } };
  };
  const removal = (before: Partial<StoredUser> = {}): Transition => ({ ...change(before, {}), after: null });
  const times = (count: number, each: () => Transition) => Array.from({ length: count }, each);

  /** The detail of the rejection; undefined if the changes are allowed. */
  async function told(transitions: readonly Transition[], percent = 20, confirmed?: number) {
    const checked = createSafetyLimit(percent, confirmed).check(service.database.pool, transitions);
    const error = await checked.catch((each: unknown) => each);
    if (error !== undefined && !(error instanceof CallRejected)) throw error;
    return error?.failure;
  }

  const clearing = 'clear the username, email or phone of';
  test.each<[string, () => Transition]>([
    ['deactivate', () => change({}, { isActive: false })],
    ['rename', () => change({}, { employeeID: newId() })],
    [clearing, () => change({}, { username: null })],
    [clearing, () => change({}, { email: null })],
    [clearing, () => change({}, { phone: null })],
    ['remove', () => removal()],
    ['remove', () => removal({ isActive: false })],
  ])('may %s two, but not three', async (verb, affected) => {
    expect(await told(times(2, affected))).toBeUndefined();
    expect(await told(times(2, affected), 19)).toMatchObject({ data: { confirm: 2, limitPercent: 19 } });
    expect((await told(times(3, affected)))?.detail).toBe(
      `The call would ${verb} 3 of 10 users (30.0%), which exceeds the safety limit of 20%. Nothing was changed. To proceed, resend with ?confirm=3.`,
    );
  });

  test.each<[string, () => Transition]>([
    ['new users', () => ({ before: null, after: storedUser(newId(), { isActive: false }) })],
    ['activations', () => change({ isActive: false }, { isActive: true })],
    ['users who are inactive already', () => change({ isActive: false }, { name: 'Grace' })],
    ['other fields', () => change({}, { name: 'Grace', tagSerials: ['T1'], organizationSerial: 'O1' })],
    ['new usernames and contacts', () => change({}, { username: 'grace', email: 'g@b.c', phone: '456' })],
    ['what was empty before', () => change({ username: null, phone: null }, { name: 'Grace' })],
    ['what a rehire clears', () => ({ ...change({ isActive: false }, { phone: null }), rehired: true })],
  ])('does not count %s', async (_, harmless) => {
    expect(await told(times(10, harmless), 1)).toBeUndefined();
  });

  test('counts each user once, and allows only the number that was confirmed', async () => {
    const several = [
      change({}, { employeeID: newId(), isActive: false }),
      change({}, { isActive: false, email: null }),
      change({}, { employeeID: newId() }),
      removal(),
    ];
    const { detail, data } = (await told(several)) ?? {};
    expect(detail).toMatch(
      /^The call would remove 1, deactivate 2, rename 2, and clear the username, email or phone of 1 of 10 users \(40\.0%\)/,
    );
    expect(data).toEqual({
      ...{ confirm: 4, removed: 1, deactivated: 2, renamed: 2, cleared: 1, total: 10, limitPercent: 20 },
    });
    expect(await told(several, 20, 4)).toBeUndefined();
    for (const wrong of [0, 3, 5, 999_999_999])
      expect(await told(several, 20, wrong)).toMatchObject({ data: { confirm: 4 } });
    expect(
      await told(
        times(2, () => removal()),
        20,
        7,
      ),
      'a wrong number within the limit',
    ).toBeUndefined();
    expect(
      await told(
        times(1, () => removal()),
        1,
      ),
    ).toMatchObject({ data: { confirm: 1 } });
    expect(
      await told(
        times(10, () => removal()),
        100,
      ),
    ).toBeUndefined();
  });
});

describe('a bulk call beyond the safety limit', () => {
  test('is rejected as a whole like its dry run, is not recorded, and proceeds with ?confirm', async () => {
    const requestId = newId('request');
    const headers = { 'idempotency-key': newId('key'), 'x-request-id': requestId };
    const items = [
      itemFor(users[8]?.employeeID as string, { name: 'New' }),
      ...users.slice(0, 3).map(deactivation),
    ];
    const before = await tableStates(service);
    const preview = await update(items, '?dryRun=true');
    for (const refused of [
      preview,
      await update(items),
      await update(items, '', headers),
      await update(items, '?confirm=4', headers),
    ]) {
      expectLimitExceeded(refused, 'deactivate 3 of 10 users \\(30\\.0%\\)');
      expect(refused.text).toBe(preview.text);
    }
    // Rows are locked until the rejection, which marks them; the key was taken and given back.
    const touched = changedBetween(before, await tableStates(service));
    expect(touched.filter((name) => !['users', 'calls', 'idempotency_keys'].includes(name))).toEqual([]);
    expect((await service.get(`/service/calls?requestId=${requestId}`)).json.data.items).toEqual([]);
    const keys = 'SELECT FROM idempotency_keys WHERE key = $1';
    expect((await service.database.pool.query(keys, [headers['idempotency-key']])).rows).toEqual([]);

    const confirmed = await update(items, '?dryRun=true&confirm=3');
    expect(confirmed.json.data.successItems).toHaveLength(4);
    const done = await update(items, '?confirm=3', headers);
    expectDone(done);
    expect(await readCall(service, callIdOf(done))).toMatchObject({ items: 4, succeeded: 4, changes: 4 });
    const again = await update(items, '?confirm=3', headers);
    expect([again.text, callIdOf(again)]).toEqual([done.text, callIdOf(done)]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['deactivates', { isActive: false }, 'deactivate'],
    ['renames', { newEmployeeID: () => newId() }, 'rename'],
    ['clears usernames', { username: '' }, 'clear the username, email or phone of'],
    ['clears email addresses', { email: '' }, 'clear the username, email or phone of'],
    ['clears phone numbers', { phone: '' }, 'clear the username, email or phone of'],
  ])('is noticed if it only %s', async (_, fields, verb) => {
    const items = users.slice(0, 3).map(({ employeeID }) => {
      const given = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'function' ? value() : value,
      ]);
      return itemFor(employeeID, Object.fromEntries(given));
    });
    for (const query of ['?dryRun=true', ''])
      expectLimitExceeded(await service.upsertBulk(items, query), `${verb} 3 of 10 users \\(30\\.0%\\)`);
    expectDone(await service.upsertBulk(items.slice(0, 2)));
  });

  test('counts final changes, and only those of items that succeed', async () => {
    const there = newId();
    const reply = await update([
      ...users.slice(0, 2).map(deactivation),
      ...users
        .slice(2, 6)
        .flatMap(({ employeeID }) => [rename(employeeID, there), rename(there, employeeID)]),
      ...users.slice(6, 9).map(({ employeeID }) => rename(employeeID, 'admin')),
    ]);
    expect([reply.status, reply.json.data.failedItems.length]).toEqual([200, 3]);
  });

  test('counts the users of a cycle in final-state mode', async () => {
    const [a, b, c] = users.map(({ employeeID }) => employeeID) as [string, string, string];
    const circle = [rename(a, b), rename(b, c), rename(c, a)];
    expectLimitExceeded(await update(circle, '?mode=finalState'), 'rename 3 of 10 users .*');
    expectDone(await update(circle, '?mode=finalState&confirm=3'));
  });

  test('is not one that creates users, as many as it may be', async () => {
    const created = Array.from({ length: 5 }, () => aUser({ isActive: false }));
    const refused = await service.upsertBulk([...created, ...users.slice(0, 3).map(deactivation)]);
    expectLimitExceeded(refused, 'deactivate 3 of 10 users .*');
    expect((await service.database.pool.query('SELECT FROM users')).rows).toHaveLength(10);
    expectDone(await service.upsertBulk(created));
    const reply = await service.createBulk([], '?confirm=1');
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"confirm" is unknown/);
    const wrong = await update([], '?confirm=3.0');
    expectFailure(wrong, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"confirm" must be a whole number/);
  });
});

describe('a bulk erasure beyond the safety limit', () => {
  test('is rejected with the share of users until confirmed', async () => {
    const serials = users.map(({ serial }) => serial);
    const before = await tableStates(service);
    for (const query of ['', '?confirm=2']) {
      const refused = await eraseBulk(service, serials.slice(0, 3), query);
      expectLimitExceeded(refused, 'remove 3 of 10 users \\(30\\.0%\\)');
    }
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
    const within = await eraseBulk(service, serials.slice(0, 2));
    expectFailure(within, 409, 10306, 'CALL_CONFIRMATION_REQUIRED', /erases 2 users/);
    expectDone(await eraseBulk(service, serials.slice(0, 3), '?confirm=3'));
    const again = await eraseBulk(service, serials.slice(0, 3), '?confirm=3');
    expectDone(again);
  });
});

describe('an undo beyond the safety limit', () => {
  test('is rejected like its dry run until confirmed', async () => {
    const serials = users.map(({ serial }) => serial);
    const before = await statesOf(service, serials);
    const callId = await givenUpdates(service, users.slice(0, 3).map(renaming), '?confirm=3');
    const [preview, refused] = [await previewUndo(service, callId), await undo(service, callId)];
    expectLimitExceeded(refused, 'rename 3 of 10 users \\(30\\.0%\\)');
    expect(preview.text).toBe(refused.text);
    expect((await readCall(service, callId)).undoneBy).toBeNull();
    expect(Object.values(verdictsOf(await undo(service, callId, '?dryRun=true&confirm=3')))).toHaveLength(3);
    const done = Object.values(verdictsOf(await undo(service, callId, '?confirm=3')));
    expect(done).toEqual(Array(3).fill('updated'));
    expect(await statesOf(service, serials)).toEqual(before);
  });

  test('counts whom it would remove, but not whom it skips or restores', async () => {
    const items = [aUser({ isActive: false }), aUser(), aUser(), aUser()];
    const { callId, serials } = await givenCreates(service, items);
    expectLimitExceeded(await undo(service, callId), 'remove 4 of 14 users .*', 4);
    for (const serial of serials.slice(0, 2))
      await service.request('PATCH', `/service/users/${serial}`, { body: { name: 'Since' } });
    expect(Object.values(verdictsOf(await undo(service, callId))).sort()).toEqual(
      [10110, 10110, 'deleted', 'deleted'].sort(),
    );
  });

  test('of an interrupted call lets the call still resume', async () => {
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
