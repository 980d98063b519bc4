import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { cookieOf } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService({ ROLLCALL_TRUSTED_PROXIES: '127.0.0.1' });

const console = { 'sec-fetch-site': 'same-origin' };

test('the console gets its token in a cookie that scripts cannot read, and nowhere else', async () => {
  const { username, password } = await givenSignedInUser(service);
  const signIn = (headers: Record<string, string>) =>
    service.post('/service/auth/open-session', { username, password }, { token: null, headers });
  const local = await signIn(console);
  expect(local.json.data).not.toHaveProperty('accessToken');
  const port = new URL(service.url).port;
  expect(local.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^rollcall-local${port}=rcs_[A-Za-z0-9_-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
    ),
  );
  const secure = await signIn({ ...console, 'x-forwarded-proto': 'https' });
  expect(secure.headers.get('set-cookie')).toMatch(
    /^__Host-rollcall=rcs_[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = String(local.headers.get('set-cookie')).split(';')[0] ?? '';
  expect((await signIn({ ...console, cookie })).status).toBe(200);
  const before = await service.get('/service/auth/me', { token: null, headers: { cookie } });
  expect(before.status, 'of the session before').toBe(401);
  const foreign = await signIn({ origin: 'https://evil.example' });
  expectFailure(foreign, 403, 10234, 'ACCESS_ORIGIN_REFUSED', /^Requests with the cookie/);
  expect(foreign.headers.get('set-cookie')).toBeNull();
});

test('only the console changes something with the cookie', async () => {
  const { token, username, serial } = await givenSignedInUser(service, 'operator');
  const cookie = cookieOf(service, token);
  const rename = (headers: Record<string, string>) =>
    service.request('PATCH', `/service/users/${serial}`, {
      token: null,
      headers: { ...cookie, ...headers },
      body: { name: newId('Ada') },
    });
  const { host } = new URL(service.url);
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: `http://${host}.evil.example` },
    { origin: `http://evil.example/${host}` },
  ] as Record<string, string>[]) {
    expectFailure(await rename(headers), 403, 10234, 'ACCESS_ORIGIN_REFUSED', /^Requests with the cookie/);
  }
  for (const headers of [console, { origin: `http://${host}` }]) {
    expect((await rename(headers)).status).toBe(200);
  }
  const me = await service.get('/service/auth/me', { token: null, headers: cookie });
  expect(me.json.data.username).toBe(username);
});

test('the cookie of another name, two of them, or one beside a token do not count', async () => {
  const { token } = await givenSignedInUser(service);
  const { cookie } = cookieOf(service, token);
  const statusWith = async (headers: Record<string, string>) =>
    (await service.get('/service/auth/me', { token: null, headers })).status;
  expect(await statusWith({ cookie: `other=1; ${cookie}; more=2` })).toBe(200);
  for (const other of [
    `__Host-rollcall=${token}`,
    `x${cookie}`,
    `${cookie}; ${cookie}`,
    cookie.slice(0, -1),
  ]) {
    expect(await statusWith({ cookie: other })).toBe(401);
  }
  expect(await statusWith({ cookie: `__Host-rollcall=${token}`, 'x-forwarded-proto': 'https' })).toBe(200);
  expect(await statusWith({ cookie, authorization: 'Bearer rcs_wrong' })).toBe(401);
});

test('signing out and a new password replace the cookie', async () => {
  const { token, password } = await givenSignedInUser(service);
  const change = await service.post(
    '/service/auth/change-password',
    { currentPassword: password, newPassword: `another ${password}` },
    { token: null, headers: { ...cookieOf(service, token), ...console } },
  );
  expect(change.json.data).toEqual({ expiresIn: expect.any(Number) });
  const [, next = ''] = /=(rcs_[^;]+);/.exec(change.headers.get('set-cookie') ?? '') ?? [];
  const withCookie = (value: string) => ({
    token: null,
    headers: { ...cookieOf(service, value), ...console },
  });
  expect((await service.get('/service/auth/me', withCookie(token))).status).toBe(401);
  const out = await service.request('POST', '/service/auth/sign-out', withCookie(next));
  expect(out.headers.get('set-cookie')).toMatch(/=; Max-Age=0; Path=\/; HttpOnly/);
  expect((await service.get('/service/auth/me', withCookie(next))).status).toBe(401);
});
