import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.js';
import { givenClient } from '../../support/clients.js';
import { withoutData } from '../../support/error-data.js';
import { signingKey, tokenIssuer } from '../../support/own-tokens.js';
import { type ClientCredentials, type Reply, useService } from '../../support/service.js';

// A configured lifetime and public URL are tested in test/http/oauth.
const service = useService();

type Form = Record<string, string> | [string, string][];

function ask(form: Form, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('POST', '/oauth/token', {
    token: null,
    rawBody: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

function askWithJson(rawBody: string, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('POST', '/oauth/token', {
    token: null,
    rawBody,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function basic({ clientId, clientSecret }: ClientCredentials, scheme = 'Basic'): Record<string, string> {
  return { authorization: `${scheme} ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

function formOf({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
}

const grant = { grant_type: 'client_credentials' };

function expectToken(reply: Reply, scope: readonly string[] = scopes): void {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: scope.join(' '),
  });
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
}

/** Both shapes in one body: that of RFC 6749 for OAuth libraries, and that of all errors of the service. */
function expectRefused(
  reply: Reply,
  status: number,
  error: string,
  errorCode: number,
  message: string,
  detail: RegExp,
): void {
  expect(withoutData(reply.json)).toEqual({
    error,
    error_description: expect.stringMatching(detail),
    errorCode,
    message,
    detail: reply.json.error_description,
  });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('cache-control')).toBe('no-store');
}

function expectInvalidRequest(reply: Reply, detail: RegExp): void {
  expectRefused(reply, 400, 'invalid_request', 10207, 'ACCESS_TOKEN_REQUEST_INVALID', detail);
}

describe('POST /oauth/token returns a token', () => {
  test('for credentials in a form, which may have a charset and unknown fields', async () => {
    const client = await givenClient(service);
    const contentType = 'application/x-www-form-urlencoded; charset=UTF-8';
    const replies = [
      await ask(formOf(client)),
      await ask({ ...formOf(client), resource: 'x' }, { 'content-type': contentType }),
    ];
    for (const reply of replies) expectToken(reply);
    const [token, other] = replies.map(({ json }) => json.access_token);
    expect(token).not.toBe(other);
    expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
  });

  test('for credentials in HTTP Basic, in any case, form-encoded, or together with client_id', async () => {
    const client = await givenClient(service);
    const escaped = (text: string) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const encoded = { clientId: escaped(client.clientId), clientSecret: escaped(client.clientSecret) };
    expectToken(await ask(grant, basic(client)));
    expectToken(await ask(grant, basic(client, 'BASIC')));
    expectToken(await ask(grant, basic(encoded)));
    expectToken(await ask({ ...grant, client_id: client.clientId }, basic(client)));
  });

  test('for JSON', async () => {
    const client = await givenClient(service);
    const json = { ...formOf(client), scope: null, unknown: 'ignored' };
    const contentType = 'application/json; charset=utf8';
    expectToken(await askWithJson(JSON.stringify(json), { 'content-type': contentType }));
    const narrow = JSON.stringify({ ...grant, scope: 'users:read' });
    expectToken(await askWithJson(narrow, basic(client)), ['users:read']);
  });

  test('if fields without a value are omitted ones (RFC 6749, section 3.2)', async () => {
    const client = await givenClient(service);
    expectToken(await ask({ ...formOf(client), scope: '' }));
    expectToken(await ask({ ...grant, client_secret: '' }, basic(client)));
    expectInvalidRequest(await ask({ ...formOf(client), grant_type: '' }), /"grant_type" is missing/);
  });
});

describe('the scope of a token', () => {
  test('is that of the client, or as requested, without duplicates and extra spaces', async () => {
    const client = await givenClient(service, ['users:read', 'users:write', 'audit:read']);
    expectToken(await ask(formOf(client)), ['users:read', 'users:write', 'audit:read']);
    const reply = await ask({ ...formOf(client), scope: ' users:read  users:write users:read' });
    expectToken(reply, ['users:read', 'users:write']);
    expect(decodeJwt(reply.json.access_token).scope).toBe('users:read users:write');
  });

  test('is rejected if it includes one that the client does not have', async () => {
    const form = formOf(await givenClient(service, ['users:read']));
    for (const scope of ['users:write', 'users:read users:write', 'everything', 'USERS:READ']) {
      const detail = /can only request these scopes: users:read\.$/;
      const reply = await ask({ ...form, scope });
      expectRefused(reply, 400, 'invalid_scope', 10206, 'ACCESS_SCOPE_INVALID', detail);
    }
  });
});

describe('POST /oauth/token rejects a client', () => {
  function expectInvalidClient(reply: Reply, detail: RegExp): void {
    expectRefused(reply, 401, 'invalid_client', 10204, 'ACCESS_CLIENT_INVALID', detail);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  }

  test('that is unknown, disabled or has the wrong secret, with the same response', async () => {
    const [client, other, disabled] = await Promise.all([1, 2, 3].map(() => givenClient(service)));
    if (!client || !other || !disabled) throw new Error('three clients are needed');
    await service.database.pool.query('UPDATE clients SET disabled_at = now() WHERE id = $1', [
      disabled.clientId,
    ]);
    const { rows } = await service.database.pool.query(
      'SELECT secret_hash FROM client_secrets WHERE client_id = $1',
      [client.clientId],
    );
    const replies = await Promise.all([
      ask(formOf({ ...client, clientId: 'client-unknown' })),
      ask(formOf({ ...client, clientSecret: 'wrong' })),
      ask(grant, basic({ ...client, clientSecret: 'wrong' })),
      ask(formOf({ ...client, clientSecret: other.clientSecret })),
      ask(formOf({ ...client, clientSecret: rows[0].secret_hash })),
      ask(formOf(disabled)),
    ]);
    for (const reply of replies) {
      expectInvalidClient(reply, /^The client ID or secret is wrong, or the client is disabled/);
    }
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test('that sends no complete credentials, and says how to authenticate', async () => {
    const rows: [form: Record<string, string>, headers?: Record<string, string>][] = [
      [{}],
      [{ client_id: 'client-1' }],
      [{ client_secret: 'secret' }],
      [{}, { authorization: 'Basic ***' }],
      [{}, { authorization: `Basic ${Buffer.from('client-1').toString('base64')}` }],
      [{}, { authorization: 'Bearer abc' }],
      [{ client_id: 'a\u0000b', client_secret: 'secret' }],
    ];
    for (const [form, headers] of rows) {
      expectInvalidClient(await ask({ ...grant, ...form }, headers), /client|HTTP Basic/i);
    }
  });
});

describe('POST /oauth/token rejects a request', () => {
  test('with an unknown grant_type or without one', async () => {
    const client = await givenClient(service);
    for (const grantType of ['password', 'authorization_code', 'Client_Credentials']) {
      const reply = await ask({ ...formOf(client), grant_type: grantType });
      const detail = /grant_type is not supported\. Use client_credentials/;
      expectRefused(reply, 400, 'unsupported_grant_type', 10205, 'ACCESS_GRANT_UNSUPPORTED', detail);
    }
    const empty = await service.request('POST', '/oauth/token', { token: null, headers: basic(client) });
    expectInvalidRequest(empty, /"grant_type" is missing/);
  });

  test('with more than 32 fields, one of them twice, or two ways to authenticate', async () => {
    const client = await givenClient(service);
    const form = Object.entries({ scope: 'users:read', unknown: 'x', ...formOf(client) });
    const more = (count: number) =>
      Array.from({ length: count }, (_, index): [string, string] => [`extension${index}`, 'x']);
    expect((await ask([...form, ...more(32 - form.length)])).status).toBe(200);
    const many = await ask([...form, ...more(33 - form.length)]);
    expectInvalidRequest(many, /at most 32 fields, but this one has 33/);
    for (const name of ['grant_type', 'client_id', 'scope', 'unknown']) {
      const double = form.find(([each]) => each === name) as [string, string];
      expectInvalidRequest(await ask([...form, double]), /appears twice/);
    }
    expectInvalidRequest(await ask(formOf(client), basic(client)), /credentials once/);
  });

  test('in JSON that is no object of strings', async () => {
    const credentials = '"client_id":"c","client_secret":"s"';
    const rows: [body: string, detail: RegExp][] = [
      ['["client_credentials"]', /JSON object/],
      [`{"grant_type":["client_credentials"],${credentials}}`, /^"grant_type" must be a string\.$/],
      [`{"grant_type":"a","grant_type":"client_credentials",${credentials}}`, /appears twice/],
      [`{${credentials}}`, /"grant_type" is missing/],
    ];
    for (const [body, detail] of rows) expectInvalidRequest(await askWithJson(body), detail);
    const broken = await askWithJson('{"grant_type":');
    expectRefused(broken, 400, 'invalid_request', 10002, 'REQUEST_BODY_NOT_JSON', /./);
  });

  test('of another media type, also with both error shapes', async () => {
    const reply = await service.request('POST', '/oauth/token', {
      token: null,
      rawBody: 'grant_type: client_credentials',
      headers: { 'content-type': 'application/yaml' },
    });
    expect(reply.status).toBe(415);
    expect(reply.json).toMatchObject({
      error: 'invalid_request',
      error_description: reply.json.detail,
      errorCode: 10014,
      message: 'REQUEST_MEDIA_TYPE_UNSUPPORTED',
      detail: expect.stringMatching(/application\/x-www-form-urlencoded or application\/json/),
    });
  });
});

describe('GET /.well-known/jwks.json', () => {
  test('returns the public part of each key, with which anyone can verify a token', async () => {
    const { keys } = (await service.get('/.well-known/jwks.json', { token: null })).json;
    const { jwk } = await signingKey(service);
    const shown = { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) };
    const about = { kid: expect.any(String), alg: 'ES256', use: 'sig' };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toEqual({ ...shown, ...about });
    expect(jwk.d).toEqual(expect.any(String));
    expect(JSON.stringify(keys)).not.toContain(jwk.d);
    const client = await givenClient(service);
    const issuedAfter = Math.floor(Date.now() / 1000);
    const { access_token: token } = (await ask(formOf(client))).json;
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys }), {
      issuer: tokenIssuer,
      audience: 'rollcall',
      subject: client.clientId,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['iat', 'exp', 'jti', 'scope', 'client_id'],
    });
    expect(payload.iat).toBeGreaterThanOrEqual(issuedAfter);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3_600);
    expect(payload.scope).toBe(scopes.join(' '));
  });
});
