import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf, leaveRunning, readCall, statesOf, undo, undone, verdictsOf } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { inChunksOfTwo } from '../../support/idempotent-requests.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService(inChunksOfTwo);

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/** A bulk update of three users that stops after two, because the database rejects the third. */
async function brokenUpdate() {
  const users = [await service.givenUser(), await service.givenUser(), await service.givenUser()] as const;
  await whenStored(service, users[2].employeeID, `RAISE EXCEPTION 'no'`);
  const items = users.map(({ employeeID }) => itemFor(employeeID, { phone: '123' }));
  const key = newId('key');
  const send = () => service.post('/service/users/update-bulk', { items }, withKey(key));
  const reply = await send();
  expect(reply.json.data.failedItems).toMatchObject([{ error: { errorCode: 10999 } }]);
  return { users, callId: callIdOf(reply), send };
}

describe('an interrupted call', () => {
  test('can be undone, and then its key fails with 409 and 10305, even after the undo was undone', async () => {
    const { users, callId, send } = await brokenUpdate();
    expect(await readCall(service, callId)).toMatchObject({
      ...{ state: 'interrupted', finishedAt: null, items: 3, succeeded: 2, failed: 0, changes: 2 },
    });
    const reply = await undo(service, callId);
    expect(verdictsOf(reply)).toEqual({
      [users[0].employeeID]: 'updated',
      [users[1].employeeID]: 'updated',
    });
    const serials = users.map(({ serial }) => serial);
    const untouched = Array(3).fill({ phone: null });
    expect(await statesOf(service, serials)).toMatchObject(untouched);
    const detail = /undone before it had finished\. To run it again, send it with a new Idempotency-Key/;
    for (let sent = 0; sent < 2; sent++) {
      expectFailure(await send(), 409, 10305, 'CALL_UNDONE', detail);
      expect(await statesOf(service, serials)).toMatchObject(untouched);
    }
    expect(await readCall(service, callId)).toMatchObject({
      state: 'interrupted',
      undoneBy: callIdOf(reply),
    });
    await undone(service, callIdOf(reply));
    expectFailure(await send(), 409, 10305, 'CALL_UNDONE', /./);
    expect(await service.readUser(users[0].serial)).toMatchObject({ phone: '123' });
  });

  test('can be resumed after the dry run of an undo', async () => {
    const { users, callId, send } = await brokenUpdate();
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

test('a completed call is still replayed after it was undone', async () => {
  const user = await service.givenUser();
  const items = [itemFor(user.employeeID, { phone: '123' })];
  const options = withKey(newId('key'));
  const first = await service.post('/service/users/update-bulk', { items }, options);
  await undone(service, callIdOf(first));
  const again = await service.post('/service/users/update-bulk', { items }, options);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect(await service.readUser(user.serial)).toMatchObject({ phone: null });
});
