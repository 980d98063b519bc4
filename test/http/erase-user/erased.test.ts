import { describe, expect, test } from 'vitest';
import {
  callIdOf,
  failuresOf,
  givenCreates,
  givenUpdates,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { erased, eraseUser } from '../../support/erasure.js';
import { EventStream } from '../../support/event-stream.js';
import { expectCompleteIndex, indexNow } from '../../support/index-checks.js';
import { anItem, aUser, newId, type Reply, useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

// A service of its own: some tests compare the whole index.
const service = useOwnService();
const pool = () => service.database.pool;

function expectCode({ status, json }: Reply, expected: number, code: number): void {
  expect([status, json.errorCode]).toEqual([expected, code]);
}

const history = async (serial: string) =>
  (await service.get(`/service/users/${serial}/history`)).json.data.items;

describe('DELETE /service/users/{serial}', () => {
  test('erases the user and says when', async () => {
    const { serial } = await service.givenUser();
    const reply = await eraseUser(service, serial);
    expect([reply.status, reply.json]).toEqual([
      200,
      { status: 'success', message: 'User erased.', data: { serial, erasedAt: expect.any(String) } },
    ]);
    const again = await eraseUser(service, serial.toUpperCase());
    expect([again.status, again.json]).toEqual([200, reply.json]);
    expect(await history(serial), 'not erased twice').toHaveLength(2);
  });

  test('answers 404 for a serial that never existed, whatever it looks like', async () => {
    const odd = [
      '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
      'nobody',
      "'; DROP TABLE users --",
      '%00',
      '💥',
      'E1001',
    ];
    for (const serial of odd) {
      const reply = await eraseUser(service, encodeURIComponent(serial));
      expect([serial, reply.status, reply.json.errorCode]).toEqual([serial, 404, 10102]);
    }
  });

  test('requires access:admin, and reveals nothing without it', async () => {
    const { serial } = await service.givenUser();
    const token = await service.tokenFor('users:read', 'users:write', 'audit:read');
    const existing = await eraseUser(service, serial, { token });
    const unknown = await eraseUser(service, 'nobody', { token });
    expectCode(existing, 403, 10203);
    expect(unknown.json).toEqual(existing.json);
    expect((await service.get(`/service/users/${serial}`)).status).toBe(200);
  });

  test('frees the employee ID and the username', async () => {
    const names = { employeeID: newId(), username: newId('u') };
    const { serial } = await service.givenUser(names);
    await erased(service, serial);
    const next = await service.givenUser(names);
    expect(next.serial).not.toBe(serial);
    const ids = (await service.get(`/service/employee-ids/${names.employeeID}`)).json.data;
    expect(ids).toMatchObject({ holder: { serial: next.serial }, formerHolders: [] });
  });

  test('leaves nobody to read, update, export, give a role or send a password', async () => {
    const { serial } = await service.givenUser();
    await erased(service, serial);
    const path = `/service/users/${serial}`;
    for (const reply of [
      await service.get(path),
      await service.request('PATCH', path, { body: { name: 'No' } }),
      await service.get(`${path}/role`),
      await service.request('PUT', `${path}/role`, { body: { role: 'viewer' } }),
      await service.request('POST', `${path}/reset-password`),
      await service.get(`${path}/personal-data`),
    ]) {
      expectCode(reply, 410, 10112);
      expect(reply.json.data).toEqual({ erasedAt: expect.any(String) });
    }
  });

  test('keeps that changes happened, when and by whom, but no value', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [anItem(user, { name: 'New', newEmployeeID: newId() })]);
    await erased(service, user.serial);
    const [last, updated, created] = await history(user.serial);
    expect(last).toMatchObject({
      kind: 'erased',
      userSerial: user.serial,
      employeeID: '',
      version: 3,
      fields: {},
    });
    expect(updated).toMatchObject({
      kind: 'updated',
      callId,
      employeeID: '',
      version: 2,
      actor: { kind: 'client' },
      fields: { name: { before: null, after: null }, employeeID: { before: null, after: null } },
    });
    expect(created).toMatchObject({
      kind: 'created',
      employeeID: '',
      fields: { email: { before: null, after: null } },
    });
    const { rows } = await pool().query('SELECT actor_kind, request_id FROM erased_users WHERE serial = $1', [
      user.serial,
    ]);
    expect(rows).toEqual([{ actor_kind: 'client', request_id: last.requestId }]);
  });

  test('is in the feed, also for those who only follow removals', async () => {
    const { serial } = await service.givenUser();
    const all = await EventStream.open(service);
    const removals = await EventStream.open(service, { types: 'user.deleted' });
    await erased(service, serial);
    const event = { userSerial: serial, employeeID: '', types: ['user.erased', 'user.deleted'], fields: {} };
    await expect.poll(() => all.events.at(-1)?.json).toMatchObject({ type: 'user.erased', data: event });
    await expect
      .poll(() => removals.events.at(-1)?.json)
      .toMatchObject({ type: 'user.deleted', data: event });
  });

  test('reads old events without values and without guessing their types', async () => {
    const user = await service.givenUser();
    const { sequence } = (await history(user.serial))[0];
    await patchUser(service, user.serial, { isActive: false });
    await patchUser(service, user.serial, { isActive: true });
    await erased(service, user.serial);
    const stream = await EventStream.open(service, { lastEventId: sequence });
    await expect.poll(() => stream.events.length).toBe(3);
    expect(stream.events.map(({ json }) => json.data.types)).toEqual([
      ['user.updated'],
      ['user.updated'],
      ['user.erased', 'user.deleted'],
    ]);
  });

  test('is recorded as an access event', async () => {
    const { serial } = await service.givenUser();
    await erased(service, serial);
    const { items } = (await service.get(`/service/access-events?userSerial=${serial}`)).json.data;
    expect(items).toMatchObject([
      { kind: 'user.erased', userSerial: serial, actor: { kind: 'client' }, detail: {} },
    ]);
  });

  test('removes the user from lists, searches and counts', async () => {
    const tag = newId('T');
    const [a, b] = [
      await service.givenUser({ tagSerials: [tag] }),
      await service.givenUser({ tagSerials: [tag] }),
    ];
    await indexNow(service);
    await erased(service, a.serial);
    const { items, total } = (await service.get(`/service/users?tagSerial=${tag}&total=exact`)).json.data;
    expect(items.map(({ serial }: { serial: string }) => serial)).toEqual([b.serial]);
    expect(total).toEqual({ count: 1, isExact: true });
    await indexNow(service);
    await expectCompleteIndex(pool());
  });

  test('erases a user whose changes the indexer has not seen', async () => {
    const user = await service.givenUser();
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      await patchUser(service, user.serial, { employeeID: newId(), username: newId('u') });
      await erased(service, user.serial);
    } finally {
      service.context.bulkCalls.running--;
    }
    await indexNow(service);
    const { rows } = await pool().query(
      'SELECT name FROM former_names WHERE user_serial = $1 AND name IS NOT NULL',
      [user.serial],
    );
    expect(rows).toEqual([]);
    await expectCompleteIndex(pool());
  });
});

describe('administrators', () => {
  test('the last one who can sign in is not erased', async () => {
    const own = (await service.get('/service/users?role=administrator')).json.data.items;
    expect(own).toHaveLength(1);
    const reply = await eraseUser(service, own[0].serial);
    expectCode(reply, 409, 10109);
    expect((await service.get(`/service/users/${own[0].serial}`)).status).toBe(200);
  });

  test('one of several can erase themselves, and is signed out', async () => {
    const user = await givenSignedInUser(service, 'administrator');
    const reply = await eraseUser(service, user.serial, { token: user.token });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    expectCode(await service.get('/service/auth/me', { token: user.token }), 401, 10202);
    expect((await service.signIn(user.username, user.password)).status).toBe(401);
    const { rows } = await pool().query(
      `SELECT kind, address, detail FROM access_events WHERE user_serial::text = $1 OR actor_id = $1`,
      [user.serial],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ address, kind }) => address !== null && kind !== 'role.changed')).toEqual([]);
    const [last] = await history(user.serial);
    expect(last).toMatchObject({ kind: 'erased', actor: { kind: 'person', id: user.serial } });
  });
});

describe('an undo', () => {
  test('skips erased users and says so', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const callId = await givenUpdates(service, [anItem(a, { name: 'A2' }), anItem(b, { name: 'B2' })]);
    await erased(service, a.serial);
    for (const query of ['?dryRun=true', '']) {
      const reply = await undo(service, callId, query);
      expect(verdictsOf(reply)).toEqual({ [b.employeeID]: 'updated', undefined: 10112 });
      expect(failuresOf(reply)[0]).toMatchObject({
        payload: {},
        error: {
          detail: expect.stringMatching(/^Skipped: the user was erased on .*, which cannot be undone\.$/),
        },
      });
    }
  });

  test('of a create removes those who are left', async () => {
    const { callId, serials } = await givenCreates(service, [aUser(), aUser()]);
    await erased(service, serials[0] as string);
    expect(Object.values(verdictsOf(await undo(service, callId))).sort()).toEqual([10112, 'deleted']);
  });

  test('does not restore a removed user who was erased', async () => {
    const { callId, serials } = await givenCreates(service, [aUser()]);
    const [serial] = serials as [string];
    const removal = await undone(service, callId);
    expect((await service.get(`/service/users/${serial}`)).status).toBe(404);
    await erased(service, serial);
    expect((await service.get(`/service/users/${serial}`)).status).toBe(410);
    expect(Object.values(verdictsOf(await undo(service, removal)))).toEqual([10112]);
    expect((await history(serial)).map(({ kind }: { kind: string }) => kind)).toEqual([
      'erased',
      'deleted',
      'created',
    ]);
  });

  test('of a rename of a directory moves back with the users who are left', async () => {
    const [from, to] = [newId('ORG'), newId('ORG')];
    const [a, b] = [
      await service.givenUser({ organizationSerial: from }),
      await service.givenUser({ organizationSerial: from }),
    ];
    const renamed = await service.post('/service/organizations/rename?confirm=2', {
      serial: from,
      newSerial: to,
    });
    expect(renamed.status, renamed.text).toBe(200);
    await erased(service, a.serial);
    expect(Object.values(verdictsOf(await undo(service, callIdOf(renamed)))).sort()).toEqual([
      10112,
      'updated',
    ]);
    expect((await service.readUser(b.serial)).organizationSerial).toBe(from);
  });
});
