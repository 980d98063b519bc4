import { describe, expect, test } from 'vitest';
import { type ApiClient, askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';
import { timePasses } from '../../support/time-passes.js';

const service = useService();

function patch({ path }: Pick<ApiClient, 'path'>, body: unknown): Promise<Reply> {
  return service.request('PATCH', path, { body });
}

async function eventsOf({ clientId }: ApiClient) {
  const { json } = await service.get(`/service/access-events?kind=client.changed&clientId=${clientId}`);
  return json.data.items;
}

describe('PATCH /service/clients/{id} changes only what is sent', () => {
  test('one field after another, and no other client', async () => {
    const [client, other] = [await createdClient(service), await createdClient(service)];
    let { secret: _, ...now } = client.data;
    const changes = [
      { name: 'Renamed' },
      { scopes: ['audit:read', 'users:read'] },
      { isActive: false },
      { name: 'All of it', scopes: ['access:admin'], isActive: true },
    ];
    for (const change of changes) {
      now = { ...now, ...change };
      const reply = await patch(client, change);
      expect(reply.json).toEqual({ status: 'success', message: 'Client updated.', data: now });
      expect(reply.status).toBe(200);
      expect((await service.get(client.path)).json.data).toEqual(now);
    }
    const { secret: _secret, ...before } = other.data;
    expect((await service.get(other.path)).json.data).toEqual(before);
  });

  test('nothing for an empty object or the current values, and records no event', async () => {
    const client = await createdClient(service);
    const { secret: _, ...before } = client.data;
    const { name, scopes, isActive } = before;
    for (const body of [{}, { name, scopes, isActive }]) {
      expect((await patch(client, body)).json.data).toEqual(before);
    }
    expect(await eventsOf(client)).toEqual([]);
  });

  test('when sent as a JSON merge patch', async () => {
    const client = await createdClient(service);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await service.request('PATCH', client.path, { body: { name: 'Merged' }, headers });
    expect(reply.json.data.name).toBe('Merged');
  });

  test('nothing if any field is invalid, which is reported with 400 and 10004 before the client is looked up', async () => {
    const client = await createdClient(service);
    const { secret: _, ...before } = client.data;
    const body = { name: 'Undone', isActive: false, scopes: [] };
    const detail = /^"scopes" must be a list of one or more of users:read/;
    expectFailure(await patch(client, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await service.get(client.path)).json.data).toEqual(before);
    const reply = await patch({ path: `/service/clients/${newId('nobody')}` }, body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
  });
});

describe('a change to a client', () => {
  const read = (token: string) => service.get('/service/users?limit=1', { token });
  const statusOfCreate = async (token: string) =>
    (await service.post('/service/users', {}, { token })).status;

  test('that disables it stops new tokens immediately and ends existing ones within three seconds', async () => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    expect((await read(token)).status).toBe(200);
    await patch(client, { isActive: false });
    const refused = await askForToken(service, client);
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({ error: 'invalid_client', errorCode: 10204 });
    timePasses(3_000);
    const reply = await read(token);
    expect([reply.status, reply.json.errorCode]).toEqual([401, 10202]);
  });

  test('that re-enables it allows new tokens immediately, while old ones stay revoked', async () => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    await patch(client, { isActive: false });
    expect((await read(token)).status).toBe(401);
    const enabled = await patch(client, { isActive: true });
    expect(enabled.json.data.isActive).toBe(true);
    const newer = await issueToken(service.url, client);
    // The node still has the client cached as disabled, and reads it again because the token is newer.
    expect((await read(newer)).status).toBe(200);
    expect((await read(token)).status, 'with the client read again').toBe(401);
  });

  test('that removes a scope applies to new tokens immediately and to existing ones within three seconds', async () => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    expect((await read(token)).status).toBe(200);
    await patch(client, { scopes: ['users:write'] });
    expect((await askForToken(service, client)).json.scope).toBe('users:write');
    expect((await askForToken(service, client, 'users:read')).json.error).toBe('invalid_scope');
    timePasses(3_000);
    const reply = await read(token);
    expect([reply.status, reply.json.errorCode]).toEqual([403, 10203]);
    expect(await statusOfCreate(token), 'what it still has goes on').toBe(400);
  });

  test('that adds a scope does not extend existing tokens', async () => {
    const client = await createdClient(service, ['users:read']);
    const token = await issueToken(service.url, client);
    await patch(client, { scopes: ['users:read', 'users:write'] });
    const newer = await issueToken(service.url, client);
    timePasses(3_000);
    expect([await statusOfCreate(newer), await statusOfCreate(token)]).toEqual([400, 403]);
  });
});
