import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import {
  authorizationUrl,
  CookieBrowser,
  type GivenApplication,
  givenApplication,
  givenCode,
  givenTokens,
  newPkce,
  postForm,
  providerSettings,
  redeem,
} from '../../support/relying-party.js';
import { useOwnService } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';

/** What the basic profile of OpenID Connect requires and no other test is about. docs/openid-conformance.md lists it all. */
const service = useOwnService(providerSettings);

async function given(): Promise<{ application: GivenApplication; user: SignedInUser }> {
  return { application: await givenApplication(service), user: await givenSignedInUser(service) };
}

test('the metadata has the URLs of the issuer, whatever host a request names', async () => {
  const { json } = await service.request('GET', '/oidc/.well-known/openid-configuration', {
    token: null,
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  });
  const issuer = `${service.url}/oidc`;
  expect(json).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/session/end`,
    revocation_endpoint: `${issuer}/token/revocation`,
    introspection_endpoint: `${issuer}/token/introspection`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    request_uri_parameter_supported: false,
  });
  expect(json.scopes_supported).toContain('openid');
  expect(json.claims_supported).toEqual(expect.arrayContaining(['sub', 'iss', 'auth_time', 'name', 'email']));
});

test('keys are public, have an ID and are for signatures', async () => {
  const { json } = await service.get('/oidc/jwks', { token: null });
  expect(json.keys).toMatchObject([{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String) }]);
  expect(Object.keys(json.keys[0])).not.toContain('d');
});

test.each([
  ['without a nonce', { nonce: undefined }],
  ['without a state', { state: undefined }],
  ['with scopes in another order', { scope: 'profile openid' }],
  ['with an unknown parameter', { extra: 'foobar' }],
  ['with an unknown scope', { scope: 'openid other' }],
  ['with display=page', { display: 'page' }],
  ['with display=popup', { display: 'popup' }],
  ['with login_hint', { login_hint: 'ada@example.com' }],
  ['with ui_locales', { ui_locales: 'de fr' }],
  ['with claims_locales', { claims_locales: 'de' }],
  ['with acr_values', { acr_values: '1 2' }],
  ['with prompt=consent', { prompt: 'consent' }],
  ['with max_age=10000', { max_age: '10000' }],
])('a request %s succeeds', async (_name, overrides) => {
  const { application, user } = await given();
  const code = await givenCode(service, application, user, overrides);
  const { json, status } = await redeem(service, application, code);
  expect(status).toBe(200);
  const claims = decodeJwt(json.id_token);
  expect(claims.nonce).toBe('nonce' in overrides ? undefined : 'the nonce');
  expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat));
});

test('a request without a response type is refused', async () => {
  const { application, user } = await given();
  const url = authorizationUrl(service, application, newPkce(), { response_type: undefined });
  const back = await new CookieBrowser(service).signIn(user).follow(url);
  expect(back.url.searchParams.get('error')).toBe('invalid_request');
});

test('a request without a redirect URI is refused, also if only one is registered', async () => {
  const { application, user } = await given();
  const url = authorizationUrl(service, application, newPkce(), { redirect_uri: undefined });
  const { reply } = await new CookieBrowser(service).signIn(user).follow(url);
  expect(reply?.status).toBe(400);
  expect(reply?.headers.get('cache-control')).toBe('no-store');
  expect(reply?.headers.get('x-frame-options')).toBe('DENY');
});

test('prompt=login asks for another proof, and auth_time says when it was', async () => {
  const { application, user } = await given();
  const first = await givenTokens(service, application, user);
  await proveLongAgo(service, user.token);
  const { url } = await first.browser.follow(
    authorizationUrl(service, application, newPkce(), { prompt: 'login' }),
  );
  expect([url.pathname.split('/')[1], url.search]).toEqual(['sign-in', '?step=prove']);
  await service.database.pool.query('UPDATE sessions SET proven_at = now() WHERE user_serial = $1', [
    user.serial,
  ]);
  const id = url.pathname.split('/').at(-1);
  const back = await first.browser.follow(`${service.url}/oidc/interaction/${id}/continue`, { isOwn: true });
  expect(back.url.searchParams.get('code')).not.toBeNull();
  const silent = authorizationUrl(service, application, newPkce(), { prompt: 'none', max_age: '60' });
  expect((await first.browser.follow(silent)).url.searchParams.get('code')).not.toBeNull();
});

test('an old proof is not enough for max_age, and one that is recent enough is', async () => {
  const { application, user } = await given();
  const { browser } = await givenTokens(service, application, user);
  await proveLongAgo(service, user.token);
  const silent = (maxAge: string) =>
    authorizationUrl(service, application, newPkce(), { prompt: 'none', max_age: maxAge });
  const refused = await browser.follow(silent('1'));
  expect(refused.url.searchParams.get('error')).toBe('login_required');
  const accepted = await browser.follow(silent('10000000'));
  expect(accepted.url.searchParams.get('code')).not.toBeNull();
});

test('an ID token as a hint is accepted for its user, and refused for another one', async () => {
  const { application, user } = await given();
  const tokens = await givenTokens(service, application, user);
  const hinted = (hint: string) =>
    authorizationUrl(service, application, newPkce(), { prompt: 'none', id_token_hint: hint });
  const same = await tokens.browser.follow(hinted(tokens.id_token));
  expect(same.url.searchParams.get('code')).not.toBeNull();
  const other = await givenTokens(service, application, await givenSignedInUser(service));
  const refused = await tokens.browser.follow(hinted(other.id_token));
  expect(refused.url.searchParams.get('error')).toBe('login_required');
  const asked = authorizationUrl(service, application, newPkce(), { id_token_hint: other.id_token });
  const back = await tokens.browser.follow(asked);
  expect(back.url.searchParams.get('error')).toBe('login_required');
});

test('users can be sent by POST as well', async () => {
  const { application, user } = await given();
  const { search } = new URL(authorizationUrl(service, application, newPkce()));
  const browser = new CookieBrowser(service).signIn(user);
  const { url } = await browser.follow(`${service.url}/oidc/auth`, { method: 'POST', body: search.slice(1) });
  expect(url.searchParams.get('code')).not.toBeNull();
});

test('a code can come back in a form, which may only be sent to the application', async () => {
  const { application, user } = await given();
  const url = authorizationUrl(service, application, newPkce(), { response_mode: 'form_post' });
  const { reply } = await new CookieBrowser(service).signIn(user).follow(url);
  expect(reply?.text).toContain('action="https://wiki.example.com/callback"');
  const policy = reply?.headers.get('content-security-policy');
  expect(policy).toMatch(/script-src 'report-sample' 'sha256-[^']+'/);
  expect(policy).toContain("form-action 'self' https://wiki.example.com");
});

test('userinfo takes the token in the header by GET and POST and in a form, but not in the URL', async () => {
  const { application, user } = await given();
  const { access_token: token } = await givenTokens(service, application, user);
  const replies = [
    await service.get('/oidc/me', { token }),
    await service.request('POST', '/oidc/me', { token }),
    await postForm(service, '/oidc/me', { access_token: token }),
  ];
  for (const { status, json } of replies) expect([status, json.sub]).toEqual([200, user.serial]);
  const inUrl = await service.get(`/oidc/me?access_token=${token}`, { token: null });
  expect(inUrl.status).toBe(400);
  const unknown = await service.get('/oidc/me', { token: 'unknown' });
  expect(unknown.status).toBe(401);
  expect(unknown.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('the secret may be sent as a field of the form', async () => {
  const { application, user } = await given();
  const { code, verifier } = await givenCode(service, application, user);
  const reply = await postForm(service, '/oidc/token', {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ redirect_uri: application.redirectUri, client_id: application.id },
    client_secret: application.secret ?? '',
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('both secrets work while they overlap, and the old one ends at once if it has to', async () => {
  const { application, user } = await given();
  const path = `/service/applications/${application.id}/rotate`;
  const next = { ...application, secret: (await service.post(path, {})).json.data.secret };
  for (const each of [application, next]) {
    const given = await givenCode(service, application, user);
    expect((await redeem(service, each, given)).status).toBe(200);
  }
  const last = {
    ...application,
    secret: (await service.post(path, { overlapSeconds: 0 })).json.data.secret,
  };
  for (const [each, status] of [
    [application, 401],
    [next, 401],
    [last, 200],
  ] as const) {
    const given = await givenCode(service, application, user);
    expect((await redeem(service, each, given)).status).toBe(status);
  }
});

test('a new key signs at once, and the one before is still published', async () => {
  const { application, user } = await given();
  const before = await givenTokens(service, application, user);
  await service.database.pool.query('UPDATE openid_keys SET retired_at = now()');
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  await expect
    .poll(async () => kidOf((await givenTokens(service, application, user)).id_token), { timeout: 60_000 })
    .not.toBe(kidOf(before.id_token));
  const { keys } = (await service.get('/oidc/jwks', { token: null })).json;
  expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(kidOf(before.id_token));
});
