import { describe, expect, test } from 'vitest';
import { callIdOf, givenCreates, undo, undone } from '../support/calls.js';
import { aRival, untilWaiting } from '../support/concurrent-transactions.js';
import { eraseBulk, eraseUser } from '../support/erasure.js';
import { untilIndexed } from '../support/index-checks.js';
import { anItem, aUser, type GivenUser, newId, type Reply, useOwnService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';
import { tablesHolding } from '../support/stored-text.js';

/** A call with more than four items takes several transactions. */
const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '4' });

const times = 6;
const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const givenUsers = (count: number, overrides: (index: number) => Record<string, unknown> = () => ({})) =>
  together(count, (index) => service.givenUser(overrides(index)));

function expectNoFault(replies: readonly Reply[]): void {
  for (const reply of replies) expect(reply.status, reply.text).toBeLessThan(500);
}

async function expectGone(...texts: readonly string[]): Promise<void> {
  await untilIndexed(service.database.pool);
  for (const text of texts) {
    const tables = await tablesHolding(service, text);
    // A later call that names the employee ID is on record with it, like any other item that finds nobody.
    expect([text, tables.filter((table) => table !== 'call_items')]).toEqual([text, []]);
  }
}

const codesOf = ({ json }: Reply): Record<string, unknown> =>
  Object.fromEntries([
    ...json.data.successItems.map(({ payload }: { payload: { employeeID: string } }) => [
      payload.employeeID,
      'ok',
    ]),
    ...json.data.failedItems.map(
      ({ payload, error }: { payload: { employeeID: string }; error: { errorCode: number } }) => [
        payload.employeeID,
        error.errorCode,
      ],
    ),
  ]);

describe('erasing a user', () => {
  test('during a bulk call: items before it succeed, and a later one finds nobody', async () => {
    const users = await givenUsers(6);
    const [first, last] = [users[0], users[5]] as [GivenUser, GivenUser];
    const rival = await aRival(service);
    await rival.hold(first.serial);
    // With a rename, chunks run one after the other. The first one waits for the rival.
    const items = users.map((user) => anItem(user, { newEmployeeID: newId() }));
    const updating = service.updateBulk(items);
    const before = await eraseUser(service, last.serial);
    expect(before.status, 'not locked by the call yet').toBe(200);
    const after = eraseUser(service, first.serial);
    await rival.commit();
    const codes = codesOf(await updating);
    expect(codes[last.employeeID]).toBe(10102);
    expect(['ok', 10102]).toContain(codes[first.employeeID]);
    expect((await after).status).toBe(200);
    expect(users.slice(1, 5).map(({ employeeID }) => codes[employeeID])).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test('while others rename and update the user leaves nothing', async () => {
    const users = await givenUsers(times, () => ({ username: newId('u'), name: newId('Canary') }));
    const renamed = users.map(() => newId('Renamed'));
    const names = users.map(() => newId('Other'));
    const replies = await together(times, async (index) => {
      const user = users[index] as GivenUser;
      const path = `/service/users/${user.serial}`;
      return Promise.all([
        service.request('PATCH', path, { body: { employeeID: renamed[index], username: newId('u') } }),
        eraseUser(service, user.serial),
        service.updateBulk([anItem(user, { name: names[index] })]),
        service.upsertBulk([{ employeeID: renamed[index], name: names[index], isActive: true }]),
        service.request('PUT', `${path}/role`, { body: { role: 'viewer' } }),
      ]);
    });
    expectNoFault(replies.flat());
    for (const [, erasure] of replies) expect(erasure?.status, erasure?.text).toBe(200);
    await expectGone(...users.map(({ name }) => name), ...users.map(({ employeeID }) => employeeID));
    await expectGone(...names.filter((_, index) => !replies[index]?.[3]?.json.data.successItems.length));
  });

  test('twice at once happens once', async () => {
    const users = await givenUsers(times);
    const serials = users.map(({ serial }) => serial);
    const [replies, bulk] = await Promise.all([
      together(2 * times, (index) => eraseUser(service, serials[index % times] as string)),
      eraseBulk(service, serials, `?confirm=${times}`),
    ]);
    for (const reply of [...replies, bulk]) expect(reply.status, reply.text).toBe(200);
    const { rows } = await service.database.pool.query(
      `SELECT count(*)::integer AS changes FROM changes WHERE kind = 'erased' AND user_serial = ANY ($1::uuid[])`,
      [serials],
    );
    expect(rows).toEqual([{ changes: times }]);
  });

  test('who was removed wins over an undo that restores them', async () => {
    await together(times, async () => {
      const name = newId('Canary');
      const { callId, serials } = await givenCreates(service, [aUser({ name })]);
      const removal = await undone(service, callId);
      const [restored, erasure] = await Promise.all([
        undo(service, removal),
        eraseUser(service, serials[0] as string),
      ]);
      expectNoFault([restored, erasure]);
      expect([erasure.status, callIdOf(restored)]).toEqual([200, expect.any(String)]);
      expect((await service.get(`/service/users/${serials[0]}`)).status).toBe(410);
      expect([name, await tablesHolding(service, name)]).toEqual([name, []]);
    });
  });

  test('leaves out whoever could not be erased when the number was confirmed', async () => {
    const [administrator] = (await service.get('/service/users?role=administrator')).json.data.items;
    const [user, successor] = (await givenUsers(2, () => ({ username: newId('u') }))) as [
      GivenUser,
      GivenUser,
    ];
    const rival = await aRival(service);
    await rival.hold(user.serial);
    const erasing = eraseBulk(service, [user.serial, administrator.serial], '?confirm=1');
    await untilWaiting(service, 1);
    const { serial } = successor;
    await rival.query(`INSERT INTO roles (user_serial, role) VALUES ($1, 'administrator')`, [serial]);
    await rival.commit();
    expect((await erasing).json.data).toMatchObject({
      successItems: [{ payload: { serial: user.serial } }],
      failedItems: [{ payload: { serial: administrator.serial } }],
    });
    expect((await eraseUser(service, serial)).status).toBe(200);
  });

  test('administrators who erase each other leave one', async () => {
    const own = (await service.get('/service/users?role=administrator')).json.data.items[0];
    const [a, b] = [
      await givenSignedInUser(service, 'administrator'),
      await givenSignedInUser(service, 'administrator'),
    ];
    expect((await eraseUser(service, own.serial)).status).toBe(200);
    const replies = await Promise.all([
      eraseUser(service, b.serial, { token: a.token }),
      eraseUser(service, a.serial, { token: b.token }),
    ]);
    expectNoFault(replies);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await service.get('/service/users?role=administrator')).json.data.items).toHaveLength(1);
  });
});
