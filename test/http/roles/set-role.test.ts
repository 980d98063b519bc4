import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const pathOf = (serial: string) => `/service/users/${serial}/role`;
const read = (serial: string) => service.get(pathOf(serial));
const set = (serial: string, body: unknown, token = service.token) =>
  service.request('PUT', pathOf(serial), { body, token });

function expectNobody(reply: Reply): void {
  expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
}

describe('the role of a user', () => {
  test('is null at first, then as set, and removed by null', async () => {
    const { serial } = await service.givenUser();
    const first = await read(serial);
    expect(first.json).toEqual({
      status: 'success',
      message: 'Role found.',
      data: { serial, role: null, formerRole: null },
    });
    expect(first.status).toBe(200);
    for (const role of ['viewer', 'operator', 'administrator', null, 'viewer', 'viewer', null, null]) {
      const reply = await set(serial, { role });
      const data = { serial, role, formerRole: null };
      expect(reply.json).toEqual({ status: 'success', message: 'Role set.', data });
      expect(reply.status).toBe(200);
      expect((await read(serial)).json.data).toEqual(data);
    }
  });

  test('can be set on a user who is inactive and has no username or password', async () => {
    const { serial } = await service.givenUser({ isActive: false });
    expect((await set(serial, { role: 'operator' })).status).toBe(200);
  });

  test('is recorded in the history, with a new version and no other change', async () => {
    const { serial } = await service.givenUser();
    const before = await service.get(`/service/users/${serial}`);
    await set(serial, { role: 'viewer' });
    await set(serial, { role: 'viewer' });
    const after = await service.get(`/service/users/${serial}`);
    expect([before.headers.get('etag'), after.headers.get('etag')]).toEqual(['"1"', '"2"']);
    expect({ ...after.json.data, updatedAt: '' }).toEqual({ ...before.json.data, updatedAt: '' });
    const { items } = (await service.get(`/service/users/${serial}/history`)).json.data;
    expect(items).toMatchObject([
      { kind: 'updated', version: 2, fields: { role: { before: null, after: 'viewer' } } },
      { kind: 'created', version: 1 },
    ]);
  });

  test('ends sessions, which would otherwise get it, and is removed from them by null', async () => {
    const { serial, username, password, ...user } = await givenSignedInUser(service);
    let { token } = user;
    const mayReadAndWrite = async () => [
      (await service.get('/service/users?limit=1', { token })).status,
      (await service.post('/service/users', {}, { token })).status,
    ];
    expect(await mayReadAndWrite()).toEqual([403, 403]);
    for (const [role, statuses] of [
      ['viewer', [200, 403]],
      ['operator', [200, 400]],
      ['viewer', [200, 403]],
    ] as const) {
      await set(serial, { role });
      expect(await mayReadAndWrite()).toEqual([401, 401]);
      token = (await service.signIn(username, password)).json.data.accessToken;
      expect(await mayReadAndWrite()).toEqual(statuses);
    }
    await set(serial, { role: null });
    expect(await mayReadAndWrite()).toEqual([403, 403]);
  });

  test('can be changed by administrators for themselves, which takes effect immediately', async () => {
    const { serial, token } = await givenSignedInUser(service, 'administrator');
    expect((await set(serial, { role: 'operator' }, token)).status).toBe(200);
    expect((await set(serial, { role: 'administrator' }, token)).status).toBe(403);
  });
});

test('the role of an unknown serial fails with 404 and 10102', async () => {
  for (const serial of [
    '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
    'nobody',
    '%27%20OR%20true%20--',
    '%00',
    '0',
  ]) {
    expectNobody(await read(serial));
    expectNobody(await set(serial, { role: 'viewer' }));
    expectNobody(await set(serial, { role: null }));
  }
});

test('an invalid body fails with 400 and 10004 and keeps the role', async () => {
  const { serial } = await service.givenUser();
  await set(serial, { role: 'operator' });
  const rule = 'one of viewer, operator, administrator, or null for none\\.$';
  const missing = new RegExp(`^"role" is required. It must be ${rule}`);
  expectFailure(await set(serial, {}), 400, 10004, 'REQUEST_BODY_INVALID', missing);
  const unknown = new RegExp(`^"role" must be ${rule}`);
  expectFailure(await set(serial, { role: 'owner' }), 400, 10004, 'REQUEST_BODY_INVALID', unknown);
  expect((await read(serial)).json.data.role).toBe('operator');
});

test('an operator cannot become an administrator through user updates', async () => {
  const { token, serial, employeeID } = await givenSignedInUser(service, 'operator');
  const role = 'administrator';
  const replies = [
    await service.request('PATCH', `/service/users/${serial}`, { body: { role }, token }),
    await service.post('/service/users', aUser({ role }), { token }),
  ];
  for (const reply of replies) {
    expectFailure(reply, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /^"role" is not a field of this operation/);
  }
  for (const operation of ['update-bulk', 'upsert-bulk', 'create-bulk']) {
    const id = operation === 'create-bulk' ? newId() : employeeID;
    const items = [aUser({ employeeID: id, role })];
    const bulk = await service.post(`/service/users/${operation}`, { items }, { token });
    expect(bulk.json.data.failedItems[0].error.errorCode).toBe(10108);
  }
  expect((await service.get('/service/auth/me', { token })).json.data.role).toBe('operator');
});
