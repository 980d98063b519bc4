import { describe, expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const service = useService();

describe('for probes', () => {
  test.each([
    ['/healthz', 'The process is running.'],
    ['/readyz', 'Ready.'],
  ])('%s returns 200 without a token, whatever Accept says', async (path, message) => {
    for (const accept of ['*/*', 'text/plain', 'text/html']) {
      const reply = await service.get(path, { token: null, headers: { accept } });
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ status: 'success', message });
    }
  });

  test.each(['/healthz', '/readyz'])('%s supports HEAD', async (path) => {
    const reply = await service.request('HEAD', path, { token: null });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe('');
  });
});

describe('for users', () => {
  async function docsPage(accept: string) {
    const response = await fetch(`${service.url}/docs`, { headers: { accept } });
    return { response, html: await response.text() };
  }

  test.each(['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html', '*/*'])(
    '/docs is an HTML page for Accept: %s',
    async (accept) => {
      const { response, html } = await docsPage(accept);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(html).toMatch(/<title>Rollcall API<\/title>/);
    },
  );

  test('/docs has a policy that allows only its own files', async () => {
    const { response } = await docsPage('*/*');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'self'/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
  });

  test('/docs references only files that exist and match Accept', async () => {
    const { response, html } = await docsPage('*/*');
    const files = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const accept = file.endsWith('.css') ? 'text/css' : file.endsWith('.png') ? 'image/png' : '*/*';
      const asset = await fetch(new URL(file, response.url), { headers: { accept } });
      expect(asset.status, file).toBe(200);
      expect(new URL(asset.url).origin, file).toBe(service.url);
    }
  });
});

describe('for machines', () => {
  test('/openapi.json is OpenAPI 3.1 and needs no token', async () => {
    const reply = await service.get('/openapi.json', { token: null });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.json.openapi).toMatch(/^3\.1\.\d+$/);
    expect(reply.json.info).toMatchObject({
      title: 'Rollcall',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test('/openapi.json describes the operations and nothing else', async () => {
    const { paths } = (await service.get('/openapi.json')).json;
    expect(paths['/service/users'].post).toMatchObject({ operationId: 'createUser' });
    expect(paths['/service/users/update-bulk'].post).toMatchObject({ operationId: 'updateUsersBulk' });
    expect(Object.keys(paths)).not.toContain('/docs');
    expect(Object.keys(paths['/service/users'])).toEqual(['post', 'get']);
  });
});
