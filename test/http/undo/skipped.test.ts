import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import {
  callIdOf,
  failuresOf,
  givenUpdates,
  readCall,
  statesOf,
  undo,
  verdictsOf,
} from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { givenPerson } from '../../support/people.js';
import { newId, type Reply, useOwnService, useService } from '../../support/service.js';

const service = useService();

const errorsOf = (reply: Reply) => failuresOf(reply).map(({ error }) => error);

describe('an undo skips a user with 10110 if a field of the call has changed since', () => {
  test.each<[string, Record<string, unknown>]>([
    ['name', { name: 'Since' }],
    ['phone', { phone: '999' }],
    ['phone', { phone: null }],
    ['tagSerials', { tagSerials: ['T2', 'T1'] }],
    ['organizationSerial', { organizationSerial: null }],
  ])('%s: %j', async (field, since) => {
    const user = await service.givenUser({ phone: '111', tagSerials: [], organizationSerial: 'O1' });
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, {
        name: 'Call',
        phone: '222',
        tagSerials: ['T1', 'T2'],
        organizationSerial: 'O2',
      }),
    ]);
    await patchUser(service, user.serial, since);
    const now = await statesOf(service, [user.serial]);
    const reply = await undo(service, callId);
    expect(reply.json.data).toEqual({
      successItems: [],
      failedItems: [
        {
          payload: { employeeID: user.employeeID },
          position: 0,
          error: {
            errorCode: 10110,
            message: 'USER_CHANGED_SINCE',
            detail: `Skipped: "${field}" has changed since the call.`,
            reason: `Skipped: "${field}" has changed since the call.`,
            data: { fields: [field] },
          },
        },
      ],
    });
    expect(await statesOf(service, [user.serial])).toEqual(now);
  });

  test('names, reported under the current employee ID', async () => {
    const user = await service.givenUser({ username: newId('u') });
    const [renamed, since] = [newId(), newId()];
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, { newEmployeeID: renamed, username: newId('u') }),
    ]);
    await patchUser(service, user.serial, { employeeID: since, username: newId('u') });
    const reply = await undo(service, callId);
    expect(verdictsOf(reply)).toEqual({ [since]: 10110 });
    expect(errorsOf(reply)[0]?.detail).toBe('Skipped: "employeeID", "username" have changed since the call.');
  });

  test('while the others of the call are restored', async () => {
    const users = [await service.givenUser(), await service.givenUser(), await service.givenUser()] as const;
    const callId = await givenUpdates(
      service,
      users.map(({ employeeID }) => itemFor(employeeID, { name: 'Call' })),
    );
    await patchUser(service, users[1].serial, { name: 'Since' });
    const reply = await undo(service, callId);
    expect(verdictsOf(reply)).toEqual({
      [users[0].employeeID]: 'updated',
      [users[1].employeeID]: 10110,
      [users[2].employeeID]: 'updated',
    });
    expect(await readCall(service, callIdOf(reply))).toMatchObject({
      items: 3,
      succeeded: 2,
      failed: 1,
      changes: 2,
    });
  });

  test('but not if the value was changed back', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Call' })]);
    await patchUser(service, user.serial, { name: 'Since' });
    await patchUser(service, user.serial, { name: 'Call' });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 'updated' });
  });

  test('and a second undo keeps a later change', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Call' })]);
    await undo(service, callId);
    await patchUser(service, user.serial, { name: 'Since' });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [user.employeeID]: 10110 });
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Since' });
  });
});

describe('an undo skips a user whose old name is taken', () => {
  test('with 10101 and the holder of the employee ID', async () => {
    const user = await service.givenUser();
    const renamed = newId();
    const callId = await givenUpdates(service, [
      itemFor(user.employeeID, { newEmployeeID: renamed, phone: '123' }),
    ]);
    const holder = await service.givenUser({ employeeID: user.employeeID });
    const reply = await undo(service, callId);
    const detail = `The employee ID "${user.employeeID}" is already taken by another user with the serial ${holder.serial}.`;
    const takenBy = {
      field: 'employeeID',
      value: user.employeeID,
      position: null,
      serial: holder.serial,
    };
    expect(failuresOf(reply)).toEqual([
      {
        payload: { employeeID: renamed },
        position: 0,
        error: {
          errorCode: 10101,
          message: 'USER_EMPLOYEE_ID_EXISTS',
          detail,
          reason: detail,
          data: { takenBy },
        },
        takenBy,
      },
    ]);
    // Nothing is restored: a partial undo would be a state that never existed.
    expect(await service.readUser(user.serial)).toMatchObject({ employeeID: renamed, phone: '123' });
  });

  test('with 10103, whatever the case of the username', async () => {
    const username = newId('u');
    const user = await service.givenUser({ username });
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { username: '' })]);
    const holder = await service.givenUser({ username: username.toUpperCase() });
    const reply = await undo(service, callId);
    expect(failuresOf(reply)).toMatchObject([
      {
        error: { errorCode: 10103, message: 'USER_USERNAME_EXISTS' },
        takenBy: { field: 'username', value: username, position: null, serial: holder.serial },
      },
    ]);
  });

  test('together with users who depend on the name that stays taken', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const free = newId();
    const callId = await givenUpdates(service, [
      rename(b.employeeID, free),
      rename(a.employeeID, b.employeeID),
    ]);
    const holder = await service.givenUser({ employeeID: a.employeeID });
    const reply = await undo(service, callId);
    expect(verdictsOf(reply)).toEqual({ [b.employeeID]: 10101, [free]: 10101 });
    const takers = new Map(failuresOf(reply).map(({ payload, takenBy }) => [payload.employeeID, takenBy]));
    expect(takers.get(b.employeeID)).toMatchObject({ value: a.employeeID, serial: holder.serial });
    expect(takers.get(free)).toMatchObject({ value: b.employeeID, serial: a.serial });
  });

  test('until the name is free again', async () => {
    const user = await service.givenUser();
    const renamed = newId();
    const callId = await givenUpdates(service, [rename(user.employeeID, renamed)]);
    const holder = await service.givenUser({ employeeID: user.employeeID });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [renamed]: 10101 });
    await patchUser(service, holder.serial, { employeeID: newId() });
    expect(verdictsOf(await undo(service, callId))).toEqual({ [renamed]: 'updated' });
  });
});

test('an undo skips a user with 10104 who would have neither email address nor phone number', async () => {
  const user = await service.givenUser();
  const callId = await givenUpdates(service, [itemFor(user.employeeID, { phone: '123' })]);
  await patchUser(service, user.serial, { email: null });
  const reply = await undo(service, callId);
  const detail =
    'This would leave the user with neither an email address nor a phone number. Keep at least one.';
  expect(errorsOf(reply)).toEqual([
    { errorCode: 10104, message: 'USER_CONTACT_REQUIRED', detail, reason: detail },
  ]);
  expect(await service.readUser(user.serial)).toMatchObject({ email: null, phone: '123' });
});

describe('the last administrator', () => {
  const own = useOwnService();

  test('is skipped by an undo with 10109 until there is another', async () => {
    const person = await givenPerson(own, 'administrator');
    await patchUser(own, person.serial, { isActive: false });
    const callId = await givenUpdates(own, [itemFor(person.employeeID, { isActive: true })]);
    // The deactivation removed the role.
    const body = { role: 'administrator' };
    await own.request('PUT', `/service/users/${person.serial}/role`, { body });
    const { rows } = await own.database.pool.query(`SELECT serial FROM users WHERE employee_id = 'admin'`);
    const first: string = rows[0].serial;
    expect((await patchUser(own, first, { isActive: false })).status).toBe(200);
    const [preview, reply] = [await undo(own, callId, '?dryRun=true'), await undo(own, callId)];
    expect(preview.json).toEqual(reply.json);
    expect(errorsOf(reply)).toMatchObject([{ errorCode: 10109, message: 'USER_LAST_ADMINISTRATOR' }]);
    expect(await own.readUser(person.serial)).toMatchObject({ isActive: true });
    await patchUser(own, first, { isActive: true });
    await own.request('PUT', `/service/users/${first}/role`, { body });
    expect(verdictsOf(await undo(own, callId))).toEqual({ [person.employeeID]: 'updated' });
  });
});
