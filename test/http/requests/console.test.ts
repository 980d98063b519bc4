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
    '/import',
    '/activity',
    '/activity/calls/1',
    '/changes',
    '/settings/tags',
    '/account',
  ])('serves its document at %s without a token and uncached', async (path) => {
    const { response, html } = await page(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(html).toContain('<title>Rollcall</title>');
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

  test('has files cached for a year, since their names change with their content', async () => {
    const { html } = await page();
    const { headers } = await fetch(`${service.url}${scriptOf(html)}`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(scriptOf(html)).toMatch(/-[\w-]{8}\.js$/);
  });

  test.each(['br', 'gzip'])('serves its files as %s to clients that accept it', async (encoding) => {
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

  test('says that a page does not exist to a browser, and to others as the API does', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/no/such/page`, { headers });
    const opened = await ask({ accept, 'if-none-match': '*' });
    expect(opened.status).toBe(404);
    expect(opened.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(opened.headers.get('content-security-policy')).toMatch(/script-src 'self'/);
    expect(await opened.text()).toContain('<title>Rollcall</title>');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      expect(await (await ask(headers)).json()).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
    }
    const api = await fetch(`${service.url}/service/nope`, { headers: { accept } });
    expect(await api.json()).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
  });

  test('returns 404 as the API does for an unknown file', async () => {
    const reply = await service.get('/assets/nothing.js');
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ message: 'REQUEST_PATH_NOT_FOUND' });
  });

  test.each(['/assets/../index.html', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/cli.js'])(
    'does not serve %s from outside its folder',
    async (path) => {
      const reply = await sendRaw(service.url, rawRequest('GET', path, {}));
      expect([400, 403, 404]).toContain(reply.status);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});
