import { describe, expect, test } from 'vitest';
import { aUser, newId, useService } from '../../support/service.js';
import { employeeIdExists, expectRefusal, usernameExists } from '../../support/user-failures.js';

const service = useService();

describe('names in POST /service/users', () => {
  test('a conflict leaves the holder unchanged and reveals only its serial', async () => {
    const holder = await service.givenUser({ name: 'Secret Holder' });
    const before = await service.readUser(holder.serial);
    const reply = await service.post('/service/users', aUser({ employeeID: holder.employeeID, name: 'Eve' }));
    expect(reply.status).toBe(409);
    expect(reply.json).toEqual({
      errorCode: 10101,
      message: 'USER_EMPLOYEE_ID_EXISTS',
      detail: `The employee ID "${holder.employeeID}" is already taken by another user with the serial ${holder.serial}.`,
    });
    expect(await service.readUser(holder.serial)).toEqual(before);
  });

  test('employee IDs are case-sensitive', async () => {
    const lower = newId('abc').toLowerCase();
    await service.givenUser({ employeeID: lower });
    await service.givenUser({ employeeID: lower.toUpperCase() });
  });

  test('the employee ID of an inactive user stays taken', async () => {
    const { employeeID } = await service.givenUser({ isActive: false });
    const reply = await service.post('/service/users', aUser({ employeeID }));
    expectRefusal(reply, 409, employeeIdExists(employeeID));
  });

  test('a username in use is rejected in any case', async () => {
    const username = newId('AdaKing');
    const { serial } = await service.givenUser({ username });
    expect(await service.readUser(serial)).toMatchObject({ username });
    for (const wanted of [username, username.toLowerCase(), username.toUpperCase()]) {
      const reply = await service.post('/service/users', aUser({ username: wanted }));
      const detail = `"${wanted}" is already taken by another user with the serial ${serial}.`;
      expectRefusal(reply, 409, usernameExists(detail));
    }
  });

  test('a username may equal the employee ID of the same or another user', async () => {
    const { employeeID } = await service.givenUser();
    const own = newId();
    await service.givenUser({ username: employeeID });
    await service.givenUser({ employeeID: own, username: own });
  });

  test('if both names are taken, the employee ID is reported', async () => {
    const username = newId();
    const { employeeID } = await service.givenUser({ username });
    const reply = await service.post('/service/users', aUser({ employeeID, username }));
    expectRefusal(reply, 409, employeeIdExists(employeeID));
  });

  test('a create rejected for its username leaves its employee ID free', async () => {
    const username = newId();
    await service.givenUser({ username });
    const user = aUser({ username });
    expect((await service.post('/service/users', user)).status).toBe(409);
    await service.givenUser({ employeeID: user.employeeID });
  });

  test('of two concurrent creates with the same employee ID, one succeeds and one fails with 10101', async () => {
    const user = aUser();
    const replies = await Promise.all([1, 2].map(() => service.post('/service/users', user)));
    const [created, refused] = replies.sort((a, b) => a.status - b.status);
    expect(created?.status).toBe(201);
    expect(refused?.json).toEqual(employeeIdExists(user.employeeID));
  });
});
