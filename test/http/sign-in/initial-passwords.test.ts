import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorsOf } from '../../support/bulk-reports.js';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenPerson, givenNewcomer } from '../../support/people.js';
import { securedOperations } from '../../support/secured-operations.js';
import { aUser, newId, type Reply, useOwnService } from '../../support/service.js';

const service = useOwnService({
  ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS: '3',
  ROLLCALL_INITIAL_PASSWORD_RULES: 'full',
  ROLLCALL_SESSION_LIFETIME_SECONDS: '600',
});

const chosen = 'correct horse battery staple';

function change({ token, password }: GivenPerson, newPassword = chosen): Promise<Reply> {
  const body = { currentPassword: password, newPassword };
  return service.post('/service/auth/change-password', body, { token });
}

async function givenNewcomerWith(role: string): Promise<GivenPerson> {
  const newcomer = await givenNewcomer(service);
  await service.request('PUT', `/service/users/${newcomer.serial}/role`, { body: { role } });
  return newcomer;
}

function expectChangeRequired(reply: Reply): void {
  const detail = /^Change your initial password first, with POST \/service\/auth\/change-password\.$/;
  expectFailure(reply, 403, 10211, 'ACCESS_PASSWORD_CHANGE_REQUIRED', detail);
}

describe('a sign-in with an initial password', () => {
  test('requires a change and grants no scopes, whatever the role', async () => {
    const { username, password, serial } = await givenNewcomerWith('administrator');
    const reply = await service.signIn(username, password);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Signed in; the initial password has to be changed now.',
      data: {
        accessToken: expect.stringMatching(/^rcs_[A-Za-z0-9_-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 600,
        mustChangePassword: true,
        serial,
        role: 'administrator',
        scopes: [],
      },
    });
  });

  test.each(securedOperations)(
    'rejects $method $path before the change, even for an administrator',
    async ({ method, path, body }) => {
      const { token } = await givenNewcomerWith('administrator');
      expectChangeRequired(await service.request(method, path, { body, token }));
    },
  );

  test('allows signing out', async () => {
    const { token } = await givenNewcomer(service);
    expect((await service.request('POST', '/service/auth/sign-out', { token })).status).toBe(200);
  });

  test('grants full access with the same token immediately after the change', async () => {
    const newcomer = await givenNewcomerWith('administrator');
    const { token } = newcomer;
    expectChangeRequired(await service.get('/service/clients', { token }));
    expect((await change(newcomer)).status).toBe(200);
    expect((await service.get('/service/clients', { token })).status).toBe(200);
    expect((await service.get('/service/auth/me', { token })).json.data.scopes).toContain('access:admin');
    const again = await service.signIn(newcomer.username, chosen);
    expect(again.json.data).toMatchObject({
      mustChangePassword: false,
      scopes: ['users:read', 'users:write', 'access:admin', 'audit:read'],
    });
  });

  test('restricts all sessions until the change', async () => {
    const newcomer = await givenNewcomer(service);
    const { accessToken } = (await service.signIn(newcomer.username, newcomer.password)).json.data;
    for (const token of [newcomer.token, accessToken]) {
      expectChangeRequired(await service.get('/service/auth/me', { token }));
    }
  });

  test('works for the configured number of hours after creation', async () => {
    const { serial, username, password } = await givenNewcomer(service);
    const { rows } = await service.database.pool.query(
      `SELECT extract(epoch FROM expires_at - changed_at)::float8 AS seconds FROM credentials WHERE user_serial = $1`,
      [serial],
    );
    expect(rows[0].seconds).toBe(3 * 3600);
    const age = (hours: number) =>
      service.database.pool.query(
        'UPDATE credentials SET expires_at = expires_at - make_interval(mins => $2) WHERE user_serial = $1',
        [serial, hours * 60],
      );
    await age(2.9);
    expect((await service.signIn(username, password)).status).toBe(200);
    await age(0.1);
    const late = await service.signIn(username, password);
    expectFailure(late, 401, 10210, 'ACCESS_PASSWORD_EXPIRED', /^This initial password has expired/);
  });

  test('works for the configured number of hours after a bulk create too', async () => {
    const username = newId('u');
    const created = await service.createBulk([aUser({ username, password: chosen })]);
    const { serial } = created.json.data.successItems[0].response;
    const { rows } = await service.database.pool.query(
      `SELECT must_change, extract(epoch FROM expires_at - changed_at)::float8 AS seconds
       FROM credentials WHERE user_serial = $1`,
      [serial],
    );
    expect(rows).toEqual([{ must_change: true, seconds: 3 * 3600 }]);
    expect((await service.signIn(username, chosen)).json.data.mustChangePassword).toBe(true);
  });

  test('never expires once changed', async () => {
    const newcomer = await givenNewcomer(service);
    await change(newcomer);
    const { rows } = await service.database.pool.query(
      'SELECT must_change, expires_at FROM credentials WHERE user_serial = $1',
      [newcomer.serial],
    );
    expect(rows).toEqual([{ must_change: false, expires_at: null }]);
  });

  test('starts a session of the configured length', async () => {
    const { serial } = await givenNewcomer(service);
    const { rows } = await service.database.pool.query(
      'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM sessions WHERE user_serial = $1',
      [serial],
    );
    expect(rows).toEqual([{ seconds: 600 }]);
  });
});

describe('the administrator of the first start', () => {
  test('signs in with the first credentials, must change the password, and then has full access', async () => {
    const file = readFileSync(join(service.dataDir, 'first-credentials.json'), 'utf8');
    const { username, password } = JSON.parse(file) as { username: string; password: string };
    const { rows } = await service.database.pool.query(
      'SELECT expires_at FROM credentials JOIN users ON serial = user_serial WHERE username = $1',
      [username],
    );
    expect(rows, 'nobody could send a new one').toEqual([{ expires_at: null }]);
    const { data } = (await service.signIn(username, password)).json;
    expect(data).toMatchObject({ mustChangePassword: true, role: 'administrator', scopes: [] });
    const token = data.accessToken as string;
    expectChangeRequired(await service.get('/service/users', { token }));
    const person = { token, password } as GivenPerson;
    expect((await change(person)).status).toBe(200);
    for (const path of ['/service/users', '/service/clients', '/service/access-events']) {
      expect((await service.get(path, { token })).status).toBe(200);
    }
    const colleague = await service.givenUser();
    const set = await service.request('PUT', `/service/users/${colleague.serial}/role`, {
      body: { role: 'viewer' },
      token,
    });
    expect(set.json.data).toMatchObject({ serial: colleague.serial, role: 'viewer' });
  });
});

describe('with the full rules, a given password', () => {
  const weak: [string, (user: { employeeID: string; username: string }) => string, RegExp][] = [
    ['that is too short', () => 'seven77', /"password" must have 8 to 128 characters, but has 7\./],
    ['that is common', () => 'Password1', /"password" is one of the most common passwords/],
    ['that is the username', ({ username }) => username.toUpperCase(), /"password" must not be the/],
    ['that is the employee ID', ({ employeeID }) => employeeID, /"password" must not be the user/],
  ];

  function aNamedUser() {
    return { ...aUser(), employeeID: newId('Employee'), username: newId('username') };
  }

  test.each(weak)('%s is rejected in a create with 10107', async (_, weakFor, detail) => {
    const user = aNamedUser();
    const reply = await service.post('/service/users', { ...user, password: weakFor(user) });
    expectFailure(reply, 400, 10107, 'USER_FIELD_INVALID', detail);
  });

  test.each(weak)('%s is rejected in its item of a bulk create with 10107', async (_, weakFor, detail) => {
    const [good, user, without] = [aNamedUser(), aNamedUser(), aNamedUser()];
    const reply = await service.createBulk([
      { ...good, password: chosen },
      { ...user, password: weakFor(user) },
      without,
    ]);
    expect(reply.json.data.successItems).toHaveLength(2);
    expect(errorsOf(reply)).toEqual([
      {
        errorCode: 10107,
        message: 'USER_FIELD_INVALID',
        detail: expect.stringMatching(new RegExp(`^items\\[1\\]: ${detail.source}`)),
      },
    ]);
    expect((await service.signIn(good.username, chosen)).status).toBe(200);
  });

  test('is rejected in a bulk upsert only if its item creates the user', async () => {
    const [user, existing] = [aNamedUser(), aNamedUser()];
    await service.createBulk([existing]);
    const reply = await service.upsertBulk([
      { ...user, password: 'password' },
      { ...existing, password: 'password' },
    ]);
    expect(errorsOf(reply)).toMatchObject([
      { errorCode: 10107, detail: expect.stringMatching(/^items\[0\]: "password"/) },
    ]);
    expect(reply.json.data.successItems).toHaveLength(1);
  });

  test('that follows them is accepted', async () => {
    const user = aNamedUser();
    expect((await service.post('/service/users', { ...user, password: chosen })).status).toBe(201);
  });
});
