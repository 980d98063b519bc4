import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allowInsecureRequests, ClientSecretBasic, clientCredentialsGrant, discovery } from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { TestService, useService } from '../../support/service.js';

const plain = useService();
const wellKnown = '/.well-known/oauth-authorization-server';

describe('GET /.well-known/oauth-authorization-server', () => {
  test('returns the RFC 8414 fields that our clients need, without authentication', async () => {
    const reply = await plain.get(wellKnown, { token: null });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    expect(reply.json).toEqual({
      issuer: 'http://localhost:8080',
      token_endpoint: 'http://localhost:8080/oauth/token',
      revocation_endpoint: 'http://localhost:8080/oauth/revoke',
      jwks_uri: 'http://localhost:8080/.well-known/jwks.json',
      scopes_supported: ['users:read', 'users:write', 'access:admin', 'audit:read'],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: 'http://localhost:8080/docs',
    });
  });

  test('ignores the host claimed by the caller', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const reply = await plain.get(wellKnown, { token: null, headers });
    expect(reply.text).not.toContain('evil');
  });
});

describe('a service behind a reverse proxy path', () => {
  let service: TestService;
  let publicUrl = '';

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
    publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/people/rollcall`;
    service = await TestService.start({ ROLLCALL_PUBLIC_URL: `${publicUrl}/` });
  });

  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
  });

  test('serves its metadata under its own path and at the RFC 8414 location', async () => {
    const beneath = await service.get(wellKnown, { token: null });
    const behind = await service.get(`${wellKnown}/people/rollcall`, { token: null });
    expect(beneath.json).toMatchObject({
      issuer: publicUrl,
      token_endpoint: `${publicUrl}/oauth/token`,
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    });
    expect(behind.status).toBe(200);
    expect(behind.json).toEqual(beneath.json);
    expect(behind.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test.each(['/people', '/people/other', '/people/rollcall/more'])(
    'serves no metadata at %s',
    async (path) => {
      const reply = await service.get(`${wellKnown}${path}`, { token: null });
      expect(reply.status).toBe(404);
      expect(reply.json.errorCode).toBe(10007);
    },
  );

  test('returns 405 to other methods there', async () => {
    const reply = await service.request('POST', `${wellKnown}/people/rollcall`, { token: null });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, HEAD');
  });

  test('is discovered by a library, which then gets a token through the proxy', async () => {
    const { clientId, clientSecret } = await createdClient(service, ['users:read']);
    const configuration = await discovery(
      new URL(publicUrl),
      clientId,
      undefined,
      ClientSecretBasic(clientSecret),
      { algorithm: 'oauth2', execute: [allowInsecureRequests] },
    );
    const { access_token: token } = await clientCredentialsGrant(configuration);
    const reply = await fetch(`${publicUrl}/service/users?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(200);
  });
});
