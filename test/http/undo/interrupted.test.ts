import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import {
  callIdOf,
  leaveRunning,
  readCall,
  statesOf,
  successesOf,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, newId, type Reply, useOwnService } from '../../support/service.js';

// A call of more than two items has several chunks, so that it can be interrupted between them.
const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/** A bulk update of three users that stops after two, because the database rejects the third. */
async function brokenUpdate(key: string) {
  const users = [await service.givenUser(), await service.givenUser(), await service.givenUser()] as const;
  await whenStored(service, users[2].employeeID, `RAISE EXCEPTION 'no'`);
  const items = users.map(({ employeeID }) => itemFor(employeeID, { phone: '123' }));
  const send = () => service.post('/service/users/update-bulk', { items }, withKey(key));
  const reply = await send();
  expect(reply.json.data.failedItems).toMatchObject([{ error: { errorCode: 10999 } }]);
  return { users, reply, callId: callIdOf(reply), send };
}

describe('an interrupted call', () => {
  test('is recorded as interrupted with its changes, and can be undone', async () => {
    const { users, callId } = await brokenUpdate(newId('key'));
    expect(await readCall(service, callId)).toMatchObject({
      state: 'interrupted',
      finishedAt: null,
      items: 3,
      succeeded: 2,
      failed: 0,
      changes: 2,
    });
    expect(verdictsOf(await undo(service, callId))).toEqual({
      [users[0].employeeID]: 'updated',
      [users[1].employeeID]: 'updated',
    });
    const serials = users.map(({ serial }) => serial);
    expect(await statesOf(service, serials)).toMatchObject(Array(3).fill({ phone: null }));
    expect(await readCall(service, callId)).toMatchObject({ state: 'interrupted' });
  });

  test('cannot be resumed once undone: its key fails with 409 and 10305', async () => {
    const { users, callId, send } = await brokenUpdate(newId('key'));
    const undoId = await undone(service, callId);
    for (let sent = 0; sent < 2; sent++) {
      expectFailure(
        await send(),
        409,
        10305,
        'CALL_UNDONE',
        /undone before it had finished\. To run it again, send it with a new Idempotency-Key/,
      );
    }
    expect(await service.readUser(users[0].serial)).toMatchObject({ phone: null });
    expect(await readCall(service, callId)).toMatchObject({ state: 'interrupted', undoneBy: undoId });
  });

  test('cannot be resumed even after the undo was undone', async () => {
    const { users, callId, send } = await brokenUpdate(newId('key'));
    await undone(service, await undone(service, callId));
    expectFailure(await send(), 409, 10305, 'CALL_UNDONE', /./);
    expect(await service.readUser(users[0].serial)).toMatchObject({ phone: '123' });
  });

  test('can be resumed after the dry run of an undo', async () => {
    const { users, callId, send } = await brokenUpdate(newId('key'));
    expect((await undo(service, callId, '?dryRun=true')).status).toBe(200);
    const again = await send();
    expect(callIdOf(again)).toBe(callId);
    expect(again.json.data.successItems).toHaveLength(2);
    expect(await service.readUser(users[0].serial)).toMatchObject({ phone: '123' });
  });

  test('of a dead node can be undone once its claim has expired', async () => {
    const user = aUser();
    const reply = await service.post('/service/users/create-bulk', { items: [user] }, withKey(newId('key')));
    const callId = callIdOf(reply);
    await leaveRunning(service, callId, 'still');
    expect(await readCall(service, callId)).toMatchObject({ state: 'running' });
    expectFailure(await undo(service, callId), 409, 10302, 'CALL_RUNNING', /./);
    await leaveRunning(service, callId, 'no more');
    expect(await readCall(service, callId)).toMatchObject({ state: 'interrupted' });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 'deleted' });
    expect(await readCall(service, callId)).toMatchObject({ state: 'interrupted' });
  });
});

describe('a completed call', () => {
  test('is still replayed after it was undone', async () => {
    const user = await service.givenUser();
    const items = [itemFor(user.employeeID, { phone: '123' })];
    const options = withKey(newId('key'));
    const first = await service.post('/service/users/update-bulk', { items }, options);
    await undone(service, callIdOf(first));
    const again = await service.post('/service/users/update-bulk', { items }, options);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await service.readUser(user.serial)).toMatchObject({ phone: null });
  });
});

describe('a call of several chunks', () => {
  const idle = (user: { employeeID: string }) => itemFor(user.employeeID);

  async function run(items: readonly unknown[]): Promise<Reply> {
    const reply = await service.updateBulk(items);
    expect(reply.json.data.failedItems).toEqual([]);
    return reply;
  }

  test('is undone as a whole, and a user changed by several chunks is restored once', async () => {
    const [user, other] = [await service.givenUser({ phone: '000' }), await service.givenUser()];
    const [middle, last] = [newId(), newId()];
    const reply = await run([
      itemFor(user.employeeID, { newEmployeeID: middle, phone: '111' }),
      idle(other),
      itemFor(middle, { phone: '222', tagSerials: ['T1'] }),
      idle(other),
      itemFor(middle, { newEmployeeID: last }),
    ]);
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ items: 5, succeeded: 5, changes: 3 });
    const undoReply = await undo(service, callIdOf(reply));
    expect(successesOf(undoReply)).toEqual([
      {
        payload: { employeeID: last },
        position: 0,
        response: { serial: user.serial },
        effect: {
          kind: 'updated',
          fields: {
            employeeID: { before: last, after: user.employeeID },
            phone: { before: '222', after: '000' },
            tagSerials: { before: ['T1'], after: [] },
          },
        },
      },
    ]);
    expect(await service.readUser(user.serial)).toMatchObject({
      employeeID: user.employeeID,
      phone: '000',
      tagSerials: [],
    });
  });

  test('that passes names between chunks is undone with all its names', async () => {
    const users = [await service.givenUser(), await service.givenUser(), await service.givenUser()] as const;
    const [a, b, c] = users.map(({ employeeID }) => employeeID) as [string, string, string];
    const free = newId();
    const move = (from: string, to: string) => itemFor(from, { newEmployeeID: to });
    const reply = await run([move(a, free), idle(users[1]), move(b, a), move(c, b), move(free, c)]);
    expect(new Set(Object.values(verdictsOf(await undo(service, callIdOf(reply)))))).toEqual(
      new Set(['updated']),
    );
    expect(
      await statesOf(
        service,
        users.map(({ serial }) => serial),
      ),
    ).toMatchObject(users.map(({ employeeID }) => ({ employeeID })));
  });

  test('that reverted its own change to a field does not conflict with later changes to it', async () => {
    const [user, other] = [await service.givenUser({ phone: '000' }), await service.givenUser()];
    const reply = await run([
      itemFor(user.employeeID, { name: 'Wrong', phone: '111' }),
      idle(other),
      itemFor(user.employeeID, { name: user.name }),
    ]);
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'Since' } });
    expect(verdictsOf(await undo(service, callIdOf(reply)))).toEqual({ [user.employeeID]: 'updated' });
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Since', phone: '000' });
  });
});
