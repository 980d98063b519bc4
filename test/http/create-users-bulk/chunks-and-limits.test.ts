import { describe, expect, test } from 'vitest';
import { errorsOf, expectReport, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import { aUser, newId, useService } from '../../support/service.js';
import { smallCalls } from '../../support/small-calls.js';
import {
  bodyInvalid,
  bodyTooLarge,
  employeeIdExists,
  expectRefusal,
  notAnObject,
  tooManyItems,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService(smallCalls);
const path = '/service/users/create-bulk';

// That chunks make no difference is tested in test/storage/bulk-equals-single-updates.test.ts.
describe('a bulk create in chunks of two items', () => {
  test('creates users in submission order, and counts positions from the start of the call', async () => {
    const username = newId('Ada');
    const users = [aUser({ username }), aUser(), aUser({ password: 'secret' })];
    const again = aUser({ username: username.toUpperCase() });
    const reply = await service.createBulk([...users, 0, users[1], again]);
    expect(payloadsOf(reply).succeeded).toMatchObject(users.map(({ password: _, ...shown }) => shown));
    expect(errorsOf(reply)).toEqual([
      notAnObject('items[3]: '),
      employeeIdExists(/^items\[4\]: .* by items\[1\] of this call/),
      usernameExists(/^items\[5\]: .* by items\[0\] of this call/),
    ]);
    const serials = serialsOf(reply);
    const read = await Promise.all(serials.map((serial) => service.readUser(serial)));
    expect(read.map(({ employeeID }) => employeeID)).toEqual(users.map(({ employeeID }) => employeeID));
    const { rows } = await service.database.pool.query(
      'SELECT user_serial FROM credentials WHERE user_serial = ANY ($1::uuid[])',
      [serials],
    );
    expect(rows).toEqual([{ user_serial: serials[2] }]);
  });
});

describe('a bulk create', () => {
  test('is rejected as a whole with one item too many, or with another field, and creates nobody', async () => {
    const users = Array.from({ length: 6 }, () => aUser({ email: 'a@b.c' }));
    const more = await service.createBulk([...users, aUser()]);
    expectRefusal(more, 413, tooManyItems(/at most 6 items.*has 7/));
    expectRefusal(await service.post(path, { items: users, dryRun: true }), 400, bodyInvalid('"dryRun"'));
    expect(errorsOf(await service.createBulk(users))).toEqual([]);
  });

  test('accepts the maximum number of bytes and rejects one more', async () => {
    const most = '{"items":[]}'.padEnd(4_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('4000 bytes'));
  });
});
