import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import {
  callIdOf,
  failuresOf,
  givenCreates,
  givenUpdates,
  readCall,
  statesOf,
  successesOf,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { deliveriesOf, deliveryOf, patchUser, release, resend } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, type GivenUser, newId, useService } from '../../support/service.js';

const service = useService();

const person = () => aUser({ username: newId('u'), password: 'the initial one' });

/** One user of a bulk create, with the call ID. */
async function givenCreate(overrides: Record<string, unknown> = {}): Promise<GivenUser & { callId: string }> {
  const user = aUser(overrides);
  const { callId, serials } = await givenCreates(service, [user]);
  return { ...user, callId, serial: serials[0] as string };
}

describe('an undo of a bulk create', () => {
  test('deletes the users it created and returns their fields', async () => {
    const items = [aUser({ phone: '123', tagSerials: ['T1'] }), aUser({ isActive: false })];
    const { callId, serials } = await givenCreates(service, items);
    const reply = await undo(service, callId);
    expect(successesOf(reply)).toEqual([
      {
        payload: { employeeID: items[0]?.employeeID },
        position: 0,
        response: { serial: serials[0] },
        effect: {
          kind: 'deleted',
          fields: {
            employeeID: { before: items[0]?.employeeID, after: null },
            name: { before: 'Ada Lovelace', after: null },
            email: { before: 'ada@example.com', after: null },
            phone: { before: '123', after: null },
            isActive: { before: true, after: null },
            tagSerials: { before: ['T1'], after: null },
          },
        },
      },
      {
        payload: { employeeID: items[1]?.employeeID },
        position: 1,
        response: { serial: serials[1] },
        effect: {
          kind: 'deleted',
          fields: expect.objectContaining({ isActive: { before: false, after: null } }),
        },
      },
    ]);
    expect(await statesOf(service, serials)).toEqual([null, null]);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ items: 2, succeeded: 2, changes: 2 });
  });

  test('leaves only their history', async () => {
    const user = person();
    const { callId, serials } = await givenCreates(service, [user]);
    const [serial = ''] = serials;
    const { accessToken } = (await service.signIn(user.username, user.password)).json.data;
    await undo(service, callId);
    expectFailure(await service.get(`/service/users/${serial}`), 404, 10102, 'USER_NOT_FOUND', /./);
    expectFailure(await patchUser(service, serial, { name: 'X' }), 404, 10102, 'USER_NOT_FOUND', /./);
    const role = await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'viewer' } });
    expectFailure(role, 404, 10102, 'USER_NOT_FOUND', /./);
    const reset = await service.request('POST', `/service/users/${serial}/reset-password`);
    expectFailure(reset, 404, 10102, 'USER_NOT_FOUND', /./);
    expect((await service.signIn(user.username, user.password)).status).toBe(401);
    expect((await service.get('/service/auth/me', { token: accessToken })).status).toBe(401);
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
    expect(listed.json.data.items).toEqual([]);
    const { items } = (await service.get(`/service/users/${serial}/history`)).json.data;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['deleted', 'created']);
    for (const table of ['credentials', 'sessions', 'roles']) {
      const { rows } = await service.database.pool.query(`SELECT FROM ${table} WHERE user_serial = $1`, [
        serial,
      ]);
      expect(rows, table).toEqual([]);
    }
  });

  test('frees their names', async () => {
    const user = await givenCreate({ username: newId('u') });
    await undo(service, user.callId);
    const again = await service.post(
      '/service/users',
      aUser({ employeeID: user.employeeID, username: user.username }),
    );
    expect(again.status).toBe(201);
    expect(again.json.data.serial).not.toBe(user.serial);
  });

  test('cancels a held or waiting password message, which can then be neither resent nor released', async () => {
    const requestId = newId('request');
    const items = [aUser(), aUser({ isActive: false })];
    const reply = await service.post(
      '/service/users/create-bulk?deliver=hold',
      { items },
      { headers: { 'x-request-id': requestId } },
    );
    const held: string = reply.json.data.successItems[0].response.serial;
    const waiting = await givenCreate({ password: 'given' });
    await undo(service, callIdOf(reply));
    await undo(service, waiting.callId);
    expect((await release(service, { requestId })).json.data).toEqual({ released: 0 });
    for (const serial of [held, waiting.serial]) {
      const delivery = await deliveryOf(service, serial);
      expect(delivery.state).toBe('cancelled');
      expectFailure(await resend(service, delivery.id), 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /./);
    }
    const { rows } = await service.database.pool.query(
      'SELECT secret FROM deliveries WHERE user_serial = ANY ($1::uuid[]) AND secret IS NOT NULL',
      [[held, waiting.serial]],
    );
    expect(rows).toEqual([]);
  });

  test('changes nothing the second time, and says so', async () => {
    const user = await givenCreate();
    await undo(service, user.callId);
    const again = await undo(service, user.callId);
    expect(await readCall(service, callIdOf(again))).toMatchObject({ succeeded: 1, failed: 0, changes: 0 });
    expect(successesOf(again)).toEqual([
      {
        payload: { employeeID: user.employeeID },
        position: 0,
        response: { serial: user.serial },
        effect: { kind: 'unchanged', fields: {} },
      },
    ]);
  });

  test('ignores a user who has the name the second time', async () => {
    const user = await givenCreate();
    await undo(service, user.callId);
    const other = await service.givenUser({ employeeID: user.employeeID });
    expect(failuresOf(await undo(service, user.callId))).toEqual([]);
    expect(await service.readUser(other.serial)).toMatchObject({ employeeID: user.employeeID });
  });
});

describe('a user created by the call is skipped with 10110', () => {
  const kept = async (callId: string, employeeID: string, detail: RegExp) => {
    const reply = await undo(service, callId);
    expect(verdictsOf(reply)).toEqual({ [employeeID]: 10110 });
    expect(failuresOf(reply)[0]?.error.detail).toMatch(detail);
  };

  test.each<[string, Record<string, unknown>]>([
    ['name', { name: 'Since' }],
    ['email', { email: 'since@example.com' }],
    ['phone', { phone: '123' }],
    ['isActive', { isActive: false }],
    ['tagSerials', { tagSerials: ['T1'] }],
    ['organizationSerial', { organizationSerial: 'O1' }],
    ['username', { username: newId('u') }],
  ])('if "%s" was changed, even if the call did not set it', async (field, since) => {
    const user = await givenCreate();
    await patchUser(service, user.serial, since);
    await kept(
      user.callId,
      user.employeeID,
      new RegExp(`^Skipped: "${field}" has changed since the call\\.$`),
    );
  });

  test('if a later call changed it, until that one is undone', async () => {
    const user = await givenCreate();
    const later = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Later' })]);
    await kept(user.callId, user.employeeID, /"name"/);
    await undo(service, later);
    expect(verdictsOf(await undo(service, user.callId))).toEqual({ [user.employeeID]: 'deleted' });
    // The later call then has no user left to restore.
    const gone = await undo(service, later);
    expect(failuresOf(gone)).toMatchObject([
      { error: { errorCode: 10110, detail: expect.stringMatching(/removed/) } },
    ]);
    expect(failuresOf(gone)[0]?.payload).toEqual({ employeeID: user.employeeID });
  });

  test('if the user has chosen a password', async () => {
    const user = person();
    const { callId } = await givenCreates(service, [user]);
    const { accessToken } = (await service.signIn(user.username, user.password)).json.data;
    const changed = await service.post(
      '/service/auth/change-password',
      { currentPassword: user.password, newPassword: 'chosen by the person' },
      { token: accessToken },
    );
    expect(changed.status).toBe(200);
    await kept(callId, user.employeeID, /^Skipped: the user has chosen a password or been given a role/);
    expect((await service.signIn(user.username, 'chosen by the person')).status).toBe(200);
  });

  test('if the user was given a role', async () => {
    const user = await givenCreate();
    await service.request('PUT', `/service/users/${user.serial}/role`, { body: { role: 'viewer' } });
    await kept(user.callId, user.employeeID, /been given a role since the call\.$/);
    await service.request('PUT', `/service/users/${user.serial}/role`, { body: { role: null } });
    expect(verdictsOf(await undo(service, user.callId))).toEqual({ [user.employeeID]: 'deleted' });
  });

  test('while the others are deleted', async () => {
    const items = [aUser(), aUser(), aUser()] as const;
    const { callId, serials } = await givenCreates(service, items);
    await patchUser(service, serials[1] as string, { name: 'Since' });
    expect(verdictsOf(await undo(service, callId))).toEqual({
      [items[0].employeeID]: 'deleted',
      [items[1].employeeID]: 10110,
      [items[2].employeeID]: 'deleted',
    });
    expect(await statesOf(service, serials)).toEqual([null, expect.anything(), null]);
  });
});

describe('an undo of that undo', () => {
  test('restores the users with the same serials and fields and a later version', async () => {
    const items = [
      aUser({ username: newId('U'), phone: '123', tagSerials: ['T1', 'T,2'], organizationSerial: 'O1' }),
      aUser({ isActive: false, email: null, phone: '456' }),
    ];
    const { callId, serials } = await givenCreates(service, items);
    const before = await statesOf(service, serials);
    const reply = await undo(service, await undone(service, callId));
    expect(verdictsOf(reply)).toEqual(
      Object.fromEntries(items.map(({ employeeID }) => [employeeID, 'created'])),
    );
    expect(
      successesOf(reply)
        .map(({ response }) => response.serial)
        .sort(),
    ).toEqual(serials.toSorted());
    expect(await statesOf(service, serials)).toEqual(before);
    const { items: history } = (await service.get(`/service/users/${serials[0]}/history`)).json.data;
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['created', 'deleted', 'created']);
    const versions: number[] = history.map(({ version }: { version: number }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => b - a));
    expect(new Set(versions).size).toBe(3);
    const etag = (await service.get(`/service/users/${serials[0]}`)).headers.get('etag');
    expect(etag).toBe(`"${versions[0]}"`);
  });

  test('sends a new password, since the old one is gone', async () => {
    const user = person();
    const { callId, serials } = await givenCreates(service, [user]);
    const [serial = ''] = serials;
    const undoId = await undone(service, callId);
    const requestId = newId('request');
    await undo(service, undoId, '', { headers: { 'x-request-id': requestId } });
    expect((await service.signIn(user.username, user.password)).status).toBe(401);
    expect((await deliveriesOf(service, serial)).map(({ state, kind }) => [state, kind])).toEqual([
      ['waiting', 'initial-password'],
      ['cancelled', 'initial-password'],
    ]);
    expect((await deliveryOf(service, serial)).requestId).toBe(requestId);
  });

  test('keeps the message of an inactive user dormant', async () => {
    const user = await givenCreate({ isActive: false });
    await undo(service, await undone(service, user.callId));
    expect(await deliveryOf(service, user.serial)).toMatchObject({ state: 'dormant' });
  });

  test('fails with 10101 or 10103 where a name has been taken', async () => {
    const [a, b, c] = [await givenCreate(), await givenCreate({ username: newId('u') }), await givenCreate()];
    const undos = [
      await undone(service, a.callId),
      await undone(service, b.callId),
      await undone(service, c.callId),
    ];
    const holder = await service.givenUser({
      employeeID: a.employeeID,
      username: String(b.username).toUpperCase(),
    });
    const [first, second, third] = await Promise.all(undos.map((id) => undo(service, id)));
    expect(failuresOf(first as never)).toMatchObject([
      {
        payload: { employeeID: a.employeeID },
        error: { errorCode: 10101 },
        takenBy: { field: 'employeeID', value: a.employeeID, position: null, serial: holder.serial },
      },
    ]);
    expect(failuresOf(second as never)).toMatchObject([
      {
        error: { errorCode: 10103 },
        takenBy: { field: 'username', value: b.username, serial: holder.serial },
      },
    ]);
    expect(verdictsOf(third as never)).toEqual({ [c.employeeID]: 'created' });
  });

  test('changes nothing the second time, even if restored users have changed', async () => {
    const user = await givenCreate();
    const undoId = await undone(service, user.callId);
    await undo(service, undoId);
    await patchUser(service, user.serial, { name: 'Since' });
    const again = await undo(service, undoId);
    expect(verdictsOf(again)).toEqual({ [user.employeeID]: 'unchanged' });
    expect(await readCall(service, callIdOf(again))).toMatchObject({ changes: 0 });
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Since' });
  });

  test('can be undone in turn, as can what it undid', async () => {
    const user = await givenCreate();
    const away = await undone(service, user.callId);
    const back = await undone(service, away);
    expect(verdictsOf(await undo(service, back))).toEqual({ [user.employeeID]: 'deleted' });
    expect(verdictsOf(await undo(service, away))).toEqual({ [user.employeeID]: 'created' });
    expect(verdictsOf(await undo(service, user.callId))).toEqual({ [user.employeeID]: 'deleted' });
  });

  test('lets the user be updated, deactivated and found like any other', async () => {
    const user = await givenCreate();
    await undo(service, await undone(service, user.callId));
    expect(await givenUpdates(service, [itemFor(user.employeeID, { isActive: false })])).toEqual(
      expect.any(String),
    );
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
    expect(listed.json.data.items).toMatchObject([{ serial: user.serial, isActive: false }]);
  });
});
