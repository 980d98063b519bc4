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
  test('those in use, and those of earlier items, usernames in any case and the employee ID first', async () => {
    const lower = newId('abc').toLowerCase();
    const holder = await service.givenUser({ employeeID: lower, username: newId('Ada') });
    const before = await service.readUser(holder.serial);
    const [upper, username] = [String(holder.username).toUpperCase(), newId('Eve')];
    const user = aUser({ username, name: 'First' });
    const reply = await service.createBulk([
      aUser({ employeeID: lower, username: upper }),
      aUser({ employeeID: lower.toUpperCase() }),
      aUser({ username: upper }),
      user,
      { ...user, name: 'Second' },
      aUser({ username: username.toLowerCase() }),
    ]);
    const byHolder = `is already taken by another user with the serial ${holder.serial}.`;
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(`items[0]: the employee ID "${lower}" ${byHolder}`),
      usernameExists(`items[2]: the username "${upper}" ${byHolder}`),
      employeeIdExists(/^items\[4\]: .* is already taken by items\[3\] of this call/),
      usernameExists(/^items\[5\]: .* is already taken by items\[3\] of this call/),
    ]);
    expect(await service.readUser(holder.serial)).toEqual(before);
    expect(await service.readUser(serialsOf(reply)[1] as string)).toMatchObject({ name: 'First', username });
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

  test('resending the call fails every item and creates no duplicates', async () => {
    const items = [undefined, null, ''].map((username) => aUser({ username }));
    expect(errorsOf(await service.createBulk(items))).toEqual([]);
    const again = await service.createBulk(items);
    expect(errorsOf(again)).toEqual(items.map(() => employeeIdExists('by another user')));
    expect(serialsOf(again)).toEqual([]);
  });
});
