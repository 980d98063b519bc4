import { describe, expect, test } from 'vitest';
import { askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /service/clients', () => {
  test('returns 201 with the client, its secret and Location, and disables caching', async () => {
    const name = newId('Sync ');
    const reply = await service.post('/service/clients', { name, scopes: ['users:read', 'audit:read'] });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Client created. Keep the secret: it is not shown again.',
      data: {
        id: expect.stringMatching(/^client-[0-9a-f]{12}$/),
        name,
        scopes: ['users:read', 'audit:read'],
        isActive: true,
        createdAt: time,
        secrets: [{ createdAt: time, expiresAt: null }],
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(reply.headers.get('location')).toBe(`/service/clients/${reply.json.data.id}`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(Math.abs(Date.now() - Date.parse(reply.json.data.createdAt))).toBeLessThan(60_000);
  });

  test('creates a client whose tokens have exactly its scopes', async () => {
    const client = await createdClient(service, ['users:read', 'audit:read']);
    const issued = await askForToken(service, client);
    expect(issued.json).toMatchObject({ token_type: 'Bearer', scope: 'users:read audit:read' });
    const token = issued.json.access_token;
    expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
    expect((await service.get('/service/access-events?limit=1', { token })).status).toBe(200);
    expect((await service.post('/service/users', {}, { token })).status).toBe(403);
    expect((await service.get('/service/clients', { token })).status).toBe(403);
    const more = await askForToken(service, client, 'users:write');
    expect(more.json).toMatchObject({ error: 'invalid_scope', errorCode: 10206 });
  });

  test('stores the secret as a hash: it appears in no table, later reply or log', async () => {
    const client = await createdClient(service);
    await askForToken(service, client);
    expect(await tablesHolding(service, client.clientId)).toContain('client_secrets');
    expect(await tablesHolding(service, client.clientSecret)).toEqual([]);
    const patched = await service.request('PATCH', client.path, { body: { name: newId() } });
    const events = await service.get(`/service/access-events?clientId=${client.clientId}`);
    for (const reply of [await service.get(client.path), patched, events]) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(client.clientSecret);
      expect(reply.text).not.toMatch(/"secret"|hash/i);
    }
    expect(service.logs).toContain(client.path.replace(client.clientId, ':id'));
    expect(service.logs).not.toContain(client.clientSecret);
  });

  test('creates two clients with the same name, each with its own ID and secret', async () => {
    const body = { name: newId('Twin '), scopes: ['users:read'] };
    const [one, two] = [
      await service.post('/service/clients', body),
      await service.post('/service/clients', body),
    ];
    expect(one.json.data.id).not.toBe(two.json.data.id);
    expect(one.json.data.secret).not.toBe(two.json.data.secret);
    const mixed = { clientId: one.json.data.id, clientSecret: two.json.data.secret };
    expect((await askForToken(service, mixed)).json).toMatchObject({ error: 'invalid_client' });
  });

  test('trims the name and removes duplicate scopes', async () => {
    const scopes = ['users:write', 'users:read', 'users:write'];
    const { json } = await service.post('/service/clients', { name: '  Nightly sync ', scopes });
    expect(json.data).toMatchObject({ name: 'Nightly sync', scopes: ['users:write', 'users:read'] });
  });

  test.each([
    ['of 200 characters', 'n'.repeat(200)],
    ['of 200 characters outside the BMP', '\u{1F600}'.repeat(200)],
    ['in any script', 'Ночная выгрузка 夜间同步 מזמן'],
    ['that looks like SQL and HTML', `'); DROP TABLE clients; -- <b>&amp;`],
  ])('accepts a name %s unchanged', async (_, name) => {
    const created = await service.post('/service/clients', { name, scopes: ['users:read'] });
    expect(created.status, created.text).toBe(201);
    expect((await service.get(created.headers.get('location') ?? '')).json.data.name).toBe(name);
  });
});

describe('POST /service/clients rejects with 400 and 10004', () => {
  const nameRule = /^"name" must be a string of 1 to 200 characters that is not blank/;
  const nameRequired = /^"name" is required. It must be a string of 1 to 200 characters that is not blank, /;
  const scopesRule =
    /^"scopes" must be a list of one or more of users:read, users:write, access:admin, audit:read/;
  const scopesRequired = /^"scopes" is required. It must be a list of one or more of users:read, /;
  const scopes = ['users:read'];

  test.each<[string, unknown, RegExp]>([
    ['an empty object', {}, nameRequired],
    ['no name', { scopes }, nameRequired],
    ['a null name', { name: null, scopes }, nameRequired],
    ['an empty name', { name: '', scopes }, nameRequired],
    ['a blank name', { name: ' \t\n ', scopes }, nameRequired],
    ['a number as the name', { name: 7, scopes }, /^"name" must be a string of .*, not a number\.$/],
    ['a name of 201 characters', { name: 'n'.repeat(201), scopes }, nameRule],
    ['a line break in the name', { name: 'a\nb', scopes }, /U\+000A/],
    ['a NUL in the name', { name: 'a\u0000b', scopes }, /U\+0000/],
    ['a bidirectional override in the name', { name: 'a\u202eb', scopes }, /U\+202E/],
    ['a lone surrogate in the name', { name: 'a\ud800b', scopes }, /U\+D800/],
    ['no scopes', { name: 'X' }, scopesRequired],
    ['null scopes', { name: 'X', scopes: null }, scopesRequired],
    ['an empty list of scopes', { name: 'X', scopes: [] }, scopesRule],
    ['a scope outside a list', { name: 'X', scopes: 'users:read' }, scopesRule],
    ['an unknown scope', { name: 'X', scopes: ['users:read', 'users:delete'] }, scopesRule],
    ['a capitalized scope', { name: 'X', scopes: ['USERS:READ'] }, scopesRule],
    ['a number among the scopes', { name: 'X', scopes: ['users:read', 7] }, scopesRule],
    ['null among the scopes', { name: 'X', scopes: [null] }, scopesRule],
    ['a nested list of scopes', { name: 'X', scopes: [['users:read']] }, scopesRule],
    ['an object as scopes', { name: 'X', scopes: { 0: 'users:read' } }, scopesRule],
    ['an ID', { name: 'X', scopes, id: 'mine' }, /^"id" is not a field .* Use name, scopes\.$/],
    ['a secret', { name: 'X', scopes, secret: 'hunter2' }, /^"secret" is not a field of this operation/],
    ['isActive', { name: 'X', scopes, isActive: false }, /^"isActive" is not a field of this operation/],
    ['a list', [{ name: 'X', scopes }], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
    ['a string', 'X', /^The body must be a JSON object, not a string\.$/],
  ])('%s', async (_, body, detail) => {
    const reply = await service.post('/service/clients', body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
  });

  test('a repeated field', async () => {
    const rawBody = '{"name":"A","scopes":["users:read"],"scopes":["access:admin"]}';
    const reply = await service.request('POST', '/service/clients', { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"scopes" appears twice\. Send it once\.$/);
  });

  test('a field named like an inherited property', async () => {
    const rawBody = '{"name":"A","scopes":["users:read"],"__proto__":{"isActive":true}}';
    const reply = await service.request('POST', '/service/clients', { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"__proto__" is not a field/);
  });

  test('and creates nothing', async () => {
    const count = async () => (await service.database.pool.query('SELECT FROM clients')).rows.length;
    const before = await count();
    await service.post('/service/clients', { name: 'X', scopes: ['nothing'] });
    expect(await count()).toBe(before);
  });
});

test('POST /service/clients without a body fails with 400 and 10002', async () => {
  const reply = await service.request('POST', '/service/clients');
  expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /^The body is missing. Send a JSON object\.$/);
});
