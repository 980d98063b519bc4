import { describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { useService } from '../../support/service.js';

const service = useService();

async function page(path = '/') {
  const response = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } });
  return { response, html: await response.text() };
}

const scriptOf = (html: string) => /<script[^>]* src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';

describe('the console', () => {
  test.each([
    '/',
    '/users',
    '/users?search=ada',
    '/users/new',
    '/people',
    '/people/new',
    '/bulk/update',
    '/activity',
    '/activity/calls/1',
    '/account',
  ])('%s is its document, without a token and never from a cache', async (path) => {
    const { response, html } = await page(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(html).toContain('<title>Rollcall</title>');
  });

  test('its document holds no script, and names only files of its own', async () => {
    const { html } = await page();
    for (const [, attributes, content] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(attributes).toMatch(/ src="\/assets\//);
      expect(content).toBe('');
    }
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
    expect(named.length).toBeGreaterThan(2);
    for (const file of named) expect((await fetch(`${service.url}${file}`)).status).toBe(200);
  });

  test('its policy lets in no script but its own, and no other host', async () => {
    const policy = (await page()).response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/connect-src 'self'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:|\*/);
  });

  test('its files are kept for a year, since their names change with what is in them', async () => {
    const { html } = await page();
    const { headers } = await fetch(`${service.url}${scriptOf(html)}`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(scriptOf(html)).toMatch(/-[\w-]{8}\.js$/);
  });

  test.each(['br', 'gzip'])('its files come as %s to whoever takes that', async (encoding) => {
    const file = scriptOf((await page()).html);
    const ask = (accepted: string) =>
      fetch(`${service.url}${file}`, { headers: { 'accept-encoding': accepted } });
    const [plain, compressed] = [await ask('identity'), await ask(encoding)];
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(compressed.headers.get('content-encoding')).toBe(encoding);
    expect(compressed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(
      Number(plain.headers.get('content-length')) / 2,
    );
    expect(await compressed.text()).toBe(await plain.text());
  });

  test('a file that is not there is not found, in the form of the API', async () => {
    const reply = await service.get('/assets/nothing.js');
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
  });

  test.each(['/assets/../index.html', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/cli.js'])(
    '%s does not lead out of its folder',
    async (path) => {
      const reply = await sendRaw(service.url, rawRequest('GET', path, {}));
      expect([400, 403, 404]).toContain(reply.status);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});
