import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import { callIdOf, readCall } from '../../support/calls.js';
import { changesOfCall } from '../../support/change-rows.js';
import { deliveriesOf, noticesOf } from '../../support/deliveries.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';
import {
  bodyInvalid,
  contactRequired,
  employeeIdExists,
  expectRefusal,
  fieldNotAccepted,
  fieldRequired,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

const kindsOf = (reply: Reply) =>
  reply.json.data.successItems.map((entry: { effect: { kind: string } }) => entry.effect.kind);

const byEmployeeId = async (employeeID: string) =>
  (await service.post('/service/users/lookup', { employeeIDs: [employeeID] })).json.data.items[0];

test('with create=false, users are only updated', async () => {
  const [existing, missing] = [await service.givenUser(), aUser()];
  const items = [missing, { employeeID: existing.employeeID, email: 'new@example.com' }];
  for (const query of ['?create=false&dryRun=true', '?create=false']) {
    const reply = await service.upsertBulk(items, query);
    expect(serialsOf(reply)).toEqual([existing.serial]);
    expect(errorsOf(reply)).toMatchObject([{ message: 'USER_NOT_FOUND' }]);
  }
  expect(await service.readUser(existing.serial)).toMatchObject({ email: 'new@example.com' });
  expect(await byEmployeeId(missing.employeeID)).toBeUndefined();
  expect((await service.upsertBulk(items, '?create=no')).json.message).toBe('REQUEST_PARAMETER_INVALID');
});

describe('the report of a bulk upsert', () => {
  test('has the payload without the password, the position and the serial, for new and existing users', async () => {
    const existing = await service.givenUser();
    const { password, ...shown } = aUser({
      username: newId(),
      phone: '911',
      password: 'correct horse battery staple',
      tagSerials: ['b', 'a', 'b'],
      organizationSerial: 'ORG7',
      newEmployeeID: null,
    });
    const update = itemFor(existing.employeeID, { email: 'new@example.com' });
    const invalid = aUser({ name: '' });
    const reply = await service.upsertBulk([{ ...shown, password }, invalid, update]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        successItems: [
          {
            payload: shown,
            position: 0,
            response: { serial: expect.stringMatching(/^[0-9a-f-]{36}$/) },
            normalized: { tagSerials: ['b', 'a'] },
          },
          { payload: update, position: 2, response: { serial: existing.serial } },
        ],
        failedItems: [
          {
            payload: invalid,
            position: 1,
            error: {
              ...fieldRequired('items[1]: "name"'),
              reason: expect.stringMatching(/^"name"/),
              data: { field: 'name', problem: expect.any(String) },
            },
          },
        ],
      },
    });
    expect(await byEmployeeId(shown.employeeID)).toMatchObject({ phone: '911', tagSerials: ['b', 'a'] });
    expect(await service.readUser(existing.serial)).toMatchObject({ email: 'new@example.com' });
  });

  test('is replaced by one error if the body is not a list of items', async () => {
    expectRefusal(
      await service.post('/service/users/upsert-bulk', {}),
      400,
      bodyInvalid('"items" is missing'),
    );
  });

  test('contains no password, and neither do the logs, whatever the outcome of the item', async () => {
    const password = `secret${newId()}`;
    const items = [aUser({ password }), aUser({ password, email: null }), aUser({ password: [password] })];
    const reply = await service.upsertBulk([...items, ...items]);
    expect(payloadsOf(reply).failed).toHaveLength(4);
    expect(reply.text).not.toContain(password);
    expect(service.logs).not.toContain(password);
  });

  test('is recorded as a call of the kind upsert-bulk, with one change for each user', async () => {
    const existing = await service.givenUser();
    const user = aUser();
    const reply = await service.upsertBulk([
      user,
      itemFor(existing.employeeID, { phone: '123' }),
      itemFor(user.employeeID, { name: 'Renamed' }),
      itemFor(existing.employeeID, { phone: '123' }),
    ]);
    const call = await readCall(service, callIdOf(reply));
    expect(call).toMatchObject({ kind: 'upsert-bulk', items: 4, succeeded: 4, failed: 0, changes: 2 });
    const kinds = (await changesOfCall(service, call.id)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['call', 'created', 'updated']);
  });
});

describe('an item of a bulk upsert', () => {
  test('fails in the order of the checks', async () => {
    const [taken, existing] = [await service.givenUser({ username: newId('u') }), await service.givenUser()];
    const { username } = taken as unknown as { username: string };
    const reply = await service.upsertBulk([
      { ...aUser({ username }), nickname: 'x' },
      aUser({ username, email: '' }),
      aUser({ username }),
      rename(newId(), taken.employeeID),
      itemFor(existing.employeeID, { newEmployeeID: taken.employeeID, username, email: '' }),
      itemFor(existing.employeeID, { username, email: '' }),
      itemFor(existing.employeeID, { email: '' }),
    ]);
    expect(errorsOf(reply)).toMatchObject([
      fieldNotAccepted('nickname'),
      contactRequired('items[1]: '),
      usernameExists(username),
      userNotFound('items[3]: '),
      employeeIdExists(taken.employeeID),
      usernameExists(username),
      contactRequired('items[6]: '),
    ]);
    expect(reply.json.data.successItems).toEqual([]);
  });

  test('creates a new user under the ID that an earlier item released, but a rename does not', async () => {
    const [{ employeeID, serial }, away] = [await service.givenUser(), newId()];
    const reply = await service.upsertBulk([
      rename(employeeID, away),
      rename(employeeID, newId()),
      aUser({ employeeID, password: 'correct horse battery staple' }),
    ]);
    expect(reply.json.data.failedItems).toMatchObject([
      { error: { message: 'USER_NOT_FOUND', data: { renamedBy: { position: 0, newEmployeeID: away } } } },
    ]);
    const [renamed, created] = serialsOf(reply);
    expect(renamed).toBe(serial);
    expect(created).not.toBe(serial);
    expect(await byEmployeeId(employeeID)).toMatchObject({ serial: created });
  });

  test('creates a user with a given password, but never changes the password of an existing one', async () => {
    const [username, password] = [newId('u'), 'correct horse battery staple'];
    const user = aUser({ username, password });
    await service.upsertBulk([user]);
    expect((await service.signIn(username, password)).status).toBe(200);
    const hashed = service.context.passwords.hashesDone;
    const again = await service.upsertBulk(
      [{ ...user, password: 'another battery staple' }],
      '?effects=true',
    );
    expect(kindsOf(again)).toEqual(['unchanged']);
    expect(service.context.passwords.hashesDone).toBe(hashed);
    expect((await service.signIn(username, password)).status).toBe(200);
    expect(await deliveriesOf(service, serialsOf(again)[0] as string)).toHaveLength(1);
  });

  test('notifies the previous address of a changed email with notify=true, as a PATCH does', async () => {
    const user = await service.givenUser({ email: 'old@example.com' });
    await service.upsertBulk([itemFor(user.employeeID, { email: 'new@example.com' })], '?notify=true');
    expect(await noticesOf(service, user.serial)).toHaveLength(1);
  });

  test('queues the message of a new user, and holds it with deliver=hold', async () => {
    const users = [aUser(), aUser({ isActive: false })];
    for (const [query, states] of [
      ['', ['waiting', 'dormant']],
      ['?deliver=hold', ['held', 'held']],
    ] as const) {
      const fresh = users.map((user) => ({ ...user, employeeID: newId() }));
      const serials = serialsOf(await service.upsertBulk(fresh, query));
      const found = await Promise.all(serials.map((serial) => deliveriesOf(service, serial)));
      expect(found.flat().map(({ state }) => state)).toEqual(states);
    }
  });
});

describe('a bulk upsert in final-state mode', () => {
  test('merges the items of a missing user, and swaps names with existing ones', async () => {
    const [a, b] = [await service.givenUser({ username: newId('u') }), await service.givenUser()];
    const { username } = a as unknown as { username: string };
    const employeeID = newId();
    const reply = await service.upsertBulk(
      [
        itemFor(employeeID, { username }),
        rename(employeeID, newId()),
        rename(a.employeeID, b.employeeID),
        itemFor(a.employeeID, { username: '' }),
        rename(b.employeeID, a.employeeID),
        aUser({ employeeID, name: 'Merged', email: 'merged@example.com' }),
      ],
      '?mode=finalState&effects=true',
    );
    expect(errorsOf(reply)).toMatchObject([userNotFound('items[1]: ')]);
    expect(kindsOf(reply)).toEqual(['created', 'updated', 'updated', 'updated', 'created']);
    expect(await byEmployeeId(employeeID)).toMatchObject({ username, name: 'Merged' });
    expect(await byEmployeeId(b.employeeID)).toMatchObject({ serial: a.serial });
  });
});

describe('the preview of a bulk upsert', () => {
  test('reports what the call then does, without serials of new users, and writes nothing', async () => {
    const existing = await service.givenUser();
    const user = aUser({ username: newId('u') });
    const items = [
      user,
      itemFor(existing.employeeID, { phone: '123' }),
      itemFor(existing.employeeID, { username: user.username }),
      itemFor(user.employeeID, { isActive: false }),
      aUser({ email: '' }),
    ];
    const before = await tableStates(service);
    const preview = await service.upsertBulk(items, '?dryRun=true');
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
    expect(serialsOf(preview)).toEqual([null, existing.serial, null]);
    const reply = await service.upsertBulk(items, '?effects=true');
    const created = serialsOf(reply)[0] as string;
    expect(preview.json).toEqual(JSON.parse(reply.text.replaceAll(`"${created}"`, 'null')));
  });
});
