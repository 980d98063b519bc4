import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_DOCS: 'off', ROLLCALL_PUBLIC_URL: '' });

describe('a service that does not describe itself', () => {
  test.each(['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css', '/openapi.json'])(
    'has nothing at %s',
    async (path) => {
      const reply = await service.get(path, { token: null });
      expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /disabled/);
    },
  );

  test('does not name the page in its metadata', async () => {
    const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
    expect(json).not.toHaveProperty('service_documentation');
  });
});

describe('a service whose public URL is not given', () => {
  test('is its own issuer where it listens, also on a port that was chosen for it', async () => {
    const { json } = await service.get('/.well-known/oauth-authorization-server', { token: null });
    expect(json).toMatchObject({ issuer: service.url, token_endpoint: `${service.url}/oauth/token` });
    const { iss } = JSON.parse(Buffer.from(service.token.split('.')[1] ?? '', 'base64url').toString());
    expect(iss).toBe(service.url);
    expect((await service.get('/service/auth/me')).status).toBe(200);
  });

  test('says nothing of transport security, and has no security.txt without a contact', async () => {
    expect((await service.get('/healthz')).headers.get('strict-transport-security')).toBeNull();
    expect((await service.get('/.well-known/security.txt')).status).toBe(404);
  });
});
