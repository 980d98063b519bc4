import { describe, expect, test } from 'vitest';
import { callIdOf, failuresOf, successesOf, undo } from '../../support/calls.js';
import { confirmed } from '../../support/directories.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

type Item = Record<string, unknown>;

const managerOf = async (serial: string) => (await service.readUser(serial)).manager;
const item = ({ employeeID }: { employeeID: string }, managerEmployeeID: string | null) => ({
  ...{ employeeID, name: 'Ada', isActive: true, managerEmployeeID },
});
const errorsOf = (reply: Parameters<typeof failuresOf>[0]) =>
  failuresOf(reply).map(({ error }) => error.message);
const upsert = (items: readonly Item[], query = '') => service.upsertBulk(items, query);
const serialOf = async (employeeID: string) =>
  (await service.post('/service/users/lookup', { employeeIDs: [employeeID] })).json.data.items[0]?.serial;

/** A user to upsert, whose manager is one of the others. */
const person = (employeeID: string, managerEmployeeID?: string): Item => ({
  ...aUser({ employeeID }),
  ...(managerEmployeeID === undefined ? {} : { managerEmployeeID }),
});

describe('a manager', () => {
  test('is set by employee ID, stored by serial, and shown with both', async () => {
    const boss = await service.givenUser({});
    const { serial, employeeID } = await service.givenUser({ managerEmployeeID: boss.employeeID });
    const shown = { serial: boss.serial, employeeID: boss.employeeID, name: boss.name };
    expect(await managerOf(serial)).toEqual(shown);
    const renamed = newId();
    await service.updateBulk([{ ...item(boss, null), newEmployeeID: renamed }]);
    expect(await managerOf(serial), 'renamed').toMatchObject({ serial: boss.serial, employeeID: renamed });
    const reply = await service.updateBulk([item({ employeeID }, '')]);
    expect(await managerOf(serial), 'cleared').toBeNull();
    await undo(service, callIdOf(reply));
    expect(await managerOf(serial), 'undone').toMatchObject({ serial: boss.serial });
    const patched = await service.request('PATCH', `/service/users/${serial}`, {
      body: { managerEmployeeID: newId() },
    });
    expect(patched.json.message).toBe('USER_MANAGER_NOT_FOUND');
  });

  test('means who has the employee ID at that item', async () => {
    const [ada, old, other] = [await service.givenUser({}), await service.givenUser({}), newId()];
    const next = await service.givenUser({});
    const reply = await service.updateBulk([
      item(ada, old.employeeID),
      { ...item(old, null), newEmployeeID: other },
      { ...item(next, null), newEmployeeID: old.employeeID },
    ]);
    expect(errorsOf(reply)).toEqual([]);
    expect(await managerOf(ada.serial)).toMatchObject({ serial: old.serial, employeeID: other });
  });

  test.each(['', '?mode=finalState'])('may come later in the call%s', async (query) => {
    const [a, b, c] = [newId(), newId(), newId()];
    const reply = await upsert([person(a, b), person(b, c), person(c)], query);
    expect(errorsOf(reply)).toEqual([]);
    const { managers } = await service.readUserWithPlans(await serialOf(a));
    expect(managers).toMatchObject([{ employeeID: b }, { employeeID: c }]);
    const effects = await upsert([person(a, b), person(b, c), person(c)], `${query || '?'}&effects=true`);
    expect(successesOf(effects).map(({ effect }) => effect?.kind)).toEqual(Array(3).fill('unchanged'));
  });

  test('who is never created fails everyone who waits for them, and nothing of these items is stored', async () => {
    const [a, b, c, d] = [newId(), newId(), newId(), newId()];
    const broken = { ...person(c), email: null, phone: null };
    for (const send of [
      (items: Item[]) => upsert(items),
      (items: Item[]) => upsert(items, '?mode=finalState'),
      (items: Item[]) => service.createBulk(items),
    ]) {
      const reply = await send([person(a, b), person(b, c), broken, person(d, newId())]);
      expect(errorsOf(reply)).toEqual([
        ...['USER_MANAGER_NOT_FOUND', 'USER_MANAGER_NOT_FOUND'],
        ...['USER_CONTACT_REQUIRED', 'USER_MANAGER_NOT_FOUND'],
      ]);
      expect(await serialOf(a)).toBeUndefined();
    }
  });

  test.each(['', '?mode=finalState'])('is never the user, directly or through others%s', async (query) => {
    const [a, b, c] = [newId(), newId(), newId()];
    await service.createBulk([person(a), person(b, a), person(c, b)]);
    const reply = await service.updateBulk([item({ employeeID: a }, c)], query);
    expect(failuresOf(reply)[0]?.error).toMatchObject({
      message: 'USER_MANAGER_CYCLE',
      detail: expect.stringContaining(`${a} → ${c} → ${b} → ${a}`),
    });
    expect(errorsOf(await service.updateBulk([item({ employeeID: a }, a)], query))).toEqual([
      'USER_MANAGER_CYCLE',
    ]);
    const patched = await service.request('PATCH', `/service/users/${await serialOf(a)}`, {
      body: { managerEmployeeID: c },
    });
    expect(patched.json).toMatchObject({ message: 'USER_MANAGER_CYCLE', data: { chain: [a, c, b, a] } });
    const inCall = await upsert([person(newId()), item({ employeeID: c }, ''), item({ employeeID: a }, c)]);
    expect(errorsOf(inCall), 'opened before').toEqual([]);
  });

  test('cannot be made a circle by two calls at once', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => service.givenUser({})));
    const replies = await Promise.all(
      users.map((user, at) =>
        service.updateBulk([item(user, users[(at + 1) % users.length]?.employeeID ?? '')]),
      ),
    );
    expect(replies.flatMap(errorsOf)).toEqual(['USER_MANAGER_CYCLE']);
  });

  test('cannot be restored by an undo that would close a circle', async () => {
    const [a, b] = [await service.givenUser({}), await service.givenUser({})];
    await service.updateBulk([item(a, b.employeeID)]);
    const cleared = await service.updateBulk([item(a, '')]);
    await service.updateBulk([item(b, a.employeeID)]);
    const undone = await service.request('POST', `/service/calls/${callIdOf(cleared)}/undo`);
    expect(errorsOf(undone)).toEqual(['USER_MANAGER_CYCLE']);
  });
});

test.each(['upsert-bulk', 'upsert-bulk?mode=finalState', 'create-bulk'])(
  'a line of managers is not longer than 100, in either order, with %s',
  async (path) => {
    const ids = Array.from({ length: 130 }, () => newId());
    const line = ids.map((id, at) => person(id, ids[at + 1]));
    const [upwards, downwards] = [line, line.toReversed()];
    for (const items of path.startsWith('create') ? [upwards] : [upwards, downwards]) {
      const reply = await service.post(`/service/users/${path}`, { items });
      expect(errorsOf(reply)).toContain('USER_FIELD_INVALID');
      expect(successesOf(reply)).toHaveLength(101);
    }
  },
);

test('an error about a circle is short, however long the line', async () => {
  const ids = Array.from({ length: 60 }, () => newId());
  await service.createBulk(ids.map((id, at) => person(id, ids[at - 1])));
  const reply = await service.request('PATCH', `/service/users/${await serialOf(ids[0] ?? '')}`, {
    body: { managerEmployeeID: ids.at(-1) },
  });
  expect(reply.json.data.chain).toHaveLength(12);
});

test('lists direct reports, or everyone below', async () => {
  const [a, b, c, d] = [newId(), newId(), newId(), newId()];
  await service.createBulk([person(a), person(b, a), person(c, b), person(d, a)]);
  const path = `/service/users/${await serialOf(a)}/reports`;
  const idsOf = async (query: string) =>
    (await service.get(path + query)).json.data.items.map((user: Item) => user.employeeID);
  expect(await idsOf('')).toEqual([b, d]);
  expect(new Set(await idsOf('?all=true'))).toEqual(new Set([b, c, d]));
});

test('a report says how many report to them in turn, up to 100', async () => {
  const [head, lead, busy] = [newId(), newId(), newId()];
  const others = Array.from({ length: 101 }, () => newId());
  await service.createBulk([person(head), person(lead, head), person(busy, head)]);
  await service.createBulk(others.map((id, at) => person(id, at === 0 ? lead : busy)));
  const countsBelow = async (id: string) => {
    const { json } = await service.get(`/service/users/${await serialOf(id)}/reports?limit=2`);
    return json.data.items.map(({ reports }: Item) => reports);
  };
  const exactly = (count: number) => ({ count, isExact: true });
  expect(await countsBelow(head)).toEqual([exactly(1), exactly(100)]);
  expect(await countsBelow(lead)).toEqual([exactly(0)]);
  await service.createBulk([person(newId(), busy)]);
  expect(await countsBelow(head)).toEqual([exactly(1), { count: 100, isExact: false }]);
});

test('lists are filtered by the manager, and by whether that user is active', async () => {
  const [a, b, c, d] = [newId(), newId(), newId(), newId()];
  await service.createBulk([person(a), person(b, a), person(c, b), person(d, a)]);
  const [boss, middle] = [await serialOf(a), await serialOf(b)];
  const names = new Map([a, b, c, d].map((id, at) => [id, 'abcd'[at]]));
  const ids = [a, b, c, d].map((id) => `employeeID=${id}`).join('&');
  const found = async (query: string) => {
    const { json } = await service.get(`/service/users?total=exact&${query}`);
    const letters = json.data.items.map(({ employeeID }: Item) => names.get(String(employeeID)));
    expect(json.data.total).toEqual({ count: letters.length, isExact: true });
    return letters.join('');
  };
  const active = '&isActive=true';
  expect(await found(`manager=${a}`)).toBe('bd');
  expect(await found(`manager=${String(boss).toUpperCase()}&manager=${b}`)).toBe('bcd');
  expect(await found(`manager=${newId()}`)).toBe('');
  expect(await found(`${ids}&hasManager=false`)).toBe('a');
  expect(await found(`${ids}&managerIsActive=false`)).toBe('');
  await service.updateBulk([{ ...item({ employeeID: b }, null), isActive: false }]);
  expect(await found(`${ids}&managerIsActive=false${active}`), 'deactivated').toBe('c');
  await service.request('DELETE', `/service/users/${middle}`);
  expect(await found(`${ids}&managerIsActive=false${active}`), 'erased').toBe('c');
  expect(await found(`manager=${middle}`), 'by the serial of an erased user').toBe('c');
  expect(await found(`${ids}&managerIsActive=true`)).toBe('d');
});

test('everyone who matches gets or loses a manager, but nobody above that manager', async () => {
  const [a, b, c, d] = [newId(), newId(), newId(), newId()];
  await service.createBulk([person(a), person(b, a), person(c, b), person(d, b)]);
  const send = (filter: Item, managerEmployeeID: string | null) =>
    confirmed(service, '/service/users/update-matching', { filter, patch: { managerEmployeeID } });
  const moved = await send({ employeeID: [a, b, c, d] }, c);
  expect(errorsOf(moved)).toEqual(Array(3).fill('USER_MANAGER_CYCLE'));
  expect(await managerOf(await serialOf(d))).toMatchObject({ employeeID: c });
  await send({ manager: c }, null);
  expect(await managerOf(await serialOf(d))).toBeNull();
  await undo(service, callIdOf(moved));
  const path = '/service/users/update-matching?confirm=1';
  const nobody = { filter: { employeeID: a }, patch: { managerEmployeeID: newId() } };
  expect((await service.post(path, nobody)).json.message).toBe('USER_MANAGER_NOT_FOUND');
});
