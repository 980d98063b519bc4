import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { newId } from '../../support/service.js';
import { cookieOf } from '../../support/sessions.js';

const { service, provider, browser, employee } = useCompany();

const logout = (token: string) =>
  service.request('POST', '/service/auth/sso/backchannel-logout', {
    rawBody: new URLSearchParams({ logout_token: token }).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

async function signedIn() {
  const user = await employee();
  let sid = '';
  provider.tamper = (claims) => {
    sid = String(claims.sid);
    return claims;
  };
  const visitor = browser();
  await visitor.signIn();
  provider.tamper = undefined;
  const token = visitor.sessionToken ?? '';
  const status = async () =>
    (await service.get('/service/auth/me', { token: null, headers: cookieOf(service, token) })).status;
  return { user, visitor, sid, token, status };
}

describe('a logout token of the provider', () => {
  test('ends the session that it names, and leaves others of the user', async () => {
    const one = await signedIn();
    provider.signsIn = one.user.account;
    const other = browser();
    await other.signIn();
    expect((await logout(await provider.logoutToken({ sid: one.sid }))).status).toBe(200);
    expect(await one.status()).toBe(401);
    const kept = await service.get('/service/auth/me', {
      token: null,
      headers: cookieOf(service, other.sessionToken ?? ''),
    });
    expect(kept.status).toBe(200);
    const { items } = (await service.get(`/service/access-events?userSerial=${one.user.serial}`)).json.data;
    expect(items[0]).toMatchObject({ kind: 'sessions.ended', detail: { method: 'provider', ended: 1 } });
  });

  test('with a subject ends all sessions that it opened', async () => {
    const [one, another] = [await signedIn(), await signedIn()];
    expect((await logout(await provider.logoutToken({ sub: one.user.account }))).status).toBe(200);
    expect([await one.status(), await another.status()]).toEqual([401, 200]);
  });

  test('counts once', async () => {
    const { user } = await signedIn();
    const token = await provider.logoutToken({ sub: user.account });
    const [first, second] = await Promise.all([logout(token), logout(token)]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    expect((await logout(token)).json).toMatchObject({
      error: 'invalid_request',
      errorCode: 10254,
      message: 'ACCESS_LOGOUT_TOKEN_INVALID',
    });
  });

  test.each([
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that names nobody', { sub: undefined }],
    ['about another event', { events: { 'https://example.com/other': {} } }],
    ['without events', { events: undefined }],
    ['with a nonce, which is an ID token', { nonce: 'one' }],
    ['without an ID', { jti: undefined }],
    ['from long ago', { iat: 1_700_000_000 }],
    ['from the future', { iat: 4_000_000_000 }],
    ['that has expired', { exp: 1_700_000_000 }],
  ])('%s is refused', async (_, claims) => {
    const { user, status } = await signedIn();
    const reply = await logout(await provider.logoutToken({ sub: user.account, ...claims }));
    expect([reply.status, reply.json.error, await status()]).toEqual([400, 'invalid_request', 200]);
  });

  test('of another type or without a signature is refused', async () => {
    const { user, status } = await signedIn();
    const token = await provider.logoutToken({ sub: user.account });
    const access = await provider.sign({ ...decodeJwt(token), jti: 'x' }, { typ: 'at+jwt' });
    const [, payload] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const bad of [access, unsigned, 'nonsense', '']) expect((await logout(bad)).status).toBe(400);
    expect(await status()).toBe(200);
  });
});

describe('signing out', () => {
  test('leads users of the provider to its own page, which ends other sessions as well', async () => {
    const { token, visitor, user } = await signedIn();
    const second = browser();
    provider.signsIn = user.account;
    await second.signIn();
    const reply = await service.request('POST', '/service/auth/sign-out', {
      token: null,
      headers: { ...cookieOf(service, token), 'sec-fetch-site': 'same-origin' },
    });
    const url = new URL(reply.json.data.providerSignOutUrl);
    expect(url.href.startsWith(`${provider.url}/session/end?`)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'rollcall',
      post_logout_redirect_uri: 'http://localhost:8080/',
    });
    expect((await visitor.open(url.href)).status).toBe(200);
  });

  test('does not concern the provider if they signed in with a password', async () => {
    const username = newId('u');
    await service.givenUser({ username, password: 'an initial password' });
    const { accessToken } = (await service.signIn(username, 'an initial password')).json.data;
    const reply = await service.request('POST', '/service/auth/sign-out', { token: accessToken });
    expect(reply.json.data).toEqual({ providerSignOutUrl: null });
  });
});
