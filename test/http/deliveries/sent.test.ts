import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import {
  deliveriesOf,
  deliveryOf,
  everythingStored,
  mailsTo,
  mailTo,
  newAddress,
  newPhone,
  passwordIn,
  passwordInSms,
  patchUser,
  release,
  resend,
  type ShownDelivery,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, aUser, newId } from '../../support/service.js';

const { service, mail } = useServiceWithMail({
  ROLLCALL_MAIL_FROM: 'Rollcall <rollcall@corp.example>',
  ROLLCALL_PUBLIC_URL: 'https://people.example.com',
});

async function expectNewcomer(username: string, password: string): Promise<void> {
  const reply = await service.signIn(username, password);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data).toMatchObject({ mustChangePassword: true, scopes: [] });
}

async function expectWrong(username: string, password: string): Promise<void> {
  expect((await service.signIn(username, password)).json.errorCode).toBe(10208);
}

async function choosePassword(username: string, currentPassword: string): Promise<void> {
  const token = (await service.signIn(username, currentPassword)).json.data.accessToken;
  const body = { currentPassword, newPassword: `chosen by ${username}` };
  expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
  expect((await service.signIn(username, body.newPassword)).json.data.mustChangePassword).toBe(false);
}

/** Waits until a later message is sent, so that earlier ones would have been sent too. */
async function untilLaterOneIsSent(): Promise<void> {
  const { serial } = await service.givenUser({ email: newAddress() });
  await untilSent(service, serial);
}

const awkward = (id: string) => `<b>&amp; "${id}" =3D\\n 'ñ' 🙂`;

describe('a user created without a password', () => {
  test('gets one by email, as text and HTML, and must change it after signing in', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username, name: 'Grace Hopper', phone: newPhone() });
    const message = await mailTo(mail, email);
    const { id, createdAt, sentAt, ...delivery } = await untilSent(service, serial);
    expect(delivery).toMatchObject({ channel: 'email', attempts: 1, nextAttemptAt: null, lastError: null });
    expect(Date.parse(sentAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(Date.parse(sentAt ?? '')).toBeLessThanOrEqual(Date.now() + 1);
    expect(message).toMatchObject({
      envelope: { from: 'rollcall@corp.example', to: [email] },
      from: { name: 'Rollcall', address: 'rollcall@corp.example' },
      to: [{ address: email }],
      subject: 'Your Rollcall account',
      messageId: `<${id}.1@corp.example>`,
    });
    const password = passwordIn(message);
    expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{23}$/);
    for (const part of [message.text, message.html])
      for (const told of ['Grace Hopper', username, password, 'https://people.example.com'])
        expect(part).toContain(told);

    const { rows } = await service.database.pool.query(
      `SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours FROM credentials WHERE user_serial = $1`,
      [serial],
    );
    expect(Number(rows[0].hours)).toBeCloseTo(168, 1);
    const stored = await everythingStored(service.database.pool);
    expect(stored).toContain(serial);
    for (const secret of [password, Buffer.from(password).toString('hex')])
      expect(stored).not.toContain(secret);
    for (const secret of [password, email]) expect(service.logs).not.toContain(secret);
    await expectNewcomer(username, password);
    await choosePassword(username, password);
  });

  test('gets an individual message and password in bulk, over as many connections as messages at once', async () => {
    const users = Array.from({ length: 12 }, () => aUser({ email: newAddress(), username: newId('u') }));
    const serials = serialsOf(await service.createBulk(users));
    let most = 0;
    const countSent = async () => {
      most = Math.max(most, mail.connectionsOpen);
      const { rowCount } = await service.database.pool.query(
        `SELECT FROM deliveries WHERE state = 'sent' AND user_serial = ANY ($1)`,
        [serials],
      );
      return rowCount;
    };
    await expect.poll(countSent, { interval: 5 }).toBe(12);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
    const passwords = users.map(({ email }) => mailsTo(mail, String(email)).map(passwordIn));
    expect(passwords.map(({ length }) => length)).toEqual(Array(12).fill(1));
    expect(new Set(passwords.flat()).size).toBe(12);
    await expectNewcomer(String(users[7]?.username), String(passwords[7]));
  });

  test('gets an SMS if there is only a phone number, written to a file without a gateway', async () => {
    const [phone, username] = [newPhone(), newId('u')];
    const { serial } = await service.givenUser({ email: null, phone, username });
    const { id, channel } = await untilSent(service, serial);
    expect(channel).toBe('sms');
    const outbox = join(service.dataDir, 'outbox');
    const files = readdirSync(outbox).filter((name) => name.includes(id));
    expect(files).toEqual([expect.stringMatching(/^\d{8}T\d{6}\.\d{3}Z-.*-1\.sms\.json$/)]);
    const sms = JSON.parse(readFileSync(join(outbox, files[0] ?? ''), 'utf8'));
    expect(sms).toEqual({ id: `${id}-1`, to: phone, text: expect.stringContaining(username) });
    await expectNewcomer(username, passwordInSms(sms.text));
  });

  test('gets none at a number that cannot receive text messages: it is parked without another attempt', async () => {
    const user = await service.givenUser({ email: null, phone: '030/12345 ext 5', username: newId('u') });
    await expect.poll(async () => (await deliveryOf(service, user.serial)).state).toBe('parked');
    const delivery = await deliveryOf(service, user.serial);
    expect(delivery).toMatchObject({
      attempts: 1,
      lastError:
        'Text messages cannot be sent to this phone number. Correct it, or add an email address, then send the message again.',
    });
    await patchUser(service, user.serial, { phone: '030/12345' });
    expect((await resend(service, delivery.id)).status).toBe(200);
    expect((await untilSent(service, user.serial)).channel).toBe('sms');
  });

  test('signs in with the employee ID without a username, unless it is that of another user', async () => {
    const [email, taken] = [newAddress(), newAddress()];
    const user = await service.givenUser({ email, username: null });
    expect((await mailTo(mail, email)).text).toContain(`Sign in as: ${user.employeeID}`);
    const employeeID = newId();
    await service.givenUser({ username: employeeID.toUpperCase() });
    await service.givenUser({ email: taken, employeeID, username: null });
    const { text } = await mailTo(mail, taken);
    expect(text).toContain('Ask your administrator for a username to sign in with.');
    expect(text).not.toContain(employeeID);
  });
});

describe('a user created with a password', () => {
  test.each([
    ['in a single create', (user: object) => service.post('/service/users', user)],
    ['in a bulk create', (user: object) => service.createBulk([user])],
  ])('receives exactly that password %s, which is then erased', async (_, create) => {
    const [email, username] = [newAddress(), newId('u')];
    const password = awkward(username);
    await create(aUser({ email, username, password }));
    const message = await mailTo(mail, email);
    expect(passwordIn(message)).toBe(password);
    expect(message.html).toContain('&lt;b&gt;&amp;amp; &quot;');
    await expectNewcomer(username, password);
    const kept = async () => {
      const { rows } = await service.database.pool.query(
        `SELECT d.state, d.secret, d.secret_key_id FROM deliveries d JOIN users ON serial = user_serial WHERE email = $1`,
        [email],
      );
      return rows;
    };
    await expect.poll(kept).toEqual([{ state: 'sent', secret: null, secret_key_id: null }]);
  });

  test('can use it even if it expired while the message was dormant, and it is not hashed again', async () => {
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await service.givenUser({ email, username, password, isActive: false });
    const hashesBefore = service.context.passwords.hashesDone;
    const { rows } = await service.database.pool.query(
      `WITH expired AS (UPDATE credentials SET expires_at = now() - interval '1 hour' WHERE user_serial = $1)
       SELECT id, secret FROM deliveries WHERE user_serial = $1`,
      [serial],
    );
    expect(service.context.cipher.decrypt(rows[0].secret, rows[0].id)).toBe(password);
    await patchUser(service, serial, { isActive: true });
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
    expect(service.context.passwords.hashesDone).toBe(hashesBefore);
    await expectNewcomer(username, password);
  });
});

describe('a message that is resent', () => {
  test.each([
    ['generated', {}],
    ['given, because that is not kept', { password: 'given at first' }],
  ])('has a new ID and a new password even if the first was %s', async (_, given) => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username, ...given });
    const first = passwordIn(await mailTo(mail, email));
    const { id } = await untilSent(service, serial);
    const reply = await resend(service, id);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ status: 'success', message: 'The message is sent again.' });
    expect(reply.json.data).toMatchObject({ id, state: 'waiting', attempts: 0, sentAt: null, channel: null });
    const second = passwordIn(await mailTo(mail, email, 2));
    expect(second).not.toBe(first);
    await expectWrong(username, first);
    await expectNewcomer(username, second);
    expect(mailsTo(mail, email).map(({ messageId }) => messageId)).toEqual([
      `<${id}.1@corp.example>`,
      `<${id}.2@corp.example>`,
    ]);
    await untilSent(service, serial);
    expect(await deliveriesOf(service, serial)).toHaveLength(1);
    const events = await service.get(`/service/access-events?userSerial=${serial}&kind=delivery.resent`);
    expect(events.json.data.items).toEqual([
      expect.objectContaining({ userSerial: serial, detail: { deliveryId: id }, actor: expect.anything() }),
    ]);
  });

  test('fails with 10217 once the user has chosen a password or a reset has superseded it', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
    const password = passwordIn(await mailTo(mail, email));
    const { id } = await untilSent(service, serial);
    await choosePassword(username, password);
    expectFailure(await resend(service, id), 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /reset-password/);
    expect((await deliveryOf(service, serial)).state).toBe('sent');

    const other = await service.givenUser({ email: newAddress() });
    const before = await untilSent(service, other.serial);
    await service.request('POST', `/service/users/${other.serial}/reset-password`);
    const superseded = await resend(service, before.id);
    expectFailure(superseded, 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /later delivery/);
  });

  test('fails with 404 if there is none', async () => {
    const id = '0198c0de-7a11-7000-8000-5f1e2d3c4b5b';
    for (const unknown of [id, 'E1001', '1', `${id}0`, '%00']) {
      const reply = await resend(service, unknown);
      expectFailure(reply, 404, 10216, 'ACCESS_DELIVERY_NOT_FOUND', /^No delivery has this ID\.$/);
    }
  });
});

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

describe('held messages', () => {
  test('are sent when released by call or by ID, one by one by a resend, and no others are', async () => {
    const [call, other] = [await givenHeld(2), await givenHeld(3)];
    await untilLaterOneIsSent();
    expect([...(await statesOf(call)), ...(await statesOf(other))]).toEqual(Array(5).fill('held'));
    const byCall = await release(service, { requestId: call.requestId });
    expect([byCall.status, byCall.json]).toEqual([
      200,
      { status: 'success', message: 'Deliveries released.', data: { released: 2 } },
    ]);
    await expect.poll(() => statesOf(call)).toEqual(['sent', 'sent']);
    expect(await statesOf(other)).toEqual(['held', 'held', 'held']);
    const [first, second] = other.ids as [string, string];
    expect((await release(service, { ids: [first, 'E1001', first] })).json.data).toEqual({ released: 1 });
    expect((await resend(service, second)).json.data.state).toBe('waiting');
    await expect.poll(() => statesOf(other)).toEqual(['held', 'sent', 'sent']);
    const mails = [...call.addresses, ...other.addresses].map((address) => mailsTo(mail, address).length);
    expect(mails).toEqual([1, 1, 1, 1, 0]);
  });

  test('are sent when all are released', async () => {
    const calls = [await givenHeld(2), await givenHeld(1)];
    const reply = await release(service, { all: true });
    expect(reply.json.data.released).toBeGreaterThanOrEqual(3);
    for (const call of calls) for (const address of call.addresses) await mailTo(mail, address);
    const { rowCount } = await service.database.pool.query(`SELECT FROM deliveries WHERE state = 'held'`);
    expect(rowCount).toBe(0);
  });

  test('are the only ones released: unknown, dormant and sent messages keep their state', async () => {
    const dormant = await service.givenUser({ email: newAddress(), isActive: false });
    const sent = await service.givenUser({ email: newAddress() });
    await untilSent(service, sent.serial);
    const ids = [(await deliveryOf(service, dormant.serial)).id, (await deliveryOf(service, sent.serial)).id];
    const selectors = [{ ids }, { requestId: newId('request') }, { ids: [dormant.serial, 'E1001', ''] }];
    for (const selector of selectors) expect((await release(service, selector)).json.data.released).toBe(0);
    expect((await deliveryOf(service, dormant.serial)).state).toBe('dormant');
    expect((await deliveryOf(service, sent.serial)).state).toBe('sent');
  });

  test('are recorded with their count on release, but not when none was released', async () => {
    const call = await givenHeld(2);
    const headers = { 'x-request-id': newId('request') };
    for (const released of [2, 0]) {
      const reply = await service.post('/service/deliveries/release', { ids: call.ids }, { headers });
      expect(reply.json.data).toEqual({ released });
    }
    const { rows } = await service.database.pool.query(
      'SELECT kind, detail FROM access_events WHERE request_id = $1',
      [headers['x-request-id']],
    );
    expect(rows).toEqual([{ kind: 'deliveries.released', detail: { released: 2 } }]);
  });

  test('stay held when the release is rejected', async () => {
    const call = await givenHeld(1);
    const exactlyOne =
      /^To select the held deliveries, send exactly one of "all": true, "requestId" and "ids"\.$/;
    for (const [body, detail] of [
      [{}, exactlyOne],
      [{ all: null, requestId: null, ids: null }, exactlyOne],
      [{ all: false }, exactlyOne],
      [{ all: true, requestId: call.requestId }, exactlyOne],
      [{ all: true, ids: call.ids }, exactlyOne],
      [{ requestId: call.requestId, ids: call.ids }, exactlyOne],
      [{ requestId: 'a\0' }, /^"requestId" must be a non-empty string without NUL\.$/],
      [{ ids: [] }, /^"ids" must be a list of 1 to 10000 IDs of deliveries\.$/],
      [{ all: true, state: 'held' }, /^"state" is not a field of this operation/],
    ] as const) {
      expectFailure(await release(service, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    }
    expect(await statesOf(call)).toEqual(['held']);
  });
});

describe('messages to inactive users', () => {
  test('are sent to the current address once PATCH activates them', async () => {
    const [before, email, username] = [newAddress(), newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email: before, username, isActive: false });
    await patchUser(service, serial, { email });
    await untilLaterOneIsSent();
    expect(await deliveryOf(service, serial)).toMatchObject({ state: 'dormant', attempts: 0 });
    expect((await patchUser(service, serial, { isActive: true })).status).toBe(200);
    await expectNewcomer(username, passwordIn(await mailTo(mail, email)));
    expect(mailsTo(mail, before)).toEqual([]);
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

  test('stay held after activation if they are held, and become dormant if deactivated meanwhile', async () => {
    const [activated, deactivated] = [await givenHeld(1, { isActive: false }), await givenHeld(1)];
    const [active = '', inactive = ''] = [activated.serials[0], deactivated.serials[0]];
    await patchUser(service, active, { isActive: true });
    await patchUser(service, inactive, { isActive: false });
    await untilLaterOneIsSent();
    expect(await statesOf(activated)).toEqual(['held']);
    const released = await release(service, { ids: [...activated.ids, ...deactivated.ids] });
    expect(released.json.data.released).toBe(2);
    await mailTo(mail, activated.addresses[0] ?? '');
    await expect.poll(() => statesOf(deactivated)).toEqual(['dormant']);
    expect(await deliveryOf(service, inactive)).toMatchObject({
      attempts: 0,
      lastError: null,
      nextAttemptAt: null,
    });
    expect(mailsTo(mail, deactivated.addresses[0] ?? '')).toEqual([]);
    await patchUser(service, inactive, { isActive: true });
    expect(await untilSent(service, inactive)).toMatchObject({ attempts: 1 });
  });
});

test('an obsolete message is cancelled with its password once the user has chosen one', async () => {
  const [username, password] = [newId('u'), `given ${newId()}`];
  const call = await givenHeld(1, { username, password });
  await choosePassword(username, password);
  expect(await statesOf(call)).toEqual(['cancelled']);
  const { rows } = await service.database.pool.query(
    'SELECT secret, secret_key_id FROM deliveries WHERE id = $1',
    [call.ids[0]],
  );
  expect(rows).toEqual([{ secret: null, secret_key_id: null }]);
  expect((await release(service, { ids: call.ids })).json.data.released).toBe(0);
  const reply = await resend(service, call.ids[0] ?? '');
  const detail =
    /^A later delivery replaced this one, or the user has since chosen a password\. To send a new password, use POST \/service\/users\/\{serial\}\/reset-password\.$/;
  expectFailure(reply, 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', detail);
  await untilLaterOneIsSent();
  expect(mailsTo(mail, call.addresses[0] ?? '')).toEqual([]);
});
