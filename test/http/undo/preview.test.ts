import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import {
  givenCreates,
  givenUpdates,
  leaveRunning,
  previewUndo,
  readCall,
  undo,
  undone,
  verdictsOf,
} from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();

/** The dry run and then the undo, which must return the same report. */
async function bothOf(callId: string): Promise<Reply> {
  const preview = await previewUndo(service, callId);
  const reply = await undo(service, callId);
  expect(preview.text).toBe(reply.text);
  return reply;
}

describe('?dryRun=true on an undo returns the report of the undo', () => {
  test('for restored, unchanged, skipped and blocked users, and those that depend on a blocked one', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => service.givenUser()));
    const [restored, unchanged, kept, blocked, waiting] = users.map(({ employeeID }) => employeeID) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const free = newId();
    const callId = await givenUpdates(service, [
      itemFor(restored, { phone: '123' }),
      itemFor(unchanged, { name: 'Call' }),
      itemFor(kept, { name: 'Call' }),
      rename(waiting, free),
      rename(blocked, waiting),
    ]);
    await patchUser(service, users[1]?.serial as string, { name: 'Ada Lovelace' });
    await patchUser(service, users[2]?.serial as string, { name: 'Since' });
    await service.givenUser({ employeeID: blocked });
    expect(verdictsOf(await bothOf(callId))).toEqual({
      [restored]: 'updated',
      [unchanged]: 'unchanged',
      [kept]: 10110,
      [waiting]: 10101,
      [free]: 10101,
    });
  });

  test('for users that are deleted and users that are restored', async () => {
    const [a, b] = [aUser({ username: newId('u') }), aUser()];
    const { callId, serials } = await givenCreates(service, [a, b]);
    await patchUser(service, serials[1] as string, { name: 'Since' });
    expect(verdictsOf(await bothOf(callId))).toEqual({ [a.employeeID]: 'deleted', [b.employeeID]: 10110 });
    const undoId = (await readCall(service, callId)).undoneBy;
    expect(verdictsOf(await bothOf(undoId))).toEqual({ [a.employeeID]: 'created' });
  });
});

describe('a dry run of an undo', () => {
  test.each([
    [
      'restored users',
      async () => {
        const { employeeID } = await service.givenUser();
        return givenUpdates(service, [itemFor(employeeID, { newEmployeeID: newId(), isActive: false })]);
      },
    ],
    ['deleted users', async () => (await givenCreates(service, [aUser(), aUser()])).callId],
    [
      'recreated users',
      async () => undone(service, (await givenCreates(service, [aUser({ password: 'given' })])).callId),
    ],
    [
      'an interrupted call',
      async () => {
        const { callId } = await givenCreates(service, [aUser()]);
        await leaveRunning(service, callId, 'no more');
        return callId;
      },
    ],
  ])('for %s writes nothing and locks nothing', async (_, callOf) => {
    const callId = await callOf();
    const before = await tableStates(service);
    const preview = await previewUndo(service, callId);
    expect(Object.keys(verdictsOf(preview))).not.toEqual([]);
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });

  test('has no call ID, since it is not a call', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    expect((await previewUndo(service, callId)).headers.get('x-call-id')).toBeNull();
    expect((await readCall(service, callId)).undoneBy).toBeNull();
  });

  test('is rejected like the undo', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    const unknown = await previewUndo(service, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
    expectFailure(unknown, 404, 10301, 'CALL_NOT_FOUND', /^No bulk call has this ID/);
    expectFailure(await previewUndo(service, 'x'), 404, 10301, 'CALL_NOT_FOUND', /./);
    await leaveRunning(service, callId, 'still');
    expectFailure(
      await previewUndo(service, callId),
      409,
      10302,
      'CALL_RUNNING',
      /^The call is still running/,
    );
    await leaveRunning(service, callId, 'no more');
    await service.database.pool.query('DELETE FROM changes WHERE call_id = $1 AND user_serial IS NOT NULL', [
      callId,
    ]);
    expectFailure(await previewUndo(service, callId), 410, 10303, 'CALL_TOO_OLD', /only 0 of its 1 changes/);
  });

  test('with ?dryRun=false is the undo itself', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    expect((await undo(service, callId, '?dryRun=false')).headers.get('x-call-id')).not.toBeNull();
    expect((await readCall(service, callId)).undoneBy).not.toBeNull();
  });
});
