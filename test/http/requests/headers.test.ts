import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { chunked, rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, type Reply, useOwnService, useService } from '../../support/service.js';

// The rules for each header are tested in test/unit/request-headers.test.ts.
const service = useService();

describe('Accept', () => {
  test('may be absent, and prevents a create if it excludes JSON', async () => {
    const request = rawRequest('GET', '/service/users?limit=1', { authorization: service.token });
    expect((await sendRaw(service.url, request)).status).toBe(200);
    const user = aUser();
    const reply = await service.post('/service/users', user, { headers: { accept: 'text/html' } });
    expectFailure(reply, 406, 10009, 'REQUEST_NOT_ACCEPTABLE', /application\/json/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
    expect(listed.json.data.items).toEqual([]);
  });
});

describe('Content-Type', () => {
  const create = (headers: Record<string, string>, body: string) =>
    sendRaw(
      service.url,
      rawRequest('POST', '/service/users', { authorization: service.token, ...headers }, body),
    );
  const detail = /Send the body as application\/json in UTF-8/;

  test('is required with a body, even in chunks', async () => {
    const body = JSON.stringify(aUser());
    const length = { 'content-length': String(body.length) };
    expectFailure(await create(length, body), 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', detail);
    expect((await create({ ...length, 'content-type': 'Application/JSON; v' }, body)).status).toBe(201);
    const inChunks = await create({ 'transfer-encoding': 'chunked' }, chunked(body));
    expectFailure(inChunks, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', detail);
  });

  test('is ignored on a request without a body', async () => {
    const reply = await service.get('/service/users?limit=1', { headers: { 'content-type': 'text/plain' } });
    expect(reply.status).toBe(200);
  });

  test.each(['/service/users/create-bulk', '/service/users/update-bulk'])(
    'is also checked on %s',
    async (path) => {
      const reply = await service.post(path, { items: [] }, { headers: { 'content-type': 'text/plain' } });
      expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', detail);
    },
  );

  test('of a patch is rejected with both accepted types in the detail', async () => {
    const { serial } = await service.givenUser();
    const reply = await service.request('PATCH', `/service/users/${serial}`, {
      body: { name: 'X' },
      headers: { 'content-type': 'application/json-patch+json' },
    });
    const both = /application\/merge-patch\+json or application\/json/;
    expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', both);
  });
});

describe('X-Request-Id', () => {
  test('sent twice is replaced', async () => {
    const request = rawRequest('GET', '/healthz', { 'x-request-id': 'one', 'X-Request-Id': 'two' });
    expect((await sendRaw(service.url, request)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is returned with every kind of reply', async () => {
    const kinds = [
      [200, 'GET', '/service/users?limit=1', {}],
      [200, 'GET', '/healthz', {}],
      [200, 'GET', '/openapi.json', {}],
      [200, 'GET', '/docs/', {}],
      [308, 'GET', '/docs', {}],
      [200, 'GET', '/', {}],
      [400, 'GET', '/service/users?nope=1', {}],
      [400, 'POST', '/service/users', { rawBody: '{' }],
      [400, 'GET', '/service/users/%zz', {}],
      [401, 'GET', '/service/users', { token: null }],
      [404, 'GET', '/nope', {}],
      [405, 'DELETE', '/service/users', {}],
      [415, 'POST', '/service/users', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }],
    ] as const;
    for (const [status, method, path, options] of kinds) {
      const headers = { ...('headers' in options ? options.headers : {}), 'x-request-id': 'my-own-id' };
      const reply = await service.request(method, path, { ...options, headers });
      expect([reply.status, reply.headers.get('x-request-id')], path).toEqual([status, 'my-own-id']);
    }
    const unread = await sendRaw(service.url, 'this is not HTTP\r\n\r\n');
    expect(unread.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('Origin', () => {
  const origin = 'https://portal.example.com';
  const open = useOwnService({ ROLLCALL_CORS_ORIGINS: `${origin}, http://localhost:3000` });
  const grants = ({ headers }: Reply) => headers.get('access-control-allow-origin');
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };

  test('that is configured may call the API from a browser, without cookies', async () => {
    const asked = await open.request('OPTIONS', '/service/users/update-bulk', {
      headers: { origin, ...preflight },
      token: null,
    });
    expect([asked.status, grants(asked), asked.text]).toEqual([204, origin, '']);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
    const read = await open.get('/service/users?limit=1', { headers: { origin } });
    expect([read.status, grants(read), read.headers.get('vary')]).toEqual([200, origin, 'Origin']);
    expect(read.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(read.headers.has('access-control-allow-credentials')).toBe(false);
    const refused = await open.get('/service/users', { headers: { origin }, token: null });
    expect([refused.status, grants(refused)], 'errors can be read, too').toEqual([401, origin]);
  });

  test('that is not configured may not, and none is by default', async () => {
    for (const [node, other] of [
      [open, 'https://portal.example.com.evil.example'],
      [open, 'null'],
      [service, origin],
    ] as const) {
      const headers = { origin: other };
      expect(grants(await node.get('/service/users?limit=1', { headers }))).toBeNull();
      const asked = await node.request('OPTIONS', '/service/users', {
        headers: { ...headers, ...preflight },
      });
      expect([asked.status, grants(asked)]).toEqual([405, null]);
    }
  });
});
