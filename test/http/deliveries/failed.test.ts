import { describe, expect, onTestFinished, test } from 'vitest';
import {
  deliveryOf,
  endPauseAfter,
  mailsTo,
  mailTo,
  newAddress,
  passwordIn,
  patchUser,
  resend,
  type ShownDelivery,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { type MailServerBehaviour, serverChatter } from '../../support/mail-server.js';
import { measures, metricOf } from '../../support/metrics.js';
import { aUser, type GivenUser, newId } from '../../support/service.js';

// Pauses are long, so that nothing is retried until a test ends the pause.
const { service, mail } = useServiceWithMail({
  ...measures,
  ROLLCALL_CHANGE_NOTICES: 'off', // these tests count every connection and message
  ROLLCALL_DELIVERY_ATTEMPTS_MAX: '3',
  ROLLCALL_DELIVERY_PAUSE_MS: '600000',
  ROLLCALL_DELIVERY_TIMEOUT_MS: '5000',
});

function serverBehaves(behaviour: MailServerBehaviour): void {
  mail.behaviour = behaviour;
  onTestFinished(() => {
    mail.behaviour = 'accept';
  });
}

async function untilFailed(user: GivenUser, attempts = 1): Promise<ShownDelivery> {
  const failedAttempts = async () => {
    const { attempts, lastError } = await deliveryOf(service, user.serial);
    const { rows } = await service.database.pool.query(
      'SELECT claimed_until FROM deliveries WHERE user_serial = $1',
      [user.serial],
    );
    return lastError !== null && rows[0].claimed_until === null ? attempts : 0;
  };
  await expect.poll(failedAttempts).toBe(attempts);
  return deliveryOf(service, user.serial);
}

async function givenFailed(overrides: Record<string, unknown> = {}): Promise<GivenUser & ShownDelivery> {
  const user = await service.givenUser({ email: newAddress(), ...overrides });
  return { ...user, ...(await untilFailed(user)) };
}

/** Ends the pauses until no attempts are left. */
async function givenParked(overrides: Record<string, unknown> = {}): Promise<GivenUser & ShownDelivery> {
  const user = await givenFailed(overrides);
  await endPauseAfter(service, user.id, 1);
  await endPauseAfter(service, user.id, 2);
  await expect.poll(async () => (await deliveryOf(service, user.serial)).state).toBe('parked');
  return { ...user, ...(await deliveryOf(service, user.serial)) };
}

test('every attempt is counted by its outcome', async () => {
  const attempts = () =>
    Promise.all(
      ['sent', 'retried', 'parked'].map((outcome) =>
        metricOf(service, `rollcall_delivery_attempts_total{outcome="${outcome}"}`),
      ),
    );
  const before = await attempts();
  serverBehaves('refuse-recipient');
  const parked = await givenParked();
  mail.behaviour = 'accept';
  await resend(service, parked.id);
  await untilSent(service, parked.serial);
  await expect.poll(attempts).toEqual([1, 2, 1].map((more, i) => more + (before[i] as number)));
});

describe('a failing mail server', () => {
  test.each([
    ['rejects the recipient', 'refuse-recipient', 'The mail server refused the recipient (550).'],
    ['rejects the message', 'refuse-message', 'The mail server refused the message (554).'],
    ['rejects connections', 'refuse-connection', 'The mail server refused the connection (554).'],
    [
      'closes the connection after the message',
      'drop-after-data',
      'The mail server closed the connection before it confirmed the message.',
    ],
    ['sends no greeting', 'hang-at-greeting', 'The mail server did not respond in time.'],
    ['does not confirm the message', 'hang-after-data', 'The mail server did not respond in time.'],
  ] as const)(
    'that %s delays the message, which arrives after recovery, and does not block creates',
    async (...of) => {
      const [, behaviour, reason] = of;
      const [email, username] = [newAddress(), newId('u')];
      // Drop existing connections first: they would be reused without a greeting.
      await mail.halt();
      await mail.resume();
      serverBehaves(behaviour);
      const user = await service.givenUser({ email, username });
      expect((await service.post('/service/users', aUser({ isActive: false }))).status).toBe(201);
      const failed = await untilFailed(user);
      expect(failed).toMatchObject({ state: 'waiting', attempts: 1, sentAt: null, channel: null });
      expect(failed.lastError).toBe(reason);
      expect(Date.parse(failed.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 60_000);

      mail.behaviour = 'accept';
      await endPauseAfter(service, failed.id, 1);
      const password = passwordIn(await mailTo(mail, email));
      expect(await untilSent(service, user.serial)).toMatchObject({ attempts: 2, lastError: null });
      expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(true);
    },
  );

  test('that is down delays messages until it is up, and does not block single or bulk creates', async () => {
    await mail.halt();
    onTestFinished(() => mail.resume());
    const email = newAddress();
    const user = await service.givenUser({ email });
    const failed = await untilFailed(user);
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(failed.lastError).toBe('Cannot reach the mail server (ECONNREFUSED).');
    expect((await service.createBulk([aUser({ isActive: false })])).status).toBe(200);
    await mail.resume();
    await endPauseAfter(service, failed.id, 1);
    await mailTo(mail, email);
  });

  test('sends replies that appear neither in the delivery nor in the logs', async () => {
    serverBehaves('refuse-recipient');
    const { email, id, lastError } = await givenFailed();
    expect(lastError).not.toContain(serverChatter);
    expect(lastError).not.toContain('@');
    await expect.poll(() => service.logs).toContain(id);
    expect(service.logs).toContain('The mail server refused the recipient (550).');
    expect(service.logs).not.toContain(serverChatter);
    expect(service.logs).not.toContain(email);
  });

  test('leaves a given password encrypted until it is sent', async () => {
    const [email, password] = [newAddress(), `given ${newId()}`];
    serverBehaves('drop-after-data');
    const { id } = await givenFailed({ email, password });
    const secretOf = async () =>
      (await service.database.pool.query('SELECT secret FROM deliveries WHERE id = $1', [id])).rows[0].secret;
    expect(service.context.cipher.decrypt(await secretOf(), id)).toBe(password);
    mail.behaviour = 'accept';
    await endPauseAfter(service, id, 1);
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
    await expect.poll(secretOf).toBeNull();
  });

  test('causes a longer pause after each failure', async () => {
    serverBehaves('refuse-recipient');
    /** The attempt failed at some time between these two. */
    const expectPause = async (user: GivenUser, attempts: number, sinceMs: number, minutes: number) => {
      const nextMs = Date.parse((await untilFailed(user, attempts)).nextAttemptAt ?? '');
      expect(nextMs).toBeGreaterThanOrEqual(sinceMs + (minutes / 2) * 60_000);
      expect(nextMs).toBeLessThanOrEqual(Date.now() + minutes * 60_000);
    };
    const startMs = Date.now();
    const user = await service.givenUser({ email: newAddress() });
    await expectPause(user, 1, startMs, 10);
    const againMs = Date.now();
    await endPauseAfter(service, (await deliveryOf(service, user.serial)).id, 1);
    await expectPause(user, 2, againMs, 20);
  });
});

describe('after its last attempt, a message', () => {
  test('is parked with the reason and not retried', async () => {
    serverBehaves('refuse-recipient');
    const parked = await givenParked();
    expect(parked).toMatchObject({
      state: 'parked',
      attempts: 3,
      lastError: 'The mail server refused the recipient (550).',
      nextAttemptAt: null,
      sentAt: null,
    });
    mail.behaviour = 'accept';
    await service.database.pool.query('UPDATE deliveries SET next_at = now() WHERE id = $1', [parked.id]);
    const other = await service.givenUser({ email: newAddress() });
    await untilSent(service, other.serial);
    expect(mailsTo(mail, String(parked.email))).toEqual([]);
    expect((await deliveryOf(service, parked.serial)).state).toBe('parked');
  });

  test('is sent by a resend, with a password that works', async () => {
    const username = newId('u');
    serverBehaves('refuse-recipient');
    const parked = await givenParked({ username });
    mail.behaviour = 'accept';
    const reply = await resend(service, parked.id);
    expect(reply.status).toBe(200);
    expect(reply.json.data).toMatchObject({ id: parked.id, state: 'waiting', attempts: 0, lastError: null });
    const password = passwordIn(await mailTo(mail, String(parked.email)));
    expect((await service.signIn(username, password)).status).toBe(200);
    expect(await untilSent(service, parked.serial)).toMatchObject({ attempts: 1 });
  });

  test('gets all its attempts again after a resend', async () => {
    serverBehaves('refuse-recipient');
    const parked = await givenParked();
    await resend(service, parked.id);
    expect(await untilFailed(parked)).toMatchObject({ state: 'waiting', attempts: 1 });
    await endPauseAfter(service, parked.id, 1);
    await endPauseAfter(service, parked.id, 2);
    await expect.poll(async () => (await deliveryOf(service, parked.serial)).state).toBe('parked');
  });

  test('keeps the given password for a resend', async () => {
    const password = `given ${newId()}`;
    serverBehaves('refuse-recipient');
    const parked = await givenParked({ password });
    mail.behaviour = 'accept';
    await resend(service, parked.id);
    expect(passwordIn(await mailTo(mail, String(parked.email)))).toBe(password);
  });
});

describe('between two attempts', () => {
  test('a resend does not wait for the pause to end', async () => {
    serverBehaves('refuse-recipient');
    const failed = await givenFailed();
    mail.behaviour = 'accept';
    expect((await resend(service, failed.id)).status).toBe(200);
    await mailTo(mail, String(failed.email));
  });

  test('deactivating the user makes the message dormant and keeps its attempts', async () => {
    serverBehaves('refuse-recipient');
    const failed = await givenFailed();
    mail.behaviour = 'accept';
    await patchUser(service, failed.serial, { isActive: false });
    await endPauseAfter(service, failed.id, 1);
    await expect.poll(async () => (await deliveryOf(service, failed.serial)).state).toBe('dormant');
    expect((await deliveryOf(service, failed.serial)).attempts).toBe(1);
    expect(mailsTo(mail, String(failed.email))).toEqual([]);
    await patchUser(service, failed.serial, { isActive: true });
    await mailTo(mail, String(failed.email));
    expect(await untilSent(service, failed.serial)).toMatchObject({ attempts: 2 });
  });

  test('a corrected address is used for the next attempt', async () => {
    serverBehaves('refuse-recipient');
    const failed = await givenFailed();
    mail.behaviour = 'accept';
    const email = newAddress();
    await patchUser(service, failed.serial, { email });
    await endPauseAfter(service, failed.id, 1);
    await mailTo(mail, email);
    expect(mailsTo(mail, String(failed.email))).toEqual([]);
  });

  test('a message with a given password is cancelled once the user has chosen a new one', async () => {
    const [username, password] = [newId('u'), `given ${newId()}`];
    serverBehaves('refuse-recipient');
    const failed = await givenFailed({ username, password });
    mail.behaviour = 'accept';
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const body = { currentPassword: password, newPassword: `chosen by ${username}` };
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    expect((await deliveryOf(service, failed.serial)).state).toBe('cancelled');
    expect((await resend(service, failed.id)).json.errorCode).toBe(10217);
  });
});

describe('an undeliverable message', () => {
  test.each([
    ['a line break', 'eve@example.com\r\nRCPT TO:<mallory@example.com>'],
    ['a header', 'eve@example.com\nBcc: mallory@example.com'],
    ['two addresses', 'eve@example.com, mallory@example.com'],
    ['an address inside another', '"mallory@example.com" <eve@example.com>'],
  ])('with %s in the address never reaches the mail server', async (_, email) => {
    const user = await service.givenUser({ email: newAddress(), isActive: false });
    await service.database.pool.query('UPDATE users SET email = $2 WHERE serial = $1', [user.serial, email]);
    const [connections, messages] = [mail.connectionsMade, mail.messagesSeen];
    await service.database.pool.query('UPDATE users SET is_active = true WHERE serial = $1', [user.serial]);
    await resend(service, (await deliveryOf(service, user.serial)).id);
    expect(await untilFailed(user)).toMatchObject({
      state: 'parked',
      lastError: 'Mail cannot be sent to this email address. Correct it, then send the message again.',
    });
    expect(mail.connectionsMade).toBe(connections);
    expect(mail.messagesSeen).toBe(messages);
    expect(mail.messages.filter(({ raw }) => raw.includes('mallory'))).toEqual([]);
  });

  test('with a password that cannot be decrypted fails, is counted and is parked', async () => {
    const user = await service.givenUser({ email: newAddress(), password: 'given', isActive: false });
    const { id } = await deliveryOf(service, user.serial);
    await service.database.pool.query(
      `UPDATE deliveries SET secret = decode(repeat('00', 40), 'hex') WHERE id = $1`,
      [id],
    );
    await patchUser(service, user.serial, { isActive: true });
    const lastError = async () => (await deliveryOf(service, user.serial)).lastError;
    await expect.poll(lastError).toEqual(expect.stringMatching(/^[A-Z].*\.$/));
    await endPauseAfter(service, id, 1);
    await endPauseAfter(service, id, 2);
    await expect.poll(async () => (await deliveryOf(service, user.serial)).state).toBe('parked');
    expect(mailsTo(mail, String(user.email))).toEqual([]);
  });
});
