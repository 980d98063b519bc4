import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
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
import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { freePort } from '../../support/postgres-server.js';
import { type ClientCredentials, useOwnService } from '../../support/service.js';

// Discovery requires the issuer to match the URL of the metadata, so the port is chosen before the start.
const port = await freePort();
const issuer = `http://127.0.0.1:${port}`;
const service = useOwnService({ PORT: String(port), ROLLCALL_PUBLIC_URL: issuer });

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

describe('an OAuth library', () => {
  test('discovers the endpoints', async () => {
    const configuration = await discovered(await createdClient(service), undefined);
    expect(configuration.serverMetadata()).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
    });
  });

  test.each([
    ['client_secret_basic', ClientSecretBasic],
    ['client_secret_post', ClientSecretPost],
  ])('gets a token with %s', async (_, authentication) => {
    const client = await createdClient(service, ['users:read', 'audit:read']);
    const configuration = await discovered(client, authentication(client.clientSecret));
    const tokens = await clientCredentialsGrant(configuration);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'users:read audit:read', expires_in: 3600 });
    expect(tokens.expiresIn()).toBeGreaterThan(3_500);
  });

  test('gets a token with its default authentication method', async () => {
    const client = await createdClient(service);
    const configuration = await discovered(client, undefined, client.clientSecret);
    expect((await clientCredentialsGrant(configuration)).access_token).toEqual(expect.any(String));
  });

  test('gets a narrower token when it requests a scope', async () => {
    const client = await createdClient(service, ['users:read', 'users:write']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const { scope } = await clientCredentialsGrant(configuration, { scope: 'users:read' });
    expect(scope).toBe('users:read');
  });

  test('calls the service with its token', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const { access_token: token } = await clientCredentialsGrant(configuration);
    const url = new URL(`${issuer}/service/users?limit=1`);
    expect((await fetchProtectedResource(configuration, token, url, 'GET')).status).toBe(200);
  });

  test('recognizes the challenge for an invalid token', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const url = new URL(`${issuer}/service/users?limit=1`);
    await expect(fetchProtectedResource(configuration, 'x.y.z', url, 'GET')).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  test('recognizes which scope is missing', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const { access_token: token } = await clientCredentialsGrant(configuration);
    const url = new URL(`${issuer}/service/clients`);
    await expect(fetchProtectedResource(configuration, token, url, 'GET')).rejects.toMatchObject({
      status: 403,
      cause: [{ scheme: 'bearer', parameters: { error: 'insufficient_scope', scope: 'access:admin' } }],
    });
  });

  test.each([
    ['client_secret_basic', ClientSecretBasic],
    ['client_secret_post', ClientSecretPost],
  ])('gets invalid_client for a wrong secret with %s', async (_, authentication) => {
    const configuration = await discovered(await createdClient(service), authentication('wrong'));
    expect(await refusal(clientCredentialsGrant(configuration))).toEqual({
      status: 401,
      error: 'invalid_client',
      error_description: 'The client ID or secret is wrong, or the client is disabled.',
    });
  });

  test('gets invalid_client for a disabled client', async () => {
    const client = await createdClient(service);
    const configuration = await discovered(client, ClientSecretPost(client.clientSecret));
    await service.request('PATCH', client.path, { body: { isActive: false } });
    const { status, error } = await refusal(clientCredentialsGrant(configuration));
    expect({ status, error }).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('gets invalid_scope for a scope the client does not have', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const asked = clientCredentialsGrant(configuration, { scope: 'users:read access:admin' });
    await expect(asked).rejects.toBeInstanceOf(ResponseBodyError);
    expect(await refusal(asked)).toEqual({
      status: 400,
      error: 'invalid_scope',
      error_description: 'This client can only request these scopes: users:read.',
    });
  });

  test('gets a token with the new secret after a rotation', async () => {
    const client = await createdClient(service);
    const rotated = await service.post(`${client.path}/rotate`, { overlapSeconds: 0 });
    const configuration = await discovered(client, ClientSecretBasic(rotated.json.data.secret));
    expect((await clientCredentialsGrant(configuration)).access_token).toEqual(expect.any(String));
  });
});

describe('a token', () => {
  test('can be verified with the keys published in the metadata', async () => {
    const client = await createdClient(service, ['users:read']);
    const configuration = await discovered(client, ClientSecretBasic(client.clientSecret));
    const { access_token: token } = await clientCredentialsGrant(configuration);
    const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri ?? ''));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: 'rollcall',
      typ: 'at+jwt',
      subject: client.clientId,
      requiredClaims: ['exp', 'iat', 'jti', 'client_id', 'scope'],
    });
    expect(payload).toMatchObject({ client_id: client.clientId, scope: 'users:read' });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.stringMatching(/./) });
    const { keys: published } = (await service.get('/.well-known/jwks.json', { token: null })).json;
    expect(published.map(({ kid }: { kid: string }) => kid)).toContain(decodeProtectedHeader(token).kid);
  });
});
