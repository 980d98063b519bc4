import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Channels, type ChannelsOptions, openChannels } from '../../src/delivery/channels.js';
import { DeliveryFailed } from '../../src/delivery/message.js';
import { StartupError } from '../../src/storage/errors.js';
import { startMailServer } from '../support/mail-server.js';
import { aPasswordMessage, serviceUrl } from '../support/password-message.js';
import { startSmsGateway } from '../support/sms-gateway.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

function open(options: Partial<ChannelsOptions> & { dataDir: string }): Channels {
  const channels = openChannels({
    serviceUrl,
    timeZone: 'UTC',
    mailFrom: 'Rollcall <rollcall@corp.example>',
    connectionsMax: 2,
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => channels.close());
  return channels;
}

const phone = '+44 20 7946 0958';
const email = 'ada@example.com';

describe('channels', () => {
  test('prefer email, and use SMS for users who only have a phone number', async () => {
    const mail = await startMailServer();
    const sms = await startSmsGateway();
    const dataDir = temporaryDirectory();
    const channels = open({ dataDir, smtpUrl: mail.url, smsGatewayUrl: sms.url, smsGatewayToken: 'token' });

    expect(await channels.deliver(aPasswordMessage({ to: { email, phone } }))).toBe('email');
    expect(await channels.deliver(aPasswordMessage({ to: { email, phone: null } }))).toBe('email');
    expect(mail.messages).toHaveLength(2);
    expect(sms.requests).toHaveLength(0);

    expect(await channels.deliver(aPasswordMessage({ to: { email: null, phone } }))).toBe('sms');
    expect(mail.messages).toHaveLength(2);
    expect(sms.requests[0]?.json).toMatchObject({ to: phone });
    expect(sms.requests[0]?.headers.authorization).toBe('Bearer token');
    expect(existsSync(join(dataDir, 'outbox'))).toBe(false);
  });

  test('fail for a user with neither', async () => {
    const channels = open({ dataDir: temporaryDirectory() });
    const message = aPasswordMessage({ to: { email: null, phone: null } });
    await expect(channels.deliver(message)).rejects.toMatchObject({
      name: 'DeliveryFailed',
      reason: 'The user has neither an email address nor a phone number.',
    });
  });

  test('do not fall back to SMS when email fails, because the email may have arrived', async () => {
    const mail = await startMailServer();
    const sms = await startSmsGateway();
    mail.behaviour = 'refuse-recipient';
    const channels = open({ dataDir: temporaryDirectory(), smtpUrl: mail.url, smsGatewayUrl: sms.url });
    await expect(channels.deliver(aPasswordMessage({ to: { email, phone } }))).rejects.toThrow(
      DeliveryFailed,
    );
    expect(sms.requests).toHaveLength(0);
  });

  test('write to the outbox for each channel that is not configured', async () => {
    const mail = await startMailServer();
    const dataDir = temporaryDirectory();
    const channels = open({ dataDir, smtpUrl: mail.url });
    await channels.deliver(aPasswordMessage());
    expect(existsSync(join(dataDir, 'outbox'))).toBe(false);
    await channels.deliver(aPasswordMessage({ to: { email: null, phone } }));
    expect(readdirSync(join(dataDir, 'outbox'))).toEqual([expect.stringMatching(/\.sms\.json$/)]);
  });

  test('close their connections', async () => {
    const mail = await startMailServer();
    const channels = open({ dataDir: temporaryDirectory(), smtpUrl: mail.url });
    await channels.deliver(aPasswordMessage());
    expect(mail.connectionsOpen).toBe(1);
    channels.close();
    await expect.poll(() => mail.connectionsOpen).toBe(0);
  });

  test("use the operator's templates, and refuse to open with broken ones", async () => {
    const mail = await startMailServer();
    const templatesDir = temporaryDirectory();
    const options = { dataDir: temporaryDirectory(), smtpUrl: mail.url, templatesDir };
    writeFileSync(join(templatesDir, 'initial-password.subject.txt'), 'Welcome, {{name}}');
    await open(options).deliver(aPasswordMessage());
    expect(mail.messages[0]?.subject).toBe('Welcome, Ada Lovelace');
    writeFileSync(join(templatesDir, 'initial-password.subject.txt'), 'Welcome, {{nickname}}');
    expect(() => open(options)).toThrow(StartupError);
  });

  test('describe themselves without credentials', () => {
    const dataDir = temporaryDirectory();
    const smtpUrl = 'smtps://rollcall:hunter2@mail.example.com:465';
    const smsGatewayUrl = 'https://user:hunter2@sms.example.com/send?key=hunter2';
    const outbox = join(dataDir, 'outbox');
    expect(open({ dataDir }).description).toBe(`Passwords go to files in ${outbox}, not to users.`);
    expect(open({ dataDir, smtpUrl }).description).toBe(
      `Passwords go by email via mail.example.com:465 and by SMS to files in ${outbox}.`,
    );
    expect(open({ dataDir, smsGatewayUrl }).description).toBe(
      `Passwords go by email to files in ${outbox} and by SMS via sms.example.com.`,
    );
    expect(open({ dataDir, smtpUrl, smsGatewayUrl }).description).toBe(
      'Passwords go by email via mail.example.com:465 and by SMS via sms.example.com.',
    );
  });
});
