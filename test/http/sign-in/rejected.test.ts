import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { attemptGuards } from '../../../src/domain/access/sign-in-guard.js';
import { HashingBusy, PasswordHasher } from '../../../src/domain/passwords/password.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenNewcomer, givenPerson } from '../../support/people.js';
import { aUser, newId, type Reply, useOwnService } from '../../support/service.js';

const hashesAtOnce = 1;
const hashesWaitingMax = 2;

// Real hashing parameters with little concurrency. Delays are off, since they have their own tests.
const service = useOwnService({
  ROLLCALL_ARGON2_MEMORY_KIB: '19456',
  ROLLCALL_ARGON2_PASSES: '2',
  ROLLCALL_PASSWORD_HASHES_AT_ONCE: String(hashesAtOnce),
  ROLLCALL_PASSWORD_HASHES_WAITING_MAX: String(hashesWaitingMax),
  ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
});

type Attempt = readonly [username: string, password: string];

function expectRefused(reply: Reply): void {
  const detail = /^The username, employee ID or password is wrong, or the user is not allowed to sign in\.$/;
  expectFailure(reply, 401, 10208, 'ACCESS_SIGN_IN_FAILED', detail);
}

async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const before = service.context.passwords.hashesDone;
  await work();
  return service.context.passwords.hashesDone - before;
}

function patch(serial: string, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

async function expire(serial: string): Promise<void> {
  await service.database.pool.query('UPDATE credentials SET expires_at = now() WHERE user_serial = $1', [
    serial,
  ]);
}

const ofName = (username: string) => attemptGuards(service.context.limits, username, '').name.key;
const ofAddress = (address: string) => attemptGuards(service.context.limits, '', address).address.key;

/** How many failures are counted now. */
async function failuresOf(key: string): Promise<number> {
  const { rows } = await service.database.pool.query('SELECT failures FROM sign_in_guards WHERE key = $1', [
    key,
  ]);
  return rows[0]?.failures ?? 0;
}

const attempts: Readonly<Record<string, () => Promise<Attempt>>> = {
  'a wrong password': async () => [(await givenPerson(service)).username, 'wrong'],
  'an unknown username': async () => [newId('nobody'), 'wrong'],
  'a deactivated user with the correct password': async () => {
    const { serial, username, password } = await givenPerson(service);
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
    const { serial, username, password } = await givenPerson(service);
    await service.request('POST', `/service/users/${serial}/reset-password`);
    return [username, password];
  },
  'a user whose username was removed, with the correct password': async () => {
    const { serial, username, password } = await givenPerson(service);
    await patch(serial, { username: null });
    return [username, password];
  },
  'an employee ID in another case': async () => {
    const { employeeID, password } = await givenPerson(service, null, {
      employeeID: newId('e').toLowerCase(),
    });
    return [employeeID.toUpperCase(), password];
  },
  'a wrong guess at an expired initial password': async () => {
    const { serial, username } = await givenNewcomer(service);
    await expire(serial);
    return [username, 'wrong'];
  },
  'an expired initial password of a deactivated user': async () => {
    const { serial, username, password } = await givenNewcomer(service);
    await expire(serial);
    await patch(serial, { isActive: false });
    return [username, password];
  },
};

/** Everything visible in a reply, except values that count or date the request. */
function visible({ status, text, headers }: Reply): string {
  const shown = [...headers].filter(([name]) => !/^(?:date|x-request-id|ratelimit-.*)$/.test(name));
  return JSON.stringify([status, text, shown]);
}

describe('the same response, byte for byte, and one hash', () => {
  test.each(Object.entries(attempts))('for %s', async (_, given) => {
    const known = await service.signIn(newId('nobody'), 'wrong');
    const [username, password] = await given();
    let reply = known;
    expect(
      await hashesOf(async () => {
        reply = await service.signIn(username, password);
      }),
    ).toBe(1);
    expectRefused(reply);
    expect(visible(reply)).toBe(visible(known));
    expect(reply.headers.get('cache-control')).toBe('no-store');
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

describe('an impossible username or password gets the same response', () => {
  test.each<[string, string, string]>([
    ['a NUL in the username', 'ada\u0000', 'wrong'],
    ['an emoji as the username', '🙈', 'wrong'],
    ['a lone surrogate as the username', '\ud83d', 'wrong'],
    ['a username of 60,000 characters', 'a'.repeat(60_000), 'wrong'],
    ['a username with surrounding spaces', ' admin ', 'wrong'],
    ['a quotation mark in the username', `admin' OR '1'='1`, 'wrong'],
    ['a wildcard as the username', '%', 'wrong'],
    ['a password of 10,000 characters', 'admin', 'p'.repeat(10_000)],
    ['a password of 60,000 characters', 'admin', 'p'.repeat(60_000)],
    ['a NUL in the password', 'admin', 'wrong\u0000'],
    ['a lone surrogate as the password', 'admin', '\udc4d'],
  ])('%s', async (_, username, password) => {
    let reply: Reply | undefined;
    const hashes = await hashesOf(async () => {
      reply = await service.signIn(username, password);
    });
    expectRefused(reply as Reply);
    expect(hashes).toBe(1);
  });

  test('the correct password followed by a NUL', async () => {
    const { username, password } = await givenNewcomer(service);
    expectRefused(await service.signIn(username, `${password}\u0000`));
  });
});

describe('an expired initial password', () => {
  test('fails with 401 and 10210 if it is correct, after one hash', async () => {
    const { serial, username, password } = await givenNewcomer(service);
    await expire(serial);
    let reply: Reply | undefined;
    const hashes = await hashesOf(async () => {
      reply = await service.signIn(username, password);
    });
    const detail = /^This initial password has expired\. Ask an administrator/;
    expectFailure(reply as Reply, 401, 10210, 'ACCESS_PASSWORD_EXPIRED', detail);
    expect(reply?.headers.get('cache-control')).toBe('no-store');
    expect(hashes).toBe(1);
  });

  test('fails with 401 and 10208 if it is wrong, which reveals nothing', async () => {
    const { serial, username } = await givenNewcomer(service);
    await expire(serial);
    expectRefused(await service.signIn(username, 'wrong'));
  });
});

describe('an invalid body fails with 400 and 10004 and is not an attempt', () => {
  const good = { username: 'ada', password: 'a password' };

  test.each<[string, unknown, RegExp]>([
    ['no username', { password: 'x' }, /^"username" is required. It must be a non-empty string\.$/],
    ['no password', { username: 'ada' }, /^"password" is required. It must be a non-empty string\.$/],
    ['a null username', { ...good, username: null }, /^"username" is required/],
    ['an empty username', { ...good, username: '' }, /^"username" is required/],
    ['an empty password', { ...good, password: '' }, /^"password" is required/],
    [
      'a number as the username',
      { ...good, username: 7 },
      /^"username" must be a non-empty string.*, not a number/,
    ],
    [
      'a number as the password',
      { ...good, password: 7 },
      /^"password" must be a non-empty string.*, not a number/,
    ],
    ['an array as the password', { ...good, password: ['x'] }, /^"password" must be a non-empty string/],
    [
      'an object as the password',
      { ...good, password: {} },
      /^"password" must be a non-empty string.*, not an object/,
    ],
    ['an unknown field', { ...good, remember: true }, /^"remember" is not a field of this operation/],
    ['an array', [good], /^The body must be a JSON object, not an array\.$/],
    ['a string', 'ada', /^The body must be a JSON object, not a string\.$/],
  ])('%s', async (_, body, detail) => {
    let reply: Reply | undefined;
    const hashes = await hashesOf(async () => {
      reply = await service.post('/service/auth/sign-in', body, { token: null });
    });
    expectFailure(reply as Reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(hashes).toBe(0);
  });

  test('a repeated field', async () => {
    const rawBody = '{"username":"ada","password":"x","password":"y"}';
    const reply = await service.request('POST', '/service/auth/sign-in', { rawBody, token: null });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"password" appears twice\. Send it once\.$/);
  });

  test('without repeating the password in the detail', async () => {
    const body = { username: 'ada', password: ['canary secret'] };
    const reply = await service.post('/service/auth/sign-in', body, { token: null });
    expect(reply.status).toBe(400);
    expect(reply.text).not.toContain('canary');
  });
});

test('X-Forwarded-For is ignored without a trusted proxy', async () => {
  const before = await failuresOf(ofAddress('127.0.0.1'));
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    const body = { username: newId('nobody'), password: 'wrong' };
    const headers = { 'x-forwarded-for': address };
    expectRefused(await service.post('/service/auth/sign-in', body, { token: null, headers }));
    expect(await failuresOf(ofAddress(address))).toBe(0);
  }
  expect((await failuresOf(ofAddress('127.0.0.1'))) - before).toBe(3);
});

/** Fills the hashing queue until the test ends or the returned function is called. */
function keepBusy(): () => Promise<void> {
  const { passwords } = service.context;
  let isOver = false;
  const one = async () => {
    while (!isOver) {
      try {
        await passwords.hash('a password');
      } catch (error) {
        if (!(error instanceof HashingBusy)) throw error;
        await turn();
      }
    }
  };
  // One more than fits, to take each place that becomes free.
  const all = Array.from({ length: hashesAtOnce + hashesWaitingMax + 1 }, one);
  const end = async () => {
    isOver = true;
    await Promise.all(all);
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

const newPassword = 'correct horse battery staple';

describe('while too many passwords wait to be hashed', () => {
  test('a sign-in fails with 503, 10901 and Retry-After, and is not counted as a failure', async () => {
    const names = [(await givenPerson(service)).username, newId('nobody')];
    const before = await failuresOf(ofAddress('127.0.0.1'));
    const end = keepBusy();
    for (const username of names) expectBusy(await service.signIn(username, 'wrong'));
    await end();
    for (const username of names) {
      expect(await failuresOf(ofName(username))).toBe(0);
      expectRefused(await service.signIn(username, 'wrong'));
      expect(await failuresOf(ofName(username))).toBe(1);
    }
    expect((await failuresOf(ofAddress('127.0.0.1'))) - before).toBe(names.length);
  });

  test('a password change fails with 503 and 10901, is not counted, and changes nothing', async () => {
    const { username, password, token } = await givenPerson(service);
    const body = { currentPassword: password, newPassword };
    const change = () => service.post('/service/auth/change-password', body, { token });
    const end = keepBusy();
    expectBusy(await change());
    await end();
    expect(await failuresOf(ofName(username))).toBe(0);
    expect((await service.signIn(username, password)).status).toBe(200);
    expect((await change()).status).toBe(200);
  });

  test('a create with a password fails with 503 and 10901, and one without succeeds', async () => {
    const user = aUser({ password: 'a password' });
    keepBusy();
    expectBusy(await service.post('/service/users', user));
    expect((await service.post('/service/users', { ...user, password: null })).status).toBe(201);
  });

  test('requests that need no hash are served, including token checks', async () => {
    const { token } = await givenPerson(service);
    keepBusy();
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
  });

  test('a sign-in already verified succeeds, although its hash cannot be upgraded', async () => {
    const { serial, username, password } = await givenPerson(service);
    const earlier = new PasswordHasher({ memoryKib: 65_536, passes: 4, concurrency: 1, waitingMax: 1 });
    await service.database.pool.query('UPDATE credentials SET password_hash = $2 WHERE user_serial = $1', [
      serial,
      await earlier.hash(password),
    ]);
    const { passwords } = service.context;
    const before = passwords.hashesDone;
    const signingIn = service.signIn(username, password);
    while (passwords.hashesDone === before) await turn();
    keepBusy();
    expect((await signingIn).status).toBe(200);
  });
});
