import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { givenUpdates, undo } from '../../support/calls.js';
import { isReplay, sendWithKey } from '../../support/idempotent-requests.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

const updates = '/service/users/update-bulk?details=true';

/** A rename to a taken name, an invalid item, and one for a user whom the first item renamed. */
async function givenFailures() {
  const [user, other, holder] = [
    await service.givenUser(),
    await service.givenUser(),
    await service.givenUser(),
  ];
  const next = newId();
  const items = [
    rename(user.employeeID, next),
    rename(other.employeeID, next),
    itemFor(other.employeeID, { phone: 'x'.repeat(256) }),
    itemFor(user.employeeID),
    rename(other.employeeID, holder.employeeID),
  ];
  const takenBy = (value: string, position: number | null, serial: string | null) => ({
    takenBy: { field: 'employeeID', value, position, serial },
  });
  const expected = [
    [1, takenBy(next, 0, user.serial)],
    [2, { field: 'phone', problem: expect.stringMatching(/^must be a string of 1 to 255/) }],
    [3, { employeeID: user.employeeID, renamedBy: { position: 0, newEmployeeID: next } }],
    [4, takenBy(holder.employeeID, null, holder.serial)],
  ];
  return { items, expected, user, holder };
}

interface Entry {
  readonly position: number;
  readonly error: { readonly data: unknown };
}

const dataOf = (reply: { json: { data: { failedItems: Entry[] } } }) =>
  reply.json.data.failedItems.map(({ position, error }) => [position, error.data]);

describe('errors have the same data', () => {
  test('in a call, its dry run and its replay', async () => {
    const { items, expected } = await givenFailures();
    expect(dataOf(await service.post(`${updates}&dryRun=true`, { items }))).toEqual(expected);
    const key = newId('key');
    expect(dataOf(await sendWithKey(service, updates, { items }, key))).toEqual(expected);
    const again = await sendWithKey(service, updates, { items }, key);
    expect(isReplay(again)).toBe(true);
    expect(dataOf(again)).toEqual(expected);
  });

  test('in a replay that requests details although the call did not, and vice versa', async () => {
    const { items, expected } = await givenFailures();
    const key = newId('key');
    const plain = await sendWithKey(service, '/service/users/update-bulk', { items }, key);
    expect(Object.keys(plain.json.data.failedItems[0].error)).toEqual(['errorCode', 'message', 'detail']);
    const detailed = await sendWithKey(service, updates, { items }, key);
    expect([isReplay(detailed), dataOf(detailed)]).toEqual([true, expected]);
    const once = await sendWithKey(service, '/service/users/update-bulk', { items }, key);
    expect(once.text).toBe(plain.text);
  });

  test('in an undo and its dry run', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Changed' })]);
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'Since' } });
    expect(dataOf(await undo(service, callId, '?dryRun=true'))).toEqual([[0, { fields: ['name'] }]]);
    expect(dataOf(await undo(service, callId))).toEqual([[0, { fields: ['name'] }]]);
  });

  test('in a lookup, with the position of the invalid value', async () => {
    const { json } = await service.post('/service/users/lookup', { employeeIDs: ['E1', 'E2', 7] });
    expect(json).toMatchObject({ errorCode: 10004, data: { field: 'employeeIDs', position: 2 } });
  });
});
