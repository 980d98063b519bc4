import { describe, expect, test } from 'vitest';
import { askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /service/clients', () => {
  test('returns 201 with the client, its secret and Location, and disables caching', async () => {
    const name = `${newId('Sync ')} 夜间同步 '); -- <b>&amp;`;
    const reply = await service.post('/service/clients', { name, scopes: ['users:read', 'audit:read'] });
    expect(reply.status, reply.text).toBe(201);
    const { data } = reply.json;
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Client created. Keep the secret: it is not shown again.',
      data: {
        id: expect.stringMatching(/^client-[0-9a-f]{12}$/),
        name,
        scopes: ['users:read', 'audit:read'],
        isActive: true,
        ignoresUnknownFields: false,
        lastUsedAt: null,
        createdAt: time,
        secrets: [{ createdAt: time, expiresAt: null }],
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(reply.headers.get('location')).toBe(`/service/clients/${data.id}`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const { secret: _, ...shown } = data;
    expect((await service.get(`/service/clients/${data.id}`)).json.data).toEqual(shown);
  });

  test('creates a client whose tokens have exactly its scopes', async () => {
    const client = await createdClient(service, ['users:read', 'audit:read']);
    const issued = await askForToken(service, client);
    expect(issued.json).toMatchObject({ token_type: 'Bearer', scope: 'users:read audit:read' });
    const token = issued.json.access_token;
    const { scopes } = (await service.get('/service/auth/me', { token })).json.data;
    expect(scopes).toEqual(['users:read', 'audit:read']);
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
    const mixed = { clientId: one.json.data.id, clientSecret: two.json.data.secret };
    expect((await askForToken(service, mixed)).json).toMatchObject({ error: 'invalid_client' });
  });

  test('rejects an invalid body with 400 and 10004, and a missing one with 10002, and creates nothing', async () => {
    const count = async () => (await service.database.pool.query('SELECT FROM clients')).rows.length;
    const before = await count();
    const invalid = await service.post('/service/clients', { name: 'X', scopes: ['nothing'] });
    expectFailure(invalid, 400, 10004, 'REQUEST_BODY_INVALID', /^"scopes" must be a list of one or more of /);
    const missing = await service.request('POST', '/service/clients');
    expectFailure(
      missing,
      400,
      10002,
      'REQUEST_BODY_NOT_JSON',
      /^The body is missing. Send a JSON object\.$/,
    );
    expect(await count()).toBe(before);
  });
});
