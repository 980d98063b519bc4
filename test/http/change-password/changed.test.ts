import { describe, expect, test } from 'vitest';
import { type GivenPerson, givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService();

const chosen = 'correct horse battery staple';

function change({ token, password }: GivenPerson, newPassword = chosen): Promise<Reply> {
  const body = { currentPassword: password, newPassword };
  return service.post('/service/auth/change-password', body, { token });
}

async function signInAgain({ username, password }: GivenPerson): Promise<string> {
  return (await service.signIn(username, password)).json.data.accessToken;
}

async function statusOf(token: string): Promise<number> {
  return (await service.get('/service/auth/me', { token })).status;
}

describe('changing a password', () => {
  test('returns an empty data object', async () => {
    const reply = await change(await givenPerson(service));
    expect(reply.json).toEqual({ status: 'success', message: 'Password changed.', data: {} });
    expect(reply.status).toBe(200);
  });

  test('takes effect immediately, and the old password stops working', async () => {
    const person = await givenPerson(service);
    await change(person);
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
    expect((await service.signIn(person.username, person.password)).json.errorCode).toBe(10208);
  });

  test('ends the other sessions of the user and keeps this one', async () => {
    const person = await givenPerson(service);
    const others = [await signInAgain(person), await signInAgain(person)];
    await change(person);
    expect(await statusOf(person.token)).toBe(200);
    for (const token of others) {
      const reply = await service.get('/service/auth/me', { token });
      expect([reply.status, reply.json.errorCode]).toEqual([401, 10202]);
    }
  });

  test('keeps the sessions of other users', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    await change(person);
    expect(await statusOf(other.token)).toBe(200);
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
    for (let count = 0; count < 3; count++) await service.signIn(person.username, 'wrong');
    await change(person);
    for (let count = 0; count < 4; count++) {
      expect((await service.signIn(person.username, 'wrong')).json.errorCode).toBe(10208);
    }
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
  });

  test('works for a user whose username was removed in the meantime', async () => {
    const person = await givenPerson(service);
    await service.request('PATCH', `/service/users/${person.serial}`, { body: { username: null } });
    expect((await change(person)).status).toBe(200);
    await service.request('PATCH', `/service/users/${person.serial}`, {
      body: { username: person.username },
    });
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
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

describe('a user may choose', () => {
  test.each([
    ['8 characters', 'tz8.kwpu'],
    ['8 emoji, which count as 8 characters', '🐙🦑🦐🦞🦀🐡🐠🐟'],
    ['128 characters', `${'long and '.repeat(14)}.!`],
    ['128 emoji', `${'🙈'.repeat(127)}🙉`],
    ['only letters in one case', 'abstrakteschönheit'],
    ['only digits', '83920175563'],
    ['spaces inside and around', '  kleine  blaue  katze  '],
    ['one character repeated', 'zzzzzzzzzzzzzz'],
    ['quotes, control characters and direction marks', `'"\\ ;--\t\n\u202e`],
    ['a common password as part of a longer one', 'password is not enough'],
  ])('%s', async (_, newPassword) => {
    const person = await givenPerson(service);
    const reply = await change(person, newPassword);
    expect(reply.json).toMatchObject({ message: 'Password changed.' });
    expect((await service.signIn(person.username, newPassword)).status).toBe(200);
  });

  test('accents that are typed in another Unicode form later', async () => {
    const person = await givenPerson(service);
    expect((await change(person, 'Überraschungsgäste'.normalize('NFD'))).status).toBe(200);
    const reply = await service.signIn(person.username, 'Überraschungsgäste'.normalize('NFC'));
    expect(reply.status).toBe(200);
  });

  test('a password when the current one is typed in another Unicode form', async () => {
    const username = newId('u');
    const password = 'Erstes Paßwört';
    const { serial } = await service.givenUser({ username, password: password.normalize('NFC') });
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const typed = { serial, username, token, password: password.normalize('NFD') } as GivenPerson;
    expect((await change(typed)).status).toBe(200);
  });
});

describe('two concurrent changes', () => {
  test('have one winner, whose password works', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await givenPerson(service);
      const wanted = ['the first of two wishes', 'the second of two wishes'];
      const replies = await Promise.all(wanted.map((newPassword) => change(person, newPassword)));
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
      for (const [index, reply] of replies.entries()) {
        const signedIn = await service.signIn(person.username, wanted[index]);
        expect(signedIn.status).toBe(reply.status === 200 ? 200 : 401);
        if (reply.status === 403) expect(reply.json.errorCode).toBe(10213);
      }
    }
  });
});
