import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import {
  deliveryOf,
  mailsTo,
  mailTo,
  newAddress,
  passwordIn,
  patchUser,
  release,
  resend,
  type ShownDelivery,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, aUser, newId } from '../../support/service.js';

const { service, mail } = useServiceWithMail();

interface HeldCall {
  readonly requestId: string;
  readonly addresses: string[];
  readonly serials: string[];
  readonly ids: string[];
}

/** Users of one bulk call with held messages. */
async function givenHeld(count: number, overrides: Record<string, unknown> = {}): Promise<HeldCall> {
  const requestId = newId('request');
  const items = Array.from({ length: count }, () => aUser({ email: newAddress(), ...overrides }));
  const headers = { 'x-request-id': requestId };
  const reply = await service.post('/service/users/create-bulk?deliver=hold', { items }, { headers });
  const serials = serialsOf(reply);
  const ids = await Promise.all(serials.map(async (serial) => (await deliveryOf(service, serial)).id));
  return { requestId, addresses: items.map(({ email }) => String(email)), serials, ids };
}

async function statesOf({ requestId }: HeldCall): Promise<string[]> {
  const reply = await service.get(`/service/deliveries?requestId=${requestId}`);
  return reply.json.data.items.map(({ state }: ShownDelivery) => state);
}

/** Waits until a later message is sent, so that earlier ones would have been sent too. */
async function untilLaterOneIsSent(): Promise<void> {
  const { serial } = await service.givenUser({ email: newAddress() });
  await untilSent(service, serial);
}

describe('held messages', () => {
  test('are not sent while others are', async () => {
    const call = await givenHeld(3);
    await untilLaterOneIsSent();
    expect(await statesOf(call)).toEqual(['held', 'held', 'held']);
    expect(call.addresses.flatMap((address) => mailsTo(mail, address))).toEqual([]);
  });

  test('are sent when their call is released, and those of another call stay held', async () => {
    const [call, other] = [await givenHeld(3), await givenHeld(1)];
    const reply = await release(service, { requestId: call.requestId });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Deliveries released.',
      data: { released: 3 },
    });
    for (const address of call.addresses) await mailTo(mail, address);
    await expect.poll(() => statesOf(call)).toEqual(['sent', 'sent', 'sent']);
    expect(await statesOf(other)).toEqual(['held']);
  });

  test('are sent when released by ID, and the others of the call stay held', async () => {
    const call = await givenHeld(3);
    const reply = await release(service, { ids: [call.ids[0], call.ids[2]] });
    expect(reply.json.data).toEqual({ released: 2 });
    await mailTo(mail, call.addresses[0] ?? '');
    await mailTo(mail, call.addresses[2] ?? '');
    await expect.poll(() => statesOf(call)).toEqual(['sent', 'held', 'sent']);
    expect(mailsTo(mail, call.addresses[1] ?? '')).toEqual([]);
  });

  test('are sent when all are released', async () => {
    const calls = [await givenHeld(2), await givenHeld(1)];
    const reply = await release(service, { all: true });
    expect(reply.json.data.released).toBeGreaterThanOrEqual(3);
    for (const call of calls) for (const address of call.addresses) await mailTo(mail, address);
    const { rowCount } = await service.database.pool.query(`SELECT FROM deliveries WHERE state = 'held'`);
    expect(rowCount).toBe(0);
  });

  test('contain the given password, which works', async () => {
    const [username, password] = [newId('u'), `given ${newId()}`];
    const call = await givenHeld(1, { username, password });
    await release(service, { ids: call.ids });
    expect(passwordIn(await mailTo(mail, call.addresses[0] ?? ''))).toBe(password);
    expect((await service.signIn(username, password)).status).toBe(200);
  });

  test('can be sent individually by a resend', async () => {
    const call = await givenHeld(2);
    const reply = await resend(service, call.ids[0] ?? '');
    expect(reply.status).toBe(200);
    expect(reply.json.data.state).toBe('waiting');
    await mailTo(mail, call.addresses[0] ?? '');
    await expect.poll(() => statesOf(call)).toEqual(['held', 'sent']);
  });

  test('may be released when none match: unknown or malformed IDs, another request, already released', async () => {
    const call = await givenHeld(1);
    const released = async (body: unknown) => (await release(service, body)).json.data.released;
    expect(await released({ ids: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5b', 'E1001', ''] })).toBe(0);
    expect(await released({ requestId: newId('request') })).toBe(0);
    expect(await released({ ids: [call.ids[0], 'E1001', call.ids[0]] }), 'the same twice counts once').toBe(
      1,
    );
    expect(await released({ ids: call.ids })).toBe(0);
    expect(await released({ requestId: call.requestId })).toBe(0);
  });

  test('are the only ones released: dormant and sent messages keep their state', async () => {
    const dormant = await service.givenUser({ email: newAddress(), isActive: false });
    const sent = await service.givenUser({ email: newAddress() });
    await untilSent(service, sent.serial);
    const ids = [(await deliveryOf(service, dormant.serial)).id, (await deliveryOf(service, sent.serial)).id];
    expect((await release(service, { ids })).json.data.released).toBe(0);
    expect((await deliveryOf(service, dormant.serial)).state).toBe('dormant');
    expect((await deliveryOf(service, sent.serial)).state).toBe('sent');
  });

  test('are recorded with their count on release, but not when none was released', async () => {
    const call = await givenHeld(2);
    const headers = { 'x-request-id': newId('request') };
    const eventsOfIt = async () => {
      const { rows } = await service.database.pool.query(
        'SELECT kind, detail FROM access_events WHERE request_id = $1',
        [headers['x-request-id']],
      );
      return rows;
    };
    await service.post('/service/deliveries/release', { ids: call.ids }, { headers });
    expect(await eventsOfIt()).toEqual([{ kind: 'deliveries.released', detail: { released: 2 } }]);
    await service.post('/service/deliveries/release', { ids: call.ids }, { headers });
    expect(await eventsOfIt()).toHaveLength(1);
  });

  const exactlyOne =
    /^To select the held deliveries, send exactly one of "all": true, "requestId" and "ids"\.$/;
  test.each([
    ['no selector', {}, exactlyOne],
    ['null selectors', { all: null, requestId: null, ids: null }, exactlyOne],
    ['all set to false', { all: false }, exactlyOne],
    ['an empty requestId', { requestId: '' }, /^"requestId" must be a non-empty string without NUL\.$/],
    ['NUL in the requestId', { requestId: 'a\0' }, /^"requestId" must be a non-empty string without NUL\.$/],
    ['all and requestId', { all: true, requestId: 'x' }, exactlyOne],
    ['all and ids', { all: true, ids: ['x'] }, exactlyOne],
    ['requestId and ids', { requestId: 'x', ids: ['x'] }, exactlyOne],
    ['all three selectors', { all: true, requestId: 'x', ids: ['x'] }, exactlyOne],
    ['an empty list of IDs', { ids: [] }, /^"ids" must be a list of 1 to 10000 IDs of deliveries\.$/],
    ['a number as an ID', { ids: [1] }, /^"ids" must be a list of 1 to 10000 IDs of deliveries\.$/],
    ['text as all', { all: 'true' }, /^"all" must be a boolean, true or false\.$/],
    ['an unknown field', { all: true, state: 'held' }, /^"state" is not a field of this operation/],
    ['an array', [], /^The body must be a JSON object, not an array\.$/],
  ])('stay held when the release is rejected with 10004: %s', async (_, body, detail) => {
    const call = await givenHeld(1);
    expectFailure(await release(service, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(await statesOf(call)).toEqual(['held']);
  });
});

describe('messages to inactive users', () => {
  test.each([
    ['PATCH', async (serial: string) => patchUser(service, serial, { isActive: true })],
    [
      'update-bulk',
      async (serial: string) => service.updateBulk([anItem((await service.readUser(serial)) as never)]),
    ],
  ])('are sent only once %s activates them', async (_, activate) => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username, isActive: false });
    await untilLaterOneIsSent();
    expect(mailsTo(mail, email)).toEqual([]);
    expect(await deliveryOf(service, serial)).toMatchObject({ state: 'dormant', attempts: 0 });
    expect((await activate(serial)).status).toBe(200);
    const password = passwordIn(await mailTo(mail, email));
    expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(true);
    expect(await untilSent(service, serial)).toMatchObject({ attempts: 1 });
  });

  test('are sent to all users activated in bulk, and stay dormant for the others', async () => {
    const [first, second, third] = await Promise.all(
      Array.from({ length: 3 }, () => service.givenUser({ email: newAddress(), isActive: false })),
    );
    const reply = await service.updateBulk([
      anItem(first as never),
      anItem(second as never, { isActive: false, name: 'Renamed' }),
      anItem(third as never),
    ]);
    expect(serialsOf(reply)).toHaveLength(3);
    await mailTo(mail, String(first?.email));
    await mailTo(mail, String(third?.email));
    expect((await deliveryOf(service, String(second?.serial))).state).toBe('dormant');
  });

  test('stay held after activation if they are held', async () => {
    const call = await givenHeld(1, { isActive: false });
    await patchUser(service, call.serials[0] ?? '', { isActive: true });
    await untilLaterOneIsSent();
    expect(await statesOf(call)).toEqual(['held']);
    await release(service, { ids: call.ids });
    await mailTo(mail, call.addresses[0] ?? '');
  });

  test('become dormant without an attempt if the user was deactivated while they were held', async () => {
    const call = await givenHeld(1);
    await patchUser(service, call.serials[0] ?? '', { isActive: false });
    expect((await release(service, { ids: call.ids })).json.data.released).toBe(1);
    await expect.poll(() => statesOf(call)).toEqual(['dormant']);
    const delivery = await deliveryOf(service, call.serials[0] ?? '');
    expect(delivery).toMatchObject({ attempts: 0, lastError: null, nextAttemptAt: null });
    expect(mailsTo(mail, call.addresses[0] ?? '')).toEqual([]);
    await patchUser(service, call.serials[0] ?? '', { isActive: true });
    await mailTo(mail, call.addresses[0] ?? '');
    expect(await untilSent(service, call.serials[0] ?? '')).toMatchObject({ attempts: 1 });
  });

  test('keep a given password encrypted and send it later', async () => {
    const [email, password] = [newAddress(), `given ${newId()}`];
    const { serial } = await service.givenUser({ email, password, isActive: false });
    const { rows } = await service.database.pool.query(
      'SELECT id, secret FROM deliveries WHERE user_serial = $1',
      [serial],
    );
    expect(service.context.cipher.decrypt(rows[0].secret, rows[0].id)).toBe(password);
    await patchUser(service, serial, { isActive: true });
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
  });
});

describe('messages that are obsolete', () => {
  test('are cancelled with their password once the user has chosen one, and cannot be resent', async () => {
    const [username, password] = [newId('u'), `given ${newId()}`];
    const call = await givenHeld(1, { username, password });
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const body = { currentPassword: password, newPassword: `chosen by ${username}` };
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    expect(await statesOf(call)).toEqual(['cancelled']);
    const { rows } = await service.database.pool.query(
      'SELECT secret, secret_key_id FROM deliveries WHERE id = $1',
      [call.ids[0]],
    );
    expect(rows).toEqual([{ secret: null, secret_key_id: null }]);
    expect((await release(service, { ids: call.ids })).json.data.released).toBe(0);
    const reply = await resend(service, call.ids[0] ?? '');
    expectFailure(
      reply,
      409,
      10217,
      'ACCESS_DELIVERY_SUPERSEDED',
      /^A later delivery replaced this one, or the user has since chosen a password\. To send a new password, use POST \/service\/users\/\{serial\}\/reset-password\.$/,
    );
    await untilLaterOneIsSent();
    expect(mailsTo(mail, call.addresses[0] ?? '')).toEqual([]);
    expect((await service.signIn(username, body.newPassword)).status).toBe(200);
  });
});
