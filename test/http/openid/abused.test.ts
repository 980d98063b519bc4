import { expect, test } from 'vitest';
import {
  asApplication,
  authorizationUrl,
  CookieBrowser,
  givenApplication,
  givenCode,
  givenTokens,
  newPkce,
  offline,
  postForm,
  providerSettings,
  redeem,
  refresh,
  userinfo,
} from '../../support/relying-party.js';
import { useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService(providerSettings);

test('a code that is used twice ends everything that was granted with it', async () => {
  const application = await givenApplication(service);
  const given = await givenCode(service, application, await givenSignedInUser(service), offline);
  const first = await redeem(service, application, given);
  const second = await redeem(service, application, given);
  expect(second).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  expect((await userinfo(service, first.json.access_token)).status).toBe(401);
  expect((await refresh(service, application, first.json.refresh_token)).status).toBe(400);
});

test('of many requests with the same code at the same time, at most one succeeds', async () => {
  const application = await givenApplication(service);
  const given = await givenCode(service, application, await givenSignedInUser(service));
  const replies = await Promise.all(Array.from({ length: 8 }, () => redeem(service, application, given)));
  expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(replies.every(({ status }) => status < 500)).toBe(true);
});

test('a code needs its own verifier, redirect URI and application', async () => {
  const application = await givenApplication(service);
  const other = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const refused = { status: 400, json: { error: 'invalid_grant' } };
  for (const [by, overrides] of [
    [application, { code_verifier: newPkce().verifier }],
    [application, { redirect_uri: 'https://wiki.example.com/other' }],
    [other, {}],
    [application, { code: 'x'.repeat(43) }],
  ] as const) {
    const given = await givenCode(service, application, user);
    expect(await redeem(service, by, given, overrides)).toMatchObject(refused);
  }
  const given = await givenCode(service, application, user);
  const { code_verifier: _, ...without } = {
    code_verifier: '',
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: application.redirectUri,
  };
  expect((await asApplication(service, application, '/oidc/token', without)).status).toBe(400);
});

test.each([
  ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['for an implicit flow', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['for a hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
  ['with a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['with a request URI', { request_uri: 'https://wiki.example.com/request' }, 'request_uri_not_supported'],
  ['with contradictory prompts', { prompt: 'none login' }, 'invalid_request'],
  ['with an invalid max_age', { max_age: '-1' }, 'invalid_request'],
])('a request %s goes back to the application with an error', async (_name, overrides, error) => {
  const application = await givenApplication(service);
  const browser = new CookieBrowser(service).signIn(await givenSignedInUser(service));
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce(), overrides));
  const parameters = new URLSearchParams(url.search || url.hash.slice(1));
  expect(url.origin).toBe('https://wiki.example.com');
  expect(parameters.get('error')).toBe(error);
  expect(parameters.get('state')).toBe('the state');
});

test.each([
  'https://wiki.example.com/callback/',
  'https://wiki.example.com/callback?x=1',
  'https://wiki.example.com/Callback',
  'https://wiki.example.com:8443/callback',
  'http://wiki.example.com/callback',
  'https://wiki.example.com.evil.example/callback',
  'https://wiki.example.com@evil.example/callback',
  'https://wiki.example.com/callback#fragment',
  'https://wiki.example.com/callback/../callback',
  'javascript:alert(1)',
  '//evil.example',
  '',
])('nobody is sent to %j, which is not registered', async (redirectUri) => {
  const application = await givenApplication(service);
  const browser = new CookieBrowser(service).signIn(await givenSignedInUser(service));
  const url = authorizationUrl(service, application, newPkce(), { redirect_uri: redirectUri });
  const { reply } = await browser.follow(url);
  expect(reply?.status).toBe(400);
  expect(reply?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('a refresh token that was replaced ends the access of whoever has a copy', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const first = await givenTokens(service, application, user, offline);
  const second = await refresh(service, application, first.refresh_token);
  expect(await refresh(service, application, first.refresh_token)).toMatchObject({
    status: 400,
    json: { error: 'invalid_grant' },
  });
  expect((await refresh(service, application, second.json.refresh_token)).status).toBe(400);
  expect((await userinfo(service, second.json.access_token)).status).toBe(401);
  await expect.poll(() => eventsOf('application.copy-used', application.id)).toBe(1);
});

test('refresh tokens belong to one application', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const { refresh_token: token } = await givenTokens(service, application, user, offline);
  expect((await refresh(service, await givenApplication(service), token)).status).toBe(400);
  expect((await refresh(service, application, token)).status).toBe(200);
});

test('wrong secrets and unknown applications are refused and recorded', async () => {
  const application = await givenApplication(service);
  const form = { grant_type: 'refresh_token', refresh_token: 'x' };
  for (const wrong of [
    { ...application, secret: 'wrong' },
    { ...application, id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f' },
    { ...application, id: "'; DROP TABLE users; --" },
  ]) {
    const reply = await asApplication(service, wrong, '/oidc/token', form);
    expect(reply).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
  }
  const unauthenticated = await postForm(service, '/oidc/token', { ...form, client_id: application.id });
  expect(unauthenticated.status).toBe(401);
  await expect.poll(() => eventsOf('token.refused', application.id)).toBe(1);
});

async function eventsOf(kind: string, applicationId: string): Promise<number> {
  const { json } = await service.get(`/service/access-events?kind=${kind}&limit=100`);
  type Event = { detail: { applicationId?: string } };
  return json.data.items.filter(({ detail }: Event) => detail.applicationId === applicationId).length;
}

test('an application sees and revokes its own tokens only', async () => {
  const application = await givenApplication(service);
  const other = await givenApplication(service);
  const { access_token: token } = await givenTokens(service, application, await givenSignedInUser(service));
  const active = async (by: typeof application) =>
    (await asApplication(service, by, '/oidc/token/introspection', { token })).json;
  expect(await active(application)).toMatchObject({ active: true, client_id: application.id });
  expect(await active(other)).toEqual({ active: false });
  await asApplication(service, other, '/oidc/token/revocation', { token });
  expect((await userinfo(service, token)).status).toBe(200);
  await asApplication(service, application, '/oidc/token/revocation', { token });
  expect((await userinfo(service, token)).status).toBe(401);
  expect(await active(application)).toEqual({ active: false });
});

test('a sign-in that another browser began cannot be completed', async () => {
  const application = await givenApplication(service);
  const { url } = await new CookieBrowser(service).follow(authorizationUrl(service, application, newPkce()));
  const id = url.pathname.split('/').at(-1);
  const victim = new CookieBrowser(service).signIn(await givenSignedInUser(service));
  for (const step of ['continue', 'abort']) {
    const { reply } = await victim.follow(`${service.url}/oidc/interaction/${id}/${step}`);
    expect(reply?.status).toBe(400);
    expect(reply?.text).toContain('expired');
  }
  expect((await victim.follow(`${service.url}/oidc/auth/${id}`)).reply?.status).toBe(400);
});

test('the table of the provider contains nothing that a browser or an application presents', async () => {
  const application = await givenApplication(service);
  const user = await givenSignedInUser(service);
  const { browser, ...tokens } = await givenTokens(service, application, user, offline);
  const { code } = await givenCode(service, application, user);
  await browser.follow(authorizationUrl(service, application, newPkce(), { prompt: 'login' }));
  const { rows } = await service.database.pool.query('SELECT * FROM openid_states');
  const stored = JSON.stringify(rows);
  const presented = [
    tokens.access_token,
    tokens.refresh_token as string,
    code,
    ...browser.cookies.filter(({ name }) => name.startsWith('rollcall-openid')).map(({ value }) => value),
  ];
  expect(presented).toHaveLength(4);
  for (const secret of presented) expect(stored).not.toContain(secret);
  expect(service.logs).not.toContain(tokens.access_token);
});

const hostile = [
  '\u0000',
  '\ud800',
  '%',
  '%00',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '{"a":1}',
  'a'.repeat(8_000),
  '\r\nset-cookie: x=1',
  '__proto__',
  '🦄',
];

test('no parameter makes the provider fail', async () => {
  const application = await givenApplication(service);
  const browser = new CookieBrowser(service).signIn(await givenSignedInUser(service));
  const names = [
    ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'code_challenge'],
    ...['code_challenge_method', 'prompt', 'max_age', 'login_hint', 'id_token_hint', 'response_mode'],
    ...['ui_locales', 'acr_values', 'claims', 'display', 'unknown'],
  ];
  for (const name of names) {
    for (const value of hostile) {
      const url = new URL(authorizationUrl(service, application, newPkce(), { [name]: value }));
      const reply = await browser.request(url, true);
      expect.soft(reply.status, `${name}=${value.slice(0, 40)}`).toBeLessThan(500);
      expect(reply.text).not.toContain('<script>alert');
      expect(reply.headers.get('set-cookie') ?? '').not.toContain('x=1');
    }
  }
});

test('no form makes the provider fail', async () => {
  const application = await givenApplication(service);
  for (const path of ['/oidc/token', '/oidc/token/introspection', '/oidc/token/revocation', '/oidc/me']) {
    for (const value of hostile) {
      for (const name of [
        'grant_type',
        'code',
        'refresh_token',
        'token',
        'redirect_uri',
        'scope',
        'access_token',
      ]) {
        const reply = await asApplication(service, application, path, {
          grant_type: 'authorization_code',
          [name]: value,
        });
        expect.soft(reply.status, `${path} ${name}=${value.slice(0, 40)}`).toBeLessThan(500);
      }
    }
    const large = await service.request('POST', path, {
      token: null,
      rawBody: `code=${'x'.repeat(200_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(large.status).toBeLessThan(500);
    const json = await service.post(path, { grant_type: 'authorization_code' }, { token: null });
    expect(json.status).toBe(400);
    const packed = await service.request('POST', path, {
      token: null,
      rawBody: 'code=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
    });
    expect(packed.status).toBe(415);
  }
});

test('there is no dynamic registration, and no pushed request', async () => {
  const { json } = await service.get('/oidc/.well-known/openid-configuration', { token: null });
  for (const name of ['registration_endpoint', 'pushed_authorization_request_endpoint'])
    expect(json).not.toHaveProperty(name);
  expect(json).toMatchObject({
    issuer: `${service.url}/oidc`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  });
  expect((await service.post('/oidc/reg', {}, { token: null })).status).toBe(404);
});

test.each(['the browser of the attacker', 'the browser of the victim'])(
  'an application on a domain next to ours that copies cookies gets no code in %s',
  async (ends) => {
    const application = await givenApplication(service);
    const attacker = new CookieBrowser(service);
    const { url } = await attacker.follow(authorizationUrl(service, application, newPkce()));
    const id = url.pathname.split('/').at(-1);
    const victim = new CookieBrowser(service);
    victim.signIn(await givenSignedInUser(service)).take(attacker.cookies);
    const isOfVictim = ends === 'the browser of the victim';
    if (isOfVictim) attacker.signIn(await givenSignedInUser(service));
    const [decides, goesOn] = isOfVictim ? [attacker, victim] : [victim, attacker];
    const decided = await decides.request(new URL(`${service.url}/oidc/interaction/${id}/continue`));
    const next = decided.headers.get('location') ?? '';
    expect(next).toBe(`${service.url}/oidc/auth/${id}`);
    const { reply } = await goesOn.follow(next, { isOwn: true });
    expect(reply?.status).toBe(400);
    expect(reply?.text).toContain('This sign-in has expired');
  },
);
