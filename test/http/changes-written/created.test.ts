import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { changesOf, changesOfCall, changesOfRequest, fromNothing } from '../../support/change-rows.js';
import { acceptedByCreate } from '../../support/field-samples.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, credentialsIn, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const asRequest = (requestId: string) => ({ headers: { 'x-request-id': requestId } });
const thisClient = () => `client ${credentialsIn(service.dataDir).clientId}`;

/** Every field that a create accepts, except the password. */
const everyField = () => ({
  employeeID: newId(),
  name: 'Ada Lovelace',
  username: newId('u'),
  email: 'ada@example.com',
  phone: '+44 20 7946 0958',
  isActive: false,
  tagSerials: ['T1', 'T2'],
  organizationSerial: 'O1',
});

describe('a create appends one entry to the change log', () => {
  test('with all fields set except the password, the actor and the request, also if it is resent', async () => {
    for (const given of [{}, { password: 'initial' }]) {
      const [user, requestId] = [everyField(), newId('request')];
      const headers = { 'x-request-id': requestId, 'idempotency-key': newId('key') };
      const reply = await service.post('/service/users', { ...user, ...given }, { headers });
      await service.post('/service/users', { ...user, ...given }, { headers });
      const userSerial = reply.json.data.serial;
      expect(await changesOfRequest(service, requestId)).toEqual([
        {
          ...{ kind: 'created', userSerial, version: 1, callId: null, actor: thisClient(), requestId },
          fields: fromNothing(user),
        },
      ]);
    }
  });

  test('without the fields that were omitted or empty', async () => {
    const user = { employeeID: newId(), name: 'Ada', phone: '+1 202 555 0147', isActive: true };
    const empty = { username: null, email: '', tagSerials: [], organizationSerial: null };
    for (const body of [user, { ...user, employeeID: newId(), ...empty }]) {
      const { serial } = (await service.post('/service/users', body)).json.data;
      const { employeeID } = body;
      expect((await changesOf(service, serial)).map(({ fields }) => fields)).toEqual([
        fromNothing({ ...user, employeeID }),
      ]);
    }
  });

  test('with a user as the actor', async () => {
    const user = await givenSignedInUser(service, 'operator');
    const reply = await service.post('/service/users', aUser(), { token: user.token });
    const { serial } = reply.json.data;
    expect((await changesOf(service, serial)).map(({ actor }) => actor)).toEqual([`person ${user.serial}`]);
  });

  test('without an actor for the administrator created at the first start', async () => {
    const { serial } = (await service.get('/service/users?employeeID=admin')).json.data.items[0];
    expect((await changesOf(service, serial))[0]).toMatchObject({
      ...{ kind: 'created', version: 1, actor: null, requestId: null, callId: null },
      fields: { employeeID: { before: null, after: 'admin' }, username: { before: null, after: 'admin' } },
    });
  });

  test('and changing or resetting a password appends none', async () => {
    const user = await givenSignedInUser(service);
    await service.post(`/service/users/${user.serial}/reset-password`, undefined);
    expect((await changesOf(service, user.serial)).map(({ kind }) => kind)).toEqual(['created']);
  });
});

describe('a failed create appends nothing', () => {
  test.each([{}, { password: 'given' }])('with %j', async (given) => {
    const [employeeID, requestId] = [newId(), newId('request')];
    const taken = (await service.givenUser()).employeeID;
    await whenStored(service, employeeID, `RAISE EXCEPTION 'no'`, 'at the commit');
    for (const [fields, status] of [
      [{ email: 'none' }, 400],
      [{ employeeID: taken }, 409],
      [{ employeeID }, 500],
    ] as const) {
      const reply = await service.post(
        '/service/users',
        aUser({ ...fields, ...given }),
        asRequest(requestId),
      );
      expect(reply.status).toBe(status);
    }
    expect(await changesOfRequest(service, requestId)).toEqual([]);
  });
});

describe('a bulk create appends one entry per created user', () => {
  test('all with the same call and request, none for failed items, and a final one for the call', async () => {
    const requestId = newId('request');
    const first = { ...everyField(), employeeID: newId('A') };
    const second = { ...everyField(), employeeID: newId('B'), password: 'initial' };
    const items = [first, { ...first, name: 'Again' }, 7, second, aUser({ email: 'none' })];
    const reply = await service.post('/service/users/create-bulk', { items }, asRequest(requestId));
    const callId = reply.headers.get('x-call-id');
    const [serial, secondSerial] = serialsOf(reply);
    const { password: _, ...secondFields } = second;
    const common = { callId, actor: thisClient(), requestId };
    expect(await changesOfRequest(service, requestId)).toEqual([
      { ...common, kind: 'created', userSerial: serial, version: 1, fields: fromNothing(first) },
      { ...common, kind: 'created', userSerial: secondSerial, version: 1, fields: fromNothing(secondFields) },
      {
        ...common,
        kind: 'call',
        userSerial: null,
        version: null,
        fields: { kind: 'create-bulk', items: 5, succeeded: 2, failed: 3, changes: 2, undoes: null },
      },
    ]);
  });

  test('with unusual texts intact', async () => {
    const odd = acceptedByCreate.map(({ field, value }) => aUser({ [field]: value }));
    const reply = await service.createBulk(odd);
    const users = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(users).toHaveLength(odd.length);
    const logged = (await changesOfCall(service, reply.headers.get('x-call-id') ?? '')).filter(
      ({ userSerial }) => userSerial,
    );
    const told = new Map(logged.map(({ userSerial, fields }) => [userSerial, fields]));
    for (const { serial, createdAt: _, updatedAt: __, attributes: ___, ...user } of users) {
      const given = Object.entries(user).filter(([, value]) => value !== null && String(value) !== '');
      expect(told.get(serial as string)).toEqual(fromNothing(Object.fromEntries(given)));
    }
  });

  test('and nothing if its transaction fails', async () => {
    const [employeeID, requestId] = [newId(), newId('request')];
    await whenStored(service, employeeID, `RAISE EXCEPTION 'no'`, 'at the commit');
    const items = [aUser(), aUser({ employeeID })];
    const reply = await service.post('/service/users/create-bulk', { items }, asRequest(requestId));
    expect(reply.status).toBe(500);
    expect(await changesOfRequest(service, requestId)).toEqual([]);
  });
});
