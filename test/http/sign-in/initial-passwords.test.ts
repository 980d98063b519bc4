import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorsOf } from '../../support/bulk-reports.js';
import { expectFailure } from '../../support/expect-failure.js';
import { giveRole } from '../../support/protected-users.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer } from '../../support/signed-in-users.js';
import { strictSignIn } from '../../support/strict-sign-in.js';

const service = useService(strictSignIn);

const chosen = 'correct horse battery staple';

function change({ token, password }: { token: string; password: string }): Promise<Reply> {
  const body = { currentPassword: password, newPassword: chosen };
  return service.post('/service/auth/change-password', body, { token });
}

function expectChangeRequired(reply: Reply): void {
  const detail = /^Change your initial password first, with POST \/service\/auth\/change-password\.$/;
  expectFailure(reply, 403, 10211, 'ACCESS_PASSWORD_CHANGE_REQUIRED', detail);
}

/** Whether the password has to be changed, and how long it is valid. */
async function stored(serial: string): Promise<unknown> {
  const { rows } = await service.database.pool.query(
    `SELECT must_change AS "mustChange", extract(epoch FROM expires_at - changed_at)::float8 AS seconds
     FROM credentials WHERE user_serial = $1`,
    [serial],
  );
  return rows[0];
}

// That nothing else is allowed before the change is tested in test/http/permissions.
describe('a sign-in with an initial password', () => {
  test('grants no scopes, whatever the role, and full access immediately after the change', async () => {
    const newcomer = await givenNewcomer(service);
    const { serial, username, password } = newcomer;
    await giveRole(service, serial, 'administrator');
    const reply = await service.signIn(username, password);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Signed in; the initial password has to be changed now.',
      data: {
        accessToken: expect.stringMatching(/^rcs_[A-Za-z0-9_-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 600,
        sessionId: expect.any(String),
        method: 'password',
        mustChangePassword: true,
        secondFactor: 'none',
        serial,
        role: 'administrator',
        scopes: [],
      },
    });
    const token = reply.json.data.accessToken;
    expectChangeRequired(await service.get('/service/clients', { token }));
    const { accessToken } = (await change({ ...newcomer, token })).json.data;
    expect((await service.get('/service/clients', { token: accessToken })).status).toBe(200);
    expect((await service.signIn(username, chosen)).json.data).toMatchObject({
      mustChangePassword: false,
      secondFactor: 'none',
      scopes: ['users:read', 'users:write', 'access:admin', 'audit:read', 'attributes:sensitive', 'scim'],
    });
  });

  test('works for the configured number of hours after the create, and forever once changed', async () => {
    const newcomer = await givenNewcomer(service);
    const { serial, username, password } = newcomer;
    expect(await stored(serial)).toEqual({ mustChange: true, seconds: 3 * 3600 });
    const expireIn = (seconds: number) =>
      service.database.pool.query(
        'UPDATE credentials SET expires_at = now() + make_interval(secs => $2) WHERE user_serial = $1',
        [serial, seconds],
      );
    await expireIn(0);
    const late = await service.signIn(username, password);
    expectFailure(late, 401, 10210, 'ACCESS_PASSWORD_EXPIRED', /^This initial password has expired/);
    await expireIn(600);
    expect((await service.signIn(username, password)).status).toBe(200);
    await change(newcomer);
    expect(await stored(serial)).toEqual({ mustChange: false, seconds: null });
  });

  test('works for the configured number of hours after a bulk create too', async () => {
    const username = newId('u');
    const created = await service.createBulk([aUser({ username, password: chosen })]);
    const { serial } = created.json.data.successItems[0].response;
    expect(await stored(serial)).toEqual({ mustChange: true, seconds: 3 * 3600 });
    expect((await service.signIn(username, chosen)).json.data.mustChangePassword).toBe(true);
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

test('the administrator of the first start must change the password, and then has full access', async () => {
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
  const { accessToken } = (await change({ token, password })).json.data;
  for (const path of ['/service/users', '/service/clients', '/service/access-events']) {
    expect((await service.get(path, { token: accessToken })).status).toBe(200);
  }
});

describe('with the full rules, a given password', () => {
  function aNamedUser() {
    return { ...aUser(), employeeID: newId('Employee'), username: newId('username') };
  }

  test('that is too short is rejected in a create with 10107, and one that follows them is accepted', async () => {
    const user = aNamedUser();
    const reply = await service.post('/service/users', { ...user, password: 'seven77' });
    const detail = /"password" must have 8 to 128 characters, but has 7\./;
    expectFailure(reply, 400, 10107, 'USER_FIELD_INVALID', detail);
    expect((await service.post('/service/users', { ...user, password: chosen })).status).toBe(201);
  });

  test('is rejected in its item of a bulk create with 10107', async () => {
    const weak: [(user: ReturnType<typeof aNamedUser>) => string, RegExp][] = [
      [() => 'seven77', /"password" must have 8 to 128 characters, but has 7\./],
      [() => 'Password1', /"password" is one of the most common passwords/],
      [({ username }) => username.toUpperCase(), /"password" must not be the/],
      [({ employeeID }) => employeeID, /"password" must not be the user/],
    ];
    const users = weak.map(([passwordOf]) => {
      const user = aNamedUser();
      return { ...user, password: passwordOf(user) };
    });
    const good = { ...aNamedUser(), password: chosen };
    const reply = await service.createBulk([...users, good, aNamedUser()]);
    expect(reply.json.data.successItems).toHaveLength(2);
    expect(errorsOf(reply)).toEqual(
      weak.map(([, detail], index) => ({
        errorCode: 10107,
        message: 'USER_FIELD_INVALID',
        detail: expect.stringMatching(new RegExp(`^items\\[${index}\\]: ${detail.source}`)),
      })),
    );
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
});
