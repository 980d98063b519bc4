import { describe, expect, test, vi } from 'vitest';
import { allDeliveriesOf, noticesOf, useServiceWithMail } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, type Reply } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const { service, mail, gateway } = useServiceWithMail({}, { hasGateway: true });

const forgot = (username: string) =>
  service.post('/service/auth/forgot-password', { username }, { token: null });
const reset = (token: string, newPassword = 'a password of my own') =>
  service.post('/service/auth/reset-password-with-link', { token, newPassword }, { token: null });
const check = (token: string) =>
  service.post('/service/auth/check-password-link', { token }, { token: null });
const tokenIn = (text: string) => /\/new-password#(rcl_[\w-]{43})\s/.exec(text)?.[1] ?? '';

function expectInvalid(reply: Reply): void {
  expectFailure(
    reply,
    403,
    10253,
    'ACCESS_PASSWORD_LINK_INVALID',
    /^This link has expired, was used, or was replaced/,
  );
}

async function givenUser(overrides: Record<string, unknown> = {}) {
  const email = `${newId('r')}@example.org`;
  return { ...(await givenSignedInUser(service, null, { email, ...overrides })), email };
}

/** The token in the newest of so many links that were sent to the address. */
async function linkSentTo(address: string, count = 1): Promise<string> {
  const links = () =>
    mail.messages
      .filter(({ envelope, subject }) => envelope.to.includes(address) && subject?.includes('link'))
      .map(({ text }) => tokenIn(text ?? ''));
  await expect.poll(() => links().length).toBe(count);
  return links().at(-1) ?? '';
}

describe('a link to a new password', () => {
  test('is sent by email, works once, and ends all sessions', async () => {
    const user = await givenUser();
    expect((await forgot(user.username.toUpperCase())).status).toBe(202);
    const token = await linkSentTo(user.email);
    expect((await check(token)).status).toBe(200);
    expect((await reset(token)).status).toBe(200);
    expectInvalid(await check(token));
    expectInvalid(await reset(token));
    expect((await service.get('/service/auth/me', { token: user.token })).status).toBe(401);
    expect((await service.signIn(user.username, user.password)).status).toBe(401);
    const signedIn = await service.signIn(user.username, 'a password of my own');
    expect(signedIn.json.data).toMatchObject({ serial: user.serial, mustChangePassword: false });
    await expect.poll(async () => (await noticesOf(service, user.serial)).length).toBeGreaterThan(0);
    const { items } = (await service.get(`/service/access-events?userSerial=${user.serial}`)).json.data;
    const kinds = items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['password.link-requested', 'password.recovered']));
  });

  test('is sent by SMS to a user without an email', async () => {
    const phone = `+49 151 ${newId('').replace(/\D/g, '')}`;
    const user = await givenSignedInUser(service, null, { email: null, phone });
    await forgot(user.employeeID);
    const sent = () => gateway.requests.filter(({ body }) => body.includes('new-password'));
    await expect.poll(() => sent().length).toBe(1);
    expect((await reset(tokenIn(sent()[0]?.json.text))).status).toBe(200);
  });

  test('is stored as a hash only', async () => {
    const user = await givenUser();
    await forgot(user.username);
    const token = await linkSentTo(user.email);
    const { rows } = await service.database.pool.query(
      `SELECT row_to_json(link)::text || coalesce((SELECT string_agg(row_to_json(delivery)::text, '') FROM deliveries AS delivery), '') AS text
       FROM password_links AS link`,
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(token.slice(4));
    expect(service.logs).not.toContain(token.slice(4));
  });

  test('ends with a newer one, with another password, and after 15 minutes', async () => {
    const user = await givenUser();
    await forgot(user.username);
    const first = await linkSentTo(user.email);
    await forgot(user.username);
    const second = await linkSentTo(user.email, 2);
    expectInvalid(await reset(first));
    await service.post(
      '/service/auth/change-password',
      { currentPassword: user.password, newPassword: 'changed meanwhile' },
      { token: user.token },
    );
    expectInvalid(await reset(second));
    await forgot(user.username);
    const third = await linkSentTo(user.email, 3);
    const { rows } = await service.database.pool.query(
      `UPDATE password_links SET expires_at = expires_at - interval '15 minutes' WHERE user_serial = $1
       RETURNING extract(epoch FROM now() - expires_at) AS ago`,
      [user.serial],
    );
    expect(Number(rows[0]?.ago)).toBeGreaterThanOrEqual(0);
    expectInvalid(await reset(third));
  });

  test('ends when its address is not the one of the user anymore, or the user is deactivated', async () => {
    const [moved, gone] = [await givenUser(), await givenUser()];
    for (const { username } of [moved, gone]) await forgot(username);
    const links = [await linkSentTo(moved.email), await linkSentTo(gone.email)];
    const patch = (serial: string, body: object) =>
      service.request('PATCH', `/service/users/${serial}`, { body });
    await patch(moved.serial, { email: `${newId('new')}@example.org` });
    await patch(gone.serial, { isActive: false });
    for (const link of links) expectInvalid(await reset(link));
  });

  test('stays if the password is refused', async () => {
    const user = await givenUser();
    await forgot(user.username);
    const token = await linkSentTo(user.email);
    expect((await reset(token, 'short')).json.message).toBe('ACCESS_PASSWORD_REFUSED');
    expect((await reset(token, `${user.username}1`)).json.data.rule).toBeDefined();
    expect((await reset(token)).status).toBe(200);
  });

  test('is used by one of several at the same time', async () => {
    const user = await givenUser();
    await forgot(user.username);
    const token = await linkSentTo(user.email);
    const replies = await Promise.all([1, 2, 3].map((each) => reset(token, `the password number ${each}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  });

  test.each(['', 'rcl_', `rcl_${'A'.repeat(43)}`, "rcl_' OR 1=1"])('is not %o', async (token) => {
    const reply = await reset(token);
    if (token !== '') {
      expectInvalid(reply);
      expectInvalid(await check(token));
    }
    expect(reply.status).toBeLessThan(500);
  });
});

describe('a request for a link', () => {
  test('gets the same reply and the same statements, whoever it is for', async () => {
    const user = await givenUser();
    const inactive = await givenUser();
    await service.request('PATCH', `/service/users/${inactive.serial}`, { body: { isActive: false } });
    const query = vi.spyOn(service.database.pool, 'query');
    const asked: { statements: string[]; body: string; headers: string[]; status: number }[] = [];
    for (const name of [
      user.username,
      inactive.username,
      newId('nobody'),
      '',
      'two words',
      user.employeeID,
    ]) {
      query.mockClear();
      const reply = await forgot(name || ' ');
      const statements = query.mock.calls
        .map(([call]) => (typeof call === 'object' ? String((call as { name?: string }).name) : ''))
        .filter((each) => ['get-login-by-name', 'count-attempt', 'request-password-link'].includes(each));
      const headers = [...reply.headers.keys()].sort();
      asked.push({ statements, body: reply.text, headers, status: reply.status });
    }
    query.mockRestore();
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(asked[0]).toMatchObject({
      status: 202,
      statements: ['get-login-by-name', 'count-attempt', 'request-password-link'],
    });
    expect(
      (await allDeliveriesOf(service, inactive.serial)).filter(({ kind }) => kind === 'password-link'),
    ).toEqual([]);
  });

  test('sends nothing to an address that somebody else has set in the last 24 hours', async () => {
    const [user, own] = [await givenUser(), await givenUser()];
    const [theirs, ours] = [`${newId('new')}@example.org`, `${newId('new')}@example.org`];
    const set = (serial: string, email: string) =>
      service.request('PATCH', `/service/users/${serial}`, { body: { email } });
    await set(user.serial, theirs);
    await set(own.serial, ours);
    const { pool } = service.database;
    await pool.query(
      `UPDATE changes SET actor_kind = 'person', actor_id = user_serial::text WHERE user_serial = $1`,
      [own.serial],
    );
    await forgot(user.username);
    await forgot(own.username);
    await linkSentTo(ours);
    expect((await allDeliveriesOf(service, user.serial)).map(({ kind }) => kind)).not.toContain(
      'password-link',
    );
    await pool.query(`UPDATE changes SET at = at - interval '24 hours' WHERE user_serial = $1`, [
      user.serial,
    ]);
    await forgot(user.username);
    await linkSentTo(theirs);
  });

  test('is delayed after three for a name, whether or not somebody has it', async () => {
    const user = await givenUser();
    for (const name of [user.username, newId('nobody')]) {
      const statuses = [];
      for (let times = 0; times < 4; times++) statuses.push((await forgot(name)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
    }
    expect((await service.signIn(user.username, user.password)).status).toBe(200);
  });

  test('sends five links an hour, in silence beyond', async () => {
    const user = await givenUser();
    for (let times = 0; times < 6; times++) {
      await service.database.pool.query('DELETE FROM sign_in_guards');
      expect((await forgot(user.username)).status).toBe(202);
    }
    const links = (await allDeliveriesOf(service, user.serial)).filter(
      ({ kind }) => kind === 'password-link',
    );
    expect(links).toHaveLength(5);
  });

  test('is not sent anymore after an hour', async () => {
    const user = await givenUser();
    await service.database.pool.query(
      `INSERT INTO deliveries (id, user_serial, to_email, kind, state, priority, secret_key_id, created_at)
       VALUES (gen_random_uuid(), $1, $2, 'password-link', 'waiting', 0, 'links', now() - interval '61 minutes')`,
      [user.serial, user.email],
    );
    const stateOf = async () =>
      (await allDeliveriesOf(service, user.serial)).find(({ kind }) => kind === 'password-link')?.state;
    await expect.poll(stateOf).toBe('cancelled');
  });
});

test('a password that somebody else may have recovered at an address of their own gets no role', async () => {
  const user = await givenUser();
  const operator = await givenSignedInUser(service, 'operator');
  const set = (email: string) =>
    service.request('PATCH', `/service/users/${user.serial}`, { body: { email }, token: operator.token });
  const theirs = `${newId('new')}@example.org`;
  await set(theirs);
  await service.database.pool.query(
    `UPDATE changes SET at = at - interval '24 hours' WHERE user_serial = $1`,
    [user.serial],
  );
  await forgot(user.username);
  await reset(await linkSentTo(theirs));
  await set(user.email);
  expect((await service.signIn(user.username, 'a password of my own')).status).toBe(200);
  await service.request('PUT', `/service/users/${user.serial}/role`, { body: { role: 'administrator' } });
  expect((await service.signIn(user.username, 'a password of my own')).status).toBe(401);
});
