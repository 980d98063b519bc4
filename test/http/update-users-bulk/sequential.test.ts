import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { expectReport } from '../../support/bulk-reports.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  employeeIdExists,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

async function employeeIdsOf(...users: GivenUser[]): Promise<unknown[]> {
  const read = await Promise.all(users.map((user) => service.readUser(user.serial)));
  return read.map((user) => user.employeeID);
}

async function usernamesOf(...users: GivenUser[]): Promise<unknown[]> {
  const read = await Promise.all(users.map((user) => service.readUser(user.serial)));
  return read.map((user) => user.username);
}

const people = (count: number, overrides: () => Record<string, unknown> = () => ({})) =>
  Promise.all(Array.from({ length: count }, () => service.givenUser(overrides()))) as Promise<
    [GivenUser, GivenUser, ...GivenUser[]]
  >;

describe('employee IDs pass from item to item in a bulk update', () => {
  test('[A→B, C→A] succeeds twice: the second takes what the first freed', async () => {
    const [a, c] = await people(2);
    const b = newId();
    const reply = await service.updateBulk([rename(a.employeeID, b), rename(c.employeeID, a.employeeID)]);
    expectReport(reply, { serials: [a.serial, c.serial], errors: [] });
    expect(await employeeIdsOf(a, c)).toEqual([b, a.employeeID]);
  });

  test('[A→B, B→C] with B free renames one user twice', async () => {
    const a = await service.givenUser();
    const [b, c] = [newId(), newId()];
    const reply = await service.updateBulk([rename(a.employeeID, b), rename(b, c)]);
    expectReport(reply, { serials: [a.serial, a.serial], errors: [] });
    expect(await employeeIdsOf(a)).toEqual([c]);
  });

  test('[A→B, B→A] with B taken fails twice and changes no user', async () => {
    const [a, b] = await people(2);
    const reply = await service.updateBulk([
      rename(a.employeeID, b.employeeID),
      rename(b.employeeID, a.employeeID),
    ]);
    expectReport(reply, {
      serials: [],
      errors: [
        employeeIdExists(`items[0]: the employee ID "${b.employeeID}"`),
        employeeIdExists('items[1]: '),
      ],
    });
    expect(await employeeIdsOf(a, b)).toEqual([a.employeeID, b.employeeID]);
  });

  test('[C→A, A→B] fails and then succeeds: A was not free yet', async () => {
    const [a, c] = await people(2);
    const b = newId();
    const reply = await service.updateBulk([rename(c.employeeID, a.employeeID), rename(a.employeeID, b)]);
    expectReport(reply, { serials: [a.serial], errors: [employeeIdExists('items[0]: ')] });
    expect(await employeeIdsOf(a, c)).toEqual([b, c.employeeID]);
  });

  test('a swap through a third ID succeeds', async () => {
    const [a, b] = await people(2);
    const free = newId();
    const reply = await service.updateBulk([
      rename(a.employeeID, free),
      rename(b.employeeID, a.employeeID),
      rename(free, b.employeeID),
    ]);
    expectReport(reply, { serials: [a.serial, b.serial, a.serial], errors: [] });
    expect(await employeeIdsOf(a, b)).toEqual([b.employeeID, a.employeeID]);
  });

  test('a rename there and back leaves the user unchanged', async () => {
    const a = await service.givenUser();
    const b = newId();
    const reply = await service.updateBulk([rename(a.employeeID, b), rename(b, a.employeeID)]);
    expectReport(reply, { serials: [a.serial, a.serial], errors: [] });
    expect(await employeeIdsOf(a)).toEqual([a.employeeID]);
  });

  test('a chain of 30 users moves up by one', async () => {
    const row = await people(30);
    const ids = row.map((user) => user.employeeID);
    const targets = [newId(), ...ids.slice(0, -1)];
    const reply = await service.updateBulk(ids.map((id, index) => rename(id, targets[index] as string)));
    expectReport(reply, { serials: row.map((user) => user.serial), errors: [] });
    expect(await employeeIdsOf(...row)).toEqual(targets);
  });

  test('a chain of 30 users rotates through a free ID', async () => {
    const row = await people(30);
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

  test('the old ID matches no user after a rename', async () => {
    const a = await service.givenUser();
    const reply = await service.updateBulk([rename(a.employeeID, newId()), itemFor(a.employeeID)]);
    expectReport(reply, { serials: [a.serial], errors: [userNotFound('items[1]: no user has')] });
  });

  test('an ID matches no user before a rename to it, and the renamed user after it', async () => {
    const a = await service.givenUser();
    const b = newId();
    const reply = await service.updateBulk([
      itemFor(b),
      rename(a.employeeID, b),
      itemFor(b, { name: 'Found' }),
    ]);
    expectReport(reply, { serials: [a.serial, a.serial], errors: [userNotFound('items[0]: ')] });
    expect(await service.readUser(a.serial)).toMatchObject({ employeeID: b, name: 'Found' });
  });

  test('an ID matches its current holder, even after it has changed', async () => {
    const [a, b] = await people(2);
    const reply = await service.updateBulk([
      rename(a.employeeID, newId()),
      rename(b.employeeID, a.employeeID),
      itemFor(a.employeeID, { name: 'The second' }),
    ]);
    expectReport(reply, { serials: [a.serial, b.serial, b.serial], errors: [] });
    expect(await service.readUser(b.serial)).toMatchObject({ name: 'The second' });
    expect(await service.readUser(a.serial)).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('of two users who want a free ID, the first gets it', async () => {
    const [a, b] = await people(2);
    const free = newId();
    const reply = await service.updateBulk([rename(a.employeeID, free), rename(b.employeeID, free)]);
    expectReport(reply, { serials: [a.serial], errors: [employeeIdExists('items[1]: ')] });
    expect(await employeeIdsOf(a, b)).toEqual([free, b.employeeID]);
  });

  test('a rename that only changes case frees the old ID, and both can coexist', async () => {
    const lower = newId('abc').toLowerCase();
    const a = await service.givenUser({ employeeID: lower });
    const b = await service.givenUser();
    const reply = await service.updateBulk([rename(lower, lower.toUpperCase()), rename(b.employeeID, lower)]);
    expectReport(reply, { serials: [a.serial, b.serial], errors: [] });
    expect(await employeeIdsOf(a, b)).toEqual([lower.toUpperCase(), lower]);
  });
});

describe('usernames pass from item to item in a bulk update', () => {
  const named = () => ({ username: newId('User') });
  const take = (user: GivenUser, username: unknown) => itemFor(user.employeeID, { username });

  test('a username cleared by an earlier item is free, in any case', async () => {
    const [a, b] = await people(2, named);
    const wanted = String(a.username).toUpperCase();
    const reply = await service.updateBulk([take(a, ''), take(b, wanted)]);
    expectReport(reply, { serials: [a.serial, b.serial], errors: [] });
    expect(await usernamesOf(a, b)).toEqual([null, wanted]);
  });

  test('a username changed by an earlier item is free', async () => {
    const [a, b] = await people(2, named);
    const fresh = newId();
    const reply = await service.updateBulk([take(a, fresh), take(b, a.username)]);
    expectReport(reply, { serials: [a.serial, b.serial], errors: [] });
    expect(await usernamesOf(a, b)).toEqual([fresh, a.username]);
  });

  test('a swap fails twice, but succeeds through an empty username', async () => {
    const [a, b] = await people(2, named);
    const failed = await service.updateBulk([take(a, b.username), take(b, a.username)]);
    expectReport(failed, {
      serials: [],
      errors: [usernameExists(`items[0]: the username "${b.username}"`), usernameExists('items[1]: ')],
    });
    const reply = await service.updateBulk([take(a, ''), take(b, a.username), take(a, b.username)]);
    expectReport(reply, { serials: [a.serial, b.serial, a.serial], errors: [] });
    expect(await usernamesOf(a, b)).toEqual([b.username, a.username]);
  });

  test('of two users who want a free username in different cases, the first gets it', async () => {
    const [a, b] = await people(2);
    const free = newId('Free');
    const reply = await service.updateBulk([take(a, free), take(b, free.toLowerCase())]);
    expectReport(reply, { serials: [a.serial], errors: [usernameExists('items[1]: ')] });
    expect(await usernamesOf(a, b)).toEqual([free, null]);
  });

  test('a username may change its case or be resent unchanged', async () => {
    const [a] = await people(1, named);
    const upper = String(a.username).toUpperCase();
    const reply = await service.updateBulk([take(a, upper), take(a, upper)]);
    expectReport(reply, { serials: [a.serial, a.serial], errors: [] });
    expect(await usernamesOf(a)).toEqual([upper]);
  });

  test('usernames and employee IDs are swapped together', async () => {
    const [a, b] = await people(2, named);
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

  test('a phone set by an earlier item can be the only contact and cannot be cleared', async () => {
    const a = await service.givenUser({ email: null, phone: '111' });
    const reply = await service.updateBulk([
      itemFor(a.employeeID, { phone: '222' }),
      itemFor(a.employeeID, { phone: '', name: 'Never' }),
    ]);
    expectReport(reply, { serials: [a.serial], errors: [contactRequired('items[1]: ')] });
    expect(await service.readUser(a.serial)).toMatchObject({ phone: '222', name: 'Ada Lovelace' });
  });

  test('a failed item changes nothing, and takes and frees no name', async () => {
    const [a, b, c] = (await people(3, () => ({ username: newId() }))) as [GivenUser, GivenUser, GivenUser];
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
