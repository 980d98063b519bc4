import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import {
  callIdOf,
  givenUpdates,
  readCall,
  statesOf,
  successesOf,
  undo,
  verdictsOf,
} from '../../support/calls.js';
import { deliveryOf, patchUser } from '../../support/deliveries.js';
import { newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

/** Which fields and names are restored is in test/unit/undo-plan.test.ts and test/storage/undo.test.ts. */
const service = useService();

describe('POST /service/calls/{id}/undo', () => {
  test('restores every field that a bulk update changed, with any characters, and reports them', async () => {
    const user = await service.givenUser({
      name: '‏Zoë "O\'Neil", \\ {x} 🙂 日本',
      username: newId('u'),
      phone: '+44 20 7946 0958',
      tagSerials: ['T,1', 'T"2', '{T3}', 'NULL'],
      organizationSerial: 'O1',
    });
    const idle = await service.givenUser();
    const [before] = await statesOf(service, [user.serial]);
    const [next, username] = [newId(), newId('u')];
    const call = await service.updateBulk([
      itemFor(idle.employeeID),
      itemFor(idle.employeeID, { phone: 7 }),
      itemFor(user.employeeID, {
        ...{ name: 'Ada King', newEmployeeID: next, username, phone: '', isActive: false },
        ...{ tagSerials: [], organizationSerial: '' },
      }),
    ]);
    const etag = (await service.get(`/service/users/${user.serial}`)).headers.get('etag') as string;
    const { updatedAt } = await service.readUser(user.serial);
    const reply = await undo(service, callIdOf(call).toUpperCase());
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Bulk call processed.',
      data: {
        successItems: [
          {
            payload: { employeeID: next },
            position: 0,
            response: { serial: user.serial },
            effect: {
              kind: 'updated',
              fields: {
                employeeID: { before: next, after: user.employeeID },
                name: { before: 'Ada King', after: user.name },
                username: { before: username, after: user.username },
                phone: { before: null, after: user.phone },
                isActive: { before: false, after: true },
                tagSerials: { before: [], after: user.tagSerials },
                organizationSerial: { before: null, after: 'O1' },
              },
            },
          },
        ],
        failedItems: [],
      },
    });
    expect(await statesOf(service, [user.serial])).toEqual([before]);
    expect((await service.readUser(user.serial)).updatedAt).not.toBe(updatedAt);
    const stale = await service.request('PATCH', `/service/users/${user.serial}`, {
      body: { name: 'Late' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
  });

  test('is a call of its caller, and both calls refer to each other', async () => {
    const operator = await givenSignedInUser(service, 'operator');
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    const requestId = newId('request');
    const undoId = callIdOf(
      await undo(service, callId, '', { token: operator.token, headers: { 'x-request-id': requestId } }),
    );
    const actor = { kind: 'person', id: operator.serial };
    expect(await readCall(service, undoId)).toMatchObject({
      ...{ id: undoId, kind: 'undo', state: 'done', actor, requestId, undoes: callId, undoneBy: null },
      ...{ items: 1, succeeded: 1, failed: 0, changes: 1 },
    });
    expect(await readCall(service, callId)).toMatchObject({ state: 'done', undoneBy: undoId });
    const { items } = (await service.get(`/service/users/${user.serial}/history`)).json.data;
    expect(items[0]).toMatchObject({
      ...{ kind: 'updated', version: 3, callId: undoId, requestId, actor },
      fields: { name: { before: 'Wrong', after: 'Ada Lovelace' } },
    });
  });

  test('changes nothing the second time, and says so', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    await undo(service, callId);
    const etag = async () => (await service.get(`/service/users/${user.serial}`)).headers.get('etag');
    const version = await etag();
    const again = await undo(service, callId);
    expect(successesOf(again)).toEqual([
      {
        payload: { employeeID: user.employeeID },
        position: 0,
        response: { serial: user.serial },
        effect: { kind: 'unchanged', fields: {} },
      },
    ]);
    expect(await etag()).toBe(version);
    expect(await readCall(service, callIdOf(again))).toMatchObject({ succeeded: 1, failed: 0, changes: 0 });
    expect(await readCall(service, callId)).toMatchObject({ undoneBy: callIdOf(again) });
  });

  test('ends sessions when it deactivates a user, and releases dormant messages when it activates one', async () => {
    const operator = await givenSignedInUser(service, 'viewer', { isActive: true });
    await patchUser(service, operator.serial, { isActive: false });
    const activated = await givenUpdates(service, [itemFor(operator.employeeID, { isActive: true })]);
    const { accessToken } = (await service.signIn(operator.username, operator.password)).json.data;
    const me = () => service.get('/service/auth/me', { token: accessToken });
    expect((await me()).status).toBe(200);
    expect(verdictsOf(await undo(service, activated))).toEqual({ [operator.employeeID]: 'updated' });
    expect((await me()).status).toBe(401);

    const newcomer = await service.givenUser();
    const deactivated = await givenUpdates(service, [itemFor(newcomer.employeeID, { isActive: false })]);
    await service.database.pool.query(`UPDATE deliveries SET state = 'dormant' WHERE user_serial = $1`, [
      newcomer.serial,
    ]);
    await undo(service, deactivated);
    expect(await deliveryOf(service, newcomer.serial)).toMatchObject({ state: 'waiting' });
  });
});
