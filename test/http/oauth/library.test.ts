import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clientCredentialsGrant,
  discovery,
  fetchProtectedResource,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { type ClientCredentials, TestService } from '../../support/service.js';

const wellKnown = '/.well-known/oauth-authorization-server';

let service: TestService;
/** Behind a reverse proxy, as libraries see it. */
let issuer = '';

/** A typical setup: it strips the path and forwards the well-known documents unchanged. */
const proxy = createServer((incoming, outgoing) => {
  const path = (incoming.url ?? '').replace(/^\/people\/rollcall(?=\/)/, '');
  const { hostname, port } = new URL(service.url);
  const { method, headers } = incoming;
  const passedOn = httpRequest({ hostname, port, path, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(passedOn);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/people/rollcall`;
  service = await TestService.start({
    ROLLCALL_PUBLIC_URL: `${issuer}/`,
    ROLLCALL_TOKEN_LIFETIME_SECONDS: '5400',
  });
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service.stop();
});

function discovered(
  { clientId }: ClientCredentials,
  authentication: ClientAuth | undefined,
  secret?: string,
): Promise<Configuration> {
  return discovery(new URL(issuer), clientId, secret, authentication, {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  });
}

interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** The OAuth error that the library throws. */
async function refusal(asked: Promise<unknown>): Promise<OAuthError> {
  const thrown = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof ResponseBodyError) {
    const { status, error, error_description } = thrown;
    return { status, error, error_description };
  }
  // A 401 carries a challenge, as HTTP requires; the library then returns the response with its body unread.
  if (thrown instanceof WWWAuthenticateChallengeError) {
    const { error, error_description } = (await thrown.response.json()) as OAuthError;
    return { status: thrown.status, error, error_description };
  }
  throw new Error('The library did not throw an OAuth error.', { cause: thrown });
}

const methods = [
  ['client_secret_basic', ClientSecretBasic],
  ['client_secret_post', ClientSecretPost],
] as const;

describe('an OAuth library', () => {
  test.each(methods)(
    'gets a token with %s, calls the service with it, and can verify it',
    async (_, method) => {
      const client = await createdClient(service, ['users:read', 'audit:read']);
      const configuration = await discovered(client, method(client.clientSecret));
      const tokens = await clientCredentialsGrant(configuration);
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        scope: 'users:read audit:read',
        expires_in: 5400,
      });
      const url = new URL(`${issuer}/service/users?limit=1`);
      expect((await fetchProtectedResource(configuration, tokens.access_token, url, 'GET')).status).toBe(200);
      const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri ?? ''));
      const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys, {
        issuer,
        audience: 'rollcall',
        typ: 'at+jwt',
        subject: client.clientId,
        requiredClaims: ['exp', 'iat', 'jti', 'client_id', 'scope'],
      });
      expect(payload).toMatchObject({ client_id: client.clientId, scope: 'users:read audit:read' });
      expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.stringMatching(/./) });
      expect(Number(payload.exp) - Number(payload.iat)).toBe(5400);
    },
  );

  test('gets a narrower token with its default authentication method, and learns which scope is missing', async () => {
    const client = await createdClient(service, ['users:read', 'users:write']);
    const configuration = await discovered(client, undefined, client.clientSecret);
    const { access_token: token, scope } = await clientCredentialsGrant(configuration, {
      scope: 'users:read',
    });
    expect(scope).toBe('users:read');
    const call = (bearer: string) =>
      fetchProtectedResource(configuration, bearer, new URL(`${issuer}/service/clients`), 'GET');
    await expect(call(token)).rejects.toMatchObject({
      status: 403,
      cause: [{ scheme: 'bearer', parameters: { error: 'insufficient_scope', scope: 'access:admin' } }],
    });
    await expect(call('x.y.z')).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  test.each(methods)('gets invalid_client for a wrong secret with %s', async (_, method) => {
    const configuration = await discovered(await createdClient(service), method('wrong'));
    expect(await refusal(clientCredentialsGrant(configuration))).toEqual({
      status: 401,
      error: 'invalid_client',
      error_description: 'The client ID or secret is wrong, or the client is disabled.',
    });
  });

  test('gets invalid_scope for a scope the client does not have', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const asked = clientCredentialsGrant(configuration, { scope: 'users:read access:admin' });
    expect(await refusal(asked)).toEqual({
      status: 400,
      error: 'invalid_scope',
      error_description: 'This client can only request these scopes: users:read.',
    });
  });
});

describe('a service behind a reverse proxy path', () => {
  test('serves its metadata under its own path and at the RFC 8414 location, and nowhere else', async () => {
    const beneath = await service.get(wellKnown, { token: null });
    const behind = await service.get(`${wellKnown}/people/rollcall`, { token: null });
    expect(beneath.json).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
    });
    expect(behind.status).toBe(200);
    expect(behind.json).toEqual(beneath.json);
    expect(behind.headers.get('content-type')).toMatch(/^application\/json/);
    for (const path of ['/people', '/people/other', '/people/rollcall/more']) {
      const reply = await service.get(`${wellKnown}${path}`, { token: null });
      expect([path, reply.status, reply.json.errorCode]).toEqual([path, 404, 10007]);
    }
    const posted = await service.request('POST', `${wellKnown}/people/rollcall`, { token: null });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
