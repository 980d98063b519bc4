import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HashingBusy } from '../../../src/domain/passwords/password.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';
import {
  addressKey,
  expireInitialPassword,
  failuresOf,
  hashesOf,
  nameKey,
  visible,
} from '../../support/strict-sign-in.js';

const service = useService();

type Attempt = readonly [username: string, password: string];

function expectRefused(reply: Reply): void {
  const detail = /^The username, employee ID or password is wrong, or the user is not allowed to sign in\.$/;
  expectFailure(reply, 401, 10208, 'ACCESS_SIGN_IN_FAILED', detail);
}

function patch(serial: string, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

const attempts: Readonly<Record<string, () => Promise<Attempt>>> = {
  'a wrong password': async () => [(await givenSignedInUser(service)).username, 'wrong'],
  'a deactivated user with the correct password': async () => {
    const { serial, username, password } = await givenSignedInUser(service);
    await patch(serial, { isActive: false });
    return [username, password];
  },
  'a user who was never active, with the correct password': async () => {
    const username = newId('u');
    await service.givenUser({ username, password: 'a password', isActive: false });
    return [username, 'a password'];
  },
  'a user whose password has not been generated yet': async () => {
    const username = newId('u');
    await service.givenUser({ username });
    return [username, 'wrong'];
  },
  'a user whose password was reset, with the old one': async () => {
    const { serial, username, password } = await givenSignedInUser(service);
    await service.request('POST', `/service/users/${serial}/reset-password`);
    return [username, password];
  },
  'a user whose username was removed, with the correct password': async () => {
    const { serial, username, password } = await givenSignedInUser(service);
    await patch(serial, { username: null });
    return [username, password];
  },
  'an employee ID in another case': async () => {
    const { employeeID, password } = await givenSignedInUser(service, null, {
      employeeID: newId('e').toLowerCase(),
    });
    return [employeeID.toUpperCase(), password];
  },
  'a wrong guess at an expired initial password': async () => {
    const { serial, username } = await givenNewcomer(service);
    await expireInitialPassword(service, serial);
    return [username, 'wrong'];
  },
  'an expired initial password of a deactivated user': async () => {
    const { serial, username, password } = await givenNewcomer(service);
    await expireInitialPassword(service, serial);
    await patch(serial, { isActive: false });
    return [username, password];
  },
  'a password followed by a NUL': async () => {
    const { username, password } = await givenNewcomer(service);
    return [username, `${password}\u0000`];
  },
};

/** Names and passwords that nobody can have. */
const impossible: readonly Attempt[] = [
  ['ada\u0000', 'wrong'],
  ['🙈', 'wrong'],
  ['\ud83d', 'wrong'],
  ['a'.repeat(60_000), 'wrong'],
  [' admin ', 'wrong'],
  [`admin' OR '1'='1`, 'wrong'],
  ['%', 'wrong'],
  ['admin', 'p'.repeat(60_000)],
  ['admin', 'wrong\u0000'],
  ['admin', '\udc4d'],
];

describe('the same response, byte for byte, and one hash', () => {
  test('for every attempt that fails, whoever it is for', async () => {
    const known = await service.signIn(newId('nobody'), 'wrong');
    expectRefused(known);
    expect(known.headers.get('cache-control')).toBe('no-store');
    const given = await Promise.all(
      Object.entries(attempts).map(async ([what, attempt]) => [what, await attempt()] as const),
    );
    const all = [
      ...given,
      ...impossible.map((attempt) => [JSON.stringify(attempt).slice(0, 80), attempt] as const),
    ];
    for (const [what, [username, password]] of all) {
      let reply = known;
      const hashes = await hashesOf(service, async () => {
        reply = await service.signIn(username, password);
      });
      expect([what, hashes, visible(reply)]).toEqual([what, 1, visible(known)]);
    }
  });

  test('without starting a session', async () => {
    const { serial, username } = await givenNewcomer(service);
    await service.signIn(username, 'wrong');
    const { rows } = await service.database.pool.query(
      'SELECT count(*)::int FROM sessions WHERE user_serial = $1',
      [serial],
    );
    expect(rows[0].count).toBe(1);
  });
});

test('a password that is replaced while it is checked opens no session', async () => {
  const { serial, username, password, token } = await givenSignedInUser(service);
  const { passwords } = service.context;
  const isRight = passwords.matches.bind(passwords);
  const body = { currentPassword: password, newPassword: 'correct horse battery staple' };
  const matches = vi.spyOn(passwords, 'matches').mockImplementationOnce(async (typed, hash) => {
    const answer = await isRight(typed, hash);
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    return answer;
  });
  onTestFinished(() => matches.mockRestore());
  expectRefused(await service.signIn(username, password));
  const { rows } = await service.database.pool.query('SELECT FROM sessions WHERE user_serial = $1', [serial]);
  expect(rows, 'only that of the change').toHaveLength(1);
});

test('an expired initial password fails with 401 and 10210 if it is correct, after one hash', async () => {
  const { serial, username, password } = await givenNewcomer(service);
  await expireInitialPassword(service, serial);
  let reply: Reply | undefined;
  const hashes = await hashesOf(service, async () => {
    reply = await service.signIn(username, password);
  });
  const detail = /^This initial password has expired\. Ask an administrator/;
  expectFailure(reply as Reply, 401, 10210, 'ACCESS_PASSWORD_EXPIRED', detail);
  expect(reply?.headers.get('cache-control')).toBe('no-store');
  expect(hashes).toBe(1);
});

test('an invalid body fails with 400 and 10004, is not an attempt, and the detail has no password', async () => {
  const username = newId('nobody');
  const hashes = await hashesOf(service, async () => {
    const body = { username, password: ['canary secret'] };
    const reply = await service.post('/service/auth/sign-in', body, { token: null });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"password" must be a non-empty string/);
    expect(reply.text).not.toContain('canary');
  });
  expect([hashes, await failuresOf(service, nameKey(service, username))]).toEqual([0, 0]);
});

test('X-Forwarded-For is ignored without a trusted proxy', async () => {
  const own = () => failuresOf(service, addressKey(service, '127.0.0.1'));
  const before = await own();
  const body = { username: newId('nobody'), password: 'wrong' };
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  expectRefused(await service.post('/service/auth/sign-in', body, { token: null, headers }));
  expect(await failuresOf(service, addressKey(service, '203.0.113.1'))).toBe(0);
  expect((await own()) - before).toBe(1);
});

/** As if the queue of passwords to hash were full, until the test ends or the returned function is called. */
function beBusy(): () => void {
  const { passwords } = service.context;
  const spies = (['hash', 'matches', 'hashAll'] as const).map((method) =>
    vi.spyOn(passwords, method).mockRejectedValue(new HashingBusy()),
  );
  const end = () => {
    for (const spy of spies) spy.mockRestore();
  };
  onTestFinished(end);
  return end;
}

function expectBusy(reply: Reply): void {
  const detail =
    /^Too many passwords are being checked or set at the moment\. Nothing was changed; retry the request\.$/;
  expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
  expect(reply.headers.get('retry-after')).toBe('2');
}

describe('while too many passwords wait to be hashed', () => {
  test('a sign-in fails with 503, 10901 and Retry-After, and is not counted as a failure', async () => {
    const address = addressKey(service, '127.0.0.1');
    const names = [(await givenSignedInUser(service)).username, newId('nobody')];
    const before = await failuresOf(service, address);
    beBusy();
    for (const username of names) {
      expectBusy(await service.signIn(username, 'wrong'));
      expect(await failuresOf(service, nameKey(service, username))).toBe(0);
    }
    expect(await failuresOf(service, address)).toBe(before);
  });

  test('a password change fails with 503 and 10901, is not counted, and changes nothing', async () => {
    const { username, password, token } = await givenSignedInUser(service);
    const body = { currentPassword: password, newPassword: 'correct horse battery staple' };
    const end = beBusy();
    expectBusy(await service.post('/service/auth/change-password', body, { token }));
    end();
    expect(await failuresOf(service, nameKey(service, username))).toBe(0);
    expect((await service.signIn(username, password)).status).toBe(200);
  });

  test('a create with a password fails with 503 and 10901, and one without succeeds', async () => {
    const user = aUser({ password: 'a password' });
    beBusy();
    expectBusy(await service.post('/service/users', user));
    expect((await service.post('/service/users', { ...user, password: null })).status).toBe(201);
  });
});
