import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';
import { failuresOf, hashesOf, nameKey, setWait, strictSignIn } from '../../support/strict-sign-in.js';

const service = useService();
/** Has a company name and a list of refused passwords. */
const strict = useService(strictSignIn);

const chosen = 'correct horse battery staple';

function post(token: string | null, body: unknown): Promise<Reply> {
  return service.post('/service/auth/change-password', body, { token });
}

async function stored({ serial }: SignedInUser): Promise<unknown> {
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
  test('for every rule, before the current one is checked: nothing is hashed, counted or stored', async () => {
    const employeeID = newId('Employee');
    const user = await givenSignedInUser(strict, null, { employeeID, email: 'chris.porter@example.com' });
    const { username, password, token } = user;
    const around = (word: string) =>
      new RegExp(`^The new password must not be based on ${word}\\. Add at least 8 characters`);
    const common = /^The new password is one of the most common passwords\. Choose another\.$/;
    const rows: [newPassword: string, detail: RegExp][] = [
      ['Canary1', /^The new password must have 8 to 128 characters, but has 7\.$/],
      ['eight\u0000chars', /^The new password must not contain NUL characters or lone surrogates\.$/],
      ['half emoji \ud83d', /^The new password must not contain NUL characters or lone surrogates\.$/],
      ['PassWord1', common],
      ['breached ELSEWHERE 7', common], // on the list of the operator
      [username.toUpperCase(), /^The new password must not be the username or the employee ID\.$/],
      ['Rollc@ll2026', around('the name of this product or a role')],
      ['R0cket-Works-26', around('the company name')],
      [`${username}!!`, around('your username')],
      [`${employeeID}-1`, around('your employee ID')],
      ['chris.porter@1', around('your email address')],
    ];
    const hashes = await hashesOf(strict, async () => {
      for (const [newPassword, detail] of rows) {
        const body = { currentPassword: 'wrong', newPassword };
        const reply = await strict.post('/service/auth/change-password', body, { token });
        expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', detail);
        expect(reply.text).not.toContain(newPassword);
      }
      const same = {
        currentPassword: 'Paßwört 17'.normalize('NFC'),
        newPassword: 'Paßwört 17'.normalize('NFD'),
      };
      const reply = await strict.post('/service/auth/change-password', same, { token });
      const detail = /^The new password is the same as the current one\. Choose another\.$/;
      expectFailure(reply, 400, 10212, 'ACCESS_PASSWORD_REFUSED', detail);
    });
    expect([hashes, await failuresOf(strict, nameKey(strict, username))]).toEqual([0, 0]);
    expect((await strict.signIn(username, password)).status).toBe(200);
  });
});

describe('a wrong current password', () => {
  test('fails with 403 and 10213 after one hash, stores nothing and ends no session', async () => {
    const user = await givenSignedInUser(service);
    const { accessToken } = (await service.signIn(user.username, user.password)).json.data;
    const before = await stored(user);
    for (const currentPassword of ['wrong', 'wrong\u0000', 'x'.repeat(10_000), '\ud83d']) {
      let reply: Reply | undefined;
      const hashes = await hashesOf(service, async () => {
        reply = await post(user.token, { currentPassword, newPassword: chosen });
      });
      expectWrong(reply as Reply);
      expect(hashes).toBe(1);
    }
    expect(await stored(user)).toEqual(before);
    for (const token of [user.token, accessToken]) {
      expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    }
  });

  test.each([
    ['with a username, together with failed sign-ins', false],
    ['whose username was removed', true],
  ])('counts for a user %s, and delays even the correct one without hashing', async (_, isNameless) => {
    const user = await givenSignedInUser(service);
    if (isNameless) {
      await service.request('PATCH', `/service/users/${user.serial}`, { body: { username: null } });
    }
    const key = nameKey(service, isNameless ? user.serial : user.username);
    for (let count = 0; count < 2; count++) {
      expectWrong(await post(user.token, { currentPassword: 'wrong', newPassword: chosen }));
    }
    if (!isNameless) await service.signIn(user.username.toUpperCase(), 'wrong');
    expect(await failuresOf(service, key)).toBe(isNameless ? 2 : 3);
    await setWait(service, key, 90);
    const hashes = await hashesOf(service, async () => {
      const body = { currentPassword: user.password, newPassword: chosen };
      const reply = await post(user.token, body);
      const detail =
        /^There were too many failed attempts for this name or from this address\. Try again in \d+ s\.$/;
      expectFailure(reply, 429, 10209, 'ACCESS_SIGN_IN_DELAYED', detail);
      expect(reply.json.detail).toContain(`in ${reply.headers.get('retry-after')} s.`);
    });
    expect(hashes).toBe(0);
  });
});

test('an invalid body is rejected with 400 and 10004', async () => {
  const { token } = await givenSignedInUser(service);
  const reply = await post(token, { currentPassword: 'x' });
  expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"newPassword" is required/);
});
