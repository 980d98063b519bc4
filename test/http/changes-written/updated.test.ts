import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, serialsOf } from '../../support/bulk-reports.js';
import {
  type ChangeRow,
  changesOf,
  changesOfCall,
  changesOfRequest,
  versionOf,
} from '../../support/change-rows.js';
import { whenStored } from '../../support/sabotage.js';
import { anItem, credentialsIn, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { employeeIdExists, notAnObject, userNotFound } from '../../support/user-failures.js';

const service = useService();

const thisClient = () => `client ${credentialsIn(service.dataDir).clientId}`;

function patch(serial: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body, headers });
}

/** The change log entries of a user, without that of the create. */
async function updatesOf(serial: string): Promise<ChangeRow[]> {
  return (await changesOf(service, serial)).slice(1);
}

async function fieldsOf(serial: string): Promise<unknown[]> {
  return (await updatesOf(serial)).map(({ fields }) => fields);
}

describe('a patch appends one entry to the change log', () => {
  test('with the fields that differ, before and after, the actor and the request', async () => {
    const requestId = newId('request');
    const [user, next, username] = [await service.givenUser({ tagSerials: ['T1'] }), newId(), newId('u')];
    const change = {
      employeeID: next,
      name: user.name,
      username,
      email: null,
      phone: '123',
      isActive: false,
      tagSerials: [],
      organizationSerial: 'O1',
    };
    await patch(user.serial, change, { 'x-request-id': requestId });
    expect(await updatesOf(user.serial)).toEqual([
      {
        kind: 'updated',
        userSerial: user.serial,
        version: 2,
        callId: null,
        actor: thisClient(),
        requestId,
        fields: {
          employeeID: { before: user.employeeID, after: next },
          username: { before: null, after: username },
          email: { before: 'ada@example.com', after: null },
          phone: { before: null, after: '123' },
          isActive: { before: true, after: false },
          organizationSerial: { before: null, after: 'O1' },
          tagSerials: { before: ['T1'], after: [] },
        },
      },
    ]);
  });

  test('for a change in the case of a username or the order of tags', async () => {
    const username = newId('ada');
    const { serial } = await service.givenUser({ username, tagSerials: ['T1', 'T2'] });
    await patch(serial, { username: username.toUpperCase(), tagSerials: ['T2', 'T1'] });
    expect(await fieldsOf(serial)).toEqual([
      {
        username: { before: username, after: username.toUpperCase() },
        tagSerials: { before: ['T1', 'T2'], after: ['T2', 'T1'] },
      },
    ]);
  });

  test('with a user as the actor', async () => {
    const user = await givenSignedInUser(service, 'operator');
    const { serial } = await service.givenUser();
    await service.request('PATCH', `/service/users/${serial}`, { body: { name: 'X' }, token: user.token });
    expect(await updatesOf(serial)).toMatchObject([{ actor: `person ${user.serial}`, callId: null }]);
  });
});

describe('an update without effect appends nothing and keeps version and updatedAt', () => {
  const whole = () => ({
    username: newId('u'),
    phone: '123',
    tagSerials: ['T1', 'T2'],
    organizationSerial: 'O1',
  });

  test('for a patch that is empty or repeats what is stored', async () => {
    const user = await service.givenUser(whole());
    const before = await versionOf(service, user.serial);
    const same = { ...user, serial: undefined };
    for (const body of [{}, same, { tagSerials: ['T1', 'T2', 'T1'] }, { name: ` ${user.name} ` }]) {
      const reply = await patch(user.serial, body);
      expect([reply.status, reply.headers.get('etag')]).toEqual([200, '"1"']);
    }
    expect(await versionOf(service, user.serial)).toEqual(before);
    expect(await updatesOf(user.serial)).toEqual([]);
  });

  test('for an item of a bulk update, next to items that change users', async () => {
    const [user, other] = [await service.givenUser(whole()), await service.givenUser()];
    const before = await versionOf(service, user.serial);
    const { username, phone, tagSerials, organizationSerial } = user;
    const reply = await service.updateBulk([
      anItem(user),
      anItem(other, { phone: '456', tagSerials: ['T9'] }),
      anItem(user, { newEmployeeID: user.employeeID, username, phone, tagSerials, organizationSerial }),
      anItem(user, { newEmployeeID: null }),
    ]);
    expect(serialsOf(reply)).toEqual([user.serial, other.serial, user.serial, user.serial]);
    expect(await versionOf(service, user.serial)).toEqual(before);
    expect(await updatesOf(user.serial)).toEqual([]);
    expect(await fieldsOf(other.serial)).toHaveLength(1);
  });
});

describe('a bulk update appends one entry per changed user', () => {
  test('with the net change of all its items, and a final one for the call', async () => {
    const requestId = newId('request');
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const [x, y] = [newId(), newId()];
    const items = [
      rename(a.employeeID, x),
      rename(b.employeeID, a.employeeID),
      itemFor(x, { phone: '101', isActive: false }),
      7,
      itemFor(x, { newEmployeeID: y, phone: '102' }),
    ];
    const headers = { 'x-request-id': requestId };
    const reply = await service.post('/service/users/update-bulk', { items }, { headers });
    expect(errorsOf(reply)).toEqual([notAnObject('items[3]')]);
    const common = { callId: reply.headers.get('x-call-id'), actor: thisClient(), requestId };
    const rows = await changesOfRequest(service, requestId);
    const bySerial = new Map(rows.map((row) => [row.userSerial, row]));
    expect(rows).toHaveLength(3);
    expect(bySerial.get(a.serial)).toEqual({
      ...common,
      kind: 'updated',
      userSerial: a.serial,
      version: 2,
      fields: {
        employeeID: { before: a.employeeID, after: y },
        phone: { before: null, after: '102' },
      },
    });
    expect(bySerial.get(b.serial)).toEqual({
      ...common,
      kind: 'updated',
      userSerial: b.serial,
      version: 2,
      fields: { employeeID: { before: b.employeeID, after: a.employeeID } },
    });
    expect(rows.at(-1)).toEqual({
      ...common,
      kind: 'call',
      userSerial: null,
      version: null,
      fields: { kind: 'update-bulk', items: 5, succeeded: 4, failed: 1, changes: 2, undoes: null },
    });
  });
});

describe('a failed update appends nothing', () => {
  test('for a patch', async () => {
    const [{ employeeID }, { serial }] = [await service.givenUser(), await service.givenUser()];
    const before = await versionOf(service, serial);
    for (const [body, headers, status] of [
      [{ email: 'none' }, {}, 400],
      [{ name: 'X', employeeID }, {}, 409],
      [{ name: 'X', email: null }, {}, 400],
      [{ name: 'X' }, { 'if-match': '"7"' }, 412],
    ] as const)
      expect((await patch(serial, body, headers)).status).toBe(status);
    expect(await updatesOf(serial)).toEqual([]);
    expect(await versionOf(service, serial)).toEqual(before);
  });

  test('for items of a bulk update, next to one that succeeds', async () => {
    const [user, holder, other] = [
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser(),
    ];
    const [holderBefore, userBefore] = [
      await versionOf(service, holder.serial),
      await versionOf(service, user.serial),
    ];
    const reply = await service.updateBulk([
      itemFor(user.employeeID, { newEmployeeID: holder.employeeID, name: 'X', phone: '123' }),
      itemFor(newId(), { phone: '123' }),
      anItem(other, { phone: '123' }),
    ]);
    expect(errorsOf(reply)).toEqual([employeeIdExists('items[0]'), userNotFound('items[1]')]);
    const rows = await changesOfCall(service, reply.headers.get('x-call-id') ?? '');
    expect(rows.map(({ userSerial }) => userSerial)).toEqual([other.serial, null]);
    expect(await versionOf(service, holder.serial)).toEqual(holderBefore);
    expect(await versionOf(service, user.serial)).toEqual(userBefore);
  });

  test.each(['PATCH', 'POST'])('for a %s whose transaction fails', async (method) => {
    const requestId = newId('request');
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, `RAISE EXCEPTION 'no'`, 'at the commit');
    const headers = { 'x-request-id': requestId };
    const reply =
      method === 'PATCH'
        ? await patch(user.serial, { name: 'X' }, headers)
        : await service.post(
            '/service/users/update-bulk',
            { items: [anItem(user, { name: 'X' })] },
            { headers },
          );
    expect(reply.status).toBe(500);
    expect(await changesOfRequest(service, requestId)).toEqual([]);
  });
});
