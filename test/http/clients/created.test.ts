import { describe, expect, test } from 'vitest';
import { askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /service/clients', () => {
  test('answers 201 with the client and its secret, says where it is, and is kept by no cache', async () => {
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

  test('makes a client that gets tokens with exactly its scopes', async () => {
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

  test('keeps the secret as a hash: it is in no table, in no later reply and in no log', async () => {
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

  test('gives two clients of one name an ID and a secret each', async () => {
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

  test('trims the name and drops scopes that are named twice', async () => {
    const scopes = ['users:write', 'users:read', 'users:write'];
    const { json } = await service.post('/service/clients', { name: '  Nightly sync ', scopes });
    expect(json.data).toMatchObject({ name: 'Nightly sync', scopes: ['users:write', 'users:read'] });
  });

  test.each([
    ['of 200 characters', 'n'.repeat(200)],
    ['of 200 characters beyond the first plane', '\u{1F600}'.repeat(200)],
    ['in any script', 'Ночная выгрузка 夜间同步 מזמן'],
    ['that looks like SQL and HTML', `'); DROP TABLE clients; -- <b>&amp;`],
  ])('takes a name %s, exactly as it is', async (_, name) => {
    const created = await service.post('/service/clients', { name, scopes: ['users:read'] });
    expect(created.status, created.text).toBe(201);
    expect((await service.get(created.headers.get('location') ?? '')).json.data.name).toBe(name);
  });
});

describe('POST /service/clients refuses with 400 and 10004', () => {
  const nameRule = /^"name" must be a string of 1 to 200 characters that is not blank/;
  const nameRequired = /^"name" is required. It must be a string of 1 to 200 characters that is not blank, /;
  const scopesRule =
    /^"scopes" must be a list of one or more of users:read, users:write, access:admin, audit:read/;
  const scopesRequired = /^"scopes" is required. It must be a list of one or more of users:read, /;
  const scopes = ['users:read'];

  test.each<[string, unknown, RegExp]>([
    ['nothing in the object', {}, nameRequired],
    ['no name', { scopes }, nameRequired],
    ['null as name', { name: null, scopes }, nameRequired],
    ['an empty name', { name: '', scopes }, nameRequired],
    ['spaces as name', { name: ' \t\n ', scopes }, nameRequired],
    ['a number as name', { name: 7, scopes }, /^"name" must be a string of .*, not a number\.$/],
    ['a name of 201 characters', { name: 'n'.repeat(201), scopes }, nameRule],
    ['a line end in the name', { name: 'a\nb', scopes }, /U\+000A/],
    ['a NUL in the name', { name: 'a\u0000b', scopes }, /U\+0000/],
    ['a sign in the name that turns the direction round', { name: 'a\u202eb', scopes }, /U\+202E/],
    ['half of a surrogate pair in the name', { name: 'a\ud800b', scopes }, /U\+D800/],
    ['no scopes', { name: 'X' }, scopesRequired],
    ['null as scopes', { name: 'X', scopes: null }, scopesRequired],
    ['an empty list of scopes', { name: 'X', scopes: [] }, scopesRule],
    ['a scope alone', { name: 'X', scopes: 'users:read' }, scopesRule],
    ['a scope that does not exist', { name: 'X', scopes: ['users:read', 'users:delete'] }, scopesRule],
    ['a scope in capitals', { name: 'X', scopes: ['USERS:READ'] }, scopesRule],
    ['a number among the scopes', { name: 'X', scopes: ['users:read', 7] }, scopesRule],
    ['null among the scopes', { name: 'X', scopes: [null] }, scopesRule],
    ['a list in the list', { name: 'X', scopes: [['users:read']] }, scopesRule],
    ['an object as scopes', { name: 'X', scopes: { 0: 'users:read' } }, scopesRule],
    ['an ID', { name: 'X', scopes, id: 'mine' }, /^"id" is not a field .* Use name, scopes\.$/],
    ['a secret', { name: 'X', scopes, secret: 'hunter2' }, /^"secret" is not a field of this operation/],
    ['isActive', { name: 'X', scopes, isActive: false }, /^"isActive" is not a field of this operation/],
    ['a list', [{ name: 'X', scopes }], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
    ['a text', 'X', /^The body must be a JSON object, not a string\.$/],
  ])('%s', async (_, body, detail) => {
    const reply = await service.post('/service/clients', body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
  });

  test('a field that is given twice', async () => {
    const rawBody = '{"name":"A","scopes":["users:read"],"scopes":["access:admin"]}';
    const reply = await service.request('POST', '/service/clients', { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"scopes" appears twice\. Send it once\.$/);
  });

  test('a field named like what every object inherits', async () => {
    const rawBody = '{"name":"A","scopes":["users:read"],"__proto__":{"isActive":true}}';
    const reply = await service.request('POST', '/service/clients', { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"__proto__" is not a field/);
  });

  test('and makes nothing of it', async () => {
    const count = async () => (await service.database.pool.query('SELECT FROM clients')).rows.length;
    const before = await count();
    await service.post('/service/clients', { name: 'X', scopes: ['nothing'] });
    expect(await count()).toBe(before);
  });
});

test('POST /service/clients without a body gets 400 with 10002', async () => {
  const reply = await service.request('POST', '/service/clients');
  expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /^The body is missing. Send a JSON object\.$/);
});
