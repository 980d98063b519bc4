import { describe, expect, onTestFinished, test } from 'vitest';
import {
  deliveryOf,
  endPauseAfter,
  mailsTo,
  mailTo,
  newAddress,
  newPhone,
  passwordIn,
  passwordInSms,
  patchUser,
  resend,
  type ShownDelivery,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { type MailServerBehaviour, serverChatter } from '../../support/mail-server.js';
import { measures, metricOf } from '../../support/metrics.js';
import { aUser, type GivenUser, newId } from '../../support/service.js';

// Pauses are long, so that nothing is retried until a test ends the pause. How each failure of a mail server is
// recognized is tested in test/unit/mail.test.ts.
const settings = {
  ...measures,
  ROLLCALL_CHANGE_NOTICES: 'off', // these tests count every connection and message
  ROLLCALL_DELIVERY_ATTEMPTS_MAX: '3',
  ROLLCALL_DELIVERY_PAUSE_MS: '600000',
};
const { service, mail, gateway } = useServiceWithMail(settings, { hasGateway: true });

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

async function secretOf(id: string): Promise<Buffer | null> {
  const { rows } = await service.database.pool.query('SELECT secret FROM deliveries WHERE id = $1', [id]);
  return rows[0].secret;
}

describe('a message that the mail server does not accept', () => {
  test('is delayed, shows why, keeps a given password encrypted, and arrives after recovery', async () => {
    serverBehaves('drop-after-data');
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { id, serial, ...failed } = await givenFailed({ email, username, password });
    expect((await service.createBulk([aUser({ isActive: false })])).status, 'nothing is blocked').toBe(200);
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1, sentAt: null, channel: null });
    expect(failed.lastError).toBe('The mail server closed the connection before it confirmed the message.');
    expect(service.context.cipher.decrypt((await secretOf(id)) ?? Buffer.of(), id)).toBe(password);

    mail.behaviour = 'accept';
    await endPauseAfter(service, id, 1);
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
    expect(await untilSent(service, serial)).toMatchObject({ attempts: 2, lastError: null });
    expect(await secretOf(id)).toBeNull();
    expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(true);
  });

  test('is delayed while the server is down, too', async () => {
    await mail.halt();
    onTestFinished(() => mail.resume());
    const { id, email, lastProblem, lastProblemCode, lastError } = await givenFailed();
    expect([lastProblem, lastProblemCode]).toEqual(['mailUnreachable', 'ECONNREFUSED']);
    expect(lastError).toBe('Cannot reach the mail server (ECONNREFUSED).');
    await mail.resume();
    await endPauseAfter(service, id, 1);
    await mailTo(mail, String(email));
  });

  test('shows nothing that the server said, and neither do the logs', async () => {
    serverBehaves('delay-recipient');
    const { email, id, lastProblem, lastProblemCode, lastError } = await givenFailed();
    expect([lastProblem, lastProblemCode]).toEqual(['mailRecipientRefused', '450']);
    expect(lastError).toBe('The mail server refused the recipient (450).');
    await expect.poll(() => service.logs).toContain(id);
    expect(service.logs).toContain(lastError);
    expect(service.logs).not.toContain(serverChatter);
    expect(service.logs).not.toContain(email);
  });

  test('says which address refused it, also after a correction, and is resent to the new one', async () => {
    serverBehaves('delay-recipient');
    const { email, id, serial, address } = await givenFailed();
    expect(address).toBe(email);
    const corrected = newAddress();
    await service.request('PATCH', `/service/users/${serial}`, { body: { email: corrected } });
    expect((await deliveryOf(service, serial)).address).toBe(email);
    mail.behaviour = 'accept';
    expect((await resend(service, id)).json.data).toMatchObject({ state: 'waiting', address: null });
    await mailTo(mail, corrected);
    expect(await untilSent(service, serial)).toMatchObject({ address: corrected });
  });

  test('waits longer after each failure, is parked after the last, and sent by a resend', async () => {
    const outcomes = () =>
      Promise.all(
        ['sent', 'retried', 'parked'].map((outcome) =>
          metricOf(service, `rollcall_delivery_attempts_total{outcome="${outcome}"}`),
        ),
      );
    const before = await outcomes();
    serverBehaves('delay-recipient');
    const [username, password] = [newId('u'), `given ${newId()}`];
    let sinceMs = Date.now();
    const user = await givenFailed({ username, password });
    for (const [attempts, minutes] of [
      [1, 10],
      [2, 20],
    ] as const) {
      // The attempt failed at some time between these two.
      const nextMs = Date.parse((await untilFailed(user, attempts)).nextAttemptAt ?? '');
      expect(nextMs).toBeGreaterThanOrEqual(sinceMs + (minutes / 2) * 60_000);
      expect(nextMs).toBeLessThanOrEqual(Date.now() + minutes * 60_000);
      sinceMs = Date.now();
      await endPauseAfter(service, user.id, attempts);
    }
    expect(await untilFailed(user, 3)).toMatchObject({
      state: 'parked',
      lastError: 'The mail server refused the recipient (450).',
      nextAttemptAt: null,
      sentAt: null,
    });

    mail.behaviour = 'accept';
    await service.database.pool.query('UPDATE deliveries SET next_at = now() WHERE id = $1', [user.id]);
    const other = await service.givenUser({ email: newAddress() });
    await untilSent(service, other.serial);
    expect(mailsTo(mail, String(user.email))).toEqual([]);
    expect((await deliveryOf(service, user.serial)).state).toBe('parked');

    const reply = await resend(service, user.id);
    expect(reply.status).toBe(200);
    expect(reply.json.data).toMatchObject({ id: user.id, state: 'waiting', attempts: 0, lastError: null });
    expect(passwordIn(await mailTo(mail, String(user.email)))).toBe(password);
    expect(await untilSent(service, user.serial)).toMatchObject({ attempts: 1 });
    expect((await service.signIn(username, password)).status).toBe(200);
    await expect.poll(outcomes).toEqual([2, 2, 1].map((more, i) => more + (before[i] as number)));
  });
});

test('an SMS that the gateway refuses is retried later, with a new ID and a new password', async () => {
  const [phone, username] = [newPhone(), newId('u')];
  gateway.behaviour = 503;
  gateway.body = `no credit for ${phone}`;
  const { id, serial, lastError } = await givenFailed({ email: null, phone, username });
  expect(lastError).toBe('The SMS gateway refused the message (503).');
  gateway.behaviour = 202;
  await endPauseAfter(service, id, 1);
  expect(await untilSent(service, serial)).toMatchObject({ channel: 'sms', attempts: 2, lastError: null });
  expect(gateway.requests.map(({ json }) => json)).toEqual(
    [1, 2].map((attempt) => ({ id: `${id}-${attempt}`, to: phone, text: expect.any(String) })),
  );
  expect(gateway.requests[1]?.headers.authorization).toBe('Bearer token-of-the-gateway');
  const [first, second] = gateway.requests.map(({ json }) => passwordInSms(json.text)) as [string, string];
  expect((await service.signIn(username, first)).json.errorCode).toBe(10208);
  expect((await service.signIn(username, second)).json.data.mustChangePassword).toBe(true);
});

describe('between two attempts', () => {
  test('a resend does not wait for the pause to end', async () => {
    serverBehaves('delay-recipient');
    const failed = await givenFailed();
    mail.behaviour = 'accept';
    expect((await resend(service, failed.id)).status).toBe(200);
    await mailTo(mail, String(failed.email));
  });

  test('with a command in the address is parked and never reaches the mail server', async () => {
    const user = await service.givenUser({ email: newAddress(), isActive: false });
    const email = 'eve@example.com\r\nRCPT TO:<mallory@example.com>';
    const [connections, messages] = [mail.connectionsMade, mail.messagesSeen];
    await service.database.pool.query('UPDATE users SET email = $2, is_active = true WHERE serial = $1', [
      user.serial,
      email,
    ]);
    await resend(service, (await deliveryOf(service, user.serial)).id);
    expect(await untilFailed(user)).toMatchObject({
      state: 'parked',
      lastError: 'Mail cannot be sent to this email address. Correct it, then send the message again.',
    });
    expect([mail.connectionsMade, mail.messagesSeen]).toEqual([connections, messages]);
  });

  test('with a password that cannot be decrypted fails and is counted', async () => {
    const user = await service.givenUser({ email: newAddress(), password: 'given', isActive: false });
    const { id } = await deliveryOf(service, user.serial);
    await service.database.pool.query(
      `UPDATE deliveries SET secret = decode(repeat('00', 40), 'hex') WHERE id = $1`,
      [id],
    );
    await patchUser(service, user.serial, { isActive: true });
    expect(await untilFailed(user)).toMatchObject({
      lastError: 'The given password cannot be decrypted. Reset the password to send a new one.',
    });
    expect(mailsTo(mail, String(user.email))).toEqual([]);
  });
});
