import { describe, expect, test } from 'vitest';
import type { Role } from '../../../src/contract/scopes.js';
import { callIdOf, failuresOf, successesOf, undo } from '../../support/calls.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

type Item = Record<string, unknown> & { employeeID: string; name: string };

/** The operations that rehire, each with one user. */
const ways: readonly [string, (item: Item, query?: string) => Promise<Reply>][] = [
  ['POST /service/users', (item, query = '') => service.post(`/service/users?rehire=true${query}`, item)],
  ['create-bulk', (item, query = '') => service.createBulk([item], `?rehire=true&effects=true${query}`)],
  ['upsert-bulk', (item, query = '') => service.upsertBulk([item], `?rehire=true&effects=true${query}`)],
  [
    'upsert-bulk by the final state',
    (item, query = '') => service.upsertBulk([item], `?rehire=true&effects=true&mode=finalState${query}`),
  ],
];

function serialIn({ json }: Reply): string | undefined {
  return json.data?.serial ?? json.data?.successItems?.[0]?.response.serial;
}

function errorIn({ json }: Reply) {
  return json.data?.failedItems?.[0]?.error ?? json;
}

/** A former employee with every field, who had chosen a password. */
async function givenLeaver(overrides: Record<string, unknown> = {}, role: Role | null = null) {
  const user = await givenSignedInUser(service, role, {
    email: 'old@example.com',
    phone: '+44 20 7946 0001',
    tagSerials: ['T1'],
    organizationSerial: 'ORG1',
    ...overrides,
  });
  await service.updateBulk([{ employeeID: user.employeeID, name: 'Ada Lovelace', isActive: false }]);
  return user;
}

/** The same without a password. */
const givenInactive = () =>
  service.givenUser({
    ...{ username: newId('u'), email: 'old@example.com', phone: '+44 20 7946 0001', isActive: false },
    ...{ tagSerials: ['T1'], organizationSerial: 'ORG1' },
  });

const returning = (employeeID: string, overrides: Record<string, unknown> = {}): Item => ({
  employeeID,
  name: 'Ada King',
  email: 'new@example.com',
  isActive: true,
  ...overrides,
});

const deliveriesOf = async (serial: string) =>
  (await service.get(`/service/deliveries?userSerial=${serial}`)).json.data.items as {
    kind: string;
    state: string;
  }[];

const historyOf = async (serial: string) =>
  (await service.get(`/service/users/${serial}/history`)).json.data.items as {
    kind: string;
    fields: Record<string, unknown>;
  }[];

describe.each(ways)('%s', (name, send) => {
  test('replaces the data, the password and the role of an inactive user, in one change of its own kind', async () => {
    const { serial, employeeID, username, password } = await givenLeaver({}, 'operator');
    const reply = await send(returning(employeeID, { username }));
    expect(serialIn(reply), reply.text).toBe(serial);
    expect(await service.readUser(serial)).toMatchObject({
      ...{ employeeID, name: 'Ada King', username, email: 'new@example.com', phone: null },
      ...{ isActive: true, tagSerials: [], organizationSerial: null },
    });
    expect((await service.signIn(username, password)).status).toBe(401);
    expect((await service.get(`/service/users/${serial}/role`)).json.data.role).toBeNull();
    const [message] = await deliveriesOf(serial);
    expect(message).toMatchObject({ kind: 'initial-password', state: 'waiting' });
    const { rows } = await service.database.pool.query('SELECT FROM credentials WHERE user_serial = $1', [
      serial,
    ]);
    expect(rows).toEqual([]);
    expect((await historyOf(serial))[0]).toMatchObject({
      kind: 'rehired',
      fields: {
        name: { before: 'Ada Lovelace', after: 'Ada King' },
        isActive: { before: false, after: true },
        phone: { before: '+44 20 7946 0001', after: null },
      },
    });
  });

  test('accepts a given password, which has to be changed', async () => {
    const { employeeID } = await service.givenUser({ isActive: false });
    const username = newId('u');
    await send(returning(employeeID, { username, password: 'welcome back' }));
    const signedIn = await service.signIn(username, 'welcome back');
    expect(signedIn.json.data).toMatchObject({ mustChangePassword: true });
  });

  test('fails without a contact, with a taken username, or for a user with a role, and changes nothing', async () => {
    const { serial, employeeID } = await service.givenUser({ isActive: false });
    const { username } = await service.givenUser({ username: newId('u') });
    const before = await service.readUser(serial);
    expect(errorIn(await send(returning(employeeID, { email: null })))).toMatchObject({ errorCode: 10104 });
    expect(errorIn(await send(returning(employeeID, { username })))).toMatchObject({ errorCode: 10103 });
    expect(await service.readUser(serial)).toEqual(before);
    await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'operator' } });
    const protectedUser = await service.readUser(serial);
    const token = await service.tokenFor('users:write', 'users:read');
    const [path, body] =
      name === 'POST /service/users'
        ? ['', returning(employeeID)]
        : [`/${name.slice(0, 6)}-bulk`, { items: [returning(employeeID)] }];
    const query = name.endsWith('state') ? '&mode=finalState' : '';
    const reply = await service.request('POST', `/service/users${path}?rehire=true${query}`, { body, token });
    expect(errorIn(reply), 'only administrators rehire them').toMatchObject({ errorCode: 10111 });
    expect(await service.readUser(serial)).toEqual(protectedUser);
    expect((await deliveriesOf(serial)).map(({ state }) => state)).toEqual(['dormant']);
    expect(serialIn(await send(returning(employeeID)))).toBe(serial);
    expect((await deliveriesOf(serial)).map(({ state }) => state)).toEqual(['waiting', 'cancelled']);
  });

  test('with an idempotency key happens once', async () => {
    const { serial, employeeID } = await givenInactive();
    const headers = { 'idempotency-key': newId() };
    const [path, body] =
      name === 'POST /service/users'
        ? ['', returning(employeeID)]
        : [`/${name.slice(0, 6)}-bulk`, { items: [returning(employeeID)] }];
    const twice = () => service.post(`/service/users${path}?rehire=true`, body, { headers });
    const [first, second] = [await twice(), await twice()];
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await historyOf(serial)).filter(({ kind }) => kind === 'rehired')).toHaveLength(1);
  });
});

describe('POST /service/users', () => {
  test('replies 200 to a rehire, 201 to a create', async () => {
    const { serial, employeeID } = await givenInactive();
    const rehired = await service.post('/service/users?rehire=true', returning(employeeID));
    expect(rehired.status).toBe(200);
    expect(rehired.json).toEqual({ status: 'success', message: 'User rehired.', data: { serial } });
    expect(rehired.headers.get('location')).toBe(`/service/users/${serial}`);
    expect((await service.post('/service/users?rehire=true', returning(newId()))).status).toBe(201);
  });

  test.each([
    ['an active user', { isActive: true }, {}],
    ['a user who is to stay inactive', { isActive: false }, { isActive: false }],
  ])('does not rehire %s', async (_, state, overrides) => {
    const { employeeID } = await service.givenUser(state);
    const item = returning(employeeID, overrides);
    const reply = await service.post('/service/users?rehire=true', item);
    expect([reply.status, reply.json.errorCode]).toEqual([409, 10101]);
    expect(errorIn(await service.createBulk([item], '?rehire=true'))).toMatchObject({ errorCode: 10101 });
  });

  test('without the parameter, says how to rehire', async () => {
    const { serial, employeeID } = await givenInactive();
    const reply = await service.post('/service/users?details=true', returning(employeeID));
    expect(reply.json).toMatchObject({
      errorCode: 10101,
      detail: expect.stringMatching(
        /, who is inactive\. To reactivate them with this data, resend with rehire=true and isActive true\.$/,
      ),
      data: { takenBy: { serial, isActive: false } },
    });
    const bulk = await service.createBulk([returning(employeeID)]);
    expect(failuresOf(bulk)[0]?.error).toMatchObject({ data: { takenBy: { serial, isActive: false } } });
  });

  test('does not tell a caller who may not read users that the user is inactive', async () => {
    const { employeeID } = await givenInactive();
    const token = await service.tokenFor('users:write');
    const body = returning(employeeID);
    const single = await service.request('POST', '/service/users?details=true', { body, token });
    const bulk = await service.request('POST', '/service/users/create-bulk', {
      body: { items: [body] },
      token,
    });
    for (const reply of [single, bulk]) {
      expect(errorIn(reply).detail).toMatch(/ is already taken by another user\.$/);
      expect(reply.text).not.toContain('inactive');
      expect(errorIn(reply).data.takenBy).not.toHaveProperty('isActive');
    }
  });

  test('rejects another value of the parameter', async () => {
    const reply = await service.post('/service/users?rehire=yes', returning(newId()));
    expect([reply.status, reply.json.errorCode]).toEqual([400, 10005]);
  });
});

describe('upsert-bulk', () => {
  test('without the parameter, updates an inactive user as before', async () => {
    const { serial, employeeID, username, password } = await givenLeaver();
    await service.upsertBulk([returning(employeeID)]);
    expect(await service.readUser(serial)).toMatchObject({ phone: '+44 20 7946 0001', isActive: true });
    expect((await service.signIn(username, password)).status).toBe(200);
  });

  test('an item with isActive false only updates', async () => {
    const { serial, employeeID } = await givenInactive();
    const items = [returning(employeeID, { isActive: false })];
    for (const query of ['?rehire=true&effects=true', '?rehire=true&effects=true&mode=finalState']) {
      const reply = await service.upsertBulk(items, query);
      expect(successesOf(reply)[0]?.effect.kind).toMatch(/^(updated|unchanged)$/);
    }
    expect(await service.readUser(serial)).toMatchObject({ phone: '+44 20 7946 0001', isActive: false });
  });

  test('rehires a user whom an earlier item deactivates, and who loses the password', async () => {
    const user = await givenSignedInUser(service, 'viewer');
    const { serial, employeeID, username, password } = user;
    const items = [
      { employeeID, name: 'Left', isActive: false },
      returning(employeeID, { username, password: 'welcome back' }),
    ];
    const reply = await service.upsertBulk(items, '?rehire=true&effects=true');
    expect(successesOf(reply).map(({ effect }) => effect.kind)).toEqual(['updated', 'rehired']);
    expect((await service.signIn(username, password)).status).toBe(401);
    expect((await service.signIn(username, 'welcome back')).status).toBe(200);
    expect((await service.get(`/service/users/${serial}/role`)).json.data.role).toBeNull();
  });

  test('rehires a user whom an earlier item creates as inactive', async () => {
    const employeeID = newId();
    const items = [returning(employeeID, { isActive: false, phone: '123' }), returning(employeeID)];
    for (const send of [service.upsertBulk, service.createBulk]) {
      const id = newId();
      const reply = await send(
        items.map((item) => ({ ...item, employeeID: id })),
        '?rehire=true&effects=true',
      );
      expect(successesOf(reply).map(({ effect }) => effect.kind)).toEqual(['created', 'rehired']);
      const serial = successesOf(reply)[0]?.response.serial as string;
      expect(await service.readUser(serial)).toMatchObject({ phone: null, isActive: true });
      expect(await deliveriesOf(serial)).toMatchObject([{ state: 'waiting' }]);
    }
  });
});

describe('a bulk rehire', () => {
  const bulk = ways.slice(1);

  test.each(bulk)(
    'of %s is previewed, and can be undone: the former data is back, and the user is inactive',
    async (_, send) => {
      const { serial, employeeID } = await givenInactive();
      const { updatedAt: _before, ...before } = await service.readUser(serial);
      const preview = await send(returning(employeeID), '&dryRun=true');
      expect(successesOf(preview)[0]).toMatchObject({ response: { serial }, effect: { kind: 'rehired' } });
      expect(await service.readUser(serial)).toMatchObject(before);
      const callId = callIdOf(await send(returning(employeeID)));
      const undone = await undo(service, callId);
      expect(failuresOf(undone)).toEqual([]);
      expect(await service.readUser(serial)).toMatchObject(before);
      expect((await historyOf(serial)).map(({ kind }) => kind).slice(0, 2)).toEqual(['updated', 'rehired']);
      const redone = await undo(service, callIdOf(undone));
      expect(failuresOf(redone)).toEqual([]);
      expect(await service.readUser(serial)).toMatchObject({ name: 'Ada King', isActive: true });
    },
  );

  test('leaves no password behind when it is undone', async () => {
    const { serial, employeeID } = await givenInactive();
    const [username, initial, chosen] = [newId('u'), `Initial ${newId()}`, `Chosen ${newId()}`];
    const call = await service.createBulk(
      [returning(employeeID, { username, password: initial })],
      '?rehire=true',
    );
    const { json } = await service.signIn(username, initial);
    const change = { currentPassword: initial, newPassword: chosen };
    const token = json.data.accessToken;
    expect((await service.post('/service/auth/change-password', change, { token })).status).toBe(200);
    await undo(service, callIdOf(call));
    await service.request('PATCH', `/service/users/${serial}`, { body: { isActive: true, username } });
    expect((await service.signIn(username, chosen)).status).toBe(401);
  });

  test('holds the messages if asked to', async () => {
    const { serial, employeeID } = await givenInactive();
    await service.createBulk([returning(employeeID)], '?rehire=true&deliver=hold');
    const passwords = (await deliveriesOf(serial)).filter(({ kind }) => kind === 'initial-password');
    expect(passwords[0]).toMatchObject({ state: 'held' });
  });

  test('can be found among all changes', async () => {
    const { serial, employeeID } = await givenInactive();
    await service.createBulk([returning(employeeID)], '?rehire=true');
    const { json } = await service.get(`/service/changes?kind=rehired&userSerial=${serial}`);
    expect(json.data.items).toHaveLength(1);
  });
});
