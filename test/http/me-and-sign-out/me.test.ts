import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { giveRole } from '../../support/protected-users.js';
import { issueToken, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const me = (token: string) => service.get('/service/auth/me', { token });

describe('the owner of a token', () => {
  test('is a user, with only name, username, role and scopes', async () => {
    const { token, serial, username, employeeID } = await givenSignedInUser(service, 'operator', {
      name: 'Grace Hopper',
    });
    const reply = await me(token);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'The token is valid.',
      data: {
        kind: 'person',
        id: serial,
        name: 'Grace Hopper',
        username,
        employeeID,
        role: 'operator',
        scopes: ['users:read', 'users:write'],
        sessionId: expect.any(String),
        secondFactor: 'none',
        method: 'password',
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('is a client, with the scopes of its token', async () => {
    const client = await givenClient(service);
    const reply = await me(await issueToken(service.url, client, 'users:read audit:read'));
    expect(reply.json.data).toEqual({
      kind: 'client',
      id: client.clientId,
      name: null,
      username: null,
      employeeID: null,
      role: null,
      scopes: ['users:read', 'audit:read'],
      sessionId: null,
      secondFactor: 'none',
      method: null,
    });
  });

  test('is current: a new name and username appear in the next request, and a role no longer', async () => {
    const { token, serial } = await givenSignedInUser(service, 'administrator');
    const username = newId('renamed');
    const patch = (body: unknown) => service.request('PATCH', `/service/users/${serial}`, { body });
    await patch({ name: 'Ada King', username });
    expect((await me(token)).json.data).toMatchObject({
      name: 'Ada King',
      username,
      role: 'administrator',
      scopes: ['users:read', 'users:write', 'access:admin', 'audit:read', 'attributes:sensitive', 'scim'],
    });
    await giveRole(service, serial, null);
    await patch({ username: null });
    expect((await me(token)).json.data).toMatchObject({
      kind: 'person',
      id: serial,
      username: null,
      scopes: [],
    });
  });
});
