import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.js';
import { givenClient } from '../../support/clients.js';
import { withoutData } from '../../support/error-data.js';
import { type ClientCredentials, type Reply, useOwnService } from '../../support/service.js';

const publicUrl = 'https://rollcall.example/base';
const service = useOwnService({ ROLLCALL_PUBLIC_URL: publicUrl, ROLLCALL_TOKEN_LIFETIME_SECONDS: '5400' });

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

function basic({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

function formOf({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
}

const grant = { grant_type: 'client_credentials' };

function expectToken(reply: Reply, scope: readonly string[]): void {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 5_400,
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

describe('POST /oauth/token returns a token', () => {
  test('for credentials in form fields', async () => {
    expectToken(await ask(formOf(await givenClient(service))), scopes);
  });

  test('for credentials in HTTP Basic', async () => {
    expectToken(await ask(grant, basic(await givenClient(service))), scopes);
  });

  test.each(['basic', 'BASIC'])('for HTTP Basic written as %s', async (scheme) => {
    const { authorization = '' } = basic(await givenClient(service));
    expectToken(await ask(grant, { authorization: authorization.replace('Basic', scheme) }), scopes);
  });

  test('for HTTP Basic with form-encoded ID and secret, as RFC 6749 requires', async () => {
    const { clientId, clientSecret } = await givenClient(service);
    const escaped = (text: string) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const credentials = { clientId: escaped(clientId), clientSecret: escaped(clientSecret) };
    expectToken(await ask(grant, basic(credentials)), scopes);
  });

  test('for HTTP Basic together with client_id in the form', async () => {
    const client = await givenClient(service);
    expectToken(await ask({ ...grant, client_id: client.clientId }, basic(client)), scopes);
  });

  test('and ignores unknown form fields, as RFC 6749 requires', async () => {
    expectToken(await ask({ ...formOf(await givenClient(service)), resource: 'x' }), scopes);
  });

  test('with a charset on the form', async () => {
    const contentType = 'application/x-www-form-urlencoded; charset=UTF-8';
    expectToken(await ask(formOf(await givenClient(service)), { 'content-type': contentType }), scopes);
  });

  test.each(['application/json', 'application/json; charset=utf8'])('for %s', async (contentType) => {
    const client = await givenClient(service);
    const json = { ...formOf(client), scope: null, unknown: 'ignored' };
    const inBody = await askWithJson(JSON.stringify(json), { 'content-type': contentType });
    expectToken(inBody, scopes);
    expectToken(await askWithJson(JSON.stringify({ ...grant, scope: 'users:read' }), basic(client)), [
      'users:read',
    ]);
  });

  test('that the service accepts', async () => {
    const { json } = await ask(formOf(await givenClient(service)));
    expect((await service.get('/service/users?limit=1', { token: json.access_token })).status).toBe(200);
  });

  test('that is new each time', async () => {
    const form = formOf(await givenClient(service));
    const [first, second] = [await ask(form), await ask(form)];
    expect(first.json.access_token).not.toBe(second.json.access_token);
  });

  test('for either secret during a rotation', async () => {
    const [client, other] = [await givenClient(service), await givenClient(service)];
    await service.database.pool.query(
      `INSERT INTO client_secrets (client_id, secret_hash)
       SELECT $1, secret_hash FROM client_secrets WHERE client_id = $2`,
      [client.clientId, other.clientId],
    );
    expectToken(await ask(formOf(client)), scopes);
    expectToken(await ask(formOf({ ...client, clientSecret: other.clientSecret })), scopes);
  });
});

describe('the scope of a token', () => {
  test('is that of the client by default', async () => {
    const client = await givenClient(service, ['users:read', 'audit:read']);
    expectToken(await ask(formOf(client)), ['users:read', 'audit:read']);
  });

  test('is as requested, without duplicates and extra spaces', async () => {
    const form = { ...formOf(await givenClient(service)), scope: ' users:read  users:write users:read' };
    const reply = await ask(form);
    expectToken(reply, ['users:read', 'users:write']);
    expect(decodeJwt(reply.json.access_token).scope).toBe('users:read users:write');
  });

  test.each([
    ['that the client does not have', 'users:write'],
    ['that the client does not have, next to one that it has', 'users:read users:write'],
    ['that does not exist', 'everything'],
    ['in another case', 'USERS:READ'],
  ])('is rejected if it includes one %s', async (_, scope) => {
    const reply = await ask({ ...formOf(await givenClient(service, ['users:read'])), scope });
    expectRefused(
      reply,
      400,
      'invalid_scope',
      10206,
      'ACCESS_SCOPE_INVALID',
      /can only request these scopes: users:read\.$/,
    );
  });
});

describe('POST /oauth/token rejects JSON', () => {
  const credentials = '"client_id":"c","client_secret":"s"';

  test.each([
    ['that is incomplete', '{"grant_type":', 10002, 'REQUEST_BODY_NOT_JSON', /./],
    ['that is not an object', '["client_credentials"]', 10207, 'ACCESS_TOKEN_REQUEST_INVALID', /JSON object/],
    [
      'with a field that is not a string',
      `{"grant_type":["client_credentials"],${credentials}}`,
      10207,
      'ACCESS_TOKEN_REQUEST_INVALID',
      /^"grant_type" must be a string\.$/,
    ],
    [
      'with a field that appears twice',
      `{"grant_type":"a","grant_type":"client_credentials",${credentials}}`,
      10207,
      'ACCESS_TOKEN_REQUEST_INVALID',
      /appears twice/,
    ],
    [
      'without a grant type',
      `{${credentials}}`,
      10207,
      'ACCESS_TOKEN_REQUEST_INVALID',
      /"grant_type" is missing/,
    ],
  ])('%s', async (_, body, code, name, detail) => {
    expectRefused(await askWithJson(body), 400, 'invalid_request', code, name, detail);
  });
});

describe('POST /oauth/token rejects a client', () => {
  function expectInvalidClient(reply: Reply, detail: RegExp): void {
    expectRefused(reply, 401, 'invalid_client', 10204, 'ACCESS_CLIENT_INVALID', detail);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  }

  test('that is unknown or has the wrong secret, with the same response', async () => {
    const client = await givenClient(service);
    const unknown = await ask(formOf({ ...client, clientId: 'client-unknown' }));
    const wrong = await ask(formOf({ ...client, clientSecret: 'wrong' }));
    expectInvalidClient(unknown, /The client ID or secret is wrong, or the client is disabled/);
    expectInvalidClient(wrong, /The client ID or secret is wrong, or the client is disabled/);
    expect(unknown.text).toBe(wrong.text);
  });

  test('with the wrong secret in HTTP Basic', async () => {
    const client = await givenClient(service);
    expectInvalidClient(await ask(grant, basic({ ...client, clientSecret: 'wrong' })), /wrong/);
  });

  test('with the secret of another client', async () => {
    const [client, other] = [await givenClient(service), await givenClient(service)];
    expectInvalidClient(await ask(formOf({ ...client, clientSecret: other.clientSecret })), /wrong/);
  });

  test('with the stored hash instead of the secret', async () => {
    const client = await givenClient(service);
    const { rows } = await service.database.pool.query(
      'SELECT secret_hash FROM client_secrets WHERE client_id = $1',
      [client.clientId],
    );
    expectInvalidClient(await ask(formOf({ ...client, clientSecret: rows[0].secret_hash })), /wrong/);
  });

  test('that is disabled, immediately', async () => {
    const client = await givenClient(service);
    expectToken(await ask(formOf(client)), scopes);
    await service.database.pool.query('UPDATE clients SET disabled_at = now() WHERE id = $1', [
      client.clientId,
    ]);
    expectInvalidClient(await ask(formOf(client)), /or the client is disabled/);
  });

  test.each([
    ['no credentials', {}, {}],
    ['only a client_id', { client_id: 'client-1' }, {}],
    ['only a client_secret', { client_secret: 'secret' }, {}],
    ['HTTP Basic that is not base64', {}, { authorization: 'Basic ***' }],
    [
      'HTTP Basic without a colon',
      {},
      { authorization: `Basic ${Buffer.from('client-1').toString('base64')}` },
    ],
    ['another authentication scheme', {}, { authorization: 'Bearer abc' }],
    ['a NUL in the client ID', { client_id: 'a\u0000b', client_secret: 'secret' }, {}],
  ])('that sends %s, and says how to authenticate', async (_, form, headers) => {
    expectInvalidClient(
      await ask({ ...grant, ...form }, headers as Record<string, string>),
      /client|HTTP Basic/i,
    );
  });
});

describe('POST /oauth/token rejects a request', () => {
  test.each([
    ['password', 'password'],
    ['authorization_code', 'authorization_code'],
    ['another case', 'Client_Credentials'],
  ])('with an unknown grant_type (%s)', async (_, grantType) => {
    const reply = await ask({ ...formOf(await givenClient(service)), grant_type: grantType });
    const detail = /grant_type is not supported\. Use client_credentials/;
    expectRefused(reply, 400, 'unsupported_grant_type', 10205, 'ACCESS_GRANT_UNSUPPORTED', detail);
  });

  function expectInvalidRequest(reply: Reply, detail: RegExp): void {
    expectRefused(reply, 400, 'invalid_request', 10207, 'ACCESS_TOKEN_REQUEST_INVALID', detail);
  }

  test('without a grant_type', async () => {
    const { grant_type: _, ...form } = formOf(await givenClient(service));
    expectInvalidRequest(await ask(form), /"grant_type" is missing/);
  });

  test('without a body', async () => {
    const client = await givenClient(service);
    const reply = await service.request('POST', '/oauth/token', { token: null, headers: basic(client) });
    expectInvalidRequest(reply, /"grant_type" is missing/);
  });

  test('with more than 32 fields', async () => {
    const form = Object.entries(formOf(await givenClient(service)));
    const more = (count: number) =>
      Array.from({ length: count }, (_, index): [string, string] => [`extension${index}`, 'x']);
    expect((await ask([...form, ...more(32 - form.length)])).status).toBe(200);
    const reply = await ask([...form, ...more(33 - form.length)]);
    expectInvalidRequest(reply, /at most 32 fields, but this one has 33/);
  });

  test.each(['grant_type', 'client_id', 'scope', 'unknown'])('that repeats %s', async (field) => {
    const form = Object.entries({ scope: 'users:read', unknown: 'x', ...formOf(await givenClient(service)) });
    const double = form.find(([name]) => name === field) as [string, string];
    expectInvalidRequest(await ask([...form, double]), /appears twice/);
  });

  test('that authenticates in two ways', async () => {
    const client = await givenClient(service);
    expectInvalidRequest(await ask(formOf(client), basic(client)), /credentials once/);
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

describe('a form field without a value counts as omitted (RFC 6749, section 3.2)', () => {
  test('scope', async () => {
    expectToken(await ask({ ...formOf(await givenClient(service)), scope: '' }), scopes);
  });

  test('grant_type', async () => {
    const reply = await ask({ ...formOf(await givenClient(service)), grant_type: '' });
    expect(reply.json).toMatchObject({ error: 'invalid_request', errorCode: 10207 });
  });

  test('client_secret next to HTTP Basic', async () => {
    const client = await givenClient(service);
    expectToken(await ask({ ...grant, client_secret: '' }, basic(client)), scopes);
  });
});

describe('GET /.well-known/jwks.json', () => {
  const keys = async () => (await service.get('/.well-known/jwks.json', { token: null })).json.keys;

  test('returns the public part of each key without authentication, and nothing of the private part', async () => {
    const published = await keys();
    expect(published).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ]);
    const { rows } = await service.database.pool.query('SELECT private_jwk FROM signing_keys');
    expect(rows[0].private_jwk.d).toEqual(expect.any(String));
    expect(JSON.stringify(published)).not.toContain(rows[0].private_jwk.d);
  });

  test('allows anyone to verify the key, issuer, audience, subject and lifetime of a token', async () => {
    const client = await givenClient(service);
    const issuedAfter = Math.floor(Date.now() / 1000);
    const { access_token: token } = (await ask(formOf(client))).json;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: await keys() }), {
      issuer: publicUrl,
      audience: 'rollcall',
      subject: client.clientId,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['iat', 'exp', 'jti', 'scope', 'client_id'],
    });
    expect(protectedHeader.kid).toBe((await keys())[0].kid);
    expect(payload.iat).toBeGreaterThanOrEqual(issuedAfter);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(5_400);
    expect(payload.scope).toBe(scopes.join(' '));
  });
});
