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

  test('has every item in exactly one list, in submission order', async () => {
    const users = await Promise.all([1, 2, 3].map(() => service.givenUser()));
    const strangers = [newId(), newId(), newId()];
    const items = users.flatMap((user, index) => [
      anItem({ employeeID: strangers[index] as string, name: 'Nobody' }),
      anItem(user),
    ]);
    const reply = await service.updateBulk(items.toReversed());
    expect(serialsOf(reply)).toEqual(users.map((user) => user.serial).reverse());
    expect(errorsOf(reply)).toEqual(strangers.toReversed().map((id) => userNotFound(`"${id}"`)));
  });

  test('includes the other items when one is invalid', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    await service.updateBulk([anItem(a, { name: 'Before' }), 7, anItem(b, { name: 'After' })]);
    expect(await service.readUser(a.serial)).toMatchObject({ name: 'Before' });
    expect(await service.readUser(b.serial)).toMatchObject({ name: 'After' });
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

  test('contains what was sent, not what was stored', async () => {
    const user = await service.givenUser();
    const item = anItem(user, { name: '  Ada  ', phone: '', username: null, tagSerials: ['b', 'a', 'b'] });
    expect(payloadsOf(await service.updateBulk([item])).succeeded).toEqual([item]);
  });

  test.each([
    ['null', null],
    ['an empty string', ''],
  ])('keeps %s and adds no omitted fields', async (_, empty) => {
    const user = await service.givenUser();
    const item = anItem(user, { phone: empty });
    const reply = await service.updateBulk([item]);
    expect(payloadsOf(reply).succeeded).toStrictEqual([item]);
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

  test.each(['null', '7', '"E1"', 'true', '[]', '[{"employeeID":"E1"}]', '-0', '1e400'])(
    'is {} for the item %s, which is not an object',
    async (item) => {
      const reply = await service.post(path, undefined, { rawBody: `{"items":[${item}]}` });
      expect(reply.json.data.failedItems).toStrictEqual([
        { payload: {}, error: notAnObject('items[0]: a user must be a JSON object') },
      ]);
    },
  );

  test('is {} for an empty object', async () => {
    expect(payloadsOf(await service.updateBulk([{}])).failed).toStrictEqual([{}]);
  });

  test.each([
    '1e400',
    '-1e400',
    '12345678901234567890',
    '9007199254740993',
    '-0',
    '1.0',
    '1.50',
    '1E5',
    '1e+2',
    '0.1e-7',
    '3.141592653589793238462643',
  ])('repeats the number %s digit by digit', async (number) => {
    const user = await service.givenUser();
    const rawBody = `{"items":[{"employeeID":${number},"name":{"deep":[${number}]},"isActive":true},${JSON.stringify(anItem(user))}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(errorsOf(reply)).toEqual([fieldInvalid('items[0]: "employeeID"')]);
    expect(serialsOf(reply)).toEqual([user.serial]);
    expect(reply.text).toContain(
      `"payload":{"employeeID":${number},"name":{"deep":[${number}]},"isActive":true}`,
    );
  });

  test('keeps values of a wrong type as sent', async () => {
    const item = {
      employeeID: ['E1'],
      name: { first: 'Ada', nothing: null, toJSON: 'x', constructor: 1 },
      newEmployeeID: false,
      username: [[[]]],
      phone: 42,
      isActive: 'true',
      tagSerials: 'T1',
    };
    expect(payloadsOf(await service.updateBulk([item])).failed).toStrictEqual([item]);
  });

  test('keeps __proto__ within a value as a plain field', async () => {
    const rawBody = '{"items":[{"employeeID":{"__proto__":{"x":1}},"phone":-0}]}';
    const reply = await service.post(path, undefined, { rawBody });
    expect(reply.text).toContain('"payload":{"employeeID":{"__proto__":{"x":1}},"phone":-0}');
  });

  test.each([
    ['a NUL', 'a\u0000b'],
    ['a lone surrogate', 'a\ud800'],
    ['quotes, line breaks and separators', '"\\\n\u2028\u007f'],
    ['emoji', '\u{1f600}'],
  ])('keeps %s in a string as sent', async (_, text) => {
    const item = anItem({ employeeID: text, name: text }, { tagSerials: [text] });
    expect(payloadsOf(await service.updateBulk([item])).failed).toStrictEqual([item]);
  });
});
