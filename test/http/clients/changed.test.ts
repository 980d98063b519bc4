import { describe, expect, test } from 'vitest';
import { type ApiClient, askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

function patch({ path }: Pick<ApiClient, 'path'>, body: unknown): Promise<Reply> {
  return service.request('PATCH', path, { body });
}

async function eventsOf({ clientId }: ApiClient) {
  const { json } = await service.get(`/service/access-events?kind=client.changed&clientId=${clientId}`);
  return json.data.items;
}

describe('PATCH /service/clients/{id} changes only what is sent', () => {
  test.each([
    ['the name', { name: 'Renamed' }],
    ['the scopes', { scopes: ['audit:read', 'users:read'] }],
    ['the active state', { isActive: false }],
    ['all three', { name: 'All of it', scopes: ['access:admin'], isActive: false }],
  ])('%s', async (_, change) => {
    const client = await createdClient(service);
    const { secret: _secret, ...before } = client.data;
    const reply = await patch(client, change);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Client updated.',
      data: { ...before, ...change },
    });
    expect((await service.get(client.path)).json.data).toEqual({ ...before, ...change });
  });

  test('nothing for an empty object, and records no event', async () => {
    const client = await createdClient(service);
    const { secret: _, ...before } = client.data;
    const reply = await patch(client, {});
    expect(reply.json.data).toEqual(before);
    expect(await eventsOf(client)).toEqual([]);
  });

  test('nothing for the current values', async () => {
    const client = await createdClient(service);
    const { name, scopes, isActive } = client.data;
    expect((await patch(client, { name, scopes, isActive })).status).toBe(200);
    expect(await eventsOf(client)).toEqual([]);
  });

  test('when sent as a JSON merge patch', async () => {
    const client = await createdClient(service);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await service.request('PATCH', client.path, { body: { name: 'Merged' }, headers });
    expect(reply.json.data.name).toBe('Merged');
  });

  test('and no other client', async () => {
    const [client, other] = [await createdClient(service), await createdClient(service)];
    await patch(client, { name: 'Changed', scopes: ['audit:read'], isActive: false });
    const { secret: _, ...before } = other.data;
    expect((await service.get(other.path)).json.data).toEqual(before);
    expect((await askForToken(service, other)).json.scope).toBe('users:read users:write');
  });
});

describe('PATCH /service/clients/{id} rejects with 400 and 10004', () => {
  const nameRule = /^"name" must be a string of 1 to 200 characters that is not blank/;
  const scopesRule = /^"scopes" must be a list of one or more of users:read, users:write, access:admin, aud/;

  test.each<[string, unknown, RegExp]>([
    [
      'a null name',
      { name: null },
      /^"name" is required. It must be a string of 1 to 200 characters that is not blank, /,
    ],
    ['an empty name', { name: ' ' }, /^"name" is required/],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, nameRule],
    ['a NUL in the name', { name: '\u0000' }, /U\+0000/],
    ['a list as the name', { name: ['X'] }, nameRule],
    [
      'null scopes',
      { scopes: null },
      /^"scopes" is required. It must be a list of one or more of users:read,/,
    ],
    ['an empty list of scopes', { scopes: [] }, scopesRule],
    ['an unknown scope', { scopes: ['users:read', 'root'] }, scopesRule],
    ['a scope outside a list', { scopes: 'users:read' }, scopesRule],
    [
      'a null isActive',
      { isActive: null },
      /^"isActive" is required. It must be a boolean, true or false\.$/,
    ],
    ['text as isActive', { isActive: 'false' }, /^"isActive" must be a boolean, true or false\.$/],
    [
      'a number as isActive',
      { isActive: 0 },
      /^"isActive" must be a boolean, true or false, not a number\.$/,
    ],
    ['an unknown field', { colour: 'red' }, /^"colour" is not a field .* Use name, scopes, isActive\.$/],
    ['a new ID', { id: 'client-1' }, /^"id" is not a field of this operation/],
    ['a secret', { secret: 'hunter2' }, /^"secret" is not a field of this operation/],
    ['the secrets', { secrets: [] }, /^"secrets" is not a field of this operation/],
    ['a field in another case', { isactive: false }, /^"isactive" is not a field of this operation/],
    ['a list', [{ isActive: false }], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
  ])('%s, and applies nothing else in the body', async (_, body, detail) => {
    const client = await createdClient(service);
    const { secret: _secret, ...before } = client.data;
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const reply = await patch(client, isObject ? { name: 'Undone', ...body } : body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await service.get(client.path)).json.data).toEqual(before);
  });

  test('a repeated field', async () => {
    const client = await createdClient(service);
    const rawBody = '{"isActive":true,"isActive":false}';
    const reply = await service.request('PATCH', client.path, { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"isActive" appears twice\. Send it once\.$/);
    expect((await askForToken(service, client)).status).toBe(200);
  });

  test('before looking up the client', async () => {
    const reply = await patch({ path: `/service/clients/${newId('nobody')}` }, { colour: 'red' });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"colour" is not a field/);
  });
});

// Each of these takes seconds, so they run concurrently.
describe.concurrent('a change to a client', () => {
  const within = { interval: 200 };
  const read = (token: string) => service.get('/service/users?limit=1', { token });
  const statusOf = (token: string) => async () => (await read(token)).status;

  test('that disables it stops new tokens immediately and ends existing ones within seconds', async ({
    expect,
  }) => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    expect((await read(token)).status).toBe(200);
    await patch(client, { isActive: false });
    const refused = await askForToken(service, client);
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({ error: 'invalid_client', errorCode: 10204 });
    await expect.poll(statusOf(token), within).toBe(401);
    expect((await read(token)).json).toMatchObject({ errorCode: 10202, message: 'ACCESS_TOKEN_INVALID' });
  });

  test('that re-enables it allows new tokens immediately, while old ones stay revoked', async ({
    expect,
  }) => {
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

  test('that removes a scope applies to new tokens immediately and to existing ones within seconds', async ({
    expect,
  }) => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    expect((await read(token)).status).toBe(200);
    await patch(client, { scopes: ['users:write'] });
    expect((await askForToken(service, client)).json.scope).toBe('users:write');
    expect((await askForToken(service, client, 'users:read')).json.error).toBe('invalid_scope');
    await expect.poll(statusOf(token), within).toBe(403);
    expect((await read(token)).json).toMatchObject({ errorCode: 10203, message: 'ACCESS_SCOPE_MISSING' });
    const write = await service.post('/service/users', {}, { token });
    expect(write.json.errorCode, 'what it still has goes on').toBe(10106);
  });

  test('that adds a scope does not extend existing tokens', async ({ expect }) => {
    const client = await createdClient(service, ['users:read']);
    const token = await issueToken(service.url, client);
    await patch(client, { scopes: ['users:read', 'users:write'] });
    const newer = await issueToken(service.url, client);
    const statusOfCreate = async (bearer: string) =>
      (await service.post('/service/users', {}, { token: bearer })).status;
    await expect.poll(() => statusOfCreate(newer), within).toBe(400);
    expect(await statusOfCreate(token)).toBe(403);
  });
});
