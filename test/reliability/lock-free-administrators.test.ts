import { beforeEach, describe, expect, test } from 'vitest';
import { itemFor } from '../support/bulk-items.js';
import { aRival, givenTimeFor, ownDatabase, untilWaiting } from '../support/concurrent-transactions.js';
import { repair, whenStored } from '../support/sabotage.js';
import { type GivenUser, newId, useOwnService } from '../support/service.js';
import { runUpdates, verdictsOf } from '../support/update-runs.js';

/** A service of its own: each test needs to control all administrators. */
const service = useOwnService();

beforeEach(async () => {
  await service.database.pool.query('DELETE FROM roles');
});

async function anAdministrator(isActive = true): Promise<GivenUser> {
  const user = await service.givenUser({ username: newId('u'), isActive });
  await service.database.pool.query(`INSERT INTO roles VALUES ($1, 'administrator')`, [user.serial]);
  return user;
}

const deactivation = ({ employeeID }: GivenUser) => itemFor(employeeID, { isActive: false });
const activation = ({ employeeID }: GivenUser) => itemFor(employeeID, { isActive: true });

/** In chunks of one item, on connections that nothing else uses. */
const inParts = async (items: readonly unknown[]) =>
  verdictsOf(await runUpdates(service, items, { chunkItems: 1, database: ownDatabase(service) }));

const last = 'USER_LAST_ADMINISTRATOR';

async function isActive({ serial }: GivenUser): Promise<unknown> {
  return (await service.readUser(serial)).isActive;
}

describe('the last administrator in a lock-free call', () => {
  test('cannot be deactivated, but all other items succeed', async () => {
    const administrator = await anAdministrator();
    const others = [await service.givenUser(), await service.givenUser(), await service.givenUser()];
    const [a, b, c] = others as [GivenUser, GivenUser, GivenUser];
    const items = [a, administrator, b, c].map(deactivation);
    expect(verdictsOf(await runUpdates(service, items))).toEqual([true, last, true, true]);
    expect(await Promise.all([a, administrator, b, c].map(isActive))).toEqual([false, true, false, false]);
  });

  test('cannot lose the username, because nobody can sign in without one', async () => {
    const [administrator, other] = [
      await anAdministrator(),
      await service.givenUser({ username: newId('u') }),
    ];
    const items = [administrator, other].map(({ employeeID }) => itemFor(employeeID, { username: '' }));
    expect(await inParts(items)).toEqual([last, true]);
  });

  test('can be changed in every other way', async () => {
    const { employeeID, username, serial } = await anAdministrator();
    const items = [itemFor(employeeID, { username, phone: '555' })];
    expect(verdictsOf(await runUpdates(service, items))).toEqual([true]);
    expect(await service.readUser(serial)).toMatchObject({ phone: '555', isActive: true });
  });

  test('can be deactivated if another can still sign in', async () => {
    const [administrator, other] = [await anAdministrator(), await anAdministrator()];
    expect(verdictsOf(await runUpdates(service, [deactivation(administrator)]))).toEqual([true]);
    expect([await isActive(administrator), await isActive(other)]).toEqual([false, true]);
  });

  test('cannot be deactivated even if they became the last one between read and write', async () => {
    const [administrator, user] = [
      await anAdministrator(),
      await service.givenUser({ username: newId('u') }),
    ];
    const rival = await aRival(service);
    await rival.hold(user.serial);
    const running = runUpdates(service, [deactivation(user)]);
    await untilWaiting(service, 1);
    await rival.query(`INSERT INTO roles VALUES ($1, 'administrator')`, [user.serial]);
    await rival.change(user.serial, {}); // as when a role is assigned
    await rival.query('DELETE FROM roles WHERE user_serial = $1', [administrator.serial]);
    await rival.commit();
    expect(verdictsOf(await running)).toEqual([last]);
    expect(await isActive(user)).toBe(true);
  });

  test('can be deactivated if they are no longer an administrator when written', async () => {
    const [administrator, other] = [await anAdministrator(), await anAdministrator()];
    const rival = await aRival(service);
    await rival.hold(administrator.serial);
    const running = runUpdates(service, [deactivation(administrator)]);
    await untilWaiting(service, 1);
    await rival.query('DELETE FROM roles WHERE user_serial = $1', [administrator.serial]);
    await rival.commit();
    expect(verdictsOf(await running)).toEqual([true]);
    expect([await isActive(administrator), await isActive(other)]).toEqual([false, true]);
  });

  test('cannot be deactivated if the other one was deactivated between read and write', async () => {
    const [administrator, other] = [await anAdministrator(), await anAdministrator()];
    const rival = await aRival(service);
    await rival.hold(administrator.serial);
    const running = runUpdates(service, [deactivation(administrator)]);
    await untilWaiting(service, 1);
    await rival.change(other.serial, { is_active: false });
    await rival.commit();
    expect(verdictsOf(await running)).toEqual([last]);
  });
});

describe('administrators in different chunks of a call', () => {
  test('are deactivated in item order: the second is the last one and is rejected', async () => {
    const [first, second] = [await anAdministrator(), await anAdministrator()];
    // The first chunk takes so long that the second could overtake it.
    const overtaken = `NOT (SELECT is_active FROM users WHERE serial = '${second.serial}')`;
    await whenStored(service, first.employeeID, givenTimeFor(overtaken));
    expect(await inParts([first, second].map(deactivation))).toEqual([true, last]);
    await repair(service, first.employeeID);
    expect([await isActive(first), await isActive(second)]).toEqual([false, true]);
  });

  test('can be deactivated after an earlier item reactivates another', async () => {
    const [back, gone] = [await anAdministrator(false), await anAdministrator()];
    const overtaken = `NOT (SELECT is_active FROM users WHERE serial = '${gone.serial}')`;
    await whenStored(service, back.employeeID, givenTimeFor(overtaken));
    expect(await inParts([activation(back), deactivation(gone)])).toEqual([true, true]);
    await repair(service, back.employeeID);
  });

  test('cannot be deactivated before a later item reactivates another', async () => {
    const [gone, back] = [await anAdministrator(), await anAdministrator(false)];
    const overtaken = `(SELECT is_active FROM users WHERE serial = '${back.serial}')`;
    await whenStored(service, gone.employeeID, givenTimeFor(overtaken));
    expect(await inParts([deactivation(gone), activation(back)])).toEqual([last, true]);
    await repair(service, gone.employeeID);
  });
});
