import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_DOCS: 'off', ROLLCALL_PUBLIC_URL: '' });

describe('a service with documentation turned off', () => {
  test.each(['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css', '/openapi.json'])(
    'returns 404 for %s',
    async (path) => {
      const reply = await service.get(path, { token: null });
      expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /disabled/);
    },
  );

  test('omits the documentation page from its metadata', async () => {
    const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
    expect(json).not.toHaveProperty('service_documentation');
  });
});

describe('a service without a public URL', () => {
  test('uses its own address as issuer, even on a port chosen at start', async () => {
    const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
    expect(json).toMatchObject({ issuer: service.url, token_endpoint: `${service.url}/oauth/token` });
    const { iss } = JSON.parse(Buffer.from(service.token.split('.')[1] ?? '', 'base64url').toString());
    expect(iss).toBe(service.url);
    expect((await service.get('/service/auth/me')).status).toBe(200);
  });

  test('sends no Strict-Transport-Security, and has no security.txt without a contact', async () => {
    expect((await service.get('/healthz')).headers.get('strict-transport-security')).toBeNull();
    expect((await service.get('/.well-known/security.txt')).status).toBe(404);
  });
});
