import { describe, expect, test } from 'vitest';
import { errorsOf, expectReport, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import { aUser, newId, useOwnService } from '../../support/service.js';
import {
  bodyTooLarge,
  employeeIdExists,
  expectRefusal,
  notAnObject,
  tooManyItems,
  usernameExists,
} from '../../support/user-failures.js';

describe('a bulk create in transactions of two items', () => {
  const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

  test('creates everyone, in the order of submission', async () => {
    const users = Array.from({ length: 5 }, () => aUser());
    const reply = await service.createBulk(users);
    expect(payloadsOf(reply)).toEqual({ succeeded: users, failed: [] });
    const read = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(read.map((user) => user.employeeID)).toEqual(users.map((user) => user.employeeID));
  });

  test('positions in details count from the start of the call', async () => {
    expect(errorsOf(await service.createBulk([0, 0, 0, 0, 0]))).toEqual(
      [0, 1, 2, 3, 4].map((position) => notAnObject(`items[${position}]: `)),
    );
  });

  test('an employee ID repeated in a later transaction is blamed on the item that took it', async () => {
    const user = aUser();
    const reply = await service.createBulk([aUser(), user, aUser(), user, user]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(/^items\[3\]: .* by items\[1\] of this call/),
      employeeIdExists(/^items\[4\]: .* by items\[1\] of this call/),
    ]);
  });

  test('a username repeated in a later transaction is blamed on the item that took it', async () => {
    const username = newId('Ada');
    const reply = await service.createBulk([
      aUser({ username }),
      0,
      0,
      aUser({ username: username.toUpperCase() }),
    ]);
    expect(errorsOf(reply).at(-1)).toEqual(usernameExists(/^items\[3\]: .* by items\[0\] of this call/));
  });

  test('an existing user is blamed, however many items tried before', async () => {
    const { employeeID } = await service.givenUser();
    const reply = await service.createBulk([1, 2, 3, 4, 5].map(() => aUser({ employeeID })));
    expect(errorsOf(reply)).toEqual([1, 2, 3, 4, 5].map(() => employeeIdExists('by another user')));
  });

  test('a password goes to its own user in whichever transaction', async () => {
    const reply = await service.createBulk([0, aUser(), aUser(), aUser({ password: 'secret' })]);
    const { rows } = await service.database.pool.query(
      'SELECT user_serial FROM credentials WHERE user_serial = ANY ($1::uuid[])',
      [serialsOf(reply)],
    );
    expect(rows).toEqual([{ user_serial: serialsOf(reply).at(-1) }]);
  });
});

describe('the limits of a bulk create', () => {
  const service = useOwnService({ ROLLCALL_BULK_ITEMS_MAX: '3', ROLLCALL_BULK_BODY_MAX_BYTES: '2000' });

  test('as many items as the maximum are taken', async () => {
    const reply = await service.createBulk([aUser(), aUser(), aUser()]);
    expect(serialsOf(reply)).toHaveLength(3);
  });

  test('one item more is refused as a whole: nobody is created', async () => {
    const users = [aUser(), aUser(), aUser()];
    expectRefusal(await service.createBulk([...users, aUser()]), 413, tooManyItems(/at most 3 items.*has 4/));
    expect(errorsOf(await service.createBulk(users))).toEqual([]);
  });

  test('as many bytes as the maximum are taken, and one more is refused', async () => {
    const path = '/service/users/create-bulk';
    const most = '{"items":[]}'.padEnd(2_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('2000 bytes'));
  });
});
