import { describe, expect, test } from 'vitest';
import { deliveriesOf, deliveryOf, patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';

/** Sends nothing, so that what a reset leaves behind can be looked at. */
const service = useService();

function reset(serial: string, token?: string): Promise<Reply> {
  return service.request(
    'POST',
    `/service/users/${serial}/reset-password`,
    token === undefined ? {} : { token },
  );
}

describe('POST /service/users/{serial}/reset-password', () => {
  test('answers 202 with the delivery that brings the new password', async () => {
    const requestId = newId('request');
    const { serial } = await service.givenUser();
    const reply = await service.request('POST', `/service/users/${serial}/reset-password`, {
      headers: { 'x-request-id': requestId },
    });
    expect(reply.status).toBe(202);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'A new password is on its way.',
      data: { deliveryId: expect.any(String) },
    });
    expect(await deliveryOf(service, serial)).toMatchObject({
      id: reply.json.data.deliveryId,
      userSerial: serial,
      kind: 'reset-password',
      state: 'waiting',
      attempts: 0,
      requestId,
    });
  });

  test('all sessions of the user end at once, and those of others do not', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    const again = (await service.signIn(person.username, person.password)).json.data.accessToken;
    await reset(person.serial);
    for (const token of [person.token, again]) {
      const reply = await service.get('/service/auth/me', { token });
      expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /./);
    }
    expect((await service.get('/service/auth/me', { token: other.token })).status).toBe(200);
  });

  test('no password is made or hashed before the message goes out', async () => {
    const person = await givenPerson(service);
    const hashesBefore = service.context.passwords.hashesDone;
    await reset(person.serial);
    expect(service.context.passwords.hashesDone).toBe(hashesBefore);
    const stored = await service.database.pool.query('SELECT FROM credentials WHERE user_serial = $1', [
      person.serial,
    ]);
    expect(stored.rowCount).toBe(0);
  });

  test.each([
    ['waiting', {}, ''],
    ['dormant', { isActive: false }, ''],
    ['held', {}, '?deliver=hold'],
  ])('a message that is %s is cancelled, and a password in it is gone', async (state, overrides, query) => {
    const [employeeID, password] = [newId(), `given ${newId()}`];
    const item = {
      employeeID,
      name: 'Ada',
      email: 'ada@example.com',
      isActive: true,
      password,
      ...overrides,
    };
    const created = await service.post(`/service/users/create-bulk${query}`, { items: [item] });
    const serial = created.json.data.successItems[0].response.serial;
    const before = await deliveryOf(service, serial);
    expect(before.state).toBe(state);
    const { deliveryId } = (await reset(serial)).json.data;
    const after = await deliveriesOf(service, serial);
    expect(after.map(({ id }) => id)).toEqual([deliveryId, before.id]);
    expect(after[1]?.state).toBe('cancelled');
    const { rows } = await service.database.pool.query(
      'SELECT secret, secret_key_id FROM deliveries WHERE user_serial = $1',
      [serial],
    );
    expect(rows).toEqual(Array(2).fill({ secret: null, secret_key_id: null }));
    const refused = await service.request('POST', `/service/deliveries/${before.id}/resend`);
    expectFailure(refused, 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /./);
  });

  test('a parked message is cancelled too', async () => {
    const { serial } = await service.givenUser();
    await service.database.pool.query(
      `UPDATE deliveries SET state = 'parked', attempts = 12 WHERE user_serial = $1`,
      [serial],
    );
    await reset(serial);
    expect((await deliveriesOf(service, serial)).map(({ state }) => state)).toEqual(['waiting', 'cancelled']);
  });

  test('a second reset takes the place of the first', async () => {
    const { serial } = await service.givenUser();
    const first = (await reset(serial)).json.data.deliveryId;
    const second = (await reset(serial)).json.data.deliveryId;
    const [newest, older] = await deliveriesOf(service, serial);
    expect([newest?.id, newest?.state, older?.id, older?.state]).toEqual([
      second,
      'waiting',
      first,
      'cancelled',
    ]);
  });

  test('what was already sent stays on record as sent', async () => {
    const { serial } = await service.givenUser();
    await service.database.pool.query(
      `UPDATE deliveries SET state = 'sent', sent_at = now(), channel = 'email' WHERE user_serial = $1`,
      [serial],
    );
    await reset(serial);
    expect((await deliveriesOf(service, serial)).map(({ state }) => state)).toEqual(['waiting', 'sent']);
  });

  test('the message to a user who is not active is dormant until they are', async () => {
    const { serial } = await service.givenUser({ isActive: false });
    await reset(serial);
    expect(await deliveryOf(service, serial)).toMatchObject({ kind: 'reset-password', state: 'dormant' });
    await patchUser(service, serial, { isActive: true });
    const [newest, older] = await deliveriesOf(service, serial);
    expect([newest?.state, older?.state]).toEqual(['waiting', 'cancelled']);
  });

  test('is on record with who asked for it', async () => {
    const administrator = await givenPerson(service, 'administrator');
    const { serial } = await service.givenUser();
    expect((await reset(serial, administrator.token)).status).toBe(202);
    const events = await service.get(`/service/access-events?userSerial=${serial}&kind=password.reset`);
    expect(events.json.data.items).toEqual([
      expect.objectContaining({ userSerial: serial, actor: { kind: 'person', id: administrator.serial } }),
    ]);
  });

  test.each([
    ['unknown', '0198c0de-7a11-7000-8000-5f1e2d3c4b5b'],
    ['no serial at all', 'E1001'],
    ['a NUL', '%00'],
  ])('a user who is not there is answered 404: %s', async (_, serial) => {
    expectFailure(await reset(serial), 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
  });

  test('needs access:admin', async () => {
    const token = await service.tokenFor('users:read', 'users:write');
    const person = await givenPerson(service, 'operator');
    const { serial } = await service.givenUser();
    for (const refused of [await reset(serial, token), await reset(serial, person.token)]) {
      expectFailure(refused, 403, 10203, 'ACCESS_SCOPE_MISSING', /access:admin/);
    }
    expect(await deliveriesOf(service, serial)).toHaveLength(1);
  });
});
