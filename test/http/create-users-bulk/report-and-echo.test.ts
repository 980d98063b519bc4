import { describe, expect, test } from 'vitest';
import { errorsOf, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import { aUser, newId, useService } from '../../support/service.js';
import { contactRequired, fieldInvalid, notAnObject } from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/create-bulk';

describe('the report of a bulk create', () => {
  test('returns 200 with the submitted fields and the serial of each new user', async () => {
    const user = aUser();
    const reply = await service.createBulk([user]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        successItems: [
          { payload: user, position: 0, response: { serial: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
        ],
        failedItems: [],
      },
    });
  });

  test('is a success even if every item fails', async () => {
    const item = aUser({ email: null });
    const reply = await service.createBulk([item]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        successItems: [],
        failedItems: [
          {
            payload: item,
            position: 0,
            error: { ...contactRequired('items[0]: '), reason: expect.stringMatching(/^"email"/) },
          },
        ],
      },
    });
  });

  test('has every item in exactly one list, in submission order, whatever the order of IDs', async () => {
    const users = [aUser({ employeeID: newId('z') }), aUser({ employeeID: newId('a') }), aUser()];
    const reply = await service.createBulk(users.flatMap((user) => [7, user]));
    expect(errorsOf(reply)).toEqual([0, 2, 4].map((position) => notAnObject(`items[${position}]: `)));
    expect(payloadsOf(reply).succeeded).toEqual(users);
    const read = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(read.map((user) => user.employeeID)).toEqual(users.map((user) => user.employeeID));
  });
});

describe('the payload of a bulk create', () => {
  test('contains every field sent except the password', async () => {
    const { password, ...shown } = aUser({
      username: newId(),
      phone: '911',
      password: 'correct horse battery staple',
      tagSerials: ['b', 'a', 'b'],
      organizationSerial: 'ORG7',
    });
    const items = [{ ...shown, password }];
    expect(payloadsOf(await service.createBulk(items)).succeeded).toStrictEqual([shown]);
    expect(payloadsOf(await service.createBulk(items)).failed).toStrictEqual([shown]);
  });

  test('contains no password, and neither do the logs, whatever the outcome of the item', async () => {
    const password = `secret${newId()}`;
    const user = aUser({ password });
    const items = [
      user,
      user,
      aUser({ password: password.padEnd(200, 'x') }),
      aUser({ password: { [password]: password } }),
      aUser({ password, isActive: 'yes' }),
    ];
    const reply = await service.createBulk(items);
    expect(reply.json.data.failedItems).toHaveLength(4);
    expect(reply.text).not.toContain(password);
    expect(service.logs).not.toContain(password);
  });

  test('contains what was sent, not what was stored, without omitted fields', async () => {
    const item = aUser({ name: '  Ada  ', username: '', phone: null, tagSerials: null });
    expect(payloadsOf(await service.createBulk([item])).succeeded).toStrictEqual([item]);
  });

  test('contains no unknown or unaccepted field', async () => {
    const user = aUser();
    const rawBody = `{"items":[${[
      JSON.stringify({ ...user, nickname: 'x' }),
      JSON.stringify({ ...user, newEmployeeID: 'E1' }),
      `${JSON.stringify(user).slice(0, -1)},"__proto__":{"username":"eve"}}`,
    ]}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(payloadsOf(reply).failed).toStrictEqual([user, user, user]);
  });

  test('is {} for an item that is not an object, and repeats numbers digit by digit', async () => {
    const user = aUser();
    const odd = '{"employeeID":"E1","name":"Ada","email":1e400,"tagSerials":[-0,1.0]}';
    const rawBody = `{"items":[7,${JSON.stringify(user)},${odd}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(reply.json.data.failedItems[0]).toStrictEqual({
      payload: {},
      position: 0,
      error: {
        ...notAnObject('items[0]: a user must be a JSON object'),
        reason: expect.stringMatching(/^A user must be a JSON object/),
      },
    });
    expect(errorsOf(reply)[1]).toEqual(fieldInvalid('items[2]: "email"'));
    expect(payloadsOf(reply).succeeded).toEqual([user]);
    expect(reply.text).toContain(`"payload":${odd}`);
  });
});
