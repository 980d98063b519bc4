import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import {
  callIdOf,
  failuresOf,
  givenUpdates,
  readCall,
  statesOf,
  successesOf,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { deliveryOf, patchUser } from '../../support/deliveries.js';
import { givenPerson } from '../../support/people.js';
import { type GivenUser, newId, useService } from '../../support/service.js';

const service = useService();

const everyField = () => ({
  username: newId('u'),
  phone: '+44 20 7946 0958',
  tagSerials: ['T1', 'T2'],
  organizationSerial: 'O1',
});

async function people(count: number): Promise<GivenUser[]> {
  const users: GivenUser[] = [];
  for (let index = 0; index < count; index++) users.push(await service.givenUser());
  return users;
}

const serialsOf = (users: readonly GivenUser[]) => users.map(({ serial }) => serial);
const idsOf = (users: readonly GivenUser[]) => users.map(({ employeeID }) => employeeID);

describe('POST /service/calls/{id}/undo restores', () => {
  test('every field that a bulk update changed, and reports them', async () => {
    const user = await service.givenUser(everyField());
    const [before] = await statesOf(service, [user.serial]);
    const [next, username] = [newId(), newId('u')];
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, {
        name: 'Ada King',
        newEmployeeID: next,
        username,
        phone: '',
        isActive: false,
        tagSerials: [],
        organizationSerial: '',
      }),
    ]);
    const reply = await undo(service, callId);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Bulk call processed.',
      data: {
        successItems: [
          {
            payload: { employeeID: next },
            position: 0,
            response: { serial: user.serial },
            effect: {
              kind: 'updated',
              fields: {
                employeeID: { before: next, after: user.employeeID },
                name: { before: 'Ada King', after: 'Ada Lovelace' },
                username: { before: username, after: user.username },
                phone: { before: null, after: user.phone },
                isActive: { before: false, after: true },
                tagSerials: { before: [], after: ['T1', 'T2'] },
                organizationSerial: { before: null, after: 'O1' },
              },
            },
          },
        ],
        failedItems: [],
      },
    });
    expect(await statesOf(service, [user.serial])).toEqual([before]);
  });

  test('only users changed by the call, not those of failed items or items without effect', async () => {
    const [changed, idle, failing] = (await people(3)) as [GivenUser, GivenUser, GivenUser];
    const reply = await service.updateBulk([
      itemFor(idle.employeeID),
      itemFor(changed.employeeID, { phone: '123' }),
      itemFor(failing.employeeID, { phone: 7 }),
    ]);
    expect(verdictsOf(await undo(service, callIdOf(reply)))).toEqual({ [changed.employeeID]: 'updated' });
  });

  test('a user changed by several items once', async () => {
    const user = await service.givenUser();
    const [middle, last] = [newId(), newId()];
    const callId = await givenUpdates(service, [
      rename(user.employeeID, middle),
      itemFor(middle, { newEmployeeID: last, phone: '123' }),
    ]);
    const reply = await undo(service, callId);
    expect(successesOf(reply)).toMatchObject([
      {
        payload: { employeeID: last },
        effect: { fields: { employeeID: { before: last, after: user.employeeID } } },
      },
    ]);
    expect(await service.readUser(user.serial)).toMatchObject({ employeeID: user.employeeID, phone: null });
  });

  test('only fields of the call, and keeps later changes to others', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    await patchUser(service, user.serial, { phone: '999', email: 'since@example.com', tagSerials: ['T9'] });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 'updated' });
    expect(await service.readUser(user.serial)).toMatchObject({
      name: 'Ada Lovelace',
      phone: '999',
      email: 'since@example.com',
      tagSerials: ['T9'],
    });
  });

  test('the remaining fields if some were already restored by hand', async () => {
    const user = await service.givenUser({ phone: '111' });
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, { name: 'Wrong', phone: '222', isActive: false }),
    ]);
    await patchUser(service, user.serial, { name: user.name, isActive: true });
    const reply = await undo(service, callId);
    expect(successesOf(reply)[0]?.effect).toEqual({
      kind: 'updated',
      fields: { phone: { before: '222', after: '111' } },
    });
    expect(await service.readUser(user.serial)).toMatchObject({ phone: '111', isActive: true });
  });

  test('the case of a username', async () => {
    const username = newId('u');
    const user = await service.givenUser({ username });
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, { username: username.toUpperCase() }),
    ]);
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 'updated' });
    expect(await service.readUser(user.serial)).toMatchObject({ username });
  });

  test('texts with any characters', async () => {
    const name = '‏Zoë "O\'Neil", \\ {x} 🙂 日本';
    const tagSerials = ['T,1', 'T"2', '{T3}', 'NULL'];
    const user = await service.givenUser({ name, tagSerials });
    const [before] = await statesOf(service, [user.serial]);
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, { name: 'Plain', tagSerials: ['T1'] }),
    ]);
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 'updated' });
    expect(await statesOf(service, [user.serial])).toEqual([before]);
  });
});

describe('names are restored together', () => {
  test.each([
    ['a chain', ['A', 'B', 'C'], ['B', 'C', 'D'], ''],
    ['a swap', ['A', 'B'], ['B', 'A'], '?mode=finalState'],
    ['a cycle', ['A', 'B', 'C', 'D'], ['B', 'C', 'D', 'A'], '?mode=finalState'],
  ])('%s of employee IDs', async (_, before, after, query) => {
    const users = await people(before.length);
    const nameOf = new Map(before.map((letter, at) => [letter, users[at]?.employeeID as string]));
    nameOf.set('D', nameOf.get('D') ?? newId());
    const moves = before.map((from, at) =>
      rename(nameOf.get(from) as string, nameOf.get(after[at] as string) as string),
    );
    // Item by item, a chain must start at its free end.
    const callId = await givenUpdates(service, query === '' ? moves.toReversed() : moves, query);
    expect(await undo(service, callId).then(verdictsOf)).toEqual(
      Object.fromEntries(after.map((letter) => [nameOf.get(letter), 'updated'])),
    );
    expect(await statesOf(service, serialsOf(users))).toMatchObject(
      users.map(({ employeeID }) => ({ employeeID })),
    );
  });

  test('a cycle through a free name, including usernames', async () => {
    const names = [newId('u'), newId('u'), newId('u')];
    const users = await Promise.all(names.map((username) => service.givenUser({ username })));
    const [a, b, c] = idsOf(users) as [string, string, string];
    const free = newId();
    const callId = await givenUpdates(service, [
      itemFor(a, { newEmployeeID: free, username: '' }),
      itemFor(b, { newEmployeeID: a, username: names[0] }),
      itemFor(c, { newEmployeeID: b, username: names[1] }),
      itemFor(free, { newEmployeeID: c, username: names[2]?.toUpperCase() }),
    ]);
    expect(Object.values(verdictsOf(await undo(service, callId)))).toEqual(['updated', 'updated', 'updated']);
    expect(await statesOf(service, serialsOf(users))).toMatchObject(
      users.map(({ employeeID, username }) => ({ employeeID, username })),
    );
  });

  test('names that a later call passed on, once that call is undone', async () => {
    const [a, b] = (await people(2)) as [GivenUser, GivenUser];
    const free = newId();
    const first = await givenUpdates(service, [rename(a.employeeID, free)]);
    const second = await givenUpdates(service, [rename(b.employeeID, a.employeeID)]);
    expect(verdictsOf(await undo(service, first))).toEqual({ [free]: 10101 });
    expect(verdictsOf(await undo(service, second))).toEqual({ [a.employeeID]: 'updated' });
    expect(verdictsOf(await undo(service, first))).toEqual({ [free]: 'updated' });
    expect(await statesOf(service, [a.serial, b.serial])).toMatchObject([
      { employeeID: a.employeeID },
      { employeeID: b.employeeID },
    ]);
  });
});

describe('an undo', () => {
  test('changes nothing the second time', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    await undo(service, callId);
    const etag = async () => (await service.get(`/service/users/${user.serial}`)).headers.get('etag');
    const version = await etag();
    const again = await undo(service, callId);
    expect(successesOf(again)).toEqual([
      {
        payload: { employeeID: user.employeeID },
        position: 0,
        response: { serial: user.serial },
        effect: { kind: 'unchanged', fields: {} },
      },
    ]);
    expect(await etag()).toBe(version);
    expect(await readCall(service, callIdOf(again))).toMatchObject({ succeeded: 1, failed: 0, changes: 0 });
  });

  test('is a call of its caller, and both calls refer to each other', async () => {
    const person = await givenPerson(service, 'operator');
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    const requestId = newId('request');
    const reply = await undo(service, callId, '', {
      token: person.token,
      headers: { 'x-request-id': requestId },
    });
    const undoId = callIdOf(reply);
    expect(await readCall(service, undoId)).toMatchObject({
      id: undoId,
      kind: 'undo',
      state: 'done',
      actor: { kind: 'person', id: person.serial },
      requestId,
      items: 1,
      succeeded: 1,
      failed: 0,
      changes: 1,
      undoes: callId,
      undoneBy: null,
    });
    expect(await readCall(service, callId)).toMatchObject({ state: 'done', undoneBy: undoId });
    const { items } = (await service.get(`/service/users/${user.serial}/history`)).json.data;
    expect(items[0]).toMatchObject({
      kind: 'updated',
      version: 3,
      callId: undoId,
      requestId,
      actor: { kind: 'person', id: person.serial },
      fields: { name: { before: 'Wrong', after: 'Ada Lovelace' } },
    });
  });

  test('of an undo restores the changes of the call, and so on', async () => {
    const users = await people(3);
    const [a, b, c] = idsOf(users) as [string, string, string];
    const before = await statesOf(service, serialsOf(users));
    const swap = [itemFor(a, { newEmployeeID: b, name: 'X' }), rename(b, a), itemFor(c, { phone: '123' })];
    const call = await givenUpdates(service, swap, '?mode=finalState');
    const after = await statesOf(service, serialsOf(users));
    const first = await undone(service, call);
    expect(await statesOf(service, serialsOf(users))).toEqual(before);
    const second = await undone(service, first);
    expect(await statesOf(service, serialsOf(users))).toEqual(after);
    await undone(service, second);
    expect(await statesOf(service, serialsOf(users))).toEqual(before);
    // The first undo was undone, so its call can be undone again.
    await undone(service, first);
    await undone(service, call);
    expect(await statesOf(service, serialsOf(users))).toEqual(before);
  });

  test('of an undo ignores the users it skipped', async () => {
    const [a, b] = (await people(2)) as [GivenUser, GivenUser];
    const call = await givenUpdates(
      service,
      [a, b].map(({ employeeID }) => itemFor(employeeID, { name: 'Call' })),
    );
    await patchUser(service, b.serial, { name: 'Since' });
    const undoId = await undone(service, call);
    expect(verdictsOf(await undo(service, undoId))).toEqual({ [a.employeeID]: 'updated' });
    expect(await statesOf(service, [a.serial, b.serial])).toMatchObject([
      { name: 'Call' },
      { name: 'Since' },
    ]);
  });

  test('of a call without changes changes nothing', async () => {
    const reply = await service.updateBulk([]);
    const undoReply = await undo(service, callIdOf(reply));
    expect(undoReply.json.data).toEqual({ successItems: [], failedItems: [] });
    expect(await readCall(service, callIdOf(undoReply))).toMatchObject({
      kind: 'undo',
      state: 'done',
      items: 0,
      changes: 0,
      undoes: callIdOf(reply),
    });
  });

  test('accepts the call ID in capital letters', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    expect(verdictsOf(await undo(service, callId.toUpperCase()))).toEqual({ [user.employeeID]: 'updated' });
    expect((await readCall(service, callId)).undoneBy).not.toBeNull();
  });

  test('ends sessions when it deactivates a user, and releases dormant messages when it activates one', async () => {
    const person = await givenPerson(service, 'viewer', { isActive: true });
    await patchUser(service, person.serial, { isActive: false });
    const activated = await givenUpdates(service, [itemFor(person.employeeID, { isActive: true })]);
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    const me = () => service.get('/service/auth/me', { token: accessToken });
    expect((await me()).status).toBe(200);
    expect(verdictsOf(await undo(service, activated))).toEqual({ [person.employeeID]: 'updated' });
    expect((await me()).status).toBe(401);

    const newcomer = await service.givenUser();
    const deactivated = await givenUpdates(service, [itemFor(newcomer.employeeID, { isActive: false })]);
    await service.database.pool.query(`UPDATE deliveries SET state = 'dormant' WHERE user_serial = $1`, [
      newcomer.serial,
    ]);
    await undo(service, deactivated);
    expect(await deliveryOf(service, newcomer.serial)).toMatchObject({ state: 'waiting' });
  });

  test('advances the version and updatedAt of a user', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    const { updatedAt } = await service.readUser(user.serial);
    const etag = (await service.get(`/service/users/${user.serial}`)).headers.get('etag') as string;
    await undo(service, callId);
    expect((await service.readUser(user.serial)).updatedAt).not.toBe(updatedAt);
    const stale = await service.request('PATCH', `/service/users/${user.serial}`, {
      body: { name: 'Late' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
  });

  test('reports no secret and no other field', async () => {
    const user = await service.givenUser({ username: newId('u'), password: 'the initial secret' });
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    const reply = await undo(service, callId);
    expect(reply.text).not.toContain('secret');
    expect(failuresOf(reply)).toEqual([]);
  });
});
