import { describe, expect, test } from 'vitest';
import { PasswordHasher } from '../../../src/domain/passwords/password.js';
import { givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService();

function expectSignedIn(reply: Reply): void {
  expect(reply.json.message).toMatch(/^Signed in/);
  expect(reply.status).toBe(200);
}

describe('the name of a sign-in', () => {
  const withoutUsername = async (overrides: Record<string, unknown> = {}) => {
    const password = `initial ${newId()}`;
    return { ...(await service.givenUser({ username: null, password, ...overrides })), password };
  };

  test('can be the employee ID of a user without a username', async () => {
    const user = await withoutUsername();
    const reply = await service.signIn(user.employeeID, user.password);
    expectSignedIn(reply);
    expect(reply.json.data.serial).toBe(user.serial);
    const { accessToken: token } = reply.json.data;
    const body = { currentPassword: user.password, newPassword: `chosen by ${newId()}` };
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    const me = await service.get('/service/auth/me', { token });
    expect(me.json.data).toMatchObject({ username: null, employeeID: user.employeeID });
  });

  test('can be the employee ID of a user with a username', async () => {
    const { employeeID, password } = await givenNewcomer(service);
    expectSignedIn(await service.signIn(employeeID, password));
  });

  test('must be the exact employee ID, while a username may be in any case', async () => {
    const employeeID = newId('e').toLowerCase();
    const user = await withoutUsername({ employeeID });
    const wrongCase = await service.signIn(employeeID.toUpperCase(), user.password);
    expect(wrongCase.json.errorCode).toBe(10208);
    const { username, password } = await givenNewcomer(service);
    expectSignedIn(await service.signIn(username.toUpperCase(), password));
  });

  test('is a username first: a user whose employee ID is the username of another cannot use it', async () => {
    const user = await withoutUsername();
    const other = await service.givenUser({
      username: user.employeeID.toLowerCase(),
      password: `initial ${newId()} other`,
    });
    expect((await service.signIn(user.employeeID, user.password)).json.errorCode).toBe(10208);
    const reply = await service.signIn(user.employeeID, other.password);
    expect(reply.json.data.serial).toBe(other.serial);
  });
});

describe('a sign-in returns', () => {
  test('only a token, its lifetime, and the identity and permissions of the user', async () => {
    const { username, password, serial } = await givenPerson(service, 'operator');
    const reply = await service.signIn(username, password);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Signed in.',
      data: {
        accessToken: expect.stringMatching(/^rcs_[A-Za-z0-9_-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 43_200,
        mustChangePassword: false,
        serial,
        role: 'operator',
        scopes: ['users:read', 'users:write'],
      },
    });
    expect(reply.status).toBe(200);
  });

  test('a response that is not cached', async () => {
    const { username, password } = await givenNewcomer(service);
    const reply = await service.signIn(username, password);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    [null, []],
    ['viewer', ['users:read']],
    ['operator', ['users:read', 'users:write']],
    ['administrator', ['users:read', 'users:write', 'access:admin', 'audit:read']],
  ] as const)('the scopes of the role: %s', async (role, scopes) => {
    const { username, password } = await givenPerson(service, role);
    const reply = await service.signIn(username, password);
    expect(reply.json.data).toMatchObject({ role, scopes });
  });

  test('a new token each time, and earlier ones stay valid', async () => {
    const person = await givenPerson(service);
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    expect(accessToken).not.toBe(person.token);
    for (const token of [person.token, accessToken]) {
      expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    }
  });

  test('a token even if an old Authorization header is sent', async () => {
    const { username, password } = await givenNewcomer(service);
    const reply = await service.post('/service/auth/sign-in', { username, password }, { token: 'rcs_old' });
    expectSignedIn(reply);
  });
});

describe('a username', () => {
  test.each([
    ['in lower case', (name: string) => name.toLowerCase()],
    ['in upper case', (name: string) => name.toUpperCase()],
    ['as written', (name: string) => name],
  ])('is accepted %s', async (_, spelled) => {
    const username = newId('MixedCase');
    await service.givenUser({ username, password: 'a password' });
    expectSignedIn(await service.signIn(spelled(username), 'a password'));
  });

  test('that was changed works immediately, and the old one does not', async () => {
    const { serial, username, password } = await givenNewcomer(service);
    const renamed = newId('renamed');
    await service.request('PATCH', `/service/users/${serial}`, { body: { username: renamed } });
    expectSignedIn(await service.signIn(renamed, password));
    expect((await service.signIn(username, password)).json.errorCode).toBe(10208);
  });
});

describe('a password', () => {
  test.each([
    ['precomposed accents, typed decomposed', 'Pässwört für später', 'NFC', 'NFD'],
    ['decomposed accents, typed precomposed', 'Pässwört für später', 'NFD', 'NFC'],
    ['Hangul', '비밀번호입니다', 'NFC', 'NFD'],
    ['a ligature, typed as its letters', 'e\ufb03cient of\ufb01ce', 'NFC', 'NFKC'],
    ['full-width letters, typed half-width', '\uff50\uff41\uff53\uff53 word', 'NFC', 'NFKC'],
  ] as const)('matches in every Unicode form: %s', async (_, text, given, typed) => {
    const username = newId('unicode');
    await service.givenUser({ username, password: text.normalize(given) });
    expect(text.normalize(typed)).not.toBe(text.normalize(given));
    expectSignedIn(await service.signIn(username, text.normalize(typed)));
  });

  test('of 128 emoji is used in full', async () => {
    const username = newId('emoji');
    const password = '🙈'.repeat(127);
    await service.givenUser({ username, password: `${password}🙉` });
    expectSignedIn(await service.signIn(username, `${password}🙉`));
    expect((await service.signIn(username, `${password}🙊`)).json.errorCode).toBe(10208);
  });

  test('is case-sensitive and includes surrounding spaces', async () => {
    const username = newId('spaces');
    await service.givenUser({ username, password: ' a Password ' });
    expectSignedIn(await service.signIn(username, ' a Password '));
    for (const other of ['a Password', ' a Password', ' a password ']) {
      expect((await service.signIn(username, other)).json.errorCode).toBe(10208);
    }
  });
});

describe('a hash with outdated parameters', () => {
  const present = /^\$argon2id\$v=19\$m=8192,t=1,p=1\$/;

  /** A user whose password was hashed with other parameters. */
  async function givenOutdated(memoryKib = 9_000, passes = 2) {
    const person = await givenPerson(service);
    const earlier = new PasswordHasher({ memoryKib, passes, concurrency: 1, waitingMax: 1 });
    await service.database.pool.query('UPDATE credentials SET password_hash = $2 WHERE user_serial = $1', [
      person.serial,
      await earlier.hash(person.password),
    ]);
    return person;
  }

  async function hashOf(serial: string): Promise<string> {
    const { rows } = await service.database.pool.query(
      'SELECT password_hash FROM credentials WHERE user_serial = $1',
      [serial],
    );
    return rows[0].password_hash;
  }

  test('is upgraded once when its user signs in, and the password stays the same', async () => {
    const { serial, username, password } = await givenOutdated();
    const { passwords } = service.context;
    expect(await hashOf(serial)).not.toMatch(present);
    let before = passwords.hashesDone;
    expectSignedIn(await service.signIn(username, password));
    expect(passwords.hashesDone - before).toBe(2);
    expect(await hashOf(serial)).toMatch(present);
    before = passwords.hashesDone;
    expectSignedIn(await service.signIn(username, password));
    expect(passwords.hashesDone - before).toBe(1);
  });

  test('is upgraded without ending sessions or requiring a password change', async () => {
    const { username, password, token } = await givenOutdated();
    expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(false);
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
  });

  test('is kept if the password is wrong', async () => {
    const { serial, username } = await givenOutdated();
    const before = await hashOf(serial);
    expect((await service.signIn(username, 'wrong')).json.errorCode).toBe(10208);
    expect(await hashOf(serial)).toBe(before);
  });

  test('does not fail concurrent sign-ins with the correct password', async () => {
    const { username, password } = await givenOutdated();
    const replies = await Promise.all(Array.from({ length: 4 }, () => service.signIn(username, password)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  });

  test('does not fail a password change concurrent with a sign-in', async () => {
    const { username, password, token } = await givenOutdated();
    const [signedIn, changed] = await Promise.all([
      service.signIn(username, password),
      service.post(
        '/service/auth/change-password',
        { currentPassword: password, newPassword: 'correct horse battery staple' },
        { token },
      ),
    ]);
    expect(changed.status).toBe(200);
    expect([200, 401]).toContain(signedIn.status);
  });
});
