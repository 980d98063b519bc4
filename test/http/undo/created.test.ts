import { describe, expect, test } from 'vitest';
import {
  callIdOf,
  failuresOf,
  givenCreates,
  readCall,
  statesOf,
  successesOf,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { deliveriesOf, deliveryOf, patchUser, release, resend } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

const userWithPassword = () => aUser({ username: newId('u'), password: 'the initial one' });

function setRole(serial: string | undefined, role: string | null) {
  return service.request('PUT', `/service/users/${serial}/role`, { body: { role } });
}

describe('an undo of a bulk create', () => {
  test('deletes the users it created, returns their fields, and leaves only their history', async () => {
    const user = userWithPassword();
    const { callId, serials } = await givenCreates(service, [{ ...user, phone: '123', tagSerials: ['T1'] }]);
    const [serial = ''] = serials;
    const { accessToken } = (await service.signIn(user.username, user.password)).json.data;
    const reply = await undo(service, callId);
    expect(successesOf(reply)).toEqual([
      {
        payload: { employeeID: user.employeeID },
        position: 0,
        response: { serial },
        effect: {
          kind: 'deleted',
          fields: {
            employeeID: { before: user.employeeID, after: null },
            name: { before: 'Ada Lovelace', after: null },
            username: { before: user.username, after: null },
            email: { before: 'ada@example.com', after: null },
            phone: { before: '123', after: null },
            isActive: { before: true, after: null },
            tagSerials: { before: ['T1'], after: null },
          },
        },
      },
    ]);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ items: 1, succeeded: 1, changes: 1 });
    for (const gone of [
      await service.get(`/service/users/${serial}`),
      await patchUser(service, serial, { name: 'X' }),
      await setRole(serial, 'viewer'),
      await service.request('POST', `/service/users/${serial}/reset-password`),
    ])
      expectFailure(gone, 404, 10102, 'USER_NOT_FOUND', /./);
    expect((await service.signIn(user.username, user.password)).status).toBe(401);
    expect((await service.get('/service/auth/me', { token: accessToken })).status).toBe(401);
    const listed = await service.get(`/service/users?employeeID=${user.employeeID}`);
    expect(listed.json.data.items).toEqual([]);
    const { items } = (await service.get(`/service/users/${serial}/history`)).json.data;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['deleted', 'created']);
    for (const table of ['credentials', 'sessions', 'roles']) {
      const rows = `SELECT FROM ${table} WHERE user_serial = $1`;
      expect((await service.database.pool.query(rows, [serial])).rows, table).toEqual([]);
    }
  });

  test('frees their names, and ignores who has them when it is repeated', async () => {
    const user = aUser({ username: newId('u') });
    const { callId, serials } = await givenCreates(service, [user]);
    await undo(service, callId);
    const other = await service.givenUser({ employeeID: user.employeeID, username: user.username });
    const again = await undo(service, callId);
    expect(successesOf(again)).toEqual([
      {
        payload: { employeeID: user.employeeID },
        position: 0,
        response: { serial: serials[0] },
        effect: { kind: 'unchanged', fields: {} },
      },
    ]);
    expect(await readCall(service, callIdOf(again))).toMatchObject({ succeeded: 1, failed: 0, changes: 0 });
    expect(await service.readUser(other.serial)).toMatchObject({ employeeID: user.employeeID });
  });

  test('cancels a held or waiting password message, which can then be neither resent nor released', async () => {
    const requestId = newId('request');
    const reply = await service.post(
      '/service/users/create-bulk?deliver=hold',
      { items: [aUser(), aUser({ isActive: false })] },
      { headers: { 'x-request-id': requestId } },
    );
    const held: string = reply.json.data.successItems[0].response.serial;
    const { callId, serials } = await givenCreates(service, [aUser({ password: 'given' })]);
    await undo(service, callIdOf(reply));
    await undo(service, callId);
    expect((await release(service, { requestId })).json.data).toEqual({ released: 0 });
    for (const serial of [held, serials[0] as string]) {
      const delivery = await deliveryOf(service, serial);
      expect(delivery.state).toBe('cancelled');
      expectFailure(await resend(service, delivery.id), 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /./);
    }
    const { rows } = await service.database.pool.query(
      'SELECT secret FROM deliveries WHERE user_serial = ANY ($1::uuid[]) AND secret IS NOT NULL',
      [[held, ...serials]],
    );
    expect(rows).toEqual([]);
  });

  test('keeps, with 10110, who was changed, chose a password or was given a role', async () => {
    const [changed, choosing, appointed, untouched] = [
      aUser(),
      userWithPassword(),
      aUser(),
      aUser(),
    ] as const;
    const { callId, serials } = await givenCreates(service, [changed, choosing, appointed, untouched]);
    await patchUser(service, serials[0] as string, { organizationSerial: 'O1' });
    const { accessToken } = (await service.signIn(choosing.username, choosing.password)).json.data;
    await service.post(
      '/service/auth/change-password',
      { currentPassword: choosing.password, newPassword: 'chosen by the user' },
      { token: accessToken },
    );
    await setRole(serials[2], 'viewer');
    const reply = await undo(service, callId);
    const settledIn = 'Skipped: the user has chosen a password or been given a role since the call.';
    expect(failuresOf(reply).map(({ payload, error }) => [payload.employeeID, error.detail])).toEqual([
      [changed.employeeID, 'Skipped: "organizationSerial" has changed since the call.'],
      [choosing.employeeID, settledIn],
      [appointed.employeeID, settledIn],
    ]);
    expect(verdictsOf(reply)).toMatchObject({
      [changed.employeeID]: 10110,
      [untouched.employeeID]: 'deleted',
    });
    expect((await service.signIn(choosing.username, 'chosen by the user')).status).toBe(200);
    await setRole(serials[2], null);
    expect(verdictsOf(await undo(service, callId))).toMatchObject({ [appointed.employeeID]: 'deleted' });
  });
});

describe('an undo of that undo', () => {
  test('restores the users with the same serials and fields, a later version and a new password', async () => {
    const newcomer = userWithPassword();
    const items = [
      { ...newcomer, phone: '123', tagSerials: ['T1', 'T,2'], organizationSerial: 'O1' },
      aUser({ isActive: false, email: null, phone: '456' }),
    ] as const;
    const { callId, serials } = await givenCreates(service, items);
    const [serial = '', inactive = ''] = serials;
    const before = await statesOf(service, serials);
    const requestId = newId('request');
    const reply = await undo(service, await undone(service, callId), '', {
      headers: { 'x-request-id': requestId },
    });
    expect(verdictsOf(reply)).toEqual(
      Object.fromEntries(items.map(({ employeeID }) => [employeeID, 'created'])),
    );
    expect(
      successesOf(reply)
        .map(({ response }) => response.serial)
        .sort(),
    ).toEqual(serials.toSorted());
    expect(await statesOf(service, serials)).toEqual(before);
    const { items: history } = (await service.get(`/service/users/${serial}/history`)).json.data;
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['created', 'deleted', 'created']);
    const versions: number[] = history.map(({ version }: { version: number }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => b - a));
    const etag = (await service.get(`/service/users/${serial}`)).headers.get('etag');
    expect(etag).toBe(`"${versions[0]}"`);

    expect((await service.signIn(newcomer.username, newcomer.password)).status).toBe(401);
    expect((await deliveriesOf(service, serial)).map(({ state, kind }) => [state, kind])).toEqual([
      ['waiting', 'initial-password'],
      ['cancelled', 'initial-password'],
    ]);
    expect(await deliveryOf(service, serial)).toMatchObject({ requestId });
    expect(await deliveryOf(service, inactive)).toMatchObject({ state: 'dormant' });
  });

  test('fails with 10101 or 10103 where a name has been taken', async () => {
    const [a, b, c] = [aUser(), aUser({ username: newId('u') }), aUser()] as const;
    const { callId } = await givenCreates(service, [a, b, c]);
    const undoId = await undone(service, callId);
    const holder = await service.givenUser({
      employeeID: a.employeeID,
      username: String(b.username).toUpperCase(),
    });
    const reply = await undo(service, undoId);
    const { serial } = holder;
    expect(failuresOf(reply)).toMatchObject([
      {
        payload: { employeeID: a.employeeID },
        error: {
          errorCode: 10101,
          data: { takenBy: { field: 'employeeID', value: a.employeeID, position: null, serial } },
        },
      },
      { error: { errorCode: 10103, data: { takenBy: { field: 'username', value: b.username, serial } } } },
    ]);
    expect(verdictsOf(reply)).toMatchObject({ [c.employeeID]: 'created' });
  });
});
