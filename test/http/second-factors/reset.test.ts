import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { giveCode, givenUserWithApp, signInByPassword } from '../../support/second-factors.js';
import { newId, useService } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const reset = (serial: string, token?: string) =>
  service.request('DELETE', `/service/users/${serial}/factors`, token === undefined ? {} : { token });

test('an administrator removes the factors of a user, which ends their sessions and codes, is recorded, and the user is told', async () => {
  const user = await givenUserWithApp(service, 'viewer');
  const administrator = await givenSignedInUser(service, 'administrator');
  const done = await reset(user.serial, administrator.token);
  expect(done.json.data).toEqual({ serial: user.serial, removed: 1 });
  expect((await service.get('/service/auth/me', { token: user.token })).status).toBe(401);
  const signedIn = await service.signIn(user.username, user.password);
  expect(signedIn.json.data.secondFactor).toBe('none');
  const { accessToken: token } = signedIn.json.data;
  expect((await service.get('/service/me/factors', { token })).json.data.recoveryCodesLeft).toBe(0);
  const { rows } = await service.database.pool.query(
    `SELECT actor_id, detail FROM access_events WHERE user_serial = $1 AND kind = 'factors.reset'`,
    [user.serial],
  );
  expect(rows).toEqual([{ actor_id: administrator.serial, detail: { removed: 1 } }]);
  const { rows: notices } = await service.database.pool.query(
    `SELECT changed FROM deliveries WHERE user_serial = $1 AND kind = 'account-changed'`,
    [user.serial],
  );
  expect(notices.map(({ changed }) => changed)).toContain('factorsReset');
  expect((await reset(user.serial, administrator.token)).json.data.removed).toBe(0);
});

test('needs the role, and a recent proof', async () => {
  const user = await givenUserWithApp(service);
  const operator = await givenSignedInUser(service, 'operator');
  expect((await reset(user.serial, operator.token)).json.errorCode).toBe(10203);
  const administrator = await givenSignedInUser(service, 'administrator');
  await proveLongAgo(service, administrator.token);
  expectFailure(await reset(user.serial, administrator.token), 401, 10233, 'ACCESS_PROOF_REQUIRED', /^Prove/);
  expectFailure(await reset(newId()), 404, 10102, 'USER_NOT_FOUND', /No user/);
});

test('a reset of the password keeps the factors, and the new one is not enough', async () => {
  const user = await givenUserWithApp(service);
  await service.request('POST', `/service/users/${user.serial}/reset-password`);
  const { rows } = await service.database.pool.query('SELECT FROM factors WHERE user_serial = $1', [
    user.serial,
  ]);
  expect(rows).toHaveLength(1);
});

test('a rehire ends the factors of before, as it ends the password', async () => {
  const user = await givenUserWithApp(service);
  await service.request('PATCH', `/service/users/${user.serial}`, { body: { isActive: false } });
  const again = {
    employeeID: user.employeeID,
    name: 'Back Again',
    email: 'back@example.com',
    isActive: true,
  };
  const rehired = await service.post('/service/users?rehire=true', again);
  expect(rehired.status).toBe(200);
  const { rows } = await service.database.pool.query('SELECT FROM factors WHERE user_serial = $1', [
    user.serial,
  ]);
  expect(rows).toEqual([]);
});

test('a subject access report lists factors without their secrets, and an erasure removes them', async () => {
  const user = await givenUserWithApp(service);
  await giveCode(service, await signInByPassword(service, user), user.app.code());
  const report = await service.get(`/service/users/${user.serial}/personal-data`);
  expect(report.json.data.factors).toEqual([
    {
      ...{ id: user.factorId, kind: 'totp', name: 'Phone' },
      ...{ createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    },
  ]);
  expect((await service.request('DELETE', `/service/users/${user.serial}`)).status).toBe(200);
  for (const table of ['factors', 'recovery_codes']) {
    const { rows } = await service.database.pool.query(`SELECT FROM ${table} WHERE user_serial = $1`, [
      user.serial,
    ]);
    expect(rows).toEqual([]);
  }
});
