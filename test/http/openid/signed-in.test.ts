import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import {
  authorizationUrl,
  CookieBrowser,
  givenApplication,
  givenTokens,
  newPkce,
  offline,
  providerSettings,
  refresh,
  userinfo,
} from '../../support/relying-party.js';
import { giveCode, givenUserWithApp, signInByPassword } from '../../support/second-factors.js';
import { newId, useOwnService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService(providerSettings);

test('a user who is signed in to the console comes back with a code, and the ID token names them', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const tokens = await givenTokens(service, application, user);
  const keys = createRemoteJWKSet(new URL('/oidc/jwks', service.url));
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token, keys, {
    issuer: `${service.url}/oidc`,
    audience: application.id,
  });
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload).toMatchObject({ sub: user.serial, nonce: 'the nonce', amr: ['pwd'] });
  expect(Date.now() / 1_000 - Number(payload.auth_time)).toBeLessThan(600);
  expect(tokens.refresh_token).toBeUndefined();
  expect(tokens.expires_in).toBe(600);
});

test('userinfo contains what the scopes include', async () => {
  const [attribute, secretAttribute, other] = [newId('a'), newId('a'), newId('a')];
  for (const [key, isSensitive] of [
    [attribute, false],
    [secretAttribute, true],
    [other, false],
  ] as const)
    await service.post('/service/attributes', { key, type: 'text', isSensitive });
  const application = await givenApplication(service, { attributes: [attribute, secretAttribute] });
  const manager = await service.givenUser();
  const user = await givenSignedInUser(service, null, {
    organizationSerial: newId('ORG'),
    tagSerials: ['T1'],
    managerEmployeeID: manager.employeeID,
    phone: '+44 20 7946 0958',
    attributes: { [attribute]: 'A', [secretAttribute]: 'B', [other]: 'C' },
  });
  const all = await givenTokens(service, application, user, { scope: 'openid profile email phone employee' });
  const { json } = await userinfo(service, all.access_token);
  expect(json).toMatchObject({
    sub: user.serial,
    preferred_username: user.username,
    email_verified: false,
    phone_number: '+44 20 7946 0958',
    phone_number_verified: false,
    employee_id: user.employeeID,
    tags: ['T1'],
    manager: { sub: manager.serial, employee_id: manager.employeeID },
    attributes: { [attribute]: 'A', [secretAttribute]: 'B' },
  });
  const least = await givenTokens(service, application, user, { scope: 'openid' });
  expect((await userinfo(service, least.access_token)).json).toEqual({ sub: user.serial });
});

test('an email is verified once its user has confirmed it', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service, null, { email: 'ada@example.com' });
  await service.database.pool.query(
    `INSERT INTO confirmed_contacts (user_serial, field, value) VALUES ($1, 'email', 'ada@example.com')`,
    [user.serial],
  );
  const { access_token: token } = await givenTokens(service, application, user, { scope: 'openid email' });
  expect((await userinfo(service, token)).json).toMatchObject({ email_verified: true });
  await service.request('PATCH', `/service/users/${user.serial}`, { body: { email: 'other@example.com' } });
  expect((await userinfo(service, token)).json).toMatchObject({
    email: 'other@example.com',
    email_verified: false,
  });
});

test('the subject stays the same when a user is renamed', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const { access_token: token } = await givenTokens(service, application, user);
  await service.request('PATCH', `/service/users/${user.serial}`, {
    body: { employeeID: newId('E'), username: newId('u') },
  });
  expect((await userinfo(service, token)).json.sub).toBe(user.serial);
});

test('refresh tokens need offline_access, and are replaced every time', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const first = await givenTokens(service, application, user, offline);
  const second = await refresh(service, application, first.refresh_token);
  expect(second.status).toBe(200);
  expect(second.json.refresh_token).not.toBe(first.refresh_token);
  const third = await refresh(service, application, second.json.refresh_token);
  expect((await userinfo(service, third.json.access_token)).json.sub).toBe(user.serial);
});

test('a second application needs no detour, also with prompt=none', async () => {
  const user = await givenSignedInUser(service);
  const { browser } = await givenTokens(service, await givenApplication(service), user);
  const other = await givenApplication(service);
  const { url } = await browser.follow(authorizationUrl(service, other, newPkce(), { prompt: 'none' }));
  expect(url.searchParams.get('code')).not.toBeNull();
  expect(url.searchParams.get('state')).toBe('the state');
  expect(url.searchParams.get('iss')).toBe(`${service.url}/oidc`);
});

test('who is not signed in gets to the sign-in page, and with prompt=none back to the application', async () => {
  const application = await givenApplication(service);
  const browser = new CookieBrowser(service);
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce()));
  expect(url.pathname).toMatch(/^\/sign-in\/[\w-]{21}/);
  const id = url.pathname.split('/').at(-1);
  const shown = await service.get(`/service/auth/applications/${id}`, { token: null });
  expect(shown.json.data).toEqual({ applicationName: application.name });
  const silent = await browser.follow(authorizationUrl(service, application, newPkce(), { prompt: 'none' }));
  expect(silent.url.searchParams.get('error')).toBe('login_required');
  // Then they sign in, and go on where they were.
  const user = await givenSignedInUser(service);
  const done = await browser.signIn(user).follow(`${service.url}/oidc/interaction/${id}/continue`);
  expect(done.url.searchParams.get('error')).toBeNull();
});

test('who has to change an initial password does so first', async () => {
  const application = await givenApplication(service);
  const browser = new CookieBrowser(service).signIn(await givenNewcomer(service));
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce()));
  expect(url.pathname).toMatch(/^\/sign-in\//);
});

test('who has to give a second factor does so first', async () => {
  const application = await givenApplication(service);
  const user = await givenUserWithApp(service);
  const token = await signInByPassword(service, user);
  const signIn = (by: string) =>
    new CookieBrowser(service)
      .signIn({ token: by })
      .follow(authorizationUrl(service, application, newPkce()));
  expect((await signIn(token)).url.pathname).toMatch(/^\/sign-in\//);
  const { accessToken } = (await giveCode(service, token, user.app.code())).json.data;
  expect((await signIn(accessToken)).url.searchParams.get('code')).not.toBeNull();
});

test('an ID token says that a code was given as well', async () => {
  const application = await givenApplication(service);
  const user = await givenUserWithApp(service);
  const session = await signInByPassword(service, user);
  const { accessToken: token } = (await giveCode(service, session, user.app.code())).json.data;
  const { id_token: idToken } = await givenTokens(service, application, { token });
  expect(decodeJwt(idToken).amr).toEqual(['pwd', 'otp', 'mfa']);
});

test('a session that lacks a second factor counts for nothing, also not silently', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const { browser } = await givenTokens(service, application, user);
  await service.database.pool.query('UPDATE sessions SET must_enrol = true WHERE user_serial = $1', [
    user.serial,
  ]);
  const silent = await browser.follow(authorizationUrl(service, application, newPkce(), { prompt: 'none' }));
  expect(silent.url.searchParams.get('error')).toBe('login_required');
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce()));
  expect([url.pathname.split('/')[1], url.search]).toEqual(['sign-in', '']);
});
