import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { expectReport } from '../../support/bulk-reports.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import { employeeIdExists, usernameExists } from '../../support/user-failures.js';

const service = useService();

async function employeeIdsOf(...users: GivenUser[]): Promise<unknown[]> {
  const read = await Promise.all(users.map((user) => service.readUser(user.serial)));
  return read.map((user) => user.employeeID);
}

async function usernamesOf(...users: GivenUser[]): Promise<unknown[]> {
  const read = await Promise.all(users.map((user) => service.readUser(user.serial)));
  return read.map((user) => user.username);
}

const givenUsers = (count: number, overrides: () => Record<string, unknown> = () => ({})) =>
  Promise.all(Array.from({ length: count }, () => service.givenUser(overrides()))) as Promise<
    [GivenUser, GivenUser, ...GivenUser[]]
  >;

// All ways in which names pass are tested in test/unit/sequential-plan.test.ts.
describe('names pass from item to item in a bulk update', () => {
  test('a chain of users rotates through a free ID', async () => {
    const row = await givenUsers(6);
    const ids = row.map((user) => user.employeeID);
    const [first, free] = [ids[0] as string, newId()];
    const reply = await service.updateBulk([
      rename(first, free),
      ...ids.slice(1).map((id, index) => rename(id, ids[index] as string)),
      rename(free, ids.at(-1) as string),
    ]);
    expect(reply.json.data.failedItems).toEqual([]);
    expect(await employeeIdsOf(...row)).toEqual([ids.at(-1), ...ids.slice(0, -1)]);
  });

  test('an ID matches its current holder, even after it has changed', async () => {
    const [a, b] = await givenUsers(2);
    const reply = await service.updateBulk([
      rename(a.employeeID, newId()),
      rename(b.employeeID, a.employeeID),
      itemFor(a.employeeID, { name: 'The second' }),
    ]);
    expectReport(reply, { serials: [a.serial, b.serial, b.serial], errors: [] });
    expect(await service.readUser(b.serial)).toMatchObject({ name: 'The second' });
    expect(await service.readUser(a.serial)).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('usernames and employee IDs are swapped together', async () => {
    const [a, b] = await givenUsers(2, () => ({ username: newId('User') }));
    const free = newId();
    const reply = await service.updateBulk([
      itemFor(a.employeeID, { newEmployeeID: free, username: '' }),
      itemFor(b.employeeID, { newEmployeeID: a.employeeID, username: a.username }),
      itemFor(free, { newEmployeeID: b.employeeID, username: b.username }),
    ]);
    expect(reply.json.data.failedItems).toEqual([]);
    expect(await employeeIdsOf(a, b)).toEqual([b.employeeID, a.employeeID]);
    expect(await usernamesOf(a, b)).toEqual([b.username, a.username]);
  });
});

describe('an item builds on the items before it', () => {
  test('a repeated employee is updated twice, in order', async () => {
    const a = await service.givenUser();
    const reply = await service.updateBulk([
      itemFor(a.employeeID, { name: 'First', phone: '111', isActive: false }),
      itemFor(a.employeeID, { name: 'Second', tagSerials: ['T1'] }),
    ]);
    expectReport(reply, { serials: [a.serial, a.serial], errors: [] });
    expect(await service.readUser(a.serial)).toMatchObject({
      name: 'Second',
      phone: '111',
      isActive: true,
      tagSerials: ['T1'],
    });
  });

  test('a failed item changes nothing, and takes and frees no name', async () => {
    const [a, b, c] = (await givenUsers(3, () => ({ username: newId() }))) as [
      GivenUser,
      GivenUser,
      GivenUser,
    ];
    const [id, username] = [newId(), newId()];
    const reply = await service.updateBulk([
      itemFor(a.employeeID, { newEmployeeID: id, username: b.username, name: 'Never' }),
      itemFor(a.employeeID, { newEmployeeID: b.employeeID, username, name: 'Never' }),
      itemFor(c.employeeID, { newEmployeeID: id, username }),
      itemFor(a.employeeID, { name: 'Still here' }),
    ]);
    expectReport(reply, {
      serials: [c.serial, a.serial],
      errors: [usernameExists('items[0]: '), employeeIdExists('items[1]: ')],
    });
    expect(await service.readUser(a.serial)).toMatchObject({
      employeeID: a.employeeID,
      username: a.username,
      name: 'Still here',
    });
    expect(await service.readUser(c.serial)).toMatchObject({ employeeID: id, username });
  });
});
