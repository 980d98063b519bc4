import { describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({
  ROLLCALL_PUBLIC_URL: 'https://people.example.com',
  ROLLCALL_SECURITY_CONTACT: 'security@example.com',
});

const everywhere = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'rollcall-api-version': '1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const ofTheApi = {
  ...everywhere,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function expectHeaders(headers: Headers, expected: Record<string, string>, what: string): void {
  const got = Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
  expect(got, what).toEqual(expected);
  expect(headers.get('access-control-allow-origin'), what).toBeNull();
}

async function headersOf(method: string, path: string, token: string | null): Promise<Response> {
  const leaving = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    method,
    signal: leaving.signal,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { 'content-type': 'application/json' }),
    },
    ...(['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body: '{}' }),
  });
  leaving.abort(); // an event stream never ends
  return response;
}

/** Documents that are public and may be cached. */
const publicDocuments: Record<string, string> = {
  '/.well-known/jwks.json': 'public, max-age=60',
  '/.well-known/oauth-authorization-server': 'public, max-age=300',
  '/.well-known/security.txt': 'public, max-age=86400',
  '/openapi.json': 'public, max-age=60',
};

describe('every reply of the API', () => {
  test('is not stored, sniffed, framed or shared, whatever its operation and outcome', async () => {
    const { paths } = (await service.get('/openapi.json')).json;
    const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(operations.length).toBeGreaterThan(30);
    const statuses = new Set<number>();
    for (const [method, path] of operations) {
      const concrete = path.replaceAll(/\{\w+\}/g, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
      for (const [token, sent] of [
        [null, method],
        [service.token, method],
        [service.token, 'TRACE'],
      ] as const) {
        const reply =
          sent === 'TRACE'
            ? await sendRaw(service.url, rawRequest('TRACE', concrete, {}))
            : await headersOf(sent, concrete, token);
        statuses.add(reply.status);
        const isPublic = reply.status === 200 && publicDocuments[path] !== undefined;
        const caching = isPublic ? publicDocuments[path] : 'no-store';
        const isStream = path === '/service/events' && reply.status === 200;
        const expected = { ...ofTheApi, 'cache-control': isStream ? 'no-store, no-transform' : `${caching}` };
        expectHeaders(reply.headers, expected, `${sent} ${path} ${reply.status}`);
      }
    }
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]));
  });

  test.each([
    ['an unknown path', () => rawRequest('GET', '/nope', {}), 404],
    ['a malformed URL', () => rawRequest('GET', '/%zz', {}), 400],
    ['an invalid Host', () => rawRequest('GET', '/healthz', { host: 'a b' }), 400],
    ['input that is not HTTP', () => 'hello\r\n\r\n', 400],
    ['headers that are too large', () => rawRequest('GET', '/', { a: 'x'.repeat(20_000) }), 431],
    ['an Expect header', () => rawRequest('GET', '/healthz', { expect: 'x' }), 400],
    ['an unknown asset', () => rawRequest('GET', '/assets/nothing.js', {}), 404],
  ])('including that to %s', async (_, request, status) => {
    const reply = await sendRaw(service.url, request());
    expect(reply.status).toBe(status);
    expectHeaders(reply.headers, ofTheApi, reply.text);
  });
});

describe('public documents', () => {
  test.each(Object.entries(publicDocuments))('%s may be cached: %s', async (path, caching) => {
    const reply = await service.get(path, { token: null });
    expect(reply.status).toBe(200);
    expectHeaders(reply.headers, { ...ofTheApi, 'cache-control': caching }, path);
  });

  test('security.txt has a contact, canonical URL and expiry', async () => {
    const { text, headers } = await service.get('/.well-known/security.txt', { token: null });
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    expect(fields).toMatchObject({
      Contact: 'mailto:security@example.com',
      Canonical: 'https://people.example.com/.well-known/security.txt',
      'Preferred-Languages': 'en',
    });
    const daysLeft = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(30);
    expect(daysLeft).toBeLessThan(365);
  });

  test.each(['/openapi.json', '/docs/json', '/docs/yaml', '/docs', '/docs/static/swagger-ui.css', '/'])(
    '%s is compressed and has an ETag',
    async (path) => {
      const read = async (headers: Record<string, string>) => {
        const response = await fetch(`${service.url}${path}`, { headers });
        return { response, text: await response.text() };
      };
      const plain = await read({ 'accept-encoding': 'identity' });
      expect(plain.response.status).toBe(200);
      for (const encoding of ['br', 'gzip']) {
        const { response, text } = await read({ 'accept-encoding': encoding });
        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(response.headers.get('vary')).toBe('accept-encoding');
        expect(text).toBe(plain.text);
        const etag = response.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]{20,}"$/);
        expect(etag).not.toBe(plain.response.headers.get('etag'));
        const again = await read({ 'accept-encoding': encoding, 'if-none-match': `"x", W/${etag}` });
        expect([again.response.status, again.text]).toEqual([304, '']);
        expect(again.response.headers.get('etag')).toBe(etag);
        expectHeaders(again.response.headers, everywhere, path);
      }
    },
  );

  test.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    '%s has an ETag too',
    async (path) => {
      const etag = (await service.get(path, { token: null })).headers.get('etag') ?? '';
      const again = await service.get(path, { token: null, headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );
});

describe('pages', () => {
  test.each([
    '/',
    '/users',
    '/people',
    '/docs',
    '/docs/',
    '/docs/static/rollcall.js',
    '/docs/static/oauth2-redirect.html',
  ])('%s has its own policy and the common headers', async (path) => {
    const { headers, status } = await service.get(path, { token: null });
    expect(status).toBe(200);
    expectHeaders(headers, everywhere, path);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*style-src 'self'/);
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
  });
});
