import { describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { expectFailure } from '../../support/expect-failure.js';
import { TestPasskey } from '../../support/passkeys.js';
import { addPasskey, passkeyOptions, signInWithPasskey } from '../../support/second-factors.js';
import { newId } from '../../support/service.js';
import { setSession } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

/** Of the public URL that services have in tests. */
const site = { rpId: 'localhost', origin: 'http://localhost:8080' };
const off = ['ACCESS_LOCAL_SIGN_IN_OFF', /^Your company does not let you sign in with a password/] as const;

describe('with local sign-in for administrators', () => {
  const { service } = useCompany({ ROLLCALL_LOCAL_SIGN_IN: 'administrators' });

  test('others learn why their right password is not enough; a wrong one says nothing', async () => {
    const [username, password] = [newId('u'), 'the right password'];
    const { serial } = await service.givenUser({ username, password });
    expectFailure(await service.signIn(username, password), 403, 10252, ...off);
    expect((await service.signIn(username, 'a wrong password')).json.message).toBe('ACCESS_SIGN_IN_FAILED');
    expect((await service.signIn(newId('nobody'), password)).json.message).toBe('ACCESS_SIGN_IN_FAILED');
    const { items } = (await service.get(`/service/access-events?userSerial=${serial}`)).json.data;
    expect(items.at(-1)).toMatchObject({ kind: 'sign-in.failed', detail: { reason: 'localSignInOff' } });
    await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'administrator' } });
    expect((await service.get('/service/auth/methods', { token: null })).json.data).toEqual({
      password: 'administrators',
      recovery: true,
      provider: { name: 'Example Corp' },
    });
  });

  test('administrators sign in, also with a passkey, as long as they are administrators', async () => {
    const [username, password, newPassword] = [newId('u'), 'the right password', 'one of my own'];
    const { serial } = await service.givenUser({ username, password });
    await service.database.pool.query('INSERT INTO roles (user_serial, role) VALUES ($1, $2)', [
      serial,
      'administrator',
    ]);
    const signedIn = await service.signIn(username, password);
    expect(signedIn.status).toBe(200);
    const changed = await service.post(
      '/service/auth/change-password',
      { currentPassword: password, newPassword },
      { token: signedIn.json.data.accessToken },
    );
    const { passkey } = await addPasskey(service, changed.json.data.accessToken, new TestPasskey(site));
    const signInAgain = async () => signInWithPasskey(service, passkey.get(await passkeyOptions(service)));
    expect((await signInAgain()).status).toBe(200);
    await service.database.pool.query('DELETE FROM roles WHERE user_serial = $1', [serial]);
    expectFailure(await signInAgain(), 403, 10252, ...off);
  });
});

describe('without local sign-in', () => {
  const { service, browser, employee } = useCompany({ ROLLCALL_LOCAL_SIGN_IN: 'off' });

  test('nobody signs in, proves who they are, or recovers a password', async () => {
    const [username, password] = [newId('u'), 'the right password'];
    await service.givenUser({ username, password });
    expectFailure(await service.signIn(username, password), 403, 10252, ...off);
    expectFailure(await service.signIn(newId('nobody'), password), 403, 10252, ...off);
    const forgotten = await service.post('/service/auth/forgot-password', { username }, { token: null });
    expect(forgotten.json.message).toBe('ACCESS_LOCAL_SIGN_IN_OFF');
    const { recovery } = (await service.get('/service/auth/methods', { token: null })).json.data;
    expect(recovery).toBe(false);
    await expect(givenSignedInUser(service)).rejects.toThrow('ACCESS_LOCAL_SIGN_IN_OFF');
  });

  test('a passkey is not enough either, and sessions from before go on without a proof', async () => {
    await employee();
    const visitor = browser();
    await visitor.signIn();
    const { passkey, token } = await addPasskey(service, visitor.sessionToken ?? '', new TestPasskey(site));
    const sign = async () => passkey.get(await passkeyOptions(service));
    expectFailure(await signInWithPasskey(service, await sign()), 403, 10252, ...off);
    await setSession(service, token, "method = 'password'");
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    for (const proof of [{ passkey: await sign() }, { password: 'any' }]) {
      expectFailure(await service.post('/service/auth/prove', proof, { token }), 403, 10252, ...off);
    }
  });
});
