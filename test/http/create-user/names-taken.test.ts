import { describe, expect, test } from 'vitest';
import { aUser, newId, useService } from '../../support/service.js';
import { employeeIdExists, expectRefusal, usernameExists } from '../../support/user-failures.js';

const service = useService();

describe('POST /service/users and names that are taken', () => {
  test('an employee ID in use is refused with 10101', async () => {
    const { employeeID, serial } = await service.givenUser();
    const reply = await service.post('/service/users', aUser({ employeeID }));
    expectRefusal(
      reply,
      409,
      employeeIdExists(`"${employeeID}" is already taken by another user with the serial ${serial}.`),
    );
  });

  test('the holder of the employee ID is left as it was, and nothing but the serial is shown', async () => {
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

  test('employee IDs are compared with their case: another case is another person', async () => {
    const lower = newId('abc').toLowerCase();
    await service.givenUser({ employeeID: lower });
    await service.givenUser({ employeeID: lower.toUpperCase() });
  });

  test('the employee ID of someone inactive is still taken', async () => {
    const { employeeID } = await service.givenUser({ isActive: false });
    const reply = await service.post('/service/users', aUser({ employeeID }));
    expectRefusal(reply, 409, employeeIdExists(employeeID));
  });

  test.each([
    ['the same case', (username: string) => username],
    ['lower case', (username: string) => username.toLowerCase()],
    ['upper case', (username: string) => username.toUpperCase()],
  ])('a username in use is refused in %s', async (_, inCase) => {
    const username = newId('AdaKing');
    const { serial } = await service.givenUser({ username });
    const wanted = inCase(username);
    const reply = await service.post('/service/users', aUser({ username: wanted }));
    expectRefusal(
      reply,
      409,
      usernameExists(`"${wanted}" is already taken by another user with the serial ${serial}.`),
    );
  });

  test('a username keeps the case it was sent in', async () => {
    const username = newId('AdaKING');
    const { serial } = await service.givenUser({ username });
    expect(await service.readUser(serial)).toMatchObject({ username });
  });

  test('a username may equal an employee ID, its own or that of another', async () => {
    const { employeeID } = await service.givenUser();
    const own = newId();
    await service.givenUser({ username: employeeID });
    await service.givenUser({ employeeID: own, username: own });
  });

  test('when both names are taken, the employee ID decides', async () => {
    const username = newId();
    const { employeeID } = await service.givenUser({ username });
    const reply = await service.post('/service/users', aUser({ employeeID, username }));
    expectRefusal(reply, 409, employeeIdExists(employeeID));
  });

  test('a create refused for its username leaves its employee ID free', async () => {
    const username = newId();
    await service.givenUser({ username });
    const user = aUser({ username });
    expect((await service.post('/service/users', user)).status).toBe(409);
    await service.givenUser({ employeeID: user.employeeID });
  });

  test('an employee ID that a rename left can be taken by someone new', async () => {
    const old = await service.givenUser();
    const renamed = { employeeID: old.employeeID, name: old.name, newEmployeeID: newId(), isActive: true };
    await service.updateBulk([renamed]);
    await service.givenUser({ employeeID: old.employeeID });
  });

  test('of two creates of one employee ID at the same time, one succeeds and one gets 10101', async () => {
    const user = aUser();
    const replies = await Promise.all([1, 2].map(() => service.post('/service/users', user)));
    const [created, refused] = replies.sort((a, b) => a.status - b.status);
    expect(created?.status).toBe(201);
    expect(refused?.json).toEqual(employeeIdExists(user.employeeID));
  });
});
