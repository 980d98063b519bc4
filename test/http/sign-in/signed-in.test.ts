import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HashingBusy, PasswordHasher } from '../../../src/domain/passwords/password.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';
import { hashesOf, storeHash } from '../../support/strict-sign-in.js';

const service = useService();

function expectSignedIn(reply: Reply): void {
  expect(reply.json.message).toMatch(/^Signed in/);
  expect(reply.status).toBe(200);
}

function expectRefused(reply: Reply): void {
  expect([reply.status, reply.json.errorCode]).toEqual([401, 10208]);
}

describe('the name of a sign-in', () => {
  const withoutUsername = async () => {
    const password = `initial ${newId()}`;
    return { ...(await service.givenUser({ username: null, password })), password };
  };

  test('can be the employee ID, with or without a username', async () => {
    const user = await withoutUsername();
    const reply = await service.signIn(user.employeeID, user.password);
    expectSignedIn(reply);
    expect(reply.json.data.serial).toBe(user.serial);
    const { accessToken: token } = reply.json.data;
    const body = { currentPassword: user.password, newPassword: `chosen by ${newId()}` };
    const changed = await service.post('/service/auth/change-password', body, { token });
    const me = await service.get('/service/auth/me', { token: changed.json.data.accessToken });
    expect(me.json.data).toMatchObject({ username: null, employeeID: user.employeeID });
    const named = await givenNewcomer(service);
    expectSignedIn(await service.signIn(named.employeeID, named.password));
  });

  test('can be the username in any case', async () => {
    const username = newId('MixedCase');
    await service.givenUser({ username, password: 'a password' });
    for (const spelled of [username, username.toLowerCase(), username.toUpperCase()]) {
      expectSignedIn(await service.signIn(spelled, 'a password'));
    }
  });

  test('is a username first: a user whose employee ID is the username of another cannot use it', async () => {
    const user = await withoutUsername();
    const password = `initial ${newId()} other`;
    const other = await service.givenUser({ username: user.employeeID.toLowerCase(), password });
    expectRefused(await service.signIn(user.employeeID, user.password));
    const reply = await service.signIn(user.employeeID, password);
    expect(reply.json.data.serial).toBe(other.serial);
  });

  test('can be a changed username immediately, and no longer the old one', async () => {
    const { serial, username, password } = await givenNewcomer(service);
    const renamed = newId('renamed');
    await service.request('PATCH', `/service/users/${serial}`, { body: { username: renamed } });
    expectSignedIn(await service.signIn(renamed, password));
    expectRefused(await service.signIn(username, password));
  });
});

describe('a sign-in returns', () => {
  test('only a token, its lifetime, and the identity and permissions of the user, and is not cached', async () => {
    const { username, password, serial } = await givenSignedInUser(service, 'operator');
    const reply = await service.signIn(username, password);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Signed in.',
      data: {
        accessToken: expect.stringMatching(/^rcs_[A-Za-z0-9_-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 43_200,
        sessionId: expect.any(String),
        method: 'password',
        mustChangePassword: false,
        secondFactor: 'none',
        serial,
        role: 'operator',
        scopes: ['users:read', 'users:write'],
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('a new token each time, even if an old one is sent, and earlier ones stay valid', async () => {
    const user = await givenSignedInUser(service);
    const { username, password } = user;
    const body = { username, password };
    const reply = await service.post('/service/auth/sign-in', body, { token: 'rcs_old' });
    expect(reply.json.data).toMatchObject({ role: null, scopes: [] });
    const { accessToken } = reply.json.data;
    expect(accessToken).not.toBe(user.token);
    for (const token of [user.token, accessToken]) {
      expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    }
  });
});

test('a password is case-sensitive, includes surrounding spaces, and matches in every Unicode form', async () => {
  const username = newId('spaces');
  const password = ' a Pässwört ';
  await service.givenUser({ username, password: password.normalize('NFD') });
  expectSignedIn(await service.signIn(username, password.normalize('NFC')));
  for (const other of [password.trim(), password.toLowerCase()]) {
    expectRefused(await service.signIn(username, other));
  }
});

describe('a hash with outdated parameters', () => {
  const present = /^\$argon2id\$v=19\$m=8192,t=1,p=1\$/;

  /** A user whose password was hashed with other parameters. */
  async function givenOutdated() {
    const user = await givenSignedInUser(service);
    const earlier = new PasswordHasher({ memoryKib: 9_000, passes: 2, concurrency: 1, waitingMax: 1 });
    await storeHash(service, user.serial, await earlier.hash(user.password));
    return user;
  }

  async function hashOf(serial: string): Promise<string> {
    const { rows } = await service.database.pool.query(
      'SELECT password_hash FROM credentials WHERE user_serial = $1',
      [serial],
    );
    return rows[0].password_hash;
  }

  test('is upgraded once when its user signs in, without ending sessions or requiring a change', async () => {
    const { serial, username, password, token } = await givenOutdated();
    expect(await hashOf(serial)).not.toMatch(present);
    const signIn = async () => {
      const reply = await service.signIn(username, password);
      expect(reply.json.data).toMatchObject({ mustChangePassword: false });
    };
    expect(await hashesOf(service, signIn)).toBe(2);
    expect(await hashOf(serial)).toMatch(present);
    expect(await hashesOf(service, signIn)).toBe(1);
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
  });

  test('is kept if the password is wrong, or while too many passwords wait to be hashed', async () => {
    const { serial, username, password } = await givenOutdated();
    const before = await hashOf(serial);
    expectRefused(await service.signIn(username, 'wrong'));
    const hash = vi.spyOn(service.context.passwords, 'hash').mockRejectedValue(new HashingBusy());
    onTestFinished(() => hash.mockRestore());
    expectSignedIn(await service.signIn(username, password));
    expect(hash).toHaveBeenCalledTimes(1);
    expect(await hashOf(serial)).toBe(before);
  });

  test('does not fail concurrent sign-ins or a concurrent password change', async () => {
    const { username, password, token } = await givenOutdated();
    const signIns = await Promise.all([1, 2, 3].map(() => service.signIn(username, password)));
    expect(signIns.map((reply) => reply.status)).toEqual([200, 200, 200]);
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
