import { expect, test } from 'vitest';
import {
  authorizationUrl,
  CookieBrowser,
  givenApplication,
  givenCode,
  givenTokens,
  newPkce,
  offline,
  providerSettings,
  redeem,
  refresh,
  userinfo,
} from '../../support/relying-party.js';
import { newId, useOwnService } from '../../support/service.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService(providerSettings);

async function givenAccess(overrides: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const application = await givenApplication(service, settings);
  const user = await givenSignedInUser(service, null, overrides);
  const tokens = await givenTokens(service, application, user, offline);
  const hasAccess = async () => (await userinfo(service, tokens.access_token)).status === 200;
  const canRefresh = async () => (await refresh(service, application, tokens.refresh_token)).status === 200;
  expect(await hasAccess()).toBe(true);
  return { application, user, tokens, hasAccess, canRefresh };
}

const change = (user: SignedInUser, body: object) =>
  service.request('PATCH', `/service/users/${user.serial}`, { body });

test('deactivation ends tokens for good, also if the user is reactivated', async () => {
  const { user, hasAccess, canRefresh } = await givenAccess();
  await change(user, { isActive: false });
  expect(await hasAccess()).toBe(false);
  await change(user, { isActive: true });
  expect(await hasAccess()).toBe(false);
  expect(await canRefresh()).toBe(false);
});

test('a code is worthless once its user is deactivated', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const given = await givenCode(service, application, user);
  await change(user, { isActive: false });
  expect((await redeem(service, application, given)).status).toBe(400);
});

test('who leaves the organization or the tags that may sign in loses access at once', async () => {
  const [organization, tag] = [newId('ORG'), newId('T')];
  for (const [body, settings] of [
    [{ organizationSerial: null }, { organizationSerials: [organization] }],
    [{ tagSerials: [] }, { tagSerials: [tag] }],
  ]) {
    const member = { organizationSerial: organization, tagSerials: [tag] };
    const { user, hasAccess, canRefresh } = await givenAccess(member, settings);
    await change(user, body as object);
    expect(await hasAccess()).toBe(false);
    expect(await canRefresh()).toBe(false);
  }
});

test('who is not among those who may sign in sees a page that says so, and can go back', async () => {
  const application = await givenApplication(service, { tagSerials: [newId('T')] });
  const browser = new CookieBrowser(service).signIn(await givenSignedInUser(service));
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce()));
  expect(url.pathname).toMatch(/^\/sign-in\//);
  expect(url.search).toBe('?step=refused');
  const id = url.pathname.split('/').at(-1);
  const back = await browser.follow(`${service.url}/oidc/interaction/${id}/abort`);
  expect(back.url.searchParams.get('error')).toBe('access_denied');
  expect(back.url.searchParams.get('state')).toBe('the state');
});

test('limits that are set later end the access of those whom they exclude', async () => {
  const { application, hasAccess, canRefresh } = await givenAccess();
  const path = `/service/applications/${application.id}`;
  await service.request('PATCH', path, { body: { tagSerials: [newId('T')] } });
  expect(await hasAccess()).toBe(false);
  await service.request('PATCH', path, { body: { tagSerials: [] } });
  expect(await canRefresh()).toBe(false);
});

test('claims of a scope that an application loses are not sent anymore, whatever its tokens say', async () => {
  const { application, tokens } = await givenAccess();
  expect((await userinfo(service, tokens.access_token)).json).toHaveProperty('email');
  await service.request('PATCH', `/service/applications/${application.id}`, {
    body: { scopes: ['profile'] },
  });
  const { json: claims } = await userinfo(service, tokens.access_token);
  expect(claims).toHaveProperty('name');
  expect(claims).not.toHaveProperty('email');
});

test('disabling or deleting an application ends its tokens', async () => {
  const disabled = await givenAccess();
  const path = `/service/applications/${disabled.application.id}`;
  await service.request('PATCH', path, { body: { isActive: false } });
  expect(await disabled.hasAccess()).toBe(false);
  await service.request('PATCH', path, { body: { isActive: true } });
  expect(await disabled.hasAccess()).toBe(false);
  const deleted = await givenAccess();
  await service.request('DELETE', `/service/applications/${deleted.application.id}`);
  expect(await deleted.hasAccess()).toBe(false);
});

test('signing out ends what was granted in that session, and nothing else', async () => {
  const { application, user, hasAccess, canRefresh } = await givenAccess();
  const again = await service.signIn(user.username, user.password);
  const elsewhere = { ...user, token: again.json.data.accessToken };
  const other = await givenTokens(service, application, elsewhere, offline);
  await service.post('/service/auth/sign-out', undefined, { token: user.token });
  expect(await hasAccess()).toBe(false);
  expect(await canRefresh()).toBe(false);
  expect((await userinfo(service, other.access_token)).status).toBe(200);
});

test('refresh tokens outlive a session that only expires, until all sessions are ended', async () => {
  const { application, user, tokens, hasAccess } = await givenAccess();
  const short = await givenTokens(service, application, user);
  await service.database.pool.query(
    `UPDATE sessions SET expires_at = now() - interval '1 s' WHERE user_serial = $1`,
    [user.serial],
  );
  expect(await hasAccess()).toBe(true);
  expect((await userinfo(service, short.access_token)).status).toBe(401);
  const next = await refresh(service, application, tokens.refresh_token);
  expect(next.status).toBe(200);
  await service.request('DELETE', `/service/users/${user.serial}/sessions`);
  expect((await refresh(service, application, next.json.refresh_token)).status).toBe(400);
});

test('a reset password ends everything', async () => {
  const { user, hasAccess, canRefresh } = await givenAccess();
  await service.post(`/service/users/${user.serial}/reset-password`, {});
  expect(await hasAccess()).toBe(false);
  expect(await canRefresh()).toBe(false);
});

test('erasure leaves nothing of a grant', async () => {
  const { user, hasAccess } = await givenAccess();
  await change(user, { isActive: false });
  await service.post(`/service/users/${user.serial}/erase`, {});
  expect(await hasAccess()).toBe(false);
  const { rows } = await service.database.pool.query('SELECT FROM openid_states WHERE user_serial = $1', [
    user.serial,
  ]);
  expect(rows).toEqual([]);
});

test('users see what has access to their data, and end it', async () => {
  const { application, user, hasAccess, canRefresh } = await givenAccess();
  const listed = await service.get('/service/me/applications', user);
  expect(listed.json.data.applications).toMatchObject([{ id: application.id, name: application.name }]);
  const path = `/service/me/applications/${application.id}`;
  expect((await service.request('DELETE', path, { token: user.token })).status).toBe(200);
  expect(await hasAccess()).toBe(false);
  expect(await canRefresh()).toBe(false);
  expect((await service.get('/service/me/applications', user)).json.data.applications).toEqual([]);
  expect((await service.request('DELETE', path, { token: user.token })).status).toBe(404);
});

test('the browser session of a user who signed out does not go on silently', async () => {
  const { application, user } = await givenAccess();
  const { browser } = await givenTokens(service, application, user);
  await service.post('/service/auth/sign-out', undefined, { token: user.token });
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce(), { prompt: 'none' }));
  expect(url.searchParams.get('error')).toBe('login_required');
});

test('another user of the same browser gets their own tokens', async () => {
  const application = await givenApplication(service);
  const { browser } = await givenTokens(service, application, await givenSignedInUser(service));
  const user = await givenSignedInUser(service);
  const url = authorizationUrl(service, application, newPkce(), { prompt: 'login' });
  const { url: back } = await browser.signIn(user).follow(url);
  expect(back.searchParams.get('code') ?? back.pathname).not.toBeNull();
});
