import { describe, expect, test } from 'vitest';
import { type GivenPerson, givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { failuresOf, nameKey } from '../../support/strict-sign-in.js';

const service = useService();

const chosen = 'correct horse battery staple';

function change({ token, password }: GivenPerson, newPassword = chosen): Promise<Reply> {
  const body = { currentPassword: password, newPassword };
  return service.post('/service/auth/change-password', body, { token });
}

async function statusOf(token: string): Promise<number> {
  return (await service.get('/service/auth/me', { token })).status;
}

describe('changing a password', () => {
  test('takes effect immediately: the old password stops working, and other sessions of the user end', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    const reply = await change(person);
    expect(reply.json).toEqual({ status: 'success', message: 'Password changed.', data: {} });
    expect(reply.status).toBe(200);
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
    expect((await service.signIn(person.username, person.password)).json.errorCode).toBe(10208);
    const ended = await service.get('/service/auth/me', { token: accessToken });
    expect([ended.status, ended.json.errorCode]).toEqual([401, 10202]);
    expect([await statusOf(person.token), await statusOf(other.token)]).toEqual([200, 200]);
  });

  test('cancels unsent password messages of the user and erases their secrets', async () => {
    const [person, other] = [await givenNewcomer(service), await givenNewcomer(service)];
    const stored = async ({ serial }: GivenPerson) => {
      const { rows } = await service.database.pool.query(
        `SELECT state, secret IS NULL AND secret_key_id IS NULL AS forgotten FROM deliveries
         WHERE user_serial = $1 AND kind = 'initial-password'`,
        [serial],
      );
      return rows;
    };
    expect(await stored(person)).toEqual([{ state: 'waiting', forgotten: false }]);
    await change(person);
    expect(await stored(person)).toEqual([{ state: 'cancelled', forgotten: true }]);
    expect(await stored(other)).toEqual([{ state: 'waiting', forgotten: false }]);
  });

  test('resets the count of failed attempts', async () => {
    const person = await givenPerson(service);
    for (let count = 0; count < 2; count++) await service.signIn(person.username, 'wrong');
    expect(await failuresOf(service, nameKey(service, person.username))).toBe(2);
    await change(person);
    expect(await failuresOf(service, nameKey(service, person.username))).toBe(0);
  });

  test('works without a username, and with any characters in any Unicode form', async () => {
    const [username, current] = [newId('u'), 'Erstes Paßwört'];
    const { serial } = await service.givenUser({ username, password: current.normalize('NFC') });
    const token = (await service.signIn(username, current)).json.data.accessToken;
    const patch = (body: unknown) => service.request('PATCH', `/service/users/${serial}`, { body });
    await patch({ username: null });
    const typed = { token, password: current.normalize('NFD') } as GivenPerson;
    const wanted = `'"\\ ;--\t\n\u202e 🐙 Überraschungsgäste`;
    expect((await change(typed, wanted.normalize('NFD'))).status).toBe(200);
    await patch({ username });
    expect((await service.signIn(username, wanted.normalize('NFC'))).status).toBe(200);
  });

  test('leaves neither password in the reply or the logs', async () => {
    const person = await givenPerson(service);
    const secret = `canary ${newId('secret')}`;
    const reply = await change(person, secret);
    expect(reply.status).toBe(200);
    for (const password of [secret, person.password]) {
      expect(reply.text).not.toContain(password);
      expect(service.logs).not.toContain(password);
    }
  });
});
