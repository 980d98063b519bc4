import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { givenPerson } from '../../support/people.js';
import { issueToken, newId, useService } from '../../support/service.js';

const service = useService();

const me = (token: string) => service.get('/service/auth/me', { token });

describe('who the token belongs to', () => {
  test('a person, with name, username, role and scopes, and nothing else', async () => {
    const { token, serial, username } = await givenPerson(service, 'operator', { name: 'Grace Hopper' });
    const reply = await me(token);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'The token is valid.',
      data: {
        kind: 'person',
        id: serial,
        name: 'Grace Hopper',
        username,
        role: 'operator',
        scopes: ['users:read', 'users:write'],
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('a person without a role, who may ask just that', async () => {
    const { token } = await givenPerson(service);
    expect((await me(token)).json.data).toMatchObject({ role: null, scopes: [] });
  });

  test('a client, with the scopes that its token has', async () => {
    const client = await givenClient(service);
    const reply = await me(await issueToken(service.url, client, 'users:read audit:read'));
    expect(reply.json.data).toEqual({
      kind: 'client',
      id: client.clientId,
      name: null,
      username: null,
      role: null,
      scopes: ['users:read', 'audit:read'],
    });
  });

  test('as they are at this moment: a new name, username and role are seen by the next request', async () => {
    const { token, serial } = await givenPerson(service, 'viewer');
    const username = newId('renamed');
    const body = { name: 'Ada King', username };
    await service.request('PATCH', `/service/users/${serial}`, { body });
    await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'administrator' } });
    expect((await me(token)).json.data).toMatchObject({
      name: 'Ada King',
      username,
      role: 'administrator',
      scopes: ['users:read', 'users:write', 'access:admin', 'audit:read'],
    });
  });

  test('a person whose username was taken away', async () => {
    const { token, serial } = await givenPerson(service);
    await service.request('PATCH', `/service/users/${serial}`, { body: { username: null } });
    expect((await me(token)).json.data).toMatchObject({ kind: 'person', id: serial, username: null });
  });
});
