import { describe, expect, test } from 'vitest';
import { deliveriesOf, deliveryOf, patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { failuresOf, nameKey } from '../../support/strict-sign-in.js';

// Sends nothing, so that tests can inspect what a reset leaves behind.
const service = useService();

function reset(serial: string, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('POST', `/service/users/${serial}/reset-password`, { headers });
}

const statesOf = async (serial: string) => (await deliveriesOf(service, serial)).map(({ state }) => state);

describe('POST /service/users/{serial}/reset-password', () => {
  test('returns 202 with the delivery of the new password', async () => {
    const requestId = newId('request');
    const { serial } = await service.givenUser();
    const reply = await reset(serial, { 'x-request-id': requestId });
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

  test('ends the old password, the failed sign-ins and all sessions of the user, and none of others', async () => {
    const [user, other] = [await givenSignedInUser(service), await givenSignedInUser(service)];
    const { username, password, serial } = user;
    const again = (await service.signIn(username, password)).json.data.accessToken;
    await service.signIn(username, 'wrong');
    const hashesBefore = service.context.passwords.hashesDone;
    await reset(serial);
    expect(service.context.passwords.hashesDone, 'generated when the message is sent').toBe(hashesBefore);
    expect(await failuresOf(service, nameKey(service, username))).toBe(0);
    for (const token of [user.token, again]) {
      const reply = await service.get('/service/auth/me', { token });
      expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /./);
    }
    expect((await service.get('/service/auth/me', { token: other.token })).status).toBe(200);
    expect((await service.signIn(username, password)).json.errorCode).toBe(10208);
    const stored = await service.database.pool.query(
      'SELECT FROM (SELECT user_serial FROM credentials UNION ALL SELECT user_serial FROM sessions) AS all_of WHERE user_serial = $1',
      [serial],
    );
    expect(stored.rowCount).toBe(0);
  });

  test.each([
    ['waiting', {}, ''],
    ['dormant', { isActive: false }, ''],
    ['held', {}, '?deliver=hold'],
  ])('cancels a %s message and erases its password', async (state, overrides, query) => {
    const items = [aUser({ password: `given ${newId()}`, ...overrides })];
    const created = await service.post(`/service/users/create-bulk${query}`, { items });
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

  test('cancels a parked message and an earlier reset, and keeps a sent message as sent', async () => {
    const { serial } = await service.givenUser();
    const make = (state: string) =>
      service.database.pool.query(
        `UPDATE deliveries SET state = $2, sent_at = CASE WHEN $2 = 'sent' THEN now() END,
           channel = CASE WHEN $2 = 'sent' THEN 'email' END WHERE user_serial = $1 AND state = 'waiting'`,
        [serial, state],
      );
    await make('parked');
    await reset(serial);
    expect(await statesOf(serial)).toEqual(['waiting', 'cancelled']);
    await reset(serial);
    expect(await statesOf(serial)).toEqual(['waiting', 'cancelled', 'cancelled']);
    await make('sent');
    await reset(serial);
    expect(await statesOf(serial)).toEqual(['waiting', 'sent', 'cancelled', 'cancelled']);
  });

  test('leaves the message to an inactive user dormant until activation', async () => {
    const { serial } = await service.givenUser({ isActive: false });
    await reset(serial);
    expect(await deliveryOf(service, serial)).toMatchObject({ kind: 'reset-password', state: 'dormant' });
    await patchUser(service, serial, { isActive: true });
    expect(await statesOf(serial)).toEqual(['waiting', 'cancelled']);
  });

  test.each(['0198c0de-7a11-7000-8000-5f1e2d3c4b5b', 'E1001', '%00'])(
    'fails with 404 for the unknown serial %s',
    async (serial) => {
      expectFailure(await reset(serial), 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
    },
  );
});
