import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { useService } from '../../support/service.js';

const service = useService();

const errorsLogged = () =>
  service.logs.split('\n').filter((line) => line !== '' && Number(JSON.parse(line).level) >= 50);

/** Without a token or Accept-Encoding, or anything else that a browser would add. */
const get = (path: string) => sendRaw(service.url, rawRequest('GET', path, {}));

describe('unusual paths near the files of the console and the docs', () => {
  test.each([
    '/assets',
    '/assets/',
    '/assets//',
    '/assets/.',
    '/assets/..',
    '/assets/../x',
    '/assets/%00',
    '/assets/%2e%2e/',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets/x/',
    '/assets/__proto__',
    '/assets/constructor',
    '/assets/index.html.br',
    '/docs/static',
    '/docs/static/',
    '/docs/static/%00',
    '/docs/static/../../package.json',
    '/docs/nothing',
    `/assets/${'x'.repeat(900)}`,
  ])('%s is not found', async (path) => {
    expectFailure(await get(path), 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist/);
  });

  test.each(['/people/', '/people/%00', '/people/a/b/c', '/bulk/', '/activity/%2e%2e'])(
    '%s is a console page, which itself shows that nothing was found',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  test('of any kind never cause an internal error', async () => {
    const before = errorsLogged().length;
    const roots = [
      '/',
      '/assets',
      '/docs',
      '/docs/static',
      '/users',
      '/people',
      '/bulk',
      '/activity',
      '/service',
      '/.well-known',
    ];
    const piece = fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '',
        '%00',
        '%2e%2e',
        '%2f',
        '%5c',
        '\\',
        '%',
        '%zz',
        '%ff',
        ';',
        '~',
        '*',
        ':',
        '?',
        '#a',
      ),
      fc.constantFrom('index.html', 'json', 'static', 'constructor', '__proto__', 'x'.repeat(2_000)),
      fc.stringMatching(/^[!-~]{1,12}$/),
    );
    const path = fc
      .tuple(fc.constantFrom(...roots), fc.array(piece, { maxLength: 5 }), fc.constantFrom('', '/', '//'))
      .map(([root, pieces, end]) => `${[root, ...pieces].join('/')}${end}`);
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'HEAD', 'POST'), async (odd, method) => {
        const reply = await sendRaw(service.url, rawRequest(method, odd, {}));
        expect(reply.status).toBeGreaterThanOrEqual(200);
        expect(reply.status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
    expect(errorsLogged().slice(before)).toEqual([]);
  });
});
