import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenPerson, givenNewcomer, givenPerson } from '../../support/people.js';
import { anItem, type Reply, useService } from '../../support/service.js';

const service = useService();

const me = (token: string) => service.get('/service/auth/me', { token });

function expectSignedOut(reply: Reply): void {
  const detail = /^Your session has ended\. Sign in again with POST \/service\/auth\/sign-in\.$/;
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', detail);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}

function patch({ serial }: GivenPerson, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

function item({ employeeID }: GivenPerson, isActive: boolean) {
  return anItem({ employeeID, name: 'Ada Lovelace' }, { isActive });
}

async function sessionsOf({ serial }: GivenPerson): Promise<number> {
  const { rows } = await service.database.pool.query(
    'SELECT count(*)::int FROM sessions WHERE user_serial = $1',
    [serial],
  );
  return rows[0].count;
}

describe('signing out', () => {
  test('ends the token immediately', async () => {
    const { token } = await givenPerson(service);
    expect((await me(token)).status).toBe(200);
    const reply = await service.request('POST', '/service/auth/sign-out', { token });
    expect(reply.json).toEqual({ status: 'success', message: 'Signed out.', data: {} });
    expect(reply.status).toBe(200);
    expectSignedOut(await me(token));
    expectSignedOut(await service.request('POST', '/service/auth/sign-out', { token }));
  });

  test('keeps the other sessions of this user and of others', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    await service.request('POST', '/service/auth/sign-out', { token: person.token });
    for (const token of [accessToken, other.token]) expect((await me(token)).status).toBe(200);
  });

  test('requires a user session: a client fails with 403 and 10214 and keeps its token', async () => {
    const reply = await service.request('POST', '/service/auth/sign-out');
    const detail = /^This operation requires a user session\. Get one from POST \/service\/auth\/sign-in\.$/;
    expectFailure(reply, 403, 10214, 'ACCESS_USER_REQUIRED', detail);
    expect((await me(service.token)).status).toBe(200);
  });
});

describe('a deactivation', () => {
  const deactivations: [string, (person: GivenPerson) => Promise<Reply>][] = [
    ['by PATCH', (person) => patch(person, { isActive: false })],
    ['by update-bulk', (person) => service.updateBulk([item(person, false)])],
    [
      'by update-bulk, with a reactivation in the same call',
      (person) => service.updateBulk([item(person, false), item(person, true)]),
    ],
  ];

  test.each(deactivations)('ends all sessions of the user immediately: %s', async (_, deactivate) => {
    const person = await givenPerson(service, 'viewer');
    const { accessToken } = (await service.signIn(person.username, person.password)).json.data;
    expect((await deactivate(person)).status).toBe(200);
    for (const token of [person.token, accessToken]) {
      expectSignedOut(await me(token));
      expectSignedOut(await service.get('/service/users', { token }));
    }
    expect(await sessionsOf(person)).toBe(0);
  });

  test.each(deactivations)(
    'ends old tokens for good, even after a reactivation: %s',
    async (_, deactivate) => {
      const person = await givenPerson(service);
      await deactivate(person);
      expect((await patch(person, { isActive: true })).json.data.isActive).toBe(true);
      expectSignedOut(await me(person.token));
      expect((await service.signIn(person.username, person.password)).status).toBe(200);
    },
  );

  test('of others in the same call keeps the sessions of a user who stays active', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    await service.updateBulk([item(other, false), item(person, true)]);
    expect((await me(person.token)).status).toBe(200);
    expectSignedOut(await me(other.token));
  });

  test('that fails in its bulk call ends no session', async () => {
    const person = await givenPerson(service);
    const refused = { ...item(person, false), phone: 7 };
    expect((await service.updateBulk([refused])).json.data.failedItems).toHaveLength(1);
    expect((await me(person.token)).status).toBe(200);
  });

  test('also ends the session of a user who must change an initial password', async () => {
    const newcomer = await givenNewcomer(service);
    await patch(newcomer, { isActive: false });
    const body = { currentPassword: newcomer.password, newPassword: 'correct horse battery staple' };
    expectSignedOut(await service.post('/service/auth/change-password', body, { token: newcomer.token }));
  });
});

describe('a password reset', () => {
  test('ends all sessions of the user immediately', async () => {
    const person = await givenPerson(service);
    await service.request('POST', `/service/users/${person.serial}/reset-password`);
    expectSignedOut(await me(person.token));
    expect(await sessionsOf(person)).toBe(0);
  });
});

describe('a session', () => {
  test('ends after its lifetime', async () => {
    const person = await givenPerson(service);
    const expire = (seconds: number) =>
      service.database.pool.query(
        'UPDATE sessions SET expires_at = now() + make_interval(secs => $2) WHERE user_serial = $1',
        [person.serial, seconds],
      );
    await expire(60);
    expect((await me(person.token)).status).toBe(200);
    await expire(0);
    expectSignedOut(await me(person.token));
  });

  test('lasts twelve hours by default', async () => {
    const { serial } = await givenPerson(service);
    const { rows } = await service.database.pool.query(
      'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM sessions WHERE user_serial = $1',
      [serial],
    );
    expect(rows).toEqual([{ seconds: 43_200 }]);
  });

  test('is stored without its token or any password of the user', async () => {
    const { token, password, username } = await givenPerson(service);
    const { rows: tables } = await service.database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['sessions', 'credentials']));
    const secrets = [token, token.slice('rcs_'.length), password, `initial ${username}`];
    for (const { name } of tables) {
      const { rows } = await service.database.pool.query(
        `SELECT count(*)::int FROM ${name} AS row, unnest($1::text[]) AS sought WHERE strpos(row::text, sought) > 0`,
        [secrets],
      );
      expect(rows[0].count, name).toBe(0);
    }
  });

  test.each([
    ['the first character', 4],
    ['one in the middle', 25],
    ['the last character', 46],
  ])('has a token that becomes invalid if one character changes: %s', async (_, at) => {
    const { token } = await givenPerson(service);
    expect(token).toMatch(/^rcs_[A-Za-z0-9_-]{43}$/);
    const flipped = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expectSignedOut(await me(flipped));
    expect((await me(token)).status).toBe(200);
  });

  test.each([
    ['one character fewer', (token: string) => token.slice(0, -1)],
    ['one character more', (token: string) => `${token}A`],
    ['another prefix', (token: string) => token.replace('rcs_', 'rcx_')],
    ['its prefix in upper case', (token: string) => token.replace('rcs_', 'RCS_')],
    ['no prefix', (token: string) => token.slice(4)],
  ])('has a token of a fixed format: with %s it fails with 401 and 10202', async (_, spoil) => {
    const { token } = await givenPerson(service);
    const reply = await me(spoil(token));
    expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /^The token is invalid or has expired\./);
  });

  test('has a unique token', async () => {
    const person = await givenPerson(service);
    const tokens = new Set([person.token]);
    for (let count = 0; count < 5; count++) {
      tokens.add((await service.signIn(person.username, person.password)).json.data.accessToken);
    }
    expect(tokens.size).toBe(6);
  });
});
