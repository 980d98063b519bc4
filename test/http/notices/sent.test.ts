import { describe, expect, test } from 'vitest';
import { mailsTo, mailTo, newAddress, patchUser, useServiceWithMail } from '../../support/deliveries.js';
import { erased } from '../../support/erasure.js';
import { givenNotices, noticesAbout } from '../../support/notices.js';
import { givenPlan } from '../../support/planned-calls.js';
import { givenHolder } from '../../support/protected-users.js';
import { anItem, newId } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';

const { service, mail } = useServiceWithMail({
  ROLLCALL_PUBLIC_URL: 'https://people.example.com',
  ROLLCALL_WEBHOOK_TARGETS: 'any',
  ROLLCALL_DELIVERY_PAUSE_MS: '1',
  ROLLCALL_DELIVERY_PAUSE_MAX_MS: '1',
});

const noticesTo = (address: string | null) =>
  mailsTo(mail, address ?? '').filter(({ subject }) => subject?.startsWith('Rollcall: '));

async function noticeTo(address: string | null) {
  await expect.poll(() => noticesTo(address).length).toBe(1);
  return noticesTo(address)[0];
}

const statesOf = async (text: string) => (await noticesAbout(service, text)).map(({ state }) => state);

/** A disabled webhook, by a host of its own. */
const aWebhook = () => ({ id: newId(), host: `${newId('h').toLowerCase()}.example.com` });

describe('a planned call that awaits approval', () => {
  test('reaches those who can approve it, in their language, but not its author', async () => {
    const german = await givenHolder(service, 'administrator');
    await service.request('PUT', `/service/users/${german.serial}/language`, { body: { language: 'de' } });
    const operator = await givenHolder(service, 'operator');
    const viewer = await givenHolder(service, 'viewer');
    const inactive = await givenHolder(service, 'operator');
    await patchUser(service, inactive.serial, { isActive: false });
    const nowhere = await givenHolder(service, 'operator', { email: null, phone: '+49 30 1234567' });
    const quiet = await givenSignedInUser(service, 'administrator', { email: newAddress() });
    const off = { token: quiet.token, body: { topics: { callApproval: false } } };
    expect((await service.request('PATCH', '/service/me/notices', off)).status).toBe(200);
    const email = newAddress();
    const author = await givenSignedInUser(service, 'operator', { email, name: 'Tobias Lindqvist' });
    const user = await service.givenUser({ name: 'Hannah Berger' });
    const items = [anItem(user, { name: 'Ada' })];
    const id = await givenPlan(service, items, 'approval=required', author.token);

    const link = `https://people.example.com/activity/calls/${id}`;
    expect(await noticeTo(german.email)).toMatchObject({
      subject: 'Rollcall: Tobias Lindqvist bittet um Genehmigung: Daten von 1 Benutzer ändern',
      text: expect.stringContaining(link),
      html: expect.stringContaining(`<a href="${link}">In Rollcall öffnen</a>`),
    });
    const english = await noticeTo(operator.email);
    expect(english).toMatchObject({
      subject: 'Rollcall: Tobias Lindqvist asks for approval: change data of 1 user',
    });
    expect(english?.text).toContain('Tobias Lindqvist wants to change data of 1 user: Hannah Berger.');
    for (const personal of [user.employeeID, email]) expect(english?.raw).not.toContain(personal);

    // The names are read when it is sent.
    for (const name of ['Tobias Lindqvist', 'Hannah Berger'])
      expect(await noticesAbout(service, name)).toEqual([]);

    const recipients = (await noticesAbout(service, id)).map(({ userSerial }) => userSerial);
    expect(recipients).toEqual(expect.arrayContaining([german.serial, operator.serial]));
    for (const { serial } of [viewer, inactive, nowhere, quiet, author])
      expect(recipients).not.toContain(serial);
    await expect.poll(async () => new Set(await statesOf(id))).toEqual(new Set(['sent']));
  });
});

describe('a planned call that someone else has decided about', () => {
  test('is answered to its author, with the reason', async () => {
    const email = newAddress();
    const author = await givenSignedInUser(service, 'operator', { email });
    const approver = await givenSignedInUser(service, 'operator', { name: 'Ada Lovelace' });
    const user = await service.givenUser({ name: 'Hannah Berger' });
    const id = await givenPlan(
      service,
      [anItem(user, { isActive: false })],
      'approval=required',
      author.token,
    );
    const { token } = approver;
    await service.request('POST', `/service/calls/${id}/cancel?reason=Stays`, { token });
    const answer = await noticeTo(email);
    expect(answer?.subject).toBe('Rollcall: Ada Lovelace rejected your bulk change: deactivate 1 user');
    expect(answer?.text).toContain('your request to deactivate 1 user: Hannah Berger.\n\nReason: Stays.');
  });
});

describe('a notice', () => {
  test('goes to those who were chosen, unless they may not get it or have switched it off', async () => {
    const chosen = await givenHolder(service, 'operator'); // by default, without this topic
    const other = await givenHolder(service, 'administrator');
    const quiet = await givenSignedInUser(service, 'administrator', { email: newAddress() });
    const off = { token: quiet.token, body: { topics: { feedFailed: false } } };
    expect((await service.request('PATCH', '/service/me/notices', off)).status).toBe(200);
    const viewer = await givenHolder(service, 'viewer');
    const to = [chosen, quiet, viewer].map(({ serial }) => serial);
    const feed = { id: newId(), name: 'HR' };
    const facts = { feed, run: { id: newId() }, counts: { rows: 40 }, reasons: ['The file is missing.'] };
    await givenNotices(service, [{ topic: 'feedFailed', facts, to }]);
    expect((await noticeTo(chosen.email))?.text).toContain('The file is missing.\n\nRows: 40.');
    expect(await noticesAbout(service, feed.id)).toMatchObject([{ userSerial: chosen.serial }]);
    expect(noticesTo(other.email)).toEqual([]);
  });

  test('of several about the same topic in a while is one email, which says how many there are', async () => {
    const { serial, email } = await givenHolder(service);
    const webhooks = [aWebhook(), aWebhook(), aWebhook()];
    const notices = [...webhooks, ...webhooks.slice(1)].map((webhook) => ({
      topic: 'webhookDisabled' as const,
      facts: { webhook },
      to: [serial],
    }));
    await givenNotices(service, notices);
    const { subject, text } = (await noticeTo(email)) ?? {};
    expect(subject).toBe('Rollcall: 3 webhooks were disabled');
    expect(text).toContain(webhooks[0]?.host);
    const [first] = webhooks as [(typeof webhooks)[0]];
    await expect.poll(() => statesOf(first.id)).toEqual(['sent']);

    // A later one waits. Another topic shows that it was looked at.
    const later = aWebhook();
    const at = new Date().toISOString();
    await givenNotices(service, [
      { topic: 'webhookDisabled', facts: { webhook: later }, to: [serial] },
      { topic: 'backupFailed', facts: { at }, to: [serial] },
    ]);
    await expect.poll(() => statesOf(at)).toEqual(['sent']);
    expect(await statesOf(later.id)).toEqual(['waiting']);
    await service.database.pool.query(
      "UPDATE notices SET sent_at = sent_at - interval '5 minutes' WHERE user_serial = $1",
      [serial],
    );
    await expect.poll(() => statesOf(later.id)).toEqual(['sent']);
    expect(noticesTo(email).map((each) => each.subject)).toEqual([
      'Rollcall: 3 webhooks were disabled',
      'Rollcall: A scheduled backup failed',
      'Rollcall: A webhook was disabled',
    ]);
  });

  test('is not sent to a user who has lost the role meanwhile', async () => {
    const { serial, email } = await givenHolder(service);
    const webhook = aWebhook();
    await givenNotices(service, [{ topic: 'webhookDisabled', facts: { webhook }, to: [serial] }], {}, (tx) =>
      tx.query('DELETE FROM roles WHERE user_serial = $1', [serial]),
    );
    await expect.poll(() => statesOf(webhook.id)).toEqual(['cancelled']);
    expect(noticesTo(email)).toEqual([]);
  });

  test('is not sent to a user who was erased, about whom it leaves nothing but the serial', async () => {
    const { serial, email } = await givenHolder(service);
    const webhook = aWebhook();
    await givenNotices(service, [{ topic: 'webhookDisabled', facts: { webhook }, to: [serial] }], {}, (tx) =>
      tx.query(
        "UPDATE notices SET next_at = now() + interval '1 day', last_error = $2 WHERE user_serial = $1",
        [serial, 'Ada'],
      ),
    );
    await erased(service, serial);
    expect(await noticesAbout(service, webhook.id)).toMatchObject([{ state: 'cancelled', lastError: null }]);
    expect(noticesTo(email)).toEqual([]);
  });

  test('is sent again after the mail server has failed', async () => {
    const { serial, email } = await givenHolder(service);
    await mailTo(mail, email ?? ''); // the password
    const webhook = aWebhook();
    mail.behaviour = 'refuse-message';
    await givenNotices(service, [{ topic: 'webhookDisabled', facts: { webhook }, to: [serial] }]);
    const attempts = async () => (await noticesAbout(service, webhook.id))[0]?.attempts;
    await expect.poll(attempts).toBeGreaterThan(1);
    mail.behaviour = 'accept';
    await noticeTo(email);
    await expect.poll(() => statesOf(webhook.id)).toEqual(['sent']);
  });
});

describe('the chat', () => {
  test('gets notices of the service, again after it has failed, and its URL stays secret', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = ({ connection: _ }) => (receiver.requests.length < 2 ? 500 : 200);
    const noticeChat = { url: `${receiver.url}/services/secret-of-the-chat`, format: 'slack' as const };
    const webhook = aWebhook();
    await givenNotices(
      service,
      [{ topic: 'webhookDisabled', facts: { webhook }, to: [], webhook: noticeChat }],
      { noticeChat },
    );
    await expect.poll(() => statesOf(webhook.id)).toEqual(['sent']);
    expect(receiver.requests.map(({ path }) => path)).toEqual(
      Array(2).fill('/webhooks/services/secret-of-the-chat'),
    );
    expect(receiver.requests[1]?.json).toMatchObject({
      text: expect.stringMatching(/^A webhook was disabled\n/),
      blocks: expect.arrayContaining([expect.objectContaining({ type: 'header' })]),
    });
    const [stored] = await noticesAbout(service, webhook.id);
    expect(stored).toMatchObject({ channel: 'slack', attempts: 2, lastError: null, secret: null });
    expect(service.logs).not.toContain('secret-of-the-chat');
  });

  test('that is gone gets no further attempt', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 410;
    const webhook = aWebhook();
    const chat = { url: receiver.url, format: 'teams' as const };
    await givenNotices(service, [{ topic: 'webhookDisabled', facts: { webhook }, to: [], webhook: chat }]);
    await expect.poll(() => statesOf(webhook.id)).toEqual(['parked']);
    expect(await noticesAbout(service, webhook.id)).toMatchObject([
      { attempts: 1, lastError: 'The receiver responded with 410.', secret: null },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('of the service gets no digests, which repeat other notices', async () => {
    const noticeChat = { url: 'https://chat.example.com/x', format: 'text' as const };
    const name = newId('feed');
    const facts = { feeds: [{ name, runs: 1, counts: {}, state: 'done' as const }] };
    await givenNotices(service, [{ topic: 'feedDigest', facts }], { noticeChat });
    expect(await noticesAbout(service, name)).toEqual([]);
  });
});
