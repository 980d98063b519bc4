import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { givenCreates, givenUpdates, undone } from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { givenEntry } from '../../support/directories.js';
import { aResource, givenScimProvider } from '../../support/scim.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const read = (serial: string) => service.get(`/service/users/${serial}/personal-data`);

describe('GET /service/users/{serial}/personal-data', () => {
  test('returns everything that is stored about a user, without secrets', async () => {
    const [email, newEmail] = ['before@example.com', 'after@example.com'];
    const administrator = await givenSignedInUser(service, 'administrator', { email });
    const { serial, token, employeeID, username } = administrator;
    const renamed = newId();
    await patchUser(service, serial, { employeeID: renamed, email: newEmail });
    const other = await service.givenUser();
    const client = { name: 'Nightly sync', scopes: ['users:read'] };
    const created = await service.post('/service/clients', client, { token });
    const call = await service.post(
      '/service/users/update-bulk',
      { items: [anItem(other, { name: 'By them' })] },
      { token },
    );
    const reply = await read(serial);
    expect(reply.status, reply.text).toBe(200);
    const { data } = reply.json;
    const { upcomingChanges, managers: _, ...user } = await service.readUserWithPlans(serial);
    expect(data).toMatchObject({
      user,
      upcomingChanges,
      role: 'administrator',
      formerNames: [{ kind: 'employeeID', name: employeeID }],
      password: { mustChange: false, expiresAt: null },
      firstSignedInAt: expect.any(String),
      sessions: [{ lastSeenAt: expect.any(String), method: 'password', address: '127.0.0.1' }],
      calls: [{ id: call.headers.get('x-call-id'), kind: 'update-bulk' }],
      createdClients: [{ id: created.json.data.id ?? created.json.data.clientId }],
      incomplete: [],
    });
    expect(data.user).toMatchObject({ employeeID: renamed, username, email: newEmail });
    expect(data.changes.map(({ kind }: { kind: string }) => kind)).toContain('created');
    expect(data.messages).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'account-changed', toEmail: email })]),
    );
    const kinds = data.accessEvents.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['sign-in.succeeded', 'role.changed', 'client.created']));
    expect(reply.text).not.toContain(token);
    expect(reply.text).not.toMatch(/\$argon2|secret"|password_hash/);
  });

  test('covers what identity providers have sent, and where the user was pushed', async () => {
    const provider = await givenScimProvider(service);
    const externalId = newId('ext');
    const { id } = (await provider.send('POST', '/Users', aResource({ externalId }))).json;
    const group = await provider.send('POST', '/Groups', {
      displayName: newId('G'),
      members: [{ value: id, display: 'Ada, Sales' }],
    });
    expect(group.status, group.text).toBe(201);
    const target = randomUUID();
    await service.database.pool.query(
      `INSERT INTO scim_targets (id, position, paused_at, requests_per_second, sends_groups, sends_sensitive, name, url,
         on_deactivate, organization_serials, tag_serials, secret)
       VALUES ($1, 0, now(), 1, false, false, 'Chat', 'https://chat.example.com', 'delete', '{}', '{}', 'secret')`,
      [target],
    );
    await service.database.pool.query(
      `INSERT INTO scim_target_users (target_id, user_serial, remote_id, is_active_there) VALUES ($1, $2, 'r1', true)
       ON CONFLICT (target_id, user_serial) DO UPDATE SET remote_id = 'r1', is_active_there = true`,
      [target, id],
    );
    const reply = await read(id);
    expect(reply.json.data).toMatchObject({
      provisioning: { externalIds: { [provider.clientId]: externalId } },
      groupMemberships: [{ tagSerial: group.json.id, value: id, details: { display: 'Ada, Sales' } }],
      pushedTo: [{ targetId: target, target: 'Chat', remoteId: 'r1', isActiveThere: true }],
    });
  });

  test('names what it mentions by ID', async () => {
    const [former, current, tag] = [newId(), newId(), newId()];
    await givenEntry(service, 'organizations', former, { displayName: 'Research' });
    await givenEntry(service, 'organizations', current, { displayName: 'Development' });
    await givenEntry(service, 'tags', tag, { displayName: 'First aiders' });
    const manager = await service.givenUser({ name: 'Grace Hopper' });
    const administrator = await givenSignedInUser(service, 'administrator', { name: 'Ida Rhodes' });
    const { serial } = await service.givenUser({ organizationSerial: former, tagSerials: [tag, 'no-name'] });
    const changed = { organizationSerial: current, managerEmployeeID: manager.employeeID };
    const path = `/service/users/${serial}`;
    const reply = await service.request('PATCH', path, { body: changed, token: administrator.token });
    expect(reply.status, reply.text).toBe(200);
    const { names, changes } = (await read(serial)).json.data;
    const created = changes.at(-1).actor.id;
    expect(names).toEqual({
      organizations: { [former]: 'Research', [current]: 'Development' },
      tags: { [tag]: 'First aiders' },
      users: { [manager.serial]: 'Grace Hopper', [administrator.serial]: 'Ida Rhodes' },
      clients: { [created]: expect.any(String) },
      feeds: {},
    });
  });

  test('is recorded', async () => {
    const { serial } = await service.givenUser();
    await read(serial);
    const { accessEvents } = (await read(serial)).json.data;
    expect(accessEvents).toMatchObject([
      { kind: 'user.data-exported', userSerial: serial, actor: { kind: 'client' } },
    ]);
  });

  test('covers users that an undo removed', async () => {
    const { callId, serials } = await givenCreates(service, [aUser()]);
    await undone(service, callId);
    const { data } = (await read(serials[0] as string)).json;
    expect(data).toMatchObject({ user: null, role: null, password: null });
    expect(data.changes).toHaveLength(2);
  });

  test('has a short answer for a user about whom little is known', async () => {
    const user = await service.givenUser({ username: null });
    await givenUpdates(service, [anItem(user)]);
    const { data } = (await read(user.serial)).json;
    expect(data).toMatchObject({
      role: null,
      formerNames: [],
      password: null,
      firstSignedInAt: null,
      sessions: [],
    });
  });

  test('answers 404 for a serial that never existed', async () => {
    for (const serial of ['0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'nobody', '%00']) {
      const reply = await read(serial);
      expect([serial, reply.status, reply.json.errorCode]).toEqual([serial, 404, 10102]);
    }
  });
});
