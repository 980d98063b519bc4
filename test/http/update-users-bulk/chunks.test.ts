import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, expectReport, serialsOf } from '../../support/bulk-reports.js';
import { anItem, newId, useService } from '../../support/service.js';
import { smallCalls } from '../../support/small-calls.js';
import {
  bodyInvalid,
  bodyTooLarge,
  employeeIdExists,
  expectRefusal,
  notAnObject,
  tooManyItems,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService(smallCalls);
const whole = useService();
const path = '/service/users/update-bulk';
const zeros = (count: number) => Array.from({ length: count }, () => 0);

// That chunks make no difference is tested in test/storage/bulk-equals-single-updates.test.ts.
describe('a bulk update in chunks of two items', () => {
  test('passes names on, counts positions from the start, and names items of earlier chunks', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const [free, username] = [newId(), newId('Free')];
    const reply = await service.updateBulk([
      itemFor(a.employeeID, { newEmployeeID: free, username }),
      0,
      itemFor(b.employeeID, { username: username.toUpperCase() }),
      rename(b.employeeID, free),
      itemFor(a.employeeID),
      rename(b.employeeID, a.employeeID),
    ]);
    expectReport(reply, {
      serials: [a.serial, b.serial],
      errors: [
        notAnObject('items[1]: '),
        usernameExists(/^items\[2\]: .* by items\[0\] of this call/),
        employeeIdExists(/^items\[3\]: .* by items\[0\] of this call/),
        userNotFound(
          `items[4]: no user has the employee ID "${a.employeeID}". items[0] of this call changed it`,
        ),
      ],
    });
    const ids = [a, b].map(async ({ serial }) => (await service.readUser(serial)).employeeID);
    expect(await Promise.all(ids)).toEqual([free, a.employeeID]);
  });

  test('applies the updates of one user in order, each on top of the previous', async () => {
    const user = await service.givenUser();
    const reply = await service.updateBulk(
      ['101', '102', '103'].flatMap((phone) => [
        anItem(user, { phone }),
        anItem(user, { name: `Name ${phone}`, tagSerials: [phone] }),
      ]),
    );
    expect(serialsOf(reply)).toHaveLength(6);
    expect(await service.readUser(user.serial)).toMatchObject({
      ...{ phone: '103', tagSerials: ['103'], name: 'Name 103' },
    });
  });
});

describe('a bulk update', () => {
  test('is rejected as a whole with one item too many, or with items twice, and changes nobody', async () => {
    const user = await service.givenUser();
    const items = Array.from({ length: 7 }, () => anItem(user, { name: 'Changed' }));
    expectRefusal(await service.updateBulk(items), 413, tooManyItems(/at most 6 items.*has 7/));
    const twice = `{"items":${JSON.stringify([items[0]])},"items":[]}`;
    expectRefusal(
      await service.post(path, undefined, { rawBody: twice }),
      400,
      bodyInvalid('"items" appears'),
    );
    expect(await service.readUser(user.serial)).toMatchObject({ name: user.name });
    expect(errorsOf(await service.updateBulk(items.slice(1)))).toEqual([]);
  });

  test('accepts the maximum number of bytes and rejects one more', async () => {
    const most = '{"items":[]}'.padEnd(4_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('4000 bytes'));
  });

  test('has at most 10,000 items by default, and a larger body than other operations', async () => {
    const items = Array.from({ length: 10_000 }, () => 'x'.repeat(20));
    expect((await whole.updateBulk(items)).json.data.failedItems).toHaveLength(10_000);
    expectRefusal(await whole.updateBulk(zeros(10_001)), 413, tooManyItems(/at most 10000 items/));
  });
});
