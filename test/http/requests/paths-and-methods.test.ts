import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

const allowed: Record<string, readonly string[]> = {
  '/service/users': ['GET', 'HEAD', 'POST'],
  '/service/users/create-bulk': ['POST'],
  '/service/users/update-bulk': ['POST'],
  '/service/users/upsert-bulk': ['POST'],
  '/service/users/update-matching': ['POST'],
  '/service/users/lookup': ['POST'],
  '/service/users/erase-bulk': ['POST'],
  '/service/users/{serial}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/users/{serial}/personal-data': ['GET', 'HEAD'],
  '/service/users/{serial}/role': ['GET', 'HEAD', 'PUT'],
  '/service/users/{serial}/language': ['GET', 'HEAD', 'PUT'],
  '/service/users/{serial}/history': ['GET', 'HEAD'],
  '/service/users/{serial}/employee-ids': ['GET', 'HEAD'],
  '/service/users/{serial}/reset-password': ['POST'],
  '/service/organizations': ['GET', 'HEAD'],
  '/service/employee-ids/{employeeID}': ['GET', 'HEAD'],
  '/service/employee-ids/{employeeID}/release': ['POST'],
  '/service/usernames/{username}/release': ['POST'],
  '/service/organizations/{serial}': ['DELETE', 'GET', 'HEAD', 'PUT'],
  '/service/directories/organizations/rename': ['POST'],
  '/service/directories/organizations/merge': ['POST'],
  '/service/tags': ['GET', 'HEAD'],
  '/service/tags/{serial}': ['DELETE', 'GET', 'HEAD', 'PUT'],
  '/service/directories/tags/rename': ['POST'],
  '/service/directories/tags/merge': ['POST'],
  '/service/auth/sign-in': ['POST'],
  '/service/auth/sign-out': ['POST'],
  '/service/auth/change-password': ['POST'],
  '/service/auth/language': ['PUT'],
  '/service/auth/me': ['GET', 'HEAD'],
  '/service/clients': ['GET', 'HEAD', 'POST'],
  '/service/clients/{id}': ['GET', 'HEAD', 'PATCH'],
  '/service/clients/{id}/rotate': ['POST'],
  '/service/deliveries': ['GET', 'HEAD'],
  '/service/deliveries/release': ['POST'],
  '/service/deliveries/{id}/resend': ['POST'],
  '/service/access-events': ['GET', 'HEAD'],
  '/service/changes': ['GET', 'HEAD'],
  '/service/calls': ['GET', 'HEAD'],
  '/service/calls/{id}': ['GET', 'HEAD'],
  '/service/calls/{id}/items': ['GET', 'HEAD'],
  '/service/calls/{id}/approve': ['POST'],
  '/service/calls/{id}/cancel': ['POST'],
  '/service/calls/{id}/take-over': ['POST'],
  '/service/calls/{id}/undo': ['POST'],
  '/service/events': ['GET', 'HEAD'],
  '/service/webhooks': ['GET', 'HEAD', 'POST'],
  '/service/webhooks/{id}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/webhooks/{id}/rotate': ['POST'],
  '/service/webhooks/{id}/replay': ['POST'],
  '/service/webhooks/{id}/test': ['POST'],
  '/service/statistics': ['GET', 'HEAD'],
  '/service/settings': ['GET', 'HEAD'],
  '/service/status': ['GET', 'HEAD'],
  '/service/backup': ['GET'],
  '/oauth/revoke': ['POST'],
  '/oauth/token': ['POST'],
  '/.well-known/jwks.json': ['GET', 'HEAD'],
  '/.well-known/oauth-authorization-server': ['GET', 'HEAD'],
  '/healthz': ['GET', 'HEAD'],
  '/readyz': ['GET', 'HEAD'],
  '/openapi.json': ['GET', 'HEAD'],
  '/docs': ['GET', 'HEAD'],
  '/': ['GET', 'HEAD'],
  '/users': ['GET', 'HEAD'],
  '/users/{serial}': ['GET', 'HEAD'],
  '/people': ['GET', 'HEAD'],
  '/people/{serial}': ['GET', 'HEAD'],
  '/bulk/update': ['GET', 'HEAD'],
  '/import': ['GET', 'HEAD'],
  '/activity': ['GET', 'HEAD'],
  '/changes': ['GET', 'HEAD'],
  '/settings': ['GET', 'HEAD'],
};

const concrete = (path: string) => path.replace(/\{\w+\}/, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');

describe('an unsupported method fails with 405, and Allow lists the supported ones', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
  const cases = Object.entries(allowed).flatMap(([path, has]) =>
    methods.filter((method) => !has.includes(method)).map((method) => [method, path] as const),
  );

  test.each(cases)('%s %s', async (method, path) => {
    const has = allowed[path] ?? [];
    const reply = await sendRaw(service.url, rawRequest(method, concrete(path), {}));
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')?.split(/, */).sort()).toEqual(has);
    if (method !== 'HEAD') {
      const detail = new RegExp(`Use .*${has[0]}`);
      expectFailure(reply, 405, 10008, 'REQUEST_METHOD_NOT_ALLOWED', detail);
    }
  });

  test.each(['PROPFIND', 'PURGE', 'LOCK'])('%s of another protocol on an API path', async (method) => {
    const reply = await sendRaw(service.url, rawRequest(method, '/service/users', {}));
    expectFailure(reply, 405, 10008, 'REQUEST_METHOD_NOT_ALLOWED', /GET, HEAD, POST/);
  });

  test('whatever the body', async () => {
    const reply = await service.request('PUT', '/service/users', {
      rawBody: '<broken',
      headers: { 'content-type': 'text/xml', accept: 'text/xml' },
    });
    expectFailure(reply, 405, 10008, 'REQUEST_METHOD_NOT_ALLOWED', /GET, HEAD, POST/);
  });

  test('on every path that the API describes', async () => {
    const { paths } = (await service.get('/openapi.json')).json;
    expect(Object.keys(allowed)).toEqual(expect.arrayContaining(Object.keys(paths)));
    for (const [path, operations] of Object.entries(paths as Record<string, object>)) {
      const described = Object.keys(operations).map((method) => method.toUpperCase());
      expect(allowed[path], path).toEqual(expect.arrayContaining(described));
    }
  });
});

describe('an unknown path fails with 404 and 10007', () => {
  test.each([
    '/nope',
    '/service',
    '/service/',
    '/service/users/a/b',
    '/SERVICE/USERS',
    '/service/users;a=b/c',
    '/docs/nope',
    '/docs/static/nope.js',
    '/docs/static/..%2f..%2fpackage.json',
    '/.env',
    '/favicon.ico',
    '/index.php?a=b',
  ])('GET %s', async (path) => {
    const reply = await sendRaw(service.url, rawRequest('GET', path, { authorization: service.token }));
    expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /\/openapi\.json/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s /nope',
    async (method) => {
      const reply = await sendRaw(service.url, rawRequest(method, '/nope', {}));
      expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist/);
    },
  );

  test.each([
    ['broken JSON', 'application/json', '{"broken'],
    ['another media type', 'text/plain', 'hello'],
    ['a body that is too large', 'application/json', `"${'x'.repeat(100_000)}"`],
    ['a form', 'application/x-www-form-urlencoded', 'a=b'],
  ])('whatever the body: %s', async (_, contentType, rawBody) => {
    const reply = await service.request('POST', '/nope', {
      rawBody,
      headers: { 'content-type': contentType },
    });
    expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist/);
  });

  test('without a token and whatever Accept says', async () => {
    const reply = await service.get('/service/nope', { token: null, headers: { accept: 'text/html' } });
    expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist/);
  });
});

describe('a malformed URL fails with 400 and 10001', () => {
  test.each([
    ['a % without digits', '/service/users/%'],
    ['an invalid % escape', '/service/users/%zz'],
    ['a truncated escape', '/service/users/%4'],
    ['bytes that are not UTF-8', '/service/users/%ff%fe'],
    ['a lone surrogate', '/service/users/%ed%a0%80'],
    ['an invalid escape on an unknown path', '/%zz'],
    ['a serial that is too long', `/service/users/${'a'.repeat(1_500)}`],
  ])('%s', async (_, path) => {
    const reply = await sendRaw(service.url, rawRequest('GET', path, { authorization: service.token }));
    expectFailure(reply, 400, 10001, 'REQUEST_MALFORMED', /URL is malformed/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('extra slashes are ignored', () => {
  test.each(['//service/users', '/service//users', '/service/users/', '///service///users//'])(
    '%s is /service/users',
    async (path) => {
      const created = await service.post(path, aUser());
      expect(created.status, created.text).toBe(201);
      expect((await service.get(`${path}?limit=1`)).json.data.items).toHaveLength(1);
    },
  );

  test('in a path with a parameter', async () => {
    const { serial } = await service.givenUser();
    expect((await service.get(`//service/users/${serial}/`)).json.data.serial).toBe(serial);
  });

  test('so that a resent request is recognized by its Idempotency-Key', async () => {
    const [user, headers] = [aUser(), { 'idempotency-key': newId() }];
    const first = await service.post('/service/users', user, { headers });
    const again = await service.post('//service/users/', user, { headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('and the method is still checked', async () => {
    const reply = await service.request('DELETE', '//service/users/');
    expectFailure(reply, 405, 10008, 'REQUEST_METHOD_NOT_ALLOWED', /./);
  });
});
