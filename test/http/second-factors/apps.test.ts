import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import {
  addApp,
  giveCode,
  givenUserWithApp,
  signInByPassword,
  TestApp,
} from '../../support/second-factors.js';
import { useOwnService, useService } from '../../support/service.js';
import { proveLongAgo, setSession } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

describe('an authenticator app', () => {
  test('is added with its first code, and its user gets recovery codes and another token', async () => {
    const { token } = await givenSignedInUser(service, 'viewer');
    const started = await service.post('/service/me/factors/totp', { name: 'Phone' }, { token });
    expect(started.status).toBe(201);
    const { secret, uri } = started.json.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await service.get('/service/me/factors', { token })).json.data.factors).toEqual([]);

    const confirm = (code: string) => service.post('/service/me/factors/totp/confirm', { code }, { token });
    const app = new TestApp(secret);
    expectFailure(
      await confirm(app.wrongCode()),
      403,
      10236,
      'ACCESS_FACTOR_CODE_WRONG',
      /^The code is wrong/,
    );
    const { data } = (await confirm(app.code())).json;
    expect(data.factor).toMatchObject({ kind: 'totp', name: 'Phone', lastUsedAt: null });
    expect(new Set(data.recoveryCodes).size).toBe(10);
    expect((await service.get('/service/auth/me', { token })).status).toBe(401);
    const listed = await service.get('/service/me/factors', { token: data.accessToken });
    expect(listed.json.data).toMatchObject({ factors: [{ name: 'Phone' }], recoveryCodesLeft: 10 });
    expect((await service.get('/service/users?limit=1', { token: data.accessToken })).status).toBe(200);
  });

  test('is asked for after the password, before anything else is allowed', async () => {
    const user = await givenUserWithApp(service, 'administrator');
    const signedIn = await service.signIn(user.username, user.password);
    expect(signedIn.json).toMatchObject({
      message: 'The password is correct; a second factor has to be given now.',
      data: { secondFactor: 'required', scopes: [] },
    });
    const token = signedIn.json.data.accessToken;
    expect((await service.get('/service/auth/me', { token })).json.data.secondFactor).toBe('required');
    const blocked = await service.get('/service/users', { token });
    expectFailure(blocked, 403, 10235, 'ACCESS_FACTOR_REQUIRED', /^Give a second factor first/);
    expect(blocked.json.data).toEqual({ secondFactor: 'required' });
    for (const path of ['/service/me/profile', '/service/me/factors', '/service/me/sessions']) {
      expect((await service.get(path, { token })).json.errorCode).toBe(10235);
    }
    expect((await service.post('/service/me/factors/totp', {}, { token })).json.errorCode).toBe(10235);

    const given = await giveCode(
      service,
      token,
      ` ${user.app.code().slice(0, 3)} ${user.app.code().slice(3)}`,
    );
    expect(given.status).toBe(200);
    expect((await service.get('/service/auth/me', { token })).status).toBe(401);
    const { accessToken } = given.json.data;
    expect((await service.get('/service/users?limit=1', { token: accessToken })).status).toBe(200);
    expect((await service.get('/service/auth/me', { token: accessToken })).json.data.secondFactor).toBe(
      'none',
    );
  });

  test('is asked for in sessions that were opened before there was one', async () => {
    const user = await givenSignedInUser(service, 'viewer');
    const other = await signInByPassword(service, user);
    await addApp(service, user.token);
    expect((await service.get('/service/users', { token: other })).json.errorCode).toBe(10235);
  });
});

describe('a code', () => {
  test('works once, even if it is sent twice at the same time', async () => {
    const user = await givenUserWithApp(service);
    const code = user.app.code();
    const tokens = [await signInByPassword(service, user), await signInByPassword(service, user)];
    const replies = await Promise.all(tokens.map((token) => giveCode(service, token, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    const again = await signInByPassword(service, user);
    expectFailure(
      await giveCode(service, again, code),
      403,
      10236,
      'ACCESS_FACTOR_CODE_WRONG',
      /was used before/,
    );
    expect((await giveCode(service, again, user.app.code(1))).status).toBe(200);
  });

  test('that is older than the last one, or too early or late, is refused', async () => {
    const user = await givenUserWithApp(service);
    const setLastStep = (steps: number) =>
      service.database.pool.query(
        'UPDATE factors SET last_step = floor(extract(epoch FROM now()) / 30) + $2 WHERE id = $1',
        [user.factorId, steps],
      );
    const token = await signInByPassword(service, user);
    await setLastStep(5);
    expect((await giveCode(service, token, user.app.code())).status).toBe(403);
    await setLastStep(-10);
    expect((await giveCode(service, token, user.app.code(-3))).status).toBe(403);
    expect((await giveCode(service, token, user.app.code(4))).status).toBe(403);
    expect((await giveCode(service, token, user.app.code())).status).toBe(200);
  });

  test('of another user is wrong', async () => {
    const [user, other] = [await givenUserWithApp(service), await givenUserWithApp(service)];
    const token = await signInByPassword(service, user);
    expect((await giveCode(service, token, other.app.code())).status).toBe(403);
    expect((await giveCode(service, token, other.recoveryCodes[0] as string)).status).toBe(403);
  });
});

describe('guesses', () => {
  const guarded = useOwnService({ ROLLCALL_SIGN_IN_FREE_FAILURES: '4' });

  test('are counted like those at passwords, also those sent at once, and no correct password clears them', async () => {
    const user = await givenUserWithApp(guarded);
    const token = await signInByPassword(guarded, user);
    const wrong = user.app.wrongCode();
    const replies = await Promise.all(Array.from({ length: 20 }, () => giveCode(guarded, token, wrong)));
    const compared = replies.filter(({ status }) => status === 403);
    expect(compared.length).toBeLessThanOrEqual(4);
    const delayed = replies.find(({ status }) => status === 429);
    expect(delayed?.json.errorCode).toBe(10209);
    expect((await guarded.signIn(user.username, user.password)).status).toBe(429);

    // Once the delay is over, a correct password allows one more guess at most.
    const skipDelay = () => guarded.database.pool.query('UPDATE sign_in_guards SET open_at = last_at');
    await skipDelay();
    const again = await signInByPassword(guarded, user);
    expect((await giveCode(guarded, again, wrong)).status).toBe(429);
    await skipDelay();
    expect((await giveCode(guarded, again, user.app.code())).status).toBe(200);
    const { rows } = await guarded.database.pool.query(
      `SELECT detail, actor_id FROM access_events WHERE user_serial = $1 AND kind = 'factor.failed'`,
      [user.serial],
    );
    expect(rows.length).toBe(compared.length);
    // Nothing is left of the failures.
    for (let count = 0; count < 3; count++) {
      expect((await guarded.signIn(user.username, 'wrong')).status).toBe(401);
    }
  });

  test('at a proof are counted, too', async () => {
    const user = await givenUserWithApp(guarded);
    const prove = () =>
      guarded.post(
        '/service/auth/prove',
        { password: user.password, code: user.app.wrongCode() },
        { token: user.token },
      );
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await prove()).status);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(4);
    expect(statuses).toContain(429);
  });
});

describe('another proof', () => {
  test('takes the password and a code', async () => {
    const user = await givenUserWithApp(service, 'administrator');
    await proveLongAgo(service, user.token);
    const { token, password, app } = user;
    const prove = (body: object) => service.post('/service/auth/prove', body, { token });
    const missing = await prove({ password });
    expectFailure(missing, 403, 10235, 'ACCESS_FACTOR_REQUIRED', /add "code"/);
    expectFailure(
      await prove({ password, code: app.wrongCode() }),
      403,
      10236,
      'ACCESS_FACTOR_CODE_WRONG',
      /^The/,
    );
    const proven = await prove({ password, code: app.code() });
    expect(proven.status).toBe(200);
    const removed = await service.request('DELETE', `/service/me/factors/${user.factorId}`, {
      token: proven.json.data.accessToken,
    });
    expect(removed.status).toBe(200);
  });

  test('is needed to add or remove a factor, and for new recovery codes, but not to rename one', async () => {
    const { token, factorId } = await givenUserWithApp(service);
    await proveLongAgo(service, token);
    const own = '/service/me/factors';
    const codeOf = async (method: string, path: string, body?: object) =>
      (await service.request(method, path, { token, body })).json.errorCode;
    expect(await codeOf('POST', `${own}/totp`, {})).toBe(10233);
    expect(await codeOf('POST', `${own}/totp/confirm`, { code: '000000' })).toBe(10233);
    expect(await codeOf('POST', `${own}/passkeys/options`)).toBe(10233);
    expect(await codeOf('POST', `${own}/recovery-codes`)).toBe(10233);
    expect(await codeOf('DELETE', `${own}/${factorId}`)).toBe(10233);
    const renamed = await service.request('PATCH', `${own}/${factorId}`, {
      token,
      body: { name: 'Old phone' },
    });
    expect(renamed.json.data.factor.name).toBe('Old phone');
  });
});

test('with the last factor, the recovery codes end, and the password is enough again', async () => {
  const user = await givenUserWithApp(service);
  const { token, factorId } = user;
  expect((await service.request('DELETE', `/service/me/factors/${factorId}`, { token })).status).toBe(200);
  const listed = await service.get('/service/me/factors', { token });
  expect(listed.json.data).toEqual({ factors: [], recoveryCodesLeft: 0 });
  expect((await service.signIn(user.username, user.password)).json.data.secondFactor).toBe('none');
  const none = await service.post('/service/me/factors/recovery-codes', undefined, { token });
  expectFailure(none, 404, 10240, 'ACCESS_FACTOR_NOT_FOUND', /^You have no second factor/);
  const again = await service.request('DELETE', `/service/me/factors/${factorId}`, { token });
  expectFailure(again, 404, 10240, 'ACCESS_FACTOR_NOT_FOUND', /with this ID/);
});

test('factors of others cannot be renamed or removed', async () => {
  const [{ token }, other] = [await givenUserWithApp(service), await givenUserWithApp(service)];
  const path = `/service/me/factors/${other.factorId}`;
  expect((await service.request('DELETE', path, { token })).status).toBe(404);
  expect((await service.request('PATCH', path, { token, body: { name: 'Mine' } })).status).toBe(404);
});

test('a session through an identity provider needs no second factor', async () => {
  const user = await givenUserWithApp(service, 'viewer');
  const token = await signInByPassword(service, user);
  await setSession(service, token, "method = 'provider'");
  expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
});

test('a code alone does not renew the proof of a session that was left open', async () => {
  const { app, ...user } = await givenUserWithApp(service);
  await proveLongAgo(service, user.token);
  const { accessToken: token } = (await giveCode(service, user.token, app.code())).json.data;
  const added = await service.post('/service/me/factors/totp', { name: 'Theirs' }, { token });
  expectFailure(added, 401, 10233, 'ACCESS_PROOF_REQUIRED', /^Prove again who you are/);
});
