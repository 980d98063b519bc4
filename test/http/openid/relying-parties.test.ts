import { spawn, spawnSync } from 'node:child_process';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApplicationServer } from '../../support/application-server.js';
import {
  CookieBrowser,
  givenApplication,
  newPkce,
  offline,
  providerSettings,
} from '../../support/relying-party.js';
import { useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService(providerSettings);
let server: ApplicationServer;
beforeAll(async () => {
  server = await ApplicationServer.start();
});
afterAll(() => server?.stop());

const given = (settings: Record<string, unknown> = {}) =>
  givenApplication(service, {
    redirectUris: [server.redirectUri],
    postLogoutUris: [`${server.url}/signed-out`],
    ...settings,
  });

async function backFrom(url: URL, browser: CookieBrowser): Promise<URL> {
  const { url: back, reply } = await browser.follow(url.href);
  if (reply) throw new Error(`not back at the application: ${back.href}`);
  return back;
}

describe('openid-client', () => {
  test.each([
    ['with a secret', false],
    ['without a secret', true],
  ])(
    'signs a user in to an application %s, refreshes, reads, revokes and signs out',
    async (_name, isPublic) => {
      const application = await given({ isPublic });
      const configuration = await server.discover(service, application.id, application.secret);
      server.parameters = offline;
      const user = await givenSignedInUser(service);
      const browser = new CookieBrowser(service).signIn(user);
      const known = await server.redeem(await backFrom(await server.authorizationUrl(), browser));
      expect(known).toMatchObject({ sub: user.serial, preferred_username: user.username });
      const { refresh_token: token = '', id_token: hint = '' } = server.tokens ?? {};
      const refreshed = await client.refreshTokenGrant(configuration, token);
      await client.fetchUserInfo(configuration, refreshed.access_token, user.serial);
      await client.tokenRevocation(configuration, refreshed.refresh_token ?? '');
      await expect(
        client.fetchUserInfo(configuration, refreshed.access_token, user.serial),
      ).rejects.toThrow();
      const { url, reply } = await browser.follow(
        client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: `${server.url}/signed-out`,
          id_token_hint: hint,
          state: 'the state',
        }).href,
      );
      const secret = /name="xsrf" value="([^"]+)"/.exec(reply?.text ?? '')?.[1] ?? '';
      expect(reply?.headers.get('content-security-policy')).toContain(`form-action 'self' ${server.url};`);
      const body = new URLSearchParams({ xsrf: secret, logout: 'yes' }).toString();
      const done = await browser.follow(`${url.origin}/oidc/session/end/confirm`, { method: 'POST', body });
      expect(done.url.href).toBe(`${server.url}/signed-out?state=the+state`);
      expect((await service.get('/service/auth/me', user)).status).toBe(401);
    },
  );
});

describe('oauth4webapi', () => {
  test('verifies everything about a sign-in by itself', async () => {
    const { id, secret } = await given();
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(`${service.url}/oidc`);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const application: oauth.Client = { client_id: id };
    const { verifier, challenge } = newPkce();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      ...{ client_id: id, redirect_uri: server.redirectUri, response_type: 'code', scope: 'openid profile' },
      ...{ state: 'the state', nonce: 'the nonce', code_challenge: challenge, code_challenge_method: 'S256' },
      max_age: '3600',
    }).toString();
    const user = await givenSignedInUser(service);
    const back = await backFrom(url, new CookieBrowser(service).signIn(user));
    const parameters = oauth.validateAuthResponse(as, application, back, 'the state');
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      application,
      oauth.ClientSecretPost(secret ?? ''),
      parameters,
      server.redirectUri,
      verifier,
      insecure,
    );
    const result = await oauth.processAuthorizationCodeResponse(as, application, response, {
      expectedNonce: 'the nonce',
      maxAge: 3600,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    const claims = oauth.getValidatedIdTokenClaims(result);
    const answer = await oauth.userInfoRequest(as, application, result.access_token, insecure);
    const info = await oauth.processUserInfoResponse(as, application, claims?.sub ?? '', answer);
    expect(info.sub).toBe(user.serial);
  });
});

/** The Python of Debian has its packages, even if another one comes first. */
const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import authlib, requests']).status === 0,
);
if (!python) console.warn('authlib is not tested: install python3-authlib and python3-requests.');

/** What Python adds to a URL of its own, and what it makes of the tokens. */
const script = `
import json, sys
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
issuer, client_id, secret, redirect_uri, url, verifier = sys.argv[1:]
session = OAuth2Session(client_id, secret, redirect_uri=redirect_uri, code_challenge_method='S256')
metadata = session.request('GET', issuer + '/.well-known/openid-configuration', withhold_token=True).json()
token = session.fetch_token(metadata['token_endpoint'], authorization_response=url, code_verifier=verifier)
keys = JsonWebKey.import_key_set(session.request('GET', metadata['jwks_uri'], withhold_token=True).json())
claims = jwt.decode(token['id_token'], keys, claims_options={'iss': {'value': issuer}, 'aud': {'value': client_id}})
claims.validate()
print(json.dumps({'sub': claims['sub'], 'user': session.get(metadata['userinfo_endpoint']).json()['sub']}))
`;

describe('authlib', () => {
  test.skipIf(!python)('redeems a code, verifies the ID token and reads the user', async () => {
    const application = await given();
    const { verifier, challenge } = newPkce();
    const url = new URL('/oidc/auth', service.url);
    url.search = new URLSearchParams({
      ...{ client_id: application.id, redirect_uri: server.redirectUri, response_type: 'code' },
      ...{ scope: 'openid profile', state: 'the state' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }).toString();
    const user = await givenSignedInUser(service);
    const back = await backFrom(url, new CookieBrowser(service).signIn(user));
    const facts = [`${service.url}/oidc`, application.id, application.secret ?? '', server.redirectUri];
    const running = spawn(python ?? '', ['-c', script, ...facts, back.href, verifier], {
      env: { ...process.env, AUTHLIB_INSECURE_TRANSPORT: '1' },
    });
    const output: string[] = [];
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (data) => output.push(String(data)));
    await new Promise((ended) => running.once('close', ended));
    expect(output.join('')).toContain(`{"sub": "${user.serial}", "user": "${user.serial}"}`);
  });
});
