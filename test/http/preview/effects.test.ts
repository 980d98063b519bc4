import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { fromNothing } from '../../support/change-rows.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

const creates = '/service/users/create-bulk';
const updates = '/service/users/update-bulk';

/** The replies to a dry run and then to the call with effects. */
async function both(path: string, items: readonly unknown[], more = ''): Promise<[Reply, Reply]> {
  const preview = await service.post(`${path}?dryRun=true${more}`, { items });
  return [preview, await service.post(`${path}?effects=true${more}`, { items })];
}

async function bothReports(path: string, items: readonly unknown[], more = '') {
  const [preview, call] = await both(path, items, more);
  expect(preview.text).toBe(call.text);
  return call.json.data;
}

const effectsOf = (data: { successItems: { effect: unknown }[] }) =>
  data.successItems.map(({ effect }) => effect);
const takenByOf = (data: { failedItems: { error: { data: { takenBy?: unknown } } }[] }) =>
  data.failedItems.map(({ error }) => error.data.takenBy);

describe('the effect of an update, in the dry run and in the call,', () => {
  test('lists the changed fields, before and after', async () => {
    const next = newId();
    const user = await service.givenUser({ tagSerials: ['T1'], organizationSerial: 'O1' });
    const data = await bothReports(updates, [
      itemFor(user.employeeID, {
        name: 'Ada King',
        newEmployeeID: next,
        phone: '123',
        isActive: false,
        tagSerials: [],
        organizationSerial: 'O2',
      }),
    ]);
    expect(effectsOf(data)).toEqual([
      {
        kind: 'updated',
        fields: {
          employeeID: { before: user.employeeID, after: next },
          name: { before: 'Ada Lovelace', after: 'Ada King' },
          phone: { before: null, after: '123' },
          isActive: { before: true, after: false },
          organizationSerial: { before: 'O1', after: 'O2' },
          tagSerials: { before: ['T1'], after: [] },
        },
      },
    ]);
  });

  test('is "unchanged" without fields if nothing changes', async () => {
    const user = await service.givenUser({ tagSerials: ['T1'] });
    const data = await bothReports(updates, [itemFor(user.employeeID, { tagSerials: ['T1', 'T1'] })]);
    expect(effectsOf(data)).toEqual([{ kind: 'unchanged', fields: {} }]);
  });

  test('builds on the items before it', async () => {
    const [user, x] = [await service.givenUser(), newId()];
    const data = await bothReports(updates, [
      itemFor(user.employeeID, { newEmployeeID: x, phone: '101' }),
      itemFor(x, { phone: '102' }),
      itemFor(x, { phone: '102' }),
      itemFor(x, { newEmployeeID: user.employeeID, phone: '' }),
    ]);
    expect(effectsOf(data)).toEqual([
      {
        kind: 'updated',
        fields: {
          employeeID: { before: user.employeeID, after: x },
          phone: { before: null, after: '101' },
        },
      },
      { kind: 'updated', fields: { phone: { before: '101', after: '102' } } },
      { kind: 'unchanged', fields: {} },
      {
        kind: 'updated',
        fields: {
          employeeID: { before: x, after: user.employeeID },
          phone: { before: '102', after: null },
        },
      },
    ]);
  });
});

describe('the effect of a create', () => {
  test('lists every field that is set, and the dry run has no serial', async () => {
    const whole = {
      employeeID: newId(),
      name: 'Ada',
      username: newId('u'),
      email: 'ada@example.com',
      phone: '123',
      isActive: false,
      tagSerials: ['T1'],
      organizationSerial: 'O1',
    };
    const least = { employeeID: newId(), name: 'Ada', phone: '123', isActive: true };
    const [preview, call] = await both(creates, [{ ...whole, password: 'initial' }, least]);
    for (const { json } of [preview, call]) {
      expect(effectsOf(json.data)).toEqual([
        { kind: 'created', fields: fromNothing(whole) },
        { kind: 'created', fields: fromNothing(least) },
      ]);
    }
    const responses = (reply: Reply) =>
      reply.json.data.successItems.map(({ response }: { response: unknown }) => response);
    expect(responses(preview)).toEqual([{ serial: null }, { serial: null }]);
    expect(responses(call)).toEqual([{ serial: expect.any(String) }, { serial: expect.any(String) }]);
  });
});

describe('takenBy identifies the holder of a taken name', () => {
  test('as an earlier item of the call and the user it updated', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const [x, username] = [newId(), newId('u')];
    const items = [
      itemFor(b.employeeID),
      itemFor(a.employeeID, { newEmployeeID: x, username }),
      rename(b.employeeID, x),
      itemFor(b.employeeID, { username }),
    ];
    const data = await bothReports(updates, items, '&details=true');
    expect(takenByOf(data)).toEqual([
      { field: 'employeeID', value: x, position: 1, serial: a.serial },
      { field: 'username', value: username, position: 1, serial: a.serial },
    ]);
  });

  test('in creates as an existing user or an item, without a serial in the dry run', async () => {
    const holder = await service.givenUser({ username: newId('u') });
    const user = aUser({ username: newId('u') });
    const items = [
      user,
      { ...aUser(), employeeID: user.employeeID },
      { ...aUser(), username: user.username },
      { ...aUser(), employeeID: holder.employeeID },
      { ...aUser(), username: holder.username },
    ];
    const [preview, call] = await both(creates, items);
    const { serial } = call.json.data.successItems[0].response;
    const expected = (created: string | null) => [
      { field: 'employeeID', value: user.employeeID, position: 0, serial: created },
      { field: 'username', value: user.username, position: 0, serial: created },
      { field: 'employeeID', value: holder.employeeID, position: null, serial: holder.serial },
      { field: 'username', value: holder.username, position: null, serial: holder.serial },
    ];
    expect(takenByOf(preview.json.data)).toEqual(expected(null));
    expect(takenByOf(call.json.data)).toEqual(expected(serial));
  });

  test('and is absent from other failures', async () => {
    const { employeeID } = await service.givenUser();
    const items = [7, itemFor(newId()), itemFor(employeeID, { phone: 7 })];
    const { failedItems } = await bothReports(updates, items);
    expect(failedItems.map(Object.keys)).toEqual(items.map(() => ['payload', 'error']));
  });
});
