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

describe('a password that was changed', () => {
  test('is answered with nothing but that', async () => {
    const reply = await change(await givenPerson(service));
    expect(reply.json).toEqual({ status: 'success', message: 'Password changed.', data: {} });
    expect(reply.status).toBe(200);
  });

  test('is good at once, and the old one is not any more', async () => {
    const person = await givenPerson(service);
    await change(person);
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
    expect((await service.signIn(person.username, person.password)).json.errorCode).toBe(10208);
  });

  test('ends the other sessions of the person, and this one goes on', async () => {
    const person = await givenPerson(service);
    const others = [await signInAgain(person), await signInAgain(person)];
    await change(person);
    expect(await statusOf(person.token)).toBe(200);
    for (const token of others) {
      const reply = await service.get('/service/auth/me', { token });
      expect([reply.status, reply.json.errorCode]).toEqual([401, 10202]);
    }
  });

  test('ends no session of anybody else', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    await change(person);
    expect(await statusOf(other.token)).toBe(200);
  });

  test('cancels the messages with a password that were still to be sent to the person, and forgets their secrets', async () => {
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

  test('forgets the guesses at the old one', async () => {
    const person = await givenPerson(service);
    for (let count = 0; count < 3; count++) await service.signIn(person.username, 'wrong');
    await change(person);
    for (let count = 0; count < 4; count++) {
      expect((await service.signIn(person.username, 'wrong')).json.errorCode).toBe(10208);
    }
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
  });

  test('can be changed by somebody whose username was taken away meanwhile', async () => {
    const person = await givenPerson(service);
    await service.request('PATCH', `/service/users/${person.serial}`, { body: { username: null } });
    expect((await change(person)).status).toBe(200);
    await service.request('PATCH', `/service/users/${person.serial}`, {
      body: { username: person.username },
    });
    expect((await service.signIn(person.username, chosen)).status).toBe(200);
  });

  test('leaves neither password in any reply or log line', async () => {
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

describe('a person may choose', () => {
  test.each([
    ['8 characters', 'tz8.kwpu'],
    ['8 emoji, which are 8 characters', '🐙🦑🦐🦞🦀🐡🐠🐟'],
    ['128 characters', `${'long and '.repeat(14)}.!`],
    ['128 emoji', `${'🙈'.repeat(127)}🙉`],
    ['letters alone, in one case', 'abstrakteschönheit'],
    ['digits alone', '83920175563'],
    ['spaces within and around', '  kleine  blaue  katze  '],
    ['one character many times', 'zzzzzzzzzzzzzz'],
    ['quotes, control characters and direction marks', `'"\\ ;--\t\n\u202e`],
    ['a common password as a part', 'password is not enough'],
  ])('%s', async (_, newPassword) => {
    const person = await givenPerson(service);
    const reply = await change(person, newPassword);
    expect(reply.json).toMatchObject({ message: 'Password changed.' });
    expect((await service.signIn(person.username, newPassword)).status).toBe(200);
  });

  test('accents, and type them in another form later', async () => {
    const person = await givenPerson(service);
    expect((await change(person, 'Überraschungsgäste'.normalize('NFD'))).status).toBe(200);
    const reply = await service.signIn(person.username, 'Überraschungsgäste'.normalize('NFC'));
    expect(reply.status).toBe(200);
  });

  test('with the present password typed in another Unicode form', async () => {
    const username = newId('u');
    const password = 'Erstes Paßwört';
    const { serial } = await service.givenUser({ username, password: password.normalize('NFC') });
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const typed = { serial, username, token, password: password.normalize('NFD') } as GivenPerson;
    expect((await change(typed)).status).toBe(200);
  });
});

describe('two changes at once', () => {
  test('have one winner, whose password is good', async () => {
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
