import { describe, expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const service = useService();

async function page(path = '/', headers: Record<string, string> = { accept: 'text/html' }) {
  const response = await fetch(`${service.url}${path}`, { headers });
  return { response, html: await response.text() };
}

const scriptOf = (html: string) => /<script[^>]* src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';

describe('the console', () => {
  test('serves its document at every path without a token and uncached', async () => {
    for (const path of [
      ...['/', '/users', '/users?search=ada', '/users/new', '/users/%00', '/users/a/b/c', '/import'],
      ...['/activity', '/activity/calls/1', '/activity/%2e%2e', '/changes', '/settings', '/tags', '/account'],
    ]) {
      const { response, html } = await page(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(html).toContain('<title>Rollcall</title>');
    }
  });

  test('has no inline scripts and references only its own files', async () => {
    const { html } = await page();
    for (const [, attributes, content] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(attributes).toMatch(/ src="\/assets\//);
      expect(content).toBe('');
    }
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
    expect(named.length).toBeGreaterThanOrEqual(2); // the icon and the script, which loads everything else
    for (const file of named) expect((await fetch(`${service.url}${file}`)).status).toBe(200);
  });

  test('has a policy that allows only its own scripts and no other host', async () => {
    const policy = (await page()).response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/connect-src 'self'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:|\*/);
  });

  test('has compressed files cached for a year, since their names change with their content', async () => {
    const file = scriptOf((await page()).html);
    expect(file).toMatch(/-[\w-]{8}\.js$/);
    const plain = await page(file, { 'accept-encoding': 'identity' });
    expect(plain.response.headers.get('content-encoding')).toBeNull();
    for (const encoding of ['br', 'gzip']) {
      const { response, html } = await page(file, { 'accept-encoding': encoding });
      const { headers } = response;
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(Number(headers.get('content-length'))).toBeLessThan(plain.html.length / 2);
      expect(html === plain.html).toBe(true); // megabytes, which no one wants to see
    }
  });

  test('says that a page does not exist to a browser, and to others as the API does', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const opened = await page('/no/such/page', { accept, 'if-none-match': '*' });
    expect(opened.response.status).toBe(404);
    expect(opened.response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(opened.response.headers.get('content-security-policy')).toMatch(/script-src 'self'/);
    expect(opened.html).toContain('<title>Rollcall</title>');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { html } = await page('/no/such/page', headers);
      expect(JSON.parse(html)).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
    }
    const api = await page('/service/nope', { accept });
    expect(JSON.parse(api.html)).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
  });
});

test.each([
  ['/healthz', 'The process is running.'],
  ['/readyz', 'Ready.'],
])('for probes, %s returns 200 without a token, whatever Accept says', async (path, message) => {
  for (const accept of ['*/*', 'text/html']) {
    const reply = await service.get(path, { token: null, headers: { accept } });
    expect([reply.status, reply.json]).toEqual([200, { status: 'success', message }]);
  }
  const head = await service.request('HEAD', path, { token: null });
  expect([head.status, head.text]).toEqual([200, '']);
});

describe('/docs', () => {
  test('is an HTML page with a policy that allows only its own files, which exist', async () => {
    for (const accept of ['text/html', '*/*']) {
      const { response, html } = await page('/docs', { accept });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(html).toMatch(/<title>Rollcall API<\/title>/);
    }
    const { response, html } = await page('/docs');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'self'/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
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

test('/openapi.json is OpenAPI 3.1, needs no token and describes the operations and nothing else', async () => {
  const { status, headers, json } = await service.get('/openapi.json', { token: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(json.openapi).toMatch(/^3\.1\.\d+$/);
  expect(json.info).toMatchObject({ title: 'Rollcall', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect(json.paths['/service/users'].post).toMatchObject({ operationId: 'createUser' });
  expect(Object.keys(json.paths)).not.toContain('/docs');
  expect(Object.keys(json.paths['/service/users'])).toEqual(['post', 'get']);
});
