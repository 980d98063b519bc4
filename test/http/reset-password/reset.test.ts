import { describe, expect, test } from 'vitest';
import { deliveriesOf, deliveryOf, patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { newId, type Reply, useService } from '../../support/service.js';

// Sends nothing, so that tests can inspect what a reset leaves behind.
const service = useService();

function reset(serial: string, token?: string): Promise<Reply> {
  return service.request(
    'POST',
    `/service/users/${serial}/reset-password`,
    token === undefined ? {} : { token },
  );
}

describe('POST /service/users/{serial}/reset-password', () => {
  test('returns 202 with the delivery of the new password', async () => {
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

  test('ends all sessions of the user immediately, and none of others', async () => {
    const [person, other] = [await givenPerson(service), await givenPerson(service)];
    const again = (await service.signIn(person.username, person.password)).json.data.accessToken;
    await reset(person.serial);
    for (const token of [person.token, again]) {
      const reply = await service.get('/service/auth/me', { token });
      expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /./);
    }
    expect((await service.get('/service/auth/me', { token: other.token })).status).toBe(200);
  });

  test('generates and hashes no password before the message is sent', async () => {
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
  ])('cancels a %s message and erases its password', async (state, overrides, query) => {
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

  test('cancels a parked message too', async () => {
    const { serial } = await service.givenUser();
    await service.database.pool.query(
      `UPDATE deliveries SET state = 'parked', attempts = 12 WHERE user_serial = $1`,
      [serial],
    );
    await reset(serial);
    expect((await deliveriesOf(service, serial)).map(({ state }) => state)).toEqual(['waiting', 'cancelled']);
  });

  test('supersedes an earlier reset', async () => {
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

  test('keeps a sent message as sent', async () => {
    const { serial } = await service.givenUser();
    await service.database.pool.query(
      `UPDATE deliveries SET state = 'sent', sent_at = now(), channel = 'email' WHERE user_serial = $1`,
      [serial],
    );
    await reset(serial);
    expect((await deliveriesOf(service, serial)).map(({ state }) => state)).toEqual(['waiting', 'sent']);
  });

  test('leaves the message to an inactive user dormant until activation', async () => {
    const { serial } = await service.givenUser({ isActive: false });
    await reset(serial);
    expect(await deliveryOf(service, serial)).toMatchObject({ kind: 'reset-password', state: 'dormant' });
    await patchUser(service, serial, { isActive: true });
    const [newest, older] = await deliveriesOf(service, serial);
    expect([newest?.state, older?.state]).toEqual(['waiting', 'cancelled']);
  });

  test('is recorded with its actor', async () => {
    const administrator = await givenPerson(service, 'administrator');
    const { serial } = await service.givenUser();
    expect((await reset(serial, administrator.token)).status).toBe(202);
    const events = await service.get(`/service/access-events?userSerial=${serial}&kind=password.reset`);
    expect(events.json.data.items).toEqual([
      expect.objectContaining({ userSerial: serial, actor: { kind: 'person', id: administrator.serial } }),
    ]);
  });

  test.each([
    ['an unknown serial', '0198c0de-7a11-7000-8000-5f1e2d3c4b5b'],
    ['text that is not a serial', 'E1001'],
    ['a NUL', '%00'],
  ])('fails with 404 for %s', async (_, serial) => {
    expectFailure(await reset(serial), 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
  });

  test('requires access:admin', async () => {
    const token = await service.tokenFor('users:read', 'users:write');
    const person = await givenPerson(service, 'operator');
    const { serial } = await service.givenUser();
    for (const refused of [await reset(serial, token), await reset(serial, person.token)]) {
      expectFailure(refused, 403, 10203, 'ACCESS_SCOPE_MISSING', /access:admin/);
    }
    expect(await deliveriesOf(service, serial)).toHaveLength(1);
  });
});
