import { expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { itemFor } from '../../support/bulk-items.js';
import { givenCreates, givenUpdates, leaveRunning, readCall, undo, verdictsOf } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, issueToken, useService } from '../../support/service.js';

/** Which scope an undo requires is in test/http/permissions/matrix.test.ts. */
const service = useService();

test('an undo of an unknown call fails with 404 and 10301', async () => {
  const { serial } = await service.givenUser();
  const call = await service.updateBulk([]);
  const preview = await service.updateBulk([], '?dryRun=true');
  expect(preview.headers.get('x-call-id')).toBeNull();
  for (const id of [
    ...['0198c0de-7a11-7000-8000-5f1e2d3c4b5a', '00000000-0000-0000-0000-000000000000', 'nightly'],
    ...['0198c0de7a1170008000005f1e2d3c4b', "1'%20OR%20'1'='1"],
    ...[serial, call.headers.get('x-request-id') as string, preview.headers.get('x-request-id') as string],
  ]) {
    const detail =
      /^No bulk call has this ID\. Use the X-Call-Id header of the reply to the call\. Previews are not recorded/;
    expectFailure(await undo(service, id), 404, 10301, 'CALL_NOT_FOUND', detail);
  }
});

test('an undo rejects unknown, repeated and invalid parameters with 10005, and changes nothing', async () => {
  const { callId } = await givenCreates(service, [aUser()]);
  const wholeNumber = /"confirm" must be a whole number/;
  for (const [query, detail] of [
    [
      'force=true',
      /"force" is unknown. Use effectiveAt, lastWorkingDay, approval, ifChanged, dryRun, confirm/,
    ],
    ['effects=true', /"effects" is unknown/],
    ['dryrun=true', /"dryrun" is unknown/],
    ['dryRun=1', /"dryRun" must be one of true, false/],
    ['dryRun=', /"dryRun" must be one of true, false/],
    ['confirm=1&confirm=1', /"confirm" appears more than once/],
    ...['all', '-1', '1.0', '1e1', '', '9'.repeat(30)].map(
      (each) => [`confirm=${each}`, wholeNumber] as const,
    ),
  ] as const) {
    expectFailure(await undo(service, callId, `?${query}`), 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  }
  expect((await readCall(service, callId)).undoneBy).toBeNull();
});

test('another client than the caller of the original call may undo it', async () => {
  const user = await service.givenUser();
  const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
  const token = await issueToken(service.url, await createdClient(service));
  expect(verdictsOf(await undo(service, callId, '', { token }))).toEqual({ [user.employeeID]: 'updated' });
});

test('an undo of a running call fails with 409 and 10302 and leaves the call to its node', async () => {
  const user = await service.givenUser();
  const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Call' })]);
  await leaveRunning(service, callId, 'still');
  const record = async () =>
    (await service.database.pool.query('SELECT * FROM calls WHERE id = $1', [callId])).rows;
  const before = await record();
  const detail = /^The call is still running\. Undo it after it has finished\.$/;
  expectFailure(await undo(service, callId), 409, 10302, 'CALL_RUNNING', detail);
  expect(await record()).toEqual(before);
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Call' });
});

test('an undo of a call with pruned changes fails with 410 and 10303', async () => {
  const [a, b] = [await service.givenUser(), await service.givenUser()];
  const callId = await givenUpdates(
    service,
    [a, b].map(({ employeeID }) => itemFor(employeeID, { name: 'Call' })),
  );
  for (const [{ serial }, left] of [
    [a, 1],
    [b, 0],
  ] as const) {
    await service.database.pool.query('DELETE FROM changes WHERE call_id = $1 AND user_serial = $2', [
      callId,
      serial,
    ]);
    const detail = new RegExp(
      `^The call can no longer be undone: only ${left} of its 2 changes are still in the change log\\.`,
    );
    expectFailure(await undo(service, callId), 410, 10303, 'CALL_TOO_OLD', detail);
    expect(await service.readUser(b.serial)).toMatchObject({ name: 'Call' });
  }
  expect((await readCall(service, callId)).undoneBy).toBeNull();
});
