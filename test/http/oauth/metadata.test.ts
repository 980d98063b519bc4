import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const service = useService();
const wellKnown = '/.well-known/oauth-authorization-server';

// A service with a path in its public URL is tested in library.test.ts.
test('the metadata has the RFC 8414 fields that our clients need, without authentication', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  const reply = await service.get(wellKnown, { token: null, headers });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
  expect(reply.json).toEqual({
    issuer: 'http://localhost:8080',
    token_endpoint: 'http://localhost:8080/oauth/token',
    revocation_endpoint: 'http://localhost:8080/oauth/revoke',
    jwks_uri: 'http://localhost:8080/.well-known/jwks.json',
    scopes_supported: [
      'users:read',
      'users:write',
      'access:admin',
      'audit:read',
      'attributes:sensitive',
      'scim',
    ],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: 'http://localhost:8080/docs',
  });
});
