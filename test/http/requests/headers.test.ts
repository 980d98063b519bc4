import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { chunked, rawRequest, sendRaw } from '../../support/raw-http.js';
import { aUser, useService } from '../../support/service.js';

const service = useService();

describe('Accept', () => {
  const send = (headers: Record<string, string>) =>
    sendRaw(
      service.url,
      rawRequest('GET', '/service/users?limit=1', { authorization: service.token, ...headers }),
    );

  test('may be absent', async () => {
    expect((await send({})).status).toBe(200);
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;q=0.1',
    'application/json; q=0.001',
    'text/html, application/json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html;q=0.9 , */* ; q=0.1',
    'text/*, application/*;q=0.5',
    'text/html;q=0, application/json',
    'application/*;q=0, application/json',
    '*/*;q=0, application/json;q=0.5',
    'application/json, application/json;q=0',
  ])('allows JSON: %s', async (accept) => {
    expect((await send({ accept })).status).toBe(200);
  });

  test.each([
    'text/html',
    'text/*',
    'application/xml',
    'application/jsonp',
    'application/problem+json',
    'json',
    'application/json;q=0',
    'application/json;q=0.000',
    'application/json;q=0,*/*',
    'application/json;q=0, application/*',
    'application/*;q=0, */*',
    '*/*;q=0',
  ])('excludes JSON: %s', async (accept) => {
    const reply = await send({ accept });
    expectFailure(reply, 406, 10009, 'REQUEST_NOT_ACCEPTABLE', /application\/json/);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('that excludes JSON prevents a create', async () => {
    const user = aUser();
    const reply = await service.post('/service/users', user, { headers: { accept: 'text/html' } });
    expect(reply.status).toBe(406);
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
    expect(listed.json.data.items).toEqual([]);
  });
});

describe('Content-Type', () => {
  const create = (headers: Record<string, string>, body = JSON.stringify(aUser())) =>
    sendRaw(
      service.url,
      rawRequest(
        'POST',
        '/service/users',
        { authorization: service.token, 'content-length': String(Buffer.byteLength(body)), ...headers },
        body,
      ),
    );

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; charset=utf-8; charset=latin1',
    'application/json;odata.metadata=minimal;odata.streaming=true',
    'application/json; odata=verbose',
    'application/json; v',
    'application/json;',
  ])('accepts %s', async (contentType) => {
    const reply = await create({ 'content-type': contentType });
    expect(reply.status, reply.text).toBe(201);
  });

  test.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonx',
    'application/json, application/json',
    'json',
    '',
  ])('rejects "%s" with 415', async (contentType) => {
    const reply = await create({ 'content-type': contentType });
    const detail = /Send the body as application\/json in UTF-8/;
    expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', detail);
  });

  test('is required with a body', async () => {
    expectFailure(await create({}), 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /application\/json/);
  });

  test('is required with a chunked body', async () => {
    const headers = { authorization: service.token, 'transfer-encoding': 'chunked' };
    const body = chunked(JSON.stringify(aUser()));
    const reply = await sendRaw(service.url, rawRequest('POST', '/service/users', headers, body));
    expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /application\/json/);
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, identity'])(
    'with Content-Encoding: %s fails with 415',
    async (encoding) => {
      const reply = await create({ 'content-type': 'application/json', 'content-encoding': encoding });
      expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /without a Content-Encoding/);
    },
  );

  test('with Content-Encoding: identity is accepted', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await create(headers)).status).toBe(201);
  });

  test('is ignored on a request without a body', async () => {
    const reply = await service.get('/service/users?limit=1', { headers: { 'content-type': 'text/plain' } });
    expect(reply.status).toBe(200);
  });

  test.each(['/service/users/create-bulk', '/service/users/update-bulk'])(
    'is also checked on %s',
    async (path) => {
      const reply = await service.post(path, { items: [] }, { headers: { 'content-type': 'text/plain' } });
      expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /application\/json/);
    },
  );

  test('of a patch is rejected with both accepted types in the detail', async () => {
    const { serial } = await service.givenUser();
    const reply = await service.request('PATCH', `/service/users/${serial}`, {
      body: { name: 'X' },
      headers: { 'content-type': 'application/json-patch+json' },
    });
    const detail = /application\/merge-patch\+json or application\/json/;
    expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', detail);
  });
});

describe('X-Request-Id', () => {
  const idFor = async (given: string) =>
    (await service.get('/service/users?limit=1', { headers: { 'x-request-id': given } })).headers.get(
      'x-request-id',
    );

  test.each(['7', 'abc-123', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'a.b_c~d:e/f+g=h@i-j', 'x'.repeat(128)])(
    'sent by the caller is kept: %s',
    async (given) => {
      expect(await idFor(given)).toBe(given);
    },
  );

  test.each(['x'.repeat(129), 'a b', 'a,b', 'a"b', "a'b", 'a<b>', '{}', 'a;b', 'a\\b', 'a\tb', 'ä', ''])(
    'that is not a valid token is replaced: %s',
    async (given) => {
      expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('sent twice is replaced', async () => {
    const request = rawRequest('GET', '/healthz', { 'x-request-id': 'one', 'X-Request-Id': 'two' });
    expect((await sendRaw(service.url, request)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is unique for each request without one', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await service.get('/healthz')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    [200, 'GET', '/service/users?limit=1', {}],
    [200, 'GET', '/healthz', {}],
    [200, 'GET', '/readyz', {}],
    [200, 'GET', '/openapi.json', {}],
    [200, 'GET', '/.well-known/jwks.json', {}],
    [200, 'GET', '/', {}],
    [400, 'GET', '/service/users?nope=1', {}],
    [400, 'POST', '/service/users', { rawBody: '{' }],
    [400, 'GET', '/service/users/%zz', {}],
    [401, 'GET', '/service/users', { token: null }],
    [401, 'GET', '/service/users', { token: 'x' }],
    [404, 'GET', '/nope', {}],
    [404, 'GET', '/service/users/x', {}],
    [405, 'DELETE', '/service/users', {}],
    [406, 'GET', '/service/users', { headers: { accept: 'text/html' } }],
    [415, 'POST', '/service/users', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }],
  ])('is returned with %i: %s %s %j', async (status, method, path, options) => {
    const given = 'my-own-id';
    const headers = { ...(options as { headers?: Record<string, string> }).headers, 'x-request-id': given };
    const reply = await service.request(method, path, { ...options, headers });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-request-id')).toBe(given);
  });

  test('is returned with the documentation pages', async () => {
    expect((await service.get('/docs')).headers.get('x-request-id')).toMatch(/.+/);
  });

  test('is returned for a request that is not HTTP', async () => {
    const reply = await sendRaw(service.url, 'this is not HTTP\r\n\r\n');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
