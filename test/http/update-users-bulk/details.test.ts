import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, expectReport } from '../../support/bulk-reports.js';
import { newId, useService } from '../../support/service.js';
import {
  employeeIdExists,
  fieldInvalid,
  fieldRequired,
  notAnObject,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

describe('the detail of a failed item', () => {
  test('starts with its position in the call, counting successes', async () => {
    const user = await service.givenUser();
    const stranger = newId();
    const reply = await service.updateBulk([
      itemFor(user.employeeID),
      7,
      itemFor(user.employeeID),
      itemFor(stranger),
      itemFor(user.employeeID, { phone: 'x'.repeat(65) }),
      { employeeID: stranger, isActive: true },
    ]);
    expectReport(reply, {
      serials: [user.serial, user.serial],
      errors: [
        notAnObject(/^items\[1\]: a user must be a JSON object, not a number/),
        userNotFound(new RegExp(`^items\\[3\\]: no user has the employee ID "${stranger}"\\.$`)),
        fieldInvalid(/^items\[4\]: "phone" must be a string of 1 to 64 characters/),
        fieldRequired(/^items\[5\]: "name" is required. It must be a string of 1 to 200 characters/),
      ],
    });
  });

  test('names an existing user as holder of the employee ID or username', async () => {
    const holder = await service.givenUser({ username: newId() });
    const user = await service.givenUser();
    const reply = await service.updateBulk([
      rename(user.employeeID, holder.employeeID),
      itemFor(user.employeeID, { username: holder.username }),
    ]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(
        `"${holder.employeeID}" is already taken by another user with the serial ${holder.serial}.`,
      ),
      usernameExists(
        `"${holder.username}" is already taken by another user with the serial ${holder.serial}.`,
      ),
    ]);
  });

  test('reveals only the serial of the holder', async () => {
    const holder = await service.givenUser({
      username: newId('holder'),
      name: 'Secret Holder',
      email: 's@example.org',
    });
    const wanted = String(holder.username).toUpperCase();
    const user = await service.givenUser();
    const reply = await service.updateBulk([
      rename(user.employeeID, holder.employeeID),
      itemFor(user.employeeID, { username: wanted }),
    ]);
    const by = `is already taken by another user with the serial ${holder.serial}.`;
    expect(reply.json.data.failedItems).toEqual([
      {
        payload: rename(user.employeeID, holder.employeeID),
        error: {
          errorCode: 10101,
          message: 'USER_EMPLOYEE_ID_EXISTS',
          detail: `items[0]: the employee ID "${holder.employeeID}" ${by}`,
        },
      },
      {
        payload: itemFor(user.employeeID, { username: wanted }),
        error: {
          errorCode: 10103,
          message: 'USER_USERNAME_EXISTS',
          detail: `items[1]: the username "${wanted}" ${by}`,
        },
      },
    ]);
    expect(reply.text).not.toMatch(new RegExp(`Secret|s@example.org|${holder.username}`));
  });

  test('names the earlier item that took the employee ID', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const free = newId();
    const reply = await service.updateBulk([
      itemFor(b.employeeID),
      rename(a.employeeID, free),
      rename(b.employeeID, free),
    ]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(`"${free}" is already taken by items[1] of this call`),
    ]);
  });

  test('names the earlier item that took the username, in any case', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const free = newId('Free');
    const upper = free.toUpperCase();
    const reply = await service.updateBulk([
      itemFor(b.employeeID),
      itemFor(a.employeeID, { username: free }),
      itemFor(b.employeeID, { username: upper }),
    ]);
    expect(errorsOf(reply)).toEqual([usernameExists(`"${upper}" is already taken by items[1] of this call`)]);
  });

  test('names the last item that took the name if several did', async () => {
    const [a, b, c] = [await service.givenUser(), await service.givenUser(), await service.givenUser()];
    const wanted = newId();
    const reply = await service.updateBulk([
      rename(a.employeeID, wanted),
      rename(wanted, newId()),
      rename(b.employeeID, wanted),
      rename(c.employeeID, wanted),
    ]);
    expect(errorsOf(reply)).toEqual([employeeIdExists('items[3]: the employee ID')]);
    expect(errorsOf(reply)).toEqual([employeeIdExists('already taken by items[2] of this call')]);
  });

  test('does not name an earlier item that failed to take the name', async () => {
    const [holder, a, b] = [await service.givenUser(), await service.givenUser(), await service.givenUser()];
    const reply = await service.updateBulk([
      rename(a.employeeID, holder.employeeID),
      rename(b.employeeID, holder.employeeID),
    ]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(/^items\[0\]: .* by another user/),
      employeeIdExists(/^items\[1\]: .* by another user/),
    ]);
  });

  test('does not name an earlier item that changed other fields of the holder', async () => {
    const [holder, user] = [await service.givenUser({ username: newId() }), await service.givenUser()];
    const reply = await service.updateBulk([
      itemFor(holder.employeeID, {
        name: 'Holder',
        newEmployeeID: holder.employeeID,
        username: holder.username,
      }),
      rename(user.employeeID, holder.employeeID),
      itemFor(user.employeeID, { username: holder.username }),
    ]);
    expect(errorsOf(reply)).toEqual([employeeIdExists('by another user'), usernameExists('by another user')]);
  });

  test('does not name an earlier item that only changed the case of a username', async () => {
    const [holder, user] = [await service.givenUser({ username: newId('Ada') }), await service.givenUser()];
    const reply = await service.updateBulk([
      itemFor(holder.employeeID, { username: String(holder.username).toUpperCase() }),
      itemFor(user.employeeID, { username: holder.username }),
    ]);
    expect(errorsOf(reply)).toEqual([usernameExists('by another user')]);
  });

  test('names the earlier item that changed an employee ID, and the new one', async () => {
    const user = await service.givenUser();
    const next = newId();
    const reply = await service.updateBulk([
      itemFor(user.employeeID),
      rename(user.employeeID, next),
      itemFor(user.employeeID),
    ]);
    expect(errorsOf(reply)).toEqual([
      userNotFound(
        `items[2]: no user has the employee ID "${user.employeeID}". items[1] of this call changed it to "${next}"`,
      ),
    ]);
  });
});
