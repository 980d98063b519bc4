import { afterEach, describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { newId } from '../../support/service.js';
import { cookieOf, proveLongAgo } from '../../support/sessions.js';

const { service, provider, browser, employee } = useCompany();

afterEach(() => {
  provider.tamper = undefined;
});

const me = async (token: string) =>
  (await service.get('/service/auth/me', { token: null, headers: cookieOf(service, token) })).json.data;
const eventsOf = async (serial: string) =>
  (await service.get(`/service/access-events?userSerial=${serial}`)).json.data.items;

describe('signing in with the provider', () => {
  test('opens a session of the user with the same employee ID', async () => {
    const user = await employee();
    const visitor = browser();
    expect(await visitor.signIn()).toBe('/signed-in');
    expect(await me(visitor.sessionToken ?? '')).toMatchObject({
      id: user.serial,
      role: null,
      method: 'provider',
    });
    const [event] = await eventsOf(user.serial);
    expect(event).toMatchObject({ kind: 'sign-in.succeeded', detail: { method: 'provider' } });
  });

  test('sets a cookie that is kept from scripts and other sites, and one for the way back', async () => {
    await employee();
    const visitor = browser();
    const { cookies } = await visitor.open(`${service.url}/service/auth/sso/start`);
    expect(cookies).toEqual([
      expect.stringMatching(/-sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const callback = await visitor.authorize();
    const { status, cookies: ofSession } = await visitor.open(callback.href);
    expect(status).toBe(303);
    expect(ofSession).toEqual([expect.stringMatching(/=rcs_.*; HttpOnly; SameSite=Strict$/)]);
  });

  test('asks the provider with PKCE, a state and a nonce, and stores neither', async () => {
    const { location } = await browser().open(`${service.url}/service/auth/sso/start`);
    const { searchParams } = new URL(location);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'rollcall',
      redirect_uri: 'http://localhost:8080/service/auth/sso/callback',
      scope: 'openid profile email groups',
      code_challenge_method: 'S256',
    });
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    const { rows } = await service.database.pool.query(
      `SELECT row_to_json(one)::text AS text FROM provider_sign_ins AS one`,
    );
    const stored = rows.map(({ text }) => text).join();
    for (const name of ['state', 'nonce']) expect(stored).not.toContain(searchParams.get(name));
  });

  test('ends the session that the browser had before, and two tabs do not disturb each other', async () => {
    const user = await employee();
    const visitor = browser();
    await visitor.signIn();
    const first = visitor.sessionToken ?? '';
    const [one, other] = [await visitor.authorize(), await visitor.authorize()];
    expect((await visitor.open(one.href)).location).toMatch(/\/signed-in$/);
    expect((await visitor.open(other.href)).location).toMatch(/\/signed-in$/);
    const old = await service.get('/service/auth/me', { token: null, headers: cookieOf(service, first) });
    expect(old.status).toBe(401);
    expect((await me(visitor.sessionToken ?? '')).id).toBe(user.serial);
  });

  test('takes claims from the ID token if they are there, and otherwise from userinfo', async () => {
    const user = await employee();
    provider.tamper = (claims) => ({ ...claims, employee_number: user.employeeID });
    provider.accounts.set(user.account, {});
    const visitor = browser();
    expect(await visitor.signIn()).toBe('/signed-in');
    expect((await me(visitor.sessionToken ?? '')).id).toBe(user.serial);
  });

  test('accepts a clock of the provider that is half a minute off', async () => {
    await employee();
    provider.tamper = (claims) => ({
      ...claims,
      iat: Number(claims.iat) + 30,
      exp: Math.floor(Date.now() / 1000) - 30,
    });
    expect(await browser().signIn()).toBe('/signed-in');
    provider.tamper = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 300 });
    expect(await browser().signIn()).toBe('/signed-in?problem=ACCESS_SSO_FAILED');
  });

  test('does not ask for the initial password to be changed', async () => {
    const user = await employee({ password: 'an initial password' });
    const visitor = browser();
    await visitor.signIn();
    const profile = await service.get('/service/me/profile', {
      token: null,
      headers: cookieOf(service, visitor.sessionToken ?? ''),
    });
    expect(profile.json.data.user.serial).toBe(user.serial);
  });
});

describe('users whom the service does not know', () => {
  test('learn so, and it is recorded', async () => {
    provider.signsIn = newId('stranger');
    provider.accounts.set(provider.signsIn, { employee_number: newId() });
    const visitor = browser();
    expect(await visitor.signIn()).toBe('/signed-in?problem=ACCESS_SSO_USER_UNKNOWN');
    expect(visitor.sessionToken).toBeUndefined();
    const { items } = (await service.get('/service/access-events?limit=5')).json.data;
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'sign-in.failed',
        detail: { method: 'provider', reason: 'userUnknown' },
      }),
    );
  });

  test('are the same as those for whom the provider sends no claim', async () => {
    provider.signsIn = newId('nameless');
    provider.accounts.set(provider.signsIn, {});
    expect(await browser().signIn()).toBe('/signed-in?problem=ACCESS_SSO_USER_UNKNOWN');
  });

  test('and who are inactive learn that', async () => {
    const user = await employee({ isActive: false });
    expect(await browser().signIn()).toBe('/signed-in?problem=ACCESS_SSO_USER_INACTIVE');
    const [event] = await eventsOf(user.serial);
    expect(event).toMatchObject({ kind: 'sign-in.failed', detail: { reason: 'userInactive' } });
  });
});

describe('a proof with the provider', () => {
  const prove = '/service/auth/sso/start?purpose=proof';
  const listClients = (token: string) =>
    service.request('POST', '/service/webhooks', {
      body: {},
      token: null,
      headers: { ...cookieOf(service, token), 'sec-fetch-site': 'same-origin' },
    });

  test('renews the session of the same user', async () => {
    const user = await employee();
    await service.request('PUT', `/service/users/${user.serial}/role`, { body: { role: 'administrator' } });
    const visitor = browser();
    await visitor.signIn();
    const before = visitor.sessionToken ?? '';
    await proveLongAgo(service, before);
    expect((await listClients(before)).json.message).toBe('ACCESS_PROOF_REQUIRED');
    expect(await visitor.signIn(prove)).toBe('/signed-in?purpose=proof');
    const after = visitor.sessionToken ?? '';
    expect(after).not.toBe(before);
    expect((await listClients(after)).status).toBe(400);
    expect((await listClients(before)).status).toBe(401);
    expect((await eventsOf(user.serial))[0]).toMatchObject({
      kind: 'identity.proven',
      detail: { method: 'provider' },
    });
  });

  test('has to be of the same user, and newer than its request', async () => {
    const user = await employee();
    const visitor = browser();
    await visitor.signIn();
    const token = visitor.sessionToken;
    provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 });
    expect(await visitor.signIn(prove)).toBe('/signed-in?purpose=proof&problem=ACCESS_SSO_FAILED');
    provider.tamper = ({ auth_time: _, ...claims }) => claims;
    expect(await visitor.signIn(prove)).toBe('/signed-in?purpose=proof&problem=ACCESS_SSO_FAILED');
    provider.tamper = undefined;
    const other = await employee();
    visitor.forget(provider.url);
    expect(await visitor.signIn(prove)).toBe('/signed-in?purpose=proof&problem=ACCESS_SSO_USER_DIFFERENT');
    expect(other.serial).not.toBe(user.serial);
    expect(visitor.sessionToken).toBe(token);
  });

  test('needs a session', async () => {
    const { location } = await browser().open(`${service.url}${prove}`);
    expect(location).toMatch(/\/signed-in\?purpose=proof&problem=ACCESS_SSO_FAILED$/);
  });
});
