import { describe, expect, test } from 'vitest';
import { errorsOf, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import { anItem, newId, useService } from '../../support/service.js';
import { employeeIdExists, fieldInvalid, notAnObject, userNotFound } from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/update-bulk';

describe('the report of a bulk update', () => {
  test('returns the submitted fields and the serial when every item succeeds', async () => {
    const user = await service.givenUser();
    const item = anItem(user, { name: 'Ada King' });
    const reply = await service.updateBulk([item]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: { successItems: [{ payload: item, response: { serial: user.serial } }], failedItems: [] },
    });
  });

  test('is a success even if every item fails, each with its error', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const item = anItem(a, { newEmployeeID: b.employeeID });
    const reply = await service.updateBulk([item]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: { successItems: [], failedItems: [{ payload: item, error: employeeIdExists(b.employeeID) }] },
    });
  });

  test('has every item in exactly one list, in submission order, whatever others do', async () => {
    const users = await Promise.all([1, 2, 3].map(() => service.givenUser()));
    const strangers = [newId(), newId(), newId()];
    const items = users.flatMap((user, index) => [
      anItem({ employeeID: strangers[index] as string, name: 'Nobody' }),
      anItem(user, { name: 'Changed' }),
    ]);
    const reply = await service.updateBulk([7, ...items.toReversed()]);
    expect(serialsOf(reply)).toEqual(users.map((user) => user.serial).reverse());
    expect(errorsOf(reply)).toEqual([
      notAnObject('items[0]: '),
      ...strangers.toReversed().map((id) => userNotFound(`"${id}"`)),
    ]);
    for (const { serial } of users) expect(await service.readUser(serial)).toMatchObject({ name: 'Changed' });
  });
});

describe('the payload of a bulk update', () => {
  test('contains the seven contract fields, for a success and a failure', async () => {
    const user = await service.givenUser();
    const item = anItem(user, {
      newEmployeeID: newId(),
      username: newId(),
      phone: '911',
      tagSerials: ['T1'],
    });
    const { succeeded } = payloadsOf(await service.updateBulk([item]));
    const { failed } = payloadsOf(await service.updateBulk([item]));
    expect(succeeded).toEqual([item]);
    expect(failed).toEqual([item]);
  });

  test('contains what was sent, not what was stored, without omitted fields', async () => {
    const user = await service.givenUser({ phone: '911' });
    const item = anItem(user, { name: '  Ada  ', phone: '', username: null, tagSerials: ['b', 'a', 'b'] });
    expect(payloadsOf(await service.updateBulk([item])).succeeded).toStrictEqual([item]);
  });

  test('omits organizationSerial, which is not in the contract', async () => {
    const user = await service.givenUser();
    const item = anItem(user);
    const reply = await service.updateBulk([
      { ...item, organizationSerial: 'ORG7' },
      { ...item, organizationSerial: 7 },
    ]);
    expect(payloadsOf(reply)).toStrictEqual({ succeeded: [item], failed: [item] });
  });

  test('contains no unknown or unaccepted field', async () => {
    const item = anItem({ employeeID: newId(), name: 'Ada' });
    const rawBody = `{"items":[${[
      JSON.stringify({ ...item, nickname: 'x' }),
      JSON.stringify({ ...item, email: 'ada@example.com' }),
      JSON.stringify({ ...item, password: 'secret' }),
      `${JSON.stringify(item).slice(0, -1)},"__proto__":{"username":"eve"}}`,
    ]}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(payloadsOf(reply).failed).toStrictEqual([item, item, item, item]);
  });

  // Echoes byte by byte are tested in test/unit/list-body.test.ts.
  test('is as sent, also if types are wrong, and {} for what is not an object', async () => {
    const odd = [
      '{"employeeID":1e400,"name":{"deep":[-0,1.50]},"isActive":"true"}',
      '{"employeeID":{"__proto__":{"x":1}},"phone":12345678901234567890}',
      '{"employeeID":"a\\u0000b","name":"\\ud800","tagSerials":["\\\\\\n\u2028😀"]}',
      '{}',
    ];
    const user = await service.givenUser();
    const rawBody = `{"items":[7,[{"employeeID":"E1"}],${odd},${JSON.stringify(anItem(user))}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(serialsOf(reply)).toEqual([user.serial]);
    expect(payloadsOf(reply).failed.slice(0, 2)).toStrictEqual([{}, {}]);
    expect(errorsOf(reply)[2]).toEqual(fieldInvalid('items[2]: "employeeID"'));
    for (const payload of odd) expect(reply.text).toContain(`"payload":${payload}`);
  });
});
