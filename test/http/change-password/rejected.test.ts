import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenPerson, givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService();
const acme = useService({
  ROLLCALL_COMPANY_NAME: 'Acme, Rocket Works',
  ROLLCALL_REFUSED_PASSWORDS: 'Breached Elsewhere 7\nanother one of these',
});

const chosen = 'correct horse battery staple';

function post(token: string | null, body: unknown): Promise<Reply> {
  return service.post('/service/auth/change-password', body, { token });
}

function change({ token, password }: GivenPerson, newPassword: string): Promise<Reply> {
  return post(token, { currentPassword: password, newPassword });
}

async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const before = service.context.passwords.hashesDone;
  await work();
  return service.context.passwords.hashesDone - before;
}

async function stored({ serial }: GivenPerson): Promise<unknown> {
  const { rows } = await service.database.pool.query(
    'SELECT password_hash, must_change, expires_at FROM credentials WHERE user_serial = $1',
    [serial],
  );
  return rows;
}

function expectWrong(reply: Reply): void {
  const detail = /^"currentPassword" is not your current password\.$/;
  expectFailure(reply, 403, 10213, 'ACCESS_PASSWORD_WRONG', detail);
}

describe('a new password is rejected with 400, 10212 and the reason', () => {
  const length = (count: number) =>
    new RegExp(`^The new password must have 8 to 128 characters, but has ${count}\\.$`);
  const own = /^The new password must not be the username or the employee ID\.$/;
  const common = /^The new password is one of the most common passwords\. Choose another\.$/;
  const broken = /^The new password must not contain NUL characters or lone surrogates\.$/;
  const around = (word: string) =>
    new RegExp(`^The new password must not be based on ${word}\\. Add at least 8 characters`);
  const same = /^The new password is the same as the current one\. Choose another\.$/;

  test.each<[string, (person: GivenPerson) => string, RegExp]>([
    ['of 1 character', () => 'x', length(1)],
    ['of 7 characters', () => 'tz8.kwp', length(7)],
    ['of 7 emoji, although they take 14 code units', () => '🐙🦑🦐🦞🦀🐡🐠', length(7)],
    ['of 129 characters', () => 'x'.repeat(129), length(129)],
    ['of 129 emoji', () => '🙈'.repeat(129), length(129)],
    ['with a NUL', () => 'eight\u0000chars', broken],
    ['with a lone surrogate', () => 'half emoji \ud83d', broken],
    ['of 4 letters with combining accents', () => 'e\u0301o\u0301u\u0301a\u0301', length(4)],
    ['that is a common password', () => 'password1', common],
    ['that is a common password in another case', () => 'PassWord1', common],
    ['that is a common password in full-width letters', () => '\uff50assword1', common],
    ['that is the username', ({ username }) => username, own],
    ['that is the username in another case', ({ username }) => username.toUpperCase(), own],
    ['that is the employee ID', ({ employeeID }) => employeeID, own],
    ['that is the employee ID in another case', ({ employeeID }) => employeeID.toLowerCase(), own],
    ['based on the product name', () => 'Rollc@ll2026', around('the name of this product or a role')],
    ['based on the username', ({ username }) => `${username}!!`, around('your username')],
    ['based on the employee ID', ({ employeeID }) => `${employeeID}-1`, around('your employee ID')],
    ['based on the email address', () => 'chris.porter@1', around('your email address')],
    ['that is the current one', ({ password }) => password, same],
  ])('%s', async (_, newPassword, detail) => {
    const person = await givenPerson(service, null, {
      employeeID: newId('Employee'),
      email: 'chris.porter@example.com',
    });
    const before = await stored(person);
    const reply = await change(person, newPassword(person));
    expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', detail);
    expect(await stored(person)).toEqual(before);
    expect((await service.get('/service/auth/me', { token: person.token })).status).toBe(200);
  });

  test('based on the company name', async () => {
    const person = await givenPerson(acme);
    const body = { currentPassword: person.password, newPassword: 'R0cket-Works-26' };
    const reply = await acme.post('/service/auth/change-password', body, { token: person.token });
    expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', around('the company name'));
  });

  test('on the list of the operator, in any case', async () => {
    const person = await givenPerson(acme);
    const body = { currentPassword: person.password, newPassword: 'breached ELSEWHERE 7' };
    const reply = await acme.post('/service/auth/change-password', body, { token: person.token });
    expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', common);
  });

  test('that is the current one in another Unicode form', async () => {
    const username = newId('u');
    const password = 'Erstes Paßwört'.normalize('NFC');
    const { serial } = await service.givenUser({ username, password });
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const person = { serial, username, token, password } as GivenPerson;
    const reply = await change(person, password.normalize('NFD'));
    expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', same);
  });

  test('before the current one is checked: nothing is hashed or counted', async () => {
    const person = await givenPerson(service);
    const body = { currentPassword: 'wrong', newPassword: 'short' };
    const hashes = await hashesOf(async () => {
      for (let count = 0; count < 8; count++) expect((await post(person.token, body)).status).toBe(400);
    });
    expect(hashes).toBe(0);
    expect((await service.signIn(person.username, person.password)).status).toBe(200);
  });

  test('without repeating it in the detail', async () => {
    const person = await givenNewcomer(service);
    const reply = await change(person, 'Canary1');
    expect(reply.status).toBe(400);
    expect(reply.text).not.toMatch(/canary/i);
  });
});

describe('a wrong current password', () => {
  test('fails with 403 and 10213 after one hash and stores nothing', async () => {
    const person = await givenPerson(service);
    const before = await stored(person);
    let reply: Reply | undefined;
    const hashes = await hashesOf(async () => {
      reply = await post(person.token, { currentPassword: 'wrong', newPassword: chosen });
    });
    expectWrong(reply as Reply);
    expect(hashes).toBe(1);
    expect(await stored(person)).toEqual(before);
    expect((await service.signIn(person.username, person.password)).status).toBe(200);
  });

  test('ends no session', async () => {
    const person = await givenPerson(service);
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    expectWrong(await post(person.token, { currentPassword: 'wrong', newPassword: chosen }));
    for (const token of [person.token, accessToken]) {
      expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    }
  });

  test.each([
    ['with a username', false],
    ['whose username was removed', true],
  ])(
    'sent five times delays the next change with 429, without hashing, even if it is correct, for a user %s',
    { retry: 2 }, // the first wait is a second
    async (_, isNameless) => {
      const person = await givenPerson(service);
      if (isNameless) {
        await service.request('PATCH', `/service/users/${person.serial}`, { body: { username: null } });
      }
      for (let count = 0; count < 5; count++) {
        expectWrong(await post(person.token, { currentPassword: 'wrong', newPassword: chosen }));
      }
      let reply: Reply | undefined;
      const hashes = await hashesOf(async () => {
        reply = await change(person, chosen);
      });
      const detail =
        /^There were too many failed attempts for this name or from this address\. Try again in 1 s\.$/;
      expectFailure(reply as Reply, 429, 10209, 'ACCESS_SIGN_IN_DELAYED', detail);
      expect(reply?.headers.get('retry-after')).toBe('1');
      expect(hashes).toBe(0);
    },
  );

  test('counts together with failed sign-ins', { retry: 2 }, async () => {
    const person = await givenPerson(service);
    for (let count = 0; count < 3; count++) {
      expectWrong(await post(person.token, { currentPassword: 'wrong', newPassword: chosen }));
    }
    for (let count = 0; count < 2; count++) {
      expect((await service.signIn(person.username.toUpperCase(), 'wrong')).json.errorCode).toBe(10208);
    }
    expect((await service.signIn(person.username, person.password)).json.errorCode).toBe(10209);
  });

  test.each([
    ['a NUL', 'wrong\u0000'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['a lone surrogate', '\ud83d'],
  ])('with %s is rejected as wrong', async (_, currentPassword) => {
    const person = await givenPerson(service);
    expectWrong(await post(person.token, { currentPassword, newPassword: chosen }));
  });
});

describe('an invalid body is rejected with 400 and 10004', () => {
  const good = { currentPassword: 'x', newPassword: chosen };

  test.each<[string, unknown, RegExp]>([
    [
      'no current password',
      { newPassword: chosen },
      /^"currentPassword" is required. It must be a non-empty/,
    ],
    ['no new password', { currentPassword: 'x' }, /^"newPassword" is required/],
    ['an empty new password', { ...good, newPassword: '' }, /^"newPassword" is required/],
    ['a null new password', { ...good, newPassword: null }, /^"newPassword" is required/],
    [
      'a number as new password',
      { ...good, newPassword: 12345678 },
      /^"newPassword" must be .*, not a number/,
    ],
    [
      'an object as current password',
      { ...good, currentPassword: {} },
      /^"currentPassword" must be .*, not an/,
    ],
    ['an unknown field', { ...good, username: 'ada' }, /^"username" is not a field of this operation/],
    ['an array', [], /^The body must be a JSON object, not an array\.$/],
  ])('%s', async (_, body, detail) => {
    const { token } = await givenNewcomer(service);
    expectFailure(await post(token, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
  });
});

describe('changing a password requires a user session', () => {
  const body = { currentPassword: 'x', newPassword: chosen };
  const detail = /^This operation requires a user session\. Get one from POST \/service\/auth\/sign-in\.$/;

  test('a client fails with 403 and 10214 whatever its scopes', async () => {
    expectFailure(await post(service.token, body), 403, 10214, 'ACCESS_USER_REQUIRED', detail);
  });

  test('a client that omits Bearer also fails with 403 and 10214', async () => {
    const headers = { authorization: service.token };
    const reply = await service.post('/service/auth/change-password', body, { token: null, headers });
    expectFailure(reply, 403, 10214, 'ACCESS_USER_REQUIRED', detail);
  });

  test('a user may omit Bearer', async () => {
    const { token, password } = await givenPerson(service);
    const reply = await service.post(
      '/service/auth/change-password',
      { currentPassword: password, newPassword: chosen },
      { token: null, headers: { authorization: token } },
    );
    expect(reply.status).toBe(200);
  });

  test('a request without a token fails with 401 and 10201', async () => {
    expectFailure(await post(null, body), 401, 10201, 'ACCESS_TOKEN_REQUIRED', /^Send "Authorization/);
  });
});
