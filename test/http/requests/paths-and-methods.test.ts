import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
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
  '/service/users/{serial}/reports': ['GET', 'HEAD'],
  '/service/users/{serial}/personal-data': ['GET', 'HEAD'],
  '/service/users/{serial}/role': ['GET', 'HEAD', 'PUT'],
  '/service/users/{serial}/language': ['GET', 'HEAD', 'PUT'],
  '/service/users/{serial}/history': ['GET', 'HEAD'],
  '/service/users/{serial}/employee-ids': ['GET', 'HEAD'],
  '/service/users/{serial}/reset-password': ['POST'],
  '/service/attributes': ['GET', 'HEAD', 'POST'],
  '/service/attributes/{key}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/organizations': ['GET', 'HEAD'],
  '/service/employee-ids/{employeeID}': ['GET', 'HEAD'],
  '/service/employee-ids/{employeeID}/release': ['POST'],
  '/service/usernames/{username}/release': ['POST'],
  '/service/organizations/{serial}': ['DELETE', 'GET', 'HEAD', 'PUT'],
  '/service/organizations/rename': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/organizations/merge': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/organizations/resolve-names': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/organizations/remember-names': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/tags': ['GET', 'HEAD'],
  '/service/tags/{serial}': ['DELETE', 'GET', 'HEAD', 'PUT'],
  '/service/tags/rename': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/tags/merge': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/tags/resolve-names': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/tags/remember-names': ['DELETE', 'GET', 'HEAD', 'POST', 'PUT'],
  '/service/auth/sign-in': ['POST'],
  '/service/auth/sign-out': ['POST'],
  '/service/auth/change-password': ['POST'],
  '/service/auth/open-session': ['POST'],
  '/service/auth/prove': ['POST'],
  '/service/auth/factor': ['POST'],
  '/service/auth/passkey/options': ['POST'],
  '/service/auth/passkey/sign-in': ['POST'],
  '/service/auth/passkey/open-session': ['POST'],
  '/service/me/factors': ['GET', 'HEAD'],
  '/service/me/factors/totp': ['POST'],
  '/service/me/factors/totp/confirm': ['POST'],
  '/service/me/factors/passkeys': ['POST'],
  '/service/me/factors/passkeys/options': ['POST'],
  '/service/me/factors/recovery-codes': ['POST'],
  '/service/me/factors/{id}': ['DELETE', 'PATCH'],
  '/service/users/{serial}/factors': ['DELETE'],
  '/service/auth/methods': ['GET', 'HEAD'],
  '/service/auth/forgot-password': ['POST'],
  '/service/auth/check-password-link': ['POST'],
  '/service/auth/reset-password-with-link': ['POST'],
  '/service/auth/sso/backchannel-logout': ['POST'],
  '/service/me/sessions': ['DELETE', 'GET', 'HEAD'],
  '/service/me/sessions/{id}': ['DELETE'],
  '/service/sessions': ['DELETE', 'GET', 'HEAD'],
  '/service/sessions/{id}': ['DELETE'],
  '/service/users/{serial}/sessions': ['DELETE'],
  '/service/auth/language': ['PUT'],
  '/service/me/notices': ['GET', 'HEAD', 'PATCH'],
  '/service/applications': ['GET', 'HEAD', 'POST'],
  '/service/applications/{id}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/applications/{id}/rotate': ['POST'],
  '/service/auth/applications/{id}': ['GET', 'HEAD'],
  '/service/me/applications': ['GET', 'HEAD'],
  '/service/me/applications/{id}': ['DELETE'],
  '/service/me/profile': ['GET', 'HEAD', 'PATCH'],
  '/service/me/profile/confirm': ['POST'],
  '/service/me/profile/{field}': ['DELETE'],
  '/service/me/history': ['GET', 'HEAD'],
  '/service/views': ['GET', 'HEAD', 'POST'],
  '/service/views/{id}': ['DELETE', 'PATCH'],
  '/service/auth/me': ['GET', 'HEAD'],
  '/service/clients': ['GET', 'HEAD', 'POST'],
  '/service/clients/{id}': ['GET', 'HEAD', 'PATCH'],
  '/service/clients/{id}/rotate': ['POST'],
  '/service/clients/{id}/scim': ['GET', 'HEAD', 'PUT'],
  '/service/clients/{id}/scim/allow-deactivations': ['POST'],
  '/service/clients/{id}/scim/requests': ['GET', 'HEAD'],
  '/service/clients/{id}/tokens': ['GET', 'HEAD', 'POST'],
  '/service/clients/{id}/tokens/{tokenId}': ['DELETE'],
  '/service/scim/providers': ['GET', 'HEAD'],
  '/service/scim/targets': ['GET', 'HEAD', 'POST'],
  '/service/scim/targets/{id}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/scim/targets/{id}/sync': ['POST'],
  '/service/scim/targets/{id}/compare': ['POST'],
  '/service/scim/targets/{id}/repair': ['POST'],
  '/service/scim/targets/{id}/differences': ['GET', 'HEAD'],
  '/service/scim/targets/{id}/failures': ['GET', 'HEAD'],
  '/service/deliveries': ['GET', 'HEAD'],
  '/service/deliveries/release': ['POST'],
  '/service/deliveries/{id}/resend': ['POST'],
  '/service/access-events': ['GET', 'HEAD'],
  '/service/activity': ['GET', 'HEAD'],
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
  '/service/webhooks/{id}/deliveries': ['GET', 'HEAD'],
  '/service/webhooks/{id}/deliveries/{deliveryId}': ['GET', 'HEAD'],
  '/service/webhooks/{id}/deliveries/{deliveryId}/resend': ['POST'],
  '/service/webhooks/{id}/rotate': ['POST'],
  '/service/webhooks/{id}/replay': ['POST'],
  '/service/webhooks/{id}/test': ['POST'],
  '/service/feeds': ['GET', 'HEAD', 'POST'],
  '/service/feeds/{key}': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/service/feeds/{key}/file': ['PUT'],
  '/service/feeds/{key}/versions': ['GET', 'HEAD'],
  '/service/feeds/{key}/runs': ['GET', 'HEAD', 'POST'],
  '/service/feeds/{key}/runs/{run}': ['GET', 'HEAD'],
  '/service/feeds/{key}/runs/{run}/rows': ['GET', 'HEAD'],
  '/service/feeds/{key}/runs/{run}/approve': ['POST'],
  '/service/feeds/{key}/runs/{run}/cancel': ['POST'],
  '/service/feeds/{key}/runs/{run}/undo': ['POST'],
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
  '/import': ['GET', 'HEAD'],
  '/activity': ['GET', 'HEAD'],
  '/changes': ['GET', 'HEAD'],
  '/settings': ['GET', 'HEAD'],
};

const concrete = (path: string) => path.replace(/\{\w+\}/, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');

/** The path as it is, without a token or anything else that an HTTP client would add. */
const get = (path: string) => sendRaw(service.url, rawRequest('GET', path, {}));

describe('an unsupported method fails with 405, and Allow lists the supported ones', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

  test.each(Object.entries(allowed))('on %s', async (path, has) => {
    for (const method of methods.filter((each) => !has.includes(each))) {
      const url = concrete(path);
      const reply = await service.app.inject({ method: method as InjectOptions['method'] & string, url });
      expect([reply.statusCode, String(reply.headers.allow).split(/, */).sort()], method).toEqual([405, has]);
      if (method === 'HEAD') continue;
      const failed = { status: reply.statusCode, json: reply.json() };
      expectFailure(failed, 405, 10008, 'REQUEST_METHOD_NOT_ALLOWED', new RegExp(`Use .*${has[0]}`));
    }
  });

  test('whatever the body', async () => {
    const reply = await service.request('PUT', '//service/users/', {
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
    ...['/nope', '/service', '/service/', '/service/users/a/b', '/SERVICE/USERS', '/service/users;a=b/c'],
    ...['/.env', '/favicon.ico', '/index.php?a=b', '/docs/nope', '/docs/static', '/docs/static/nope.js'],
    ...['/docs/static/%00', '/docs/static/..%2f..%2fpackage.json', '/docs/static/../../package.json'],
    ...['/assets', '/assets//', '/assets/.', '/assets/..', '/assets/../index.html', '/assets/%00'],
    ...['/assets/%2e%2e/%2e%2e/cli.js', '/assets/..%2f..%2fpackage.json', '/assets/x/', '/assets/nope.js'],
    ...['/assets/__proto__', '/assets/constructor', '/assets/index.html.br', `/assets/${'x'.repeat(900)}`],
  ])('GET %s', async (path) => {
    const reply = await get(path);
    expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist.*\/openapi\.json/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('whatever the method, the token, Accept and the body', async () => {
    for (const [method, contentType, rawBody] of [
      ['POST', 'application/json', '{"broken'],
      ['PUT', 'text/plain', 'hello'],
      ['PATCH', 'application/json', `"${'x'.repeat(100_000)}"`],
      ['DELETE', 'application/x-www-form-urlencoded', 'a=b'],
      ['PROPFIND', 'text/xml', '<a/>'],
    ] as const) {
      const headers = { 'content-type': contentType, accept: 'text/html' };
      const reply = await service.request(method, '/service/nope', { rawBody, headers, token: null });
      expectFailure(reply, 404, 10007, 'REQUEST_PATH_NOT_FOUND', /path does not exist/);
    }
  });
});

test.each([
  ['a % without digits', '/service/users/%'],
  ['an invalid % escape', '/service/users/%zz'],
  ['a truncated escape', '/service/users/%4'],
  ['bytes that are not UTF-8', '/service/users/%ff%fe'],
  ['a lone surrogate', '/service/users/%ed%a0%80'],
  ['an invalid escape on an unknown path', '/%zz'],
  ['a serial that is too long', `/service/users/${'a'.repeat(1_500)}`],
])('a malformed URL fails with 400 and 10001: %s', async (_, path) => {
  const reply = await get(path);
  expectFailure(reply, 400, 10001, 'REQUEST_MALFORMED', /URL is malformed/);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
});

test('no path causes an internal error', async () => {
  const errorsLogged = () =>
    service.logs.split('\n').filter((line) => line !== '' && Number(JSON.parse(line).level) >= 50);
  const before = errorsLogged().length;
  const roots = ['/', '/assets', '/docs', '/docs/static', '/users', '/service', '/.well-known'];
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
      '*',
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
      const { status } = await sendRaw(service.url, rawRequest(method, odd, {}));
      expect(status >= 200 && status < 500, String(status)).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(errorsLogged().slice(before)).toEqual([]);
});

test('extra slashes are ignored, so that a resent request is recognized by its Idempotency-Key', async () => {
  const [user, headers] = [aUser(), { 'idempotency-key': newId() }];
  const first = await service.post('/service/users', user, { headers });
  const again = await service.post('///service//users/', user, { headers });
  expect(again.json).toEqual(first.json);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const { serial } = first.json.data;
  expect((await service.get(`//service/users/${serial}/`)).json.data.serial).toBe(serial);
});
