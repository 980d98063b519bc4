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

describe('PATCH /service/clients/{id} changes what is sent and nothing else', () => {
  test.each([
    ['the name', { name: 'Renamed' }],
    ['the scopes', { scopes: ['audit:read', 'users:read'] }],
    ['whether it is active', { isActive: false }],
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

  test('nothing, for an empty object: there is no event of it either', async () => {
    const client = await createdClient(service);
    const { secret: _, ...before } = client.data;
    const reply = await patch(client, {});
    expect(reply.json.data).toEqual(before);
    expect(await eventsOf(client)).toEqual([]);
  });

  test('nothing, for what it is already', async () => {
    const client = await createdClient(service);
    const { name, scopes, isActive } = client.data;
    expect((await patch(client, { name, scopes, isActive })).status).toBe(200);
    expect(await eventsOf(client)).toEqual([]);
  });

  test('as a JSON merge patch too', async () => {
    const client = await createdClient(service);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await service.request('PATCH', client.path, { body: { name: 'Merged' }, headers });
    expect(reply.json.data.name).toBe('Merged');
  });

  test('and of no other client', async () => {
    const [client, other] = [await createdClient(service), await createdClient(service)];
    await patch(client, { name: 'Changed', scopes: ['audit:read'], isActive: false });
    const { secret: _, ...before } = other.data;
    expect((await service.get(other.path)).json.data).toEqual(before);
    expect((await askForToken(service, other)).json.scope).toBe('users:read users:write');
  });
});

describe('PATCH /service/clients/{id} refuses with 400 and 10004', () => {
  const nameRule = /^"name" must be a string of 1 to 200 characters that is not blank/;
  const scopesRule = /^"scopes" must be a list of one or more of users:read, users:write, access:admin, aud/;

  test.each<[string, unknown, RegExp]>([
    [
      'null as name',
      { name: null },
      /^"name" is required. It must be a string of 1 to 200 characters that is not blank, /,
    ],
    ['an empty name', { name: ' ' }, /^"name" is required/],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, nameRule],
    ['a NUL in the name', { name: '\u0000' }, /U\+0000/],
    ['a list as name', { name: ['X'] }, nameRule],
    [
      'null as scopes',
      { scopes: null },
      /^"scopes" is required. It must be a list of one or more of users:read,/,
    ],
    ['an empty list of scopes', { scopes: [] }, scopesRule],
    ['an unknown scope', { scopes: ['users:read', 'root'] }, scopesRule],
    ['a scope alone', { scopes: 'users:read' }, scopesRule],
    [
      'null as isActive',
      { isActive: null },
      /^"isActive" is required. It must be a boolean, true or false\.$/,
    ],
    ['a text as isActive', { isActive: 'false' }, /^"isActive" must be a boolean, true or false\.$/],
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
  ])('%s, and leaves the rest of the body undone', async (_, body, detail) => {
    const client = await createdClient(service);
    const { secret: _secret, ...before } = client.data;
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const reply = await patch(client, isObject ? { name: 'Undone', ...body } : body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await service.get(client.path)).json.data).toEqual(before);
  });

  test('a field that is given twice', async () => {
    const client = await createdClient(service);
    const rawBody = '{"isActive":true,"isActive":false}';
    const reply = await service.request('PATCH', client.path, { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"isActive" appears twice\. Send it once\.$/);
    expect((await askForToken(service, client)).status).toBe(200);
  });

  test('before it looks for the client', async () => {
    const reply = await patch({ path: `/service/clients/${newId('nobody')}` }, { colour: 'red' });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"colour" is not a field/);
  });
});

// Each of these waits for seconds, so they wait together.
describe.concurrent('a change of a client', () => {
  const within = { interval: 200 };
  const read = (token: string) => service.get('/service/users?limit=1', { token });
  const statusOf = (token: string) => async () => (await read(token)).status;

  test('that disables it: no new token at once, and the ones it has end within seconds', async ({
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

  test('that enables it again: new tokens at once, and the old ones stay revoked', async ({ expect }) => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    await patch(client, { isActive: false });
    expect((await read(token)).status).toBe(401);
    const enabled = await patch(client, { isActive: true });
    expect(enabled.json.data.isActive).toBe(true);
    const newer = await issueToken(service.url, client);
    // The node still knows the client as disabled, and looks again because the token is newer than that.
    expect((await read(newer)).status).toBe(200);
    expect((await read(token)).status, 'with the client read again').toBe(401);
  });

  test('that takes a scope: not given out at once, and tokens that have it lose it within seconds', async ({
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

  test('that gives it a scope: tokens of before do not get it', async ({ expect }) => {
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
