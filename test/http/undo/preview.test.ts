import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
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
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

/** That a dry run predicts the undo is in skipped.test.ts and test/storage/undo.test.ts. */
const service = useService();

describe('a dry run of an undo', () => {
  test('writes nothing, locks nothing and is no call', async () => {
    const { employeeID } = await service.givenUser();
    const calls = [
      await givenUpdates(service, [itemFor(employeeID, { newEmployeeID: newId(), isActive: false })]),
      (await givenCreates(service, [aUser(), aUser()])).callId,
      await undone(service, (await givenCreates(service, [aUser({ password: 'given' })])).callId),
      (await givenCreates(service, [aUser()])).callId,
    ];
    await leaveRunning(service, calls[3] as string, 'no more');
    const before = await tableStates(service);
    for (const callId of calls) {
      const preview = await previewUndo(service, callId);
      expect(Object.keys(verdictsOf(preview))).not.toEqual([]);
      expect(preview.headers.get('x-call-id')).toBeNull();
    }
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });

  test('is rejected like the undo', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    const unknown = await previewUndo(service, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
    expectFailure(unknown, 404, 10301, 'CALL_NOT_FOUND', /^No bulk call has this ID/);
    expectFailure(await previewUndo(service, 'x'), 404, 10301, 'CALL_NOT_FOUND', /./);
    await leaveRunning(service, callId, 'still');
    expectFailure(await previewUndo(service, callId), 409, 10302, 'CALL_RUNNING', /^The call is still/);
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
