import { describe, expect, test } from 'vitest';
import { aRival, untilWaiting } from '../../support/concurrent-transactions.js';
import { expectFailure } from '../../support/expect-failure.js';
import { TestPasskey } from '../../support/passkeys.js';
import {
  addPasskey,
  passkeyOptions,
  passkeySite,
  signInByPassword,
  signInWithPasskey,
} from '../../support/second-factors.js';
import { useOwnService } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService({ ...passkeySite.settings, ROLLCALL_SIGN_IN_FREE_FAILURES: '20' });

async function givenUserWithPasskey(role: 'administrator' | 'viewer' | null = 'viewer') {
  const user = await givenSignedInUser(service, role);
  const { passkey, token, reply } = await addPasskey(service, user.token);
  expect(reply.status).toBe(201);
  return { ...user, token, passkey, factorId: reply.json.data.factor.id as string };
}

async function eventsOf(serial: string, kind: string): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    'SELECT detail FROM access_events WHERE user_serial = $1 AND kind = $2 ORDER BY id',
    [serial, kind],
  );
  return rows.map(({ detail }) => detail);
}

describe('a passkey', () => {
  test.each([
    [false, 'devicePasskey'],
    [true, 'syncedPasskey'],
  ])('says whether it is synced to other devices: %s', async (isSynced, factor) => {
    const { passkey } = await givenUserWithPasskey();
    const sent = passkey.get(await passkeyOptions(service), { isSynced });
    const { sessionId } = (await signInWithPasskey(service, sent)).json.data;
    const { rows } = await service.database.pool.query('SELECT factor FROM sessions WHERE id = $1', [
      sessionId,
    ]);
    expect(rows).toEqual([{ factor }]);
  });

  test('opens no session if it is removed while its user signs in', async () => {
    const { serial, passkey } = await givenUserWithPasskey();
    const rival = await aRival(service);
    await rival.hold(serial);
    const signingIn = signInWithPasskey(service, passkey.get(await passkeyOptions(service)));
    await untilWaiting(service, 1);
    await rival.query('DELETE FROM factors WHERE user_serial = $1', [serial]);
    await rival.commit();
    expectFailure(await signingIn, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
  });

  test('is enough to sign in, without the password and a second step', async () => {
    const user = await givenUserWithPasskey();
    const signedIn = await signInWithPasskey(service, user.passkey.get(await passkeyOptions(service)));
    expect(signedIn.json.data).toMatchObject({
      ...{ serial: user.serial, role: 'viewer', secondFactor: 'none', mustChangePassword: false },
      scopes: ['users:read'],
    });
    const { accessToken: token } = signedIn.json.data;
    expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
    const [session] = (await service.get('/service/me/sessions', { token })).json.data.items;
    expect(session).toMatchObject({ method: 'passkey', isCurrent: true });
    const [factor] = (await service.get('/service/me/factors', { token })).json.data.factors;
    expect(factor).toMatchObject({ kind: 'passkey', name: 'Laptop', lastUsedAt: expect.any(String) });
    expect((await service.signIn(user.username, user.password)).json.data.secondFactor).toBe('required');
  });

  test('opens a session of the console in its cookie, which ends the one before', async () => {
    const user = await givenUserWithPasskey();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const open = async (more = {}) =>
      service.post(
        '/service/auth/passkey/open-session',
        { passkey: user.passkey.get(await passkeyOptions(service)) },
        { token: null, headers: { ...headers, ...more } },
      );
    const opened = await open();
    expect(opened.status).toBe(200);
    expect(opened.json.data).not.toHaveProperty('accessToken');
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] as string;
    expect((await open({ cookie })).status).toBe(200);
    expect((await service.get('/service/auth/me', { token: null, headers: { cookie } })).status).toBe(401);
    const elsewhere = await open({ 'sec-fetch-site': 'cross-site' });
    expectFailure(elsewhere, 403, 10234, 'ACCESS_ORIGIN_REFUSED', /console/);
  });

  test('proves again who its user is', async () => {
    const user = await givenUserWithPasskey('administrator');
    await proveLongAgo(service, user.token);
    const prove = async (passkey: TestPasskey) =>
      service.post(
        '/service/auth/prove',
        { passkey: passkey.get(await passkeyOptions(service)) },
        { token: user.token },
      );
    const other = await givenUserWithPasskey();
    expectFailure(await prove(other.passkey), 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
    const proven = await prove(user.passkey);
    const { accessToken: token } = proven.json.data;
    expect((await service.request('DELETE', `/service/me/factors/${user.factorId}`, { token })).status).toBe(
      200,
    );
    const neither = await service.post('/service/auth/prove', {}, { token });
    expectFailure(neither, 400, 10004, 'REQUEST_BODY_INVALID', /"password" or a "passkey"/);
  });

  test('is refused at a second registration', async () => {
    const user = await givenUserWithPasskey();
    const { reply } = await addPasskey(service, user.token, user.passkey);
    expectFailure(reply, 409, 10239, 'ACCESS_PASSKEY_EXISTS', /registered already/);
  });

  test('of a user who was deactivated or has removed it is refused', async () => {
    const user = await givenUserWithPasskey();
    const removed = await service.request('DELETE', `/service/me/factors/${user.factorId}`, {
      token: user.token,
    });
    expect(removed.status).toBe(200);
    const gone = await signInWithPasskey(service, user.passkey.get(await passkeyOptions(service)));
    expectFailure(gone, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);

    const leaver = await givenUserWithPasskey(null);
    await service.request('PATCH', `/service/users/${leaver.serial}`, { body: { isActive: false } });
    const inactive = await signInWithPasskey(service, leaver.passkey.get(await passkeyOptions(service)));
    expectFailure(inactive, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
    expect(await eventsOf(leaver.serial, 'sign-in.failed')).toEqual([
      { method: 'passkey', problem: 'inactive' },
    ]);
  });
});

describe('what is signed', () => {
  const evil = 'https://people.example.com.evil.example';

  test.each([
    ['by a page of another origin', { origin: evil }],
    ['by a page of a subdomain', { origin: 'https://sub.people.example.com' }],
    ['over plain HTTP', { origin: 'http://people.example.com' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without verifying the user', { isUserVerified: false }],
  ])('%s is refused, at a sign-in and at a registration', async (_, signing) => {
    const user = await givenUserWithPasskey();
    const signedIn = await signInWithPasskey(
      service,
      user.passkey.get(await passkeyOptions(service), signing),
    );
    expectFailure(signedIn, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
    expect(await eventsOf(user.serial, 'sign-in.failed')).toEqual([
      { method: 'passkey', problem: 'invalid' },
    ]);

    const { token } = user;
    const { options } = (await service.post('/service/me/factors/passkeys/options', undefined, { token }))
      .json.data;
    const passkey = new TestPasskey(passkeySite).create(options, signing);
    const added = await service.post('/service/me/factors/passkeys', { passkey }, { token });
    expectFailure(added, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
  });

  test('works once, and not after five minutes', async () => {
    const user = await givenUserWithPasskey();
    const signed = user.passkey.get(await passkeyOptions(service));
    expect((await signInWithPasskey(service, signed)).status).toBe(200);
    expect((await signInWithPasskey(service, signed)).json.errorCode).toBe(10237);
    const options = await passkeyOptions(service);
    await service.database.pool.query(
      'UPDATE factor_challenges SET expires_at = now() WHERE challenge = $1',
      [options.challenge],
    );
    expect((await signInWithPasskey(service, user.passkey.get(options))).json.errorCode).toBe(10237);
    const made = { challenge: Buffer.alloc(32, 7).toString('base64url') };
    expect((await signInWithPasskey(service, user.passkey.get(made))).json.errorCode).toBe(10237);
  });

  test('of two requests at once with the same challenge, one is accepted', async () => {
    const { passkey } = await givenUserWithPasskey();
    const options = await passkeyOptions(service);
    const replies = await Promise.all(
      [passkey.get(options), passkey.get(options)].map((signed) => signInWithPasskey(service, signed)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('a challenge to register works neither for another user nor to sign in', async () => {
    const user = await givenUserWithPasskey();
    const other = await givenSignedInUser(service);
    const start = async () =>
      (await service.post('/service/me/factors/passkeys/options', undefined, { token: user.token })).json.data
        .options;
    const passkey = new TestPasskey(passkeySite).create(await start());
    const stolen = await service.post('/service/me/factors/passkeys', { passkey }, { token: other.token });
    expectFailure(stolen, 403, 10237, 'ACCESS_PASSKEY_REFUSED', /not accepted/);
    expect((await signInWithPasskey(service, user.passkey.get(await start()))).json.errorCode).toBe(10237);
  });
});

test('a counter that does not go up means a copy, which is refused and recorded', async () => {
  const user = await givenUserWithPasskey();
  const use = async (counter: number) =>
    signInWithPasskey(service, user.passkey.get(await passkeyOptions(service), { counter }));
  expect((await use(7)).status).toBe(200);
  for (const counter of [7, 6, 0]) expect((await use(counter)).json.errorCode).toBe(10237);
  expect(await eventsOf(user.serial, 'sign-in.failed')).toEqual(
    Array.from({ length: 3 }, () => ({ method: 'passkey', problem: 'counter' })),
  );
  expect((await use(8)).status).toBe(200);
});

test('one that counts nothing, because it is synced between devices, works every time', async () => {
  const user = await givenUserWithPasskey();
  for (let time = 0; time < 2; time++) {
    const signed = user.passkey.get(await passkeyOptions(service), { counter: 0 });
    expect((await signInWithPasskey(service, signed)).status).toBe(200);
  }
});

test('the passkey of one user does not complete the session of another', async () => {
  const [user, other] = [await givenUserWithPasskey(), await givenUserWithPasskey()];
  const token = await signInByPassword(service, user);
  await signInWithPasskey(service, other.passkey.get(await passkeyOptions(service)));
  expect((await service.get('/service/users', { token })).json.errorCode).toBe(10235);
});
