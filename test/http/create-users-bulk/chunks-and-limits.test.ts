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

describe('a bulk create in chunks of two items', () => {
  const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

  test('creates all users in submission order', async () => {
    const users = Array.from({ length: 5 }, () => aUser());
    const reply = await service.createBulk(users);
    expect(payloadsOf(reply)).toEqual({ succeeded: users, failed: [] });
    const read = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(read.map((user) => user.employeeID)).toEqual(users.map((user) => user.employeeID));
  });

  test('counts positions from the start of the call', async () => {
    expect(errorsOf(await service.createBulk([0, 0, 0, 0, 0]))).toEqual(
      [0, 1, 2, 3, 4].map((position) => notAnObject(`items[${position}]: `)),
    );
  });

  test('names the item that took an employee ID in an earlier chunk', async () => {
    const user = aUser();
    const reply = await service.createBulk([aUser(), user, aUser(), user, user]);
    expect(errorsOf(reply)).toEqual([
      employeeIdExists(/^items\[3\]: .* by items\[1\] of this call/),
      employeeIdExists(/^items\[4\]: .* by items\[1\] of this call/),
    ]);
  });

  test('names the item that took a username in an earlier chunk', async () => {
    const username = newId('Ada');
    const reply = await service.createBulk([
      aUser({ username }),
      0,
      0,
      aUser({ username: username.toUpperCase() }),
    ]);
    expect(errorsOf(reply).at(-1)).toEqual(usernameExists(/^items\[3\]: .* by items\[0\] of this call/));
  });

  test('names an existing user as holder, however many items failed before', async () => {
    const { employeeID } = await service.givenUser();
    const reply = await service.createBulk([1, 2, 3, 4, 5].map(() => aUser({ employeeID })));
    expect(errorsOf(reply)).toEqual([1, 2, 3, 4, 5].map(() => employeeIdExists('by another user')));
  });

  test('stores a password for the right user in any chunk', async () => {
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

  test('accept the maximum number of items', async () => {
    const reply = await service.createBulk([aUser(), aUser(), aUser()]);
    expect(serialsOf(reply)).toHaveLength(3);
  });

  test('reject one more item as a whole and create no users', async () => {
    const users = [aUser(), aUser(), aUser()];
    expectRefusal(await service.createBulk([...users, aUser()]), 413, tooManyItems(/at most 3 items.*has 4/));
    expect(errorsOf(await service.createBulk(users))).toEqual([]);
  });

  test('accept the maximum number of bytes and reject one more', async () => {
    const path = '/service/users/create-bulk';
    const most = '{"items":[]}'.padEnd(2_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('2000 bytes'));
  });
});
