import { describe, expect, test } from 'vitest';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';
import { failuresOf, nameKey } from '../../support/strict-sign-in.js';

const service = useService();

const chosen = 'correct horse battery staple';

function change({ token, password }: SignedInUser, newPassword = chosen): Promise<Reply> {
  const body = { currentPassword: password, newPassword };
  return service.post('/service/auth/change-password', body, { token });
}

async function statusOf(token: string): Promise<number> {
  return (await service.get('/service/auth/me', { token })).status;
}

describe('changing a password', () => {
  test('takes effect immediately: the old password stops working, and other sessions of the user end', async () => {
    const [user, other] = [await givenSignedInUser(service), await givenSignedInUser(service)];
    const { accessToken } = (await service.signIn(user.username, user.password)).json.data;
    const reply = await change(user);
    const data = {
      accessToken: expect.stringMatching(/^rcs_/),
      tokenType: 'Bearer',
      expiresIn: expect.any(Number),
    };
    expect(reply.json).toEqual({ status: 'success', message: 'Password changed.', data });
    expect(reply.status).toBe(200);
    expect(await statusOf(reply.json.data.accessToken), 'of the session that goes on').toBe(200);
    expect((await service.signIn(user.username, chosen)).status).toBe(200);
    expect((await service.signIn(user.username, user.password)).json.errorCode).toBe(10208);
    const ended = await service.get('/service/auth/me', { token: accessToken });
    expect([ended.status, ended.json.errorCode]).toEqual([401, 10202]);
    expect([await statusOf(user.token), await statusOf(other.token)]).toEqual([401, 200]);
  });

  test('cancels unsent password messages of the user and erases their secrets', async () => {
    const [user, other] = [await givenNewcomer(service), await givenNewcomer(service)];
    const stored = async ({ serial }: SignedInUser) => {
      const { rows } = await service.database.pool.query(
        `SELECT state, secret IS NULL AND secret_key_id IS NULL AS forgotten FROM deliveries
         WHERE user_serial = $1 AND kind = 'initial-password'`,
        [serial],
      );
      return rows;
    };
    expect(await stored(user)).toEqual([{ state: 'waiting', forgotten: false }]);
    await change(user);
    expect(await stored(user)).toEqual([{ state: 'cancelled', forgotten: true }]);
    expect(await stored(other)).toEqual([{ state: 'waiting', forgotten: false }]);
  });

  test('resets the count of failed attempts', async () => {
    const user = await givenSignedInUser(service);
    for (let count = 0; count < 2; count++) await service.signIn(user.username, 'wrong');
    expect(await failuresOf(service, nameKey(service, user.username))).toBe(2);
    await change(user);
    expect(await failuresOf(service, nameKey(service, user.username))).toBe(0);
  });

  test('works without a username, and with any characters in any Unicode form', async () => {
    const [username, current] = [newId('u'), 'Erstes Paßwört'];
    const { serial } = await service.givenUser({ username, password: current.normalize('NFC') });
    const token = (await service.signIn(username, current)).json.data.accessToken;
    const patch = (body: unknown) => service.request('PATCH', `/service/users/${serial}`, { body });
    await patch({ username: null });
    const typed = { token, password: current.normalize('NFD') } as SignedInUser;
    const wanted = `'"\\ ;--\t\n\u202e 🐙 Überraschungsgäste`;
    expect((await change(typed, wanted.normalize('NFD'))).status).toBe(200);
    await patch({ username });
    expect((await service.signIn(username, wanted.normalize('NFC'))).status).toBe(200);
  });

  test('leaves neither password in the reply or the logs', async () => {
    const user = await givenSignedInUser(service);
    const secret = `canary ${newId('secret')}`;
    const reply = await change(user, secret);
    expect(reply.status).toBe(200);
    for (const password of [secret, user.password]) {
      expect(reply.text).not.toContain(password);
      expect(service.logs).not.toContain(password);
    }
  });
});
