import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, expectReport } from '../../support/bulk-reports.js';
import { sendWithKey } from '../../support/idempotent-requests.js';
import { aUser, newId, useService } from '../../support/service.js';
import {
  employeeIdExists,
  fieldInvalid,
  notAnObject,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

describe('an item with texts that nobody means', () => {
  const untidy = { name: 'Ada\tKing', phone: `${' '.repeat(300)}911`, tagSerials: ['', 'T1', null] };
  const normalized = { name: 'Ada King', phone: '911', tagSerials: ['T1'] };

  test('still deactivates its user, and the details say what is stored', async () => {
    const user = await service.givenUser();
    const items = [{ ...itemFor(user.employeeID), ...untidy, isActive: false }];
    const entry = { payload: items[0], position: 0, response: { serial: user.serial }, normalized };
    const preview = await service.updateBulk(items, '?details=true&dryRun=true');
    expect(preview.json.data.successItems).toEqual([{ ...entry, effect: expect.anything() }]);
    const [key, path] = [newId('key'), '/service/users/update-bulk'];
    const plain = await sendWithKey(service, path, { items }, key);
    expect(plain.json.data.successItems).toEqual([{ payload: items[0], response: { serial: user.serial } }]);
    const replay = await sendWithKey(service, `${path}?details=true`, { items }, key);
    expect(replay.json.data.successItems).toEqual([entry]);
    expect(await service.readUser(user.serial)).toMatchObject({ ...normalized, isActive: false });
  });

  test('is planned and created with the same values', async () => {
    const user = await service.givenUser();
    const items = [{ ...itemFor(user.employeeID), ...untidy }];
    const planned = await service.updateBulk(items, '?details=true&effectiveAt=2099-01-01');
    expect(planned.json.data.successItems).toMatchObject([{ normalized }]);
    const created = await service.post('/service/users?details=true', aUser(untidy));
    expect(created.json.data).toEqual({ serial: expect.any(String), normalized });
    expect(await service.readUser(created.json.data.serial)).toMatchObject(normalized);
  });
});

// Which item or user is named is tested in test/unit/sequential-plan.test.ts.
describe('the detail of a failed item', () => {
  test('starts with its position in the call, counting successes', async () => {
    const user = await service.givenUser();
    const stranger = newId();
    const reply = await service.updateBulk([
      itemFor(user.employeeID),
      7,
      itemFor(user.employeeID),
      itemFor(stranger),
      itemFor(user.employeeID, { phone: 'x'.repeat(256) }),
    ]);
    expectReport(reply, {
      serials: [user.serial, user.serial],
      errors: [
        notAnObject(/^items\[1\]: a user must be a JSON object, not a number/),
        userNotFound(new RegExp(`^items\\[3\\]: no user has the employee ID "${stranger}"\\.$`)),
        fieldInvalid(/^items\[4\]: "phone" must be a string of 1 to 255 characters/),
      ],
    });
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

  test('names the earlier item that took a name or changed it', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const [free, username] = [newId(), newId('Free')];
    const reply = await service.updateBulk([
      itemFor(b.employeeID),
      itemFor(a.employeeID, { newEmployeeID: free, username }),
      rename(b.employeeID, free),
      itemFor(b.employeeID, { username: username.toUpperCase() }),
      itemFor(a.employeeID),
    ]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(`items[2]: the employee ID "${free}" is already taken by items[1] of this call`),
      usernameExists(`"${username.toUpperCase()}" is already taken by items[1] of this call`),
      userNotFound(`"${a.employeeID}". items[1] of this call changed it to "${free}"`),
    ]);
  });
});
