import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();

const me = (token: string) => service.get('/service/auth/me', { token });
const signOut = (token: string) => service.request('POST', '/service/auth/sign-out', { token });

function expectSignedOut(reply: Reply): void {
  const detail = /^Your session has ended: .* Sign in again with POST \/service\/auth\/sign-in\.$/;
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', detail);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}

async function signInAgain({ username, password }: SignedInUser): Promise<string> {
  return (await service.signIn(username, password)).json.data.accessToken;
}

function patch({ serial }: SignedInUser, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

function item({ employeeID }: SignedInUser, isActive: boolean) {
  return anItem({ employeeID, name: 'Ada Lovelace' }, { isActive });
}

async function sessionsOf({ serial }: SignedInUser): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM sessions WHERE user_serial = $1',
    [serial],
  );
  return rows;
}

describe('signing out', () => {
  test('ends the token immediately, and no other session of this user or of others', async () => {
    const [user, other] = [await givenSignedInUser(service), await givenSignedInUser(service)];
    const again = await signInAgain(user);
    const reply = await signOut(user.token);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Signed out.',
      data: { providerSignOutUrl: null },
    });
    expect(reply.status).toBe(200);
    expectSignedOut(await me(user.token));
    expectSignedOut(await signOut(user.token));
    for (const token of [again, other.token]) expect((await me(token)).status).toBe(200);
  });

  test('requires a user session: a client keeps its token', async () => {
    expect((await signOut(service.token)).json.errorCode).toBe(10214);
    expect((await me(service.token)).status).toBe(200);
  });
});

describe('a deactivation', () => {
  const deactivations: [string, (user: SignedInUser) => Promise<Reply>][] = [
    ['by PATCH', (user) => patch(user, { isActive: false })],
    ['by update-bulk', (user) => service.updateBulk([item(user, false)])],
    [
      'by update-bulk, with a reactivation in the same call',
      (user) => service.updateBulk([item(user, false), item(user, true)]),
    ],
  ];

  test.each(deactivations)(
    'ends all sessions of the user immediately, and for good even after a reactivation: %s',
    async (_, deactivate) => {
      const user = await givenSignedInUser(service, 'viewer');
      const tokens = [user.token, await signInAgain(user)];
      expect((await deactivate(user)).status).toBe(200);
      for (const token of tokens) expectSignedOut(await me(token));
      expect(await sessionsOf(user)).toEqual([]);
      expect((await patch(user, { isActive: true })).json.data.isActive).toBe(true);
      for (const token of tokens) expectSignedOut(await service.get('/service/users', { token }));
      expect((await service.signIn(user.username, user.password)).status).toBe(200);
    },
  );

  test('ends no session of others in the same call, and none if it fails', async () => {
    const [user, other, kept] = await Promise.all([1, 2, 3].map(() => givenSignedInUser(service)));
    if (!user || !other || !kept) throw new Error('three users are needed');
    const refused = { ...item(kept, false), phone: 7 };
    const reply = await service.updateBulk([item(other, false), item(user, true), refused]);
    expect(reply.json.data.failedItems).toHaveLength(1);
    expectSignedOut(await me(other.token));
    for (const { token } of [user, kept]) expect((await me(token)).status).toBe(200);
  });

  test('also ends the session of a user who must change an initial password', async () => {
    const newcomer = await givenNewcomer(service);
    await patch(newcomer, { isActive: false });
    const body = { currentPassword: newcomer.password, newPassword: 'correct horse battery staple' };
    expectSignedOut(await service.post('/service/auth/change-password', body, { token: newcomer.token }));
  });
});

describe('a session', () => {
  test('ends after its lifetime, which is twelve hours by default', async () => {
    const user = await givenSignedInUser(service);
    expect(await sessionsOf(user)).toEqual([{ seconds: 43_200 }]);
    const expire = (seconds: number) =>
      service.database.pool.query(
        'UPDATE sessions SET expires_at = now() + make_interval(secs => $2) WHERE user_serial = $1',
        [user.serial, seconds],
      );
    await expire(60);
    expect((await me(user.token)).status).toBe(200);
    await expire(0);
    expectSignedOut(await me(user.token));
  });

  test('is stored without its token or any password of the user', async () => {
    const { token, password, username, serial } = await givenSignedInUser(service);
    expect(await tablesHolding(service, serial)).toEqual(expect.arrayContaining(['sessions', 'credentials']));
    for (const secret of [token.slice('rcs_'.length), password, `initial ${username}`]) {
      expect(await tablesHolding(service, secret)).toEqual([]);
    }
  });

  test('has a new token each time, which is invalid if any character changes, and is not its stored hash', async () => {
    const user = await givenSignedInUser(service);
    const tokens = [user.token, await signInAgain(user), await signInAgain(user)];
    expect(new Set(tokens).size).toBe(3);
    const [token] = tokens as [string];
    expect(token).toMatch(/^rcs_[A-Za-z0-9_-]{43}$/);
    for (const at of [4, 25, 46]) {
      const flipped = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expectSignedOut(await me(flipped));
    }
    const { rows } = await service.database.pool.query<{ hash: string }>(
      'SELECT token_hash AS hash FROM sessions WHERE user_serial = $1',
      [user.serial],
    );
    expect(rows).toHaveLength(3);
    const malformed = [
      token.slice(0, -1),
      `${token}A`,
      token.replace('rcs_', 'rcx_'),
      token.replace('rcs_', 'RCS_'),
      token.slice(4),
      ...rows.flatMap(({ hash }) => [hash, `rcs_${hash}`, `rcs_${hash.slice(0, 43)}`]),
    ];
    for (const other of malformed) {
      expectFailure(
        await me(other),
        401,
        10202,
        'ACCESS_TOKEN_INVALID',
        /^(?:The token is invalid|Your session)/,
      );
    }
    expect((await me(token)).status).toBe(200);
  });
});
