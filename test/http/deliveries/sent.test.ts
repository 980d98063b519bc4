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
  resend,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId } from '../../support/service.js';

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

describe('a user created without a password', () => {
  test('gets one by email, as text and HTML, from the configured sender', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username, name: 'Grace Hopper' });
    const message = await mailTo(mail, email);
    const { id } = await untilSent(service, serial);
    expect(message).toMatchObject({
      envelope: { from: 'rollcall@corp.example', to: [email] },
      from: { name: 'Rollcall', address: 'rollcall@corp.example' },
      to: [{ address: email }],
      subject: 'Your Rollcall account',
      messageId: `<${id}.1@corp.example>`,
    });
    const password = passwordIn(message);
    expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{23}$/);
    for (const part of [message.text, message.html]) {
      expect(part).toContain('Grace Hopper');
      expect(part).toContain(username);
      expect(part).toContain(password);
      expect(part).toContain('https://people.example.com');
    }
    expect(message.subject).not.toContain(password);
  });

  test('signs in with it and must change it', async () => {
    const [email, username] = [newAddress(), newId('u')];
    await service.givenUser({ email, username });
    const password = passwordIn(await mailTo(mail, email));
    await expectNewcomer(username, password);
    const { token } = { token: (await service.signIn(username, password)).json.data.accessToken };
    expectFailure(
      await service.get('/service/users', { token }),
      403,
      10211,
      'ACCESS_PASSWORD_CHANGE_REQUIRED',
      /./,
    );
    const body = { currentPassword: password, newPassword: `chosen by ${username}` };
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    expect((await service.signIn(username, body.newPassword)).json.data.mustChangePassword).toBe(false);
  });

  test('has a password that is in no table and no log', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email });
    const password = passwordIn(await mailTo(mail, email));
    await untilSent(service, serial);
    const stored = await everythingStored(service.database.pool);
    expect(stored).toContain(serial);
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(Buffer.from(password).toString('hex'));
    expect(service.logs).not.toContain(password);
    expect(service.logs).not.toContain(email);
  });

  test('has a sent delivery with its time and channel', async () => {
    const { serial } = await service.givenUser({ email: newAddress() });
    const { createdAt, sentAt, ...delivery } = await untilSent(service, serial);
    expect(delivery).toMatchObject({ state: 'sent', channel: 'email', attempts: 1 });
    expect(delivery).toMatchObject({ nextAttemptAt: null, lastError: null });
    expect(Date.parse(sentAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(Date.parse(sentAt ?? '')).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('has the full lifetime to use it, however late the message was sent', async () => {
    const { serial } = await service.givenUser({ email: newAddress() });
    await untilSent(service, serial);
    const { rows } = await service.database.pool.query(
      `SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours, must_change FROM credentials WHERE user_serial = $1`,
      [serial],
    );
    expect(Number(rows[0].hours)).toBeCloseTo(168, 1);
    expect(rows[0].must_change).toBe(true);
  });

  test('gets an individual message and password in bulk', async () => {
    const people = Array.from({ length: 20 }, () => aUser({ email: newAddress(), username: newId('u') }));
    await service.createBulk(people);
    const passwords = new Set<string>();
    for (const { email, username } of people) {
      const password = passwordIn(await mailTo(mail, String(email)));
      passwords.add(password);
      if (passwords.size % 7 === 0) await expectNewcomer(String(username), password);
    }
    expect(passwords.size).toBe(20);
  });
});

describe('a user created with a password', () => {
  /** Characters that are special in HTML, quoted-printable and SMTP, and one outside ASCII. */
  const awkward = (id: string) => `<b>&amp; "${id}" =3D\\n 'ñ' 🙂`;

  test.each([
    ['in a single create', (user: object) => service.post('/service/users', user)],
    ['in a bulk create', (user: object) => service.createBulk([user])],
  ])('receives exactly that password %s, and it works', async (_, create) => {
    const [email, username] = [newAddress(), newId('u')];
    const password = awkward(username);
    await create(aUser({ email, username, password }));
    const message = await mailTo(mail, email);
    expect(passwordIn(message)).toBe(password);
    expect(message.html).toContain('&lt;b&gt;&amp;amp; &quot;');
    await expectNewcomer(username, password);
  });

  test('has it erased from the delivery once it is sent', async () => {
    const { serial } = await service.givenUser({ email: newAddress(), password: 'given' });
    await untilSent(service, serial);
    const { rows } = await service.database.pool.query(
      'SELECT secret, secret_key_id FROM deliveries WHERE user_serial = $1',
      [serial],
    );
    expect(rows).toEqual([{ secret: null, secret_key_id: null }]);
  });

  test('has it hashed only once, not again when it is sent', async () => {
    const { serial } = await service.givenUser({ email: newAddress(), password: 'given', isActive: false });
    const hashesBefore = service.context.passwords.hashesDone;
    await service.request('PATCH', `/service/users/${serial}`, { body: { isActive: true } });
    await untilSent(service, serial);
    expect(service.context.passwords.hashesDone).toBe(hashesBefore);
  });

  test('can still use it if it expired while the message was dormant', async () => {
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await service.givenUser({ email, username, password, isActive: false });
    await service.database.pool.query(
      `UPDATE credentials SET expires_at = now() - interval '1 hour' WHERE user_serial = $1`,
      [serial],
    );
    await service.request('PATCH', `/service/users/${serial}`, { body: { isActive: true } });
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
    await expectNewcomer(username, password);
  });
});

describe('a message is sent', () => {
  test('to the address the user has at that time', async () => {
    const [before, after] = [newAddress(), newAddress()];
    const { serial } = await service.givenUser({ email: before, isActive: false });
    await service.request('PATCH', `/service/users/${serial}`, { body: { email: after } });
    await service.request('PATCH', `/service/users/${serial}`, { body: { isActive: true } });
    await mailTo(mail, after);
    expect(mailsTo(mail, before)).toEqual([]);
  });

  test('by email to a user who also has a phone', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email, phone: '+44 20 7946 0958' });
    expect((await untilSent(service, serial)).channel).toBe('email');
    expect(mailsTo(mail, email)).toHaveLength(1);
  });
});

describe('without an SMS gateway', () => {
  test('an SMS is written to the outbox directory, and its password works', async () => {
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
});

describe('a phone number that cannot receive text messages', () => {
  test('is shown in the delivery, which is parked without another attempt', async () => {
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
});

describe('the name to sign in with', () => {
  test('is the employee ID for a user without a username', async () => {
    const email = newAddress();
    const user = await service.givenUser({ email, username: null });
    expect((await mailTo(mail, email)).text).toContain(`Sign in as: ${user.employeeID}`);
  });

  test('is left to the administrator if the employee ID is the username of another user', async () => {
    const [email, employeeID] = [newAddress(), newId()];
    await service.givenUser({ username: employeeID.toUpperCase() });
    await service.givenUser({ email, employeeID, username: null });
    const { text } = await mailTo(mail, email);
    expect(text).toContain('Ask your administrator for a username to sign in with.');
    expect(text).not.toContain(employeeID);
  });
});

describe('a message that is resent', () => {
  test('waits with all its attempts and contains a new password that replaces the old one', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
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
    await untilSent(service, serial);
    expect(await deliveriesOf(service, serial)).toHaveLength(1);
  });

  test('has a new message ID, so that no mail server treats it as a duplicate', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email });
    const { id } = await untilSent(service, serial);
    await resend(service, id);
    await mailTo(mail, email, 2);
    expect(mailsTo(mail, email).map(({ messageId }) => messageId)).toEqual([
      `<${id}.1@corp.example>`,
      `<${id}.2@corp.example>`,
    ]);
  });

  test('contains a new password even if the first was given, because that is not kept', async () => {
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await service.givenUser({ email, username, password });
    const { id } = await untilSent(service, serial);
    await resend(service, id);
    const second = passwordIn(await mailTo(mail, email, 2));
    expect(second).not.toBe(password);
    await expectWrong(username, password);
    await expectNewcomer(username, second);
  });

  test('fails with 10217 once the user has chosen a password', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
    const currentPassword = passwordIn(await mailTo(mail, email));
    const { id } = await untilSent(service, serial);
    const token = (await service.signIn(username, currentPassword)).json.data.accessToken;
    const newPassword = `chosen by ${username}`;
    await service.post('/service/auth/change-password', { currentPassword, newPassword }, { token });
    expectFailure(await resend(service, id), 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /reset-password/);
    expect((await deliveryOf(service, serial)).state).toBe('sent');
    expect((await service.signIn(username, newPassword)).status).toBe(200);
  });

  test('fails with 10217 once a reset has superseded it', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email });
    const { id } = await untilSent(service, serial);
    await service.request('POST', `/service/users/${serial}/reset-password`);
    expectFailure(await resend(service, id), 409, 10217, 'ACCESS_DELIVERY_SUPERSEDED', /later delivery/);
  });

  test('is recorded with its actor', async () => {
    const { serial } = await service.givenUser({ email: newAddress() });
    const { id } = await untilSent(service, serial);
    await resend(service, id);
    const events = await service.get(`/service/access-events?userSerial=${serial}&kind=delivery.resent`);
    expect(events.json.data.items).toEqual([
      expect.objectContaining({ userSerial: serial, detail: { deliveryId: id }, actor: expect.anything() }),
    ]);
  });
});

describe('an unknown delivery', () => {
  test.each([
    ['an unknown ID', '0198c0de-7a11-7000-8000-5f1e2d3c4b5b'],
    ['text that is not an ID', 'E1001'],
    ['a number', '1'],
    ['an ID followed by another character', '0198c0de-7a11-7000-8000-5f1e2d3c4b5b0'],
    ['a NUL', '%00'],
  ])('cannot be resent: %s', async (_, id) => {
    expectFailure(
      await resend(service, id),
      404,
      10216,
      'ACCESS_DELIVERY_NOT_FOUND',
      /^No delivery has this ID\.$/,
    );
  });
});

describe('emails in bulk', () => {
  test('use at most as many connections as messages are sent concurrently', async () => {
    const items = Array.from({ length: 40 }, () => aUser({ email: newAddress() }));
    const serials = serialsOf(await service.createBulk(items));
    let most = 0;
    const countSent = async () => {
      most = Math.max(most, mail.connectionsOpen);
      const { rowCount } = await service.database.pool.query(
        `SELECT FROM deliveries WHERE state = 'sent' AND user_serial = ANY ($1)`,
        [serials],
      );
      return rowCount;
    };
    await expect.poll(countSent, { interval: 5 }).toBe(40);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
  });
});
