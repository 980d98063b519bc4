import { expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import {
  callIdOf,
  givenUpdates,
  previewUndo,
  readCall,
  statesOf,
  undo,
  verdictsOf,
} from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

test('an undo restores a user completely or not at all, says why, and its dry run says the same', async () => {
  const username = newId('u');
  const given = [{}, {}, {}, { username }, {}, { phone: '111' }] as const;
  const users = await Promise.all(given.map((fields) => service.givenUser(fields)));
  const serials = users.map(({ serial }) => serial);
  const [changed, moved, waiting, nameless, uncontacted, restored] = users.map(
    ({ employeeID }) => employeeID,
  ) as [string, string, string, string, string, string];
  const [renamed, since, free] = [newId(), newId(), newId()];
  const callId = await givenUpdates(service, [
    itemFor(changed, { newEmployeeID: renamed, name: 'Call', phone: '222' }),
    rename(waiting, free),
    itemFor(moved, { newEmployeeID: waiting, phone: '123' }),
    itemFor(nameless, { username: '' }),
    itemFor(uncontacted, { phone: '123' }),
    itemFor(restored, { name: 'Call', phone: '' }),
  ]);
  await patchUser(service, serials[0] as string, { employeeID: since, name: 'Since' });
  const holder = await service.givenUser({ employeeID: moved, username: username.toUpperCase() });
  await patchUser(service, serials[4] as string, { email: null });
  await patchUser(service, serials[5] as string, { tagSerials: ['T9'] });
  const now = await statesOf(service, serials);

  const [preview, reply] = [await previewUndo(service, callId), await undo(service, callId)];
  expect(preview.text).toBe(reply.text);
  expect(verdictsOf(reply)).toEqual({
    ...{ [since]: 10110, [free]: 10101, [waiting]: 10101, [nameless]: 10103, [uncontacted]: 10104 },
    [restored]: 'updated',
  });
  const failed = new Map<string, { position: number; error: object }>(
    reply.json.data.failedItems.map((entry: { payload: { employeeID: string } }) => [
      entry.payload.employeeID,
      entry,
    ]),
  );
  const reason = 'Skipped: "employeeID", "name" have changed since the call.';
  expect(failed.get(since)).toEqual({
    payload: { employeeID: since },
    position: expect.any(Number),
    error: {
      ...{ errorCode: 10110, message: 'USER_CHANGED_SINCE', detail: reason, reason },
      data: { fields: ['employeeID', 'name'] },
    },
  });
  const takenBy = { field: 'employeeID', value: moved, position: null, serial: holder.serial };
  const detail = `The employee ID "${moved}" is already taken by another user with the serial ${holder.serial}.`;
  expect(failed.get(waiting)).toEqual({
    payload: { employeeID: waiting },
    position: expect.any(Number),
    error: {
      ...{ errorCode: 10101, message: 'USER_EMPLOYEE_ID_EXISTS', detail, reason: detail },
      data: { takenBy },
    },
  });
  // Who keeps the name is blocked as well.
  expect(failed.get(free)).toMatchObject({
    error: { data: { takenBy: { value: waiting, serial: serials[1] } } },
  });
  expect(failed.get(nameless)).toMatchObject({
    error: {
      data: { takenBy: { field: 'username', value: username, position: null, serial: holder.serial } },
    },
  });
  const [first, second, third, fourth, fifth, last] = now;
  expect(await statesOf(service, serials)).toEqual([
    ...[first, second, third, fourth, fifth],
    { ...(last as object), name: 'Ada Lovelace', phone: '111' },
  ]);
  const counts = { items: 6, succeeded: 1, failed: 5, changes: 1 };
  expect(await readCall(service, callIdOf(reply))).toMatchObject(counts);
});
