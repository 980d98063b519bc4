import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type Reply, useService } from '../../support/service.js';

const service = useService();

const pathOf = (serial: string) => `/service/users/${serial}/role`;
const read = (serial: string) => service.get(pathOf(serial));
const set = (serial: string, body: unknown) => service.request('PUT', pathOf(serial), { body });

function expectNobody(reply: Reply): void {
  expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
}

describe('the role of a user', () => {
  test('is null at first', async () => {
    const { serial } = await service.givenUser();
    const reply = await read(serial);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Role found.',
      data: { serial, role: null, formerRole: null },
    });
    expect(reply.status).toBe(200);
  });

  test.each(['viewer', 'operator', 'administrator'])('is set and read: %s', async (role) => {
    const { serial } = await service.givenUser();
    const reply = await set(serial, { role });
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Role set.',
      data: { serial, role, formerRole: null },
    });
    expect(reply.status).toBe(200);
    expect((await read(serial)).json.data).toEqual({ serial, role, formerRole: null });
  });

  test('is replaced by another, and removed by null', async () => {
    const { serial } = await service.givenUser();
    for (const role of ['viewer', 'operator', null, 'viewer', null, null]) {
      expect((await set(serial, { role })).json.data).toEqual({ serial, role, formerRole: null });
      expect((await read(serial)).json.data.role).toBe(role);
    }
  });

  test('can be set to the same value', async () => {
    const { serial } = await service.givenUser();
    for (let count = 0; count < 2; count++) {
      expect((await set(serial, { role: 'operator' })).status).toBe(200);
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
});

describe('the role of an unknown serial fails with 404 and 10102', () => {
  test.each(['0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'nobody', "' OR true --", '%00', '0'])(
    '%s',
    async (serial) => {
      const spelled = serial === '%00' ? serial : encodeURIComponent(serial);
      expectNobody(await read(spelled));
      expectNobody(await set(spelled, { role: 'viewer' }));
      expectNobody(await set(spelled, { role: null }));
    },
  );
});

describe('an invalid body fails with 400 and 10004 and keeps the role', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'no role',
      {},
      /^"role" is required. It must be one of viewer, operator, administrator, or null for none\.$/,
    ],
    ['an unknown role', { role: 'owner' }, /^"role" must be one of viewer, operator, administrator, or null/],
    ['a role in another case', { role: 'Viewer' }, /^"role" must be one of viewer, operator/],
    ['an empty role', { role: '' }, /^"role" must be one of viewer, operator/],
    ['a number as the role', { role: 1 }, /^"role" must be one of .*, not a number\.$/],
    ['a list as the role', { role: ['viewer'] }, /^"role" must be one of viewer, operator/],
    [
      'an inherited property name as the role',
      { role: 'constructor' },
      /^"role" must be one of viewer, operator/,
    ],
    ['scopes', { role: 'viewer', scopes: ['access:admin'] }, /^"scopes" is not a field of this operation/],
    ['an array', ['viewer'], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
  ])('%s', async (_, body, detail) => {
    const { serial } = await service.givenUser();
    await set(serial, { role: 'operator' });
    expectFailure(await set(serial, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await read(serial)).json.data.role).toBe('operator');
  });

  test('a repeated role', async () => {
    const { serial } = await service.givenUser();
    const reply = await service.request('PUT', pathOf(serial), {
      rawBody: '{"role":"viewer","role":"administrator"}',
    });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"role" appears twice\. Send it once\.$/);
  });
});

describe('a client needs', () => {
  test.each([
    ['GET', 'users:read', 'users:write'],
    ['PUT', 'access:admin', 'users:write'],
  ] as const)('for %s the scope %s', async (method, needed, other) => {
    const { serial } = await service.givenUser();
    const send = async (scope: typeof needed | typeof other) =>
      service.request(method, pathOf(serial), {
        body: method === 'PUT' ? { role: 'viewer' } : undefined,
        token: await service.tokenFor(scope),
      });
    const refused = await send(other);
    expectFailure(refused, 403, 10203, 'ACCESS_SCOPE_MISSING', new RegExp(`requires the scope ${needed}\\.`));
    expect(refused.headers.get('www-authenticate')).toContain(`scope="${needed}"`);
    expect((await send(needed)).status).toBe(200);
  });
});
