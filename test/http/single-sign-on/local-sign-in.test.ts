import { describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

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

  test('administrators sign in', async () => {
    const [username, password] = [newId('u'), 'the right password'];
    const { serial } = await service.givenUser({ username, password });
    await service.database.pool.query('INSERT INTO roles (user_serial, role) VALUES ($1, $2)', [
      serial,
      'administrator',
    ]);
    expect((await service.signIn(username, password)).status).toBe(200);
  });
});

describe('without local sign-in', () => {
  const { service } = useCompany({ ROLLCALL_LOCAL_SIGN_IN: 'off' });

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
});
