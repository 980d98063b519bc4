import { describe, expect, test } from 'vitest';
import { errorsOf, serialsOf } from '../../support/bulk-reports.js';
import { aUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  employeeIdExists,
  fieldInvalid,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

describe('names in a bulk create are checked item by item', () => {
  test('an employee ID in use fails with 10101 and names an existing user', async () => {
    const { employeeID, serial } = await service.givenUser();
    const before = await service.readUser(serial);
    const reply = await service.createBulk([aUser({ employeeID, name: 'Eve' })]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(
        `items[0]: the employee ID "${employeeID}" is already taken by another user with the serial ${serial}.`,
      ),
    ]);
    expect(await service.readUser(serial)).toEqual(before);
  });

  test('an employee ID repeated in the call fails with 10101 and names the item that took it', async () => {
    const user = aUser({ name: 'First' });
    const reply = await service.createBulk([
      aUser(),
      user,
      { ...user, name: 'Second' },
      { ...user, name: 'Third' },
    ]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(/^items\[2\]: .* is already taken by items\[1\] of this call/),
      employeeIdExists(/^items\[3\]: .* is already taken by items\[1\] of this call/),
    ]);
    expect(await service.readUser(serialsOf(reply)[1] as string)).toMatchObject({ name: 'First' });
  });

  test('employee IDs are case-sensitive', async () => {
    const lower = newId('abc').toLowerCase();
    const reply = await service.createBulk(
      [lower, lower.toUpperCase()].map((employeeID) => aUser({ employeeID })),
    );
    expect(errorsOf(reply)).toEqual([]);
  });

  test('a username in use is rejected in any case', async () => {
    const username = newId('Ada');
    const { serial } = await service.givenUser({ username });
    const cases = [username, username.toLowerCase(), username.toUpperCase()];
    const reply = await service.createBulk(cases.map((wanted) => aUser({ username: wanted })));
    expect(errorsOf(reply)).toEqual(
      cases.map((wanted, index) =>
        usernameExists(
          `items[${index}]: the username "${wanted}" is already taken by another user with the serial ${serial}.`,
        ),
      ),
    );
  });

  test('a username repeated in another case names the item that took it', async () => {
    const username = newId('Ada');
    const reply = await service.createBulk([
      aUser({ username }),
      aUser({ username: username.toUpperCase() }),
    ]);
    expect(errorsOf(reply)).toEqual([
      usernameExists(/^items\[1\]: .* is already taken by items\[0\] of this call/),
    ]);
    expect(await service.readUser(serialsOf(reply)[0] as string)).toMatchObject({ username });
  });

  test('if both names are taken, the employee ID is reported', async () => {
    const user = aUser({ username: newId() });
    const reply = await service.createBulk([user, user]);
    expect(errorsOf(reply)).toEqual([employeeIdExists('items[1]: ')]);
  });

  test('a failed item takes no name, so a later item can have it', async () => {
    const taken = newId();
    await service.givenUser({ username: taken });
    const [employeeID, username] = [newId(), newId()];
    const reply = await service.createBulk([
      aUser({ employeeID, username, isActive: 'yes' }),
      aUser({ employeeID, username, email: null }),
      aUser({ employeeID, username: taken }),
      aUser({ employeeID, username }),
    ]);
    expect(errorsOf(reply)).toEqual([
      fieldInvalid('items[0]: '),
      contactRequired('items[1]: '),
      usernameExists('items[2]: '),
    ]);
    const [serial] = serialsOf(reply);
    expect(await service.readUser(serial as string)).toMatchObject({ employeeID, username });
  });

  test('users without a username do not conflict', async () => {
    const reply = await service.createBulk([undefined, null, ''].map((username) => aUser({ username })));
    expect(errorsOf(reply)).toEqual([]);
  });

  test('resending the call fails every item and creates no duplicates', async () => {
    const items = [aUser(), aUser(), aUser()];
    expect(errorsOf(await service.createBulk(items))).toEqual([]);
    const again = await service.createBulk(items);
    expect(errorsOf(again)).toEqual(items.map(() => employeeIdExists('by another user')));
    expect(serialsOf(again)).toEqual([]);
  });
});
