import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openChannels } from '../../src/delivery/channels.js';
import { DeliveryFailed } from '../../src/delivery/message.js';
import { createOutbox } from '../../src/delivery/outbox.js';
import { aPasswordMessage, serviceUrl } from '../support/password-message.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Channels without a mail server or SMS gateway. */
function channelsIn(dataDir: string) {
  return openChannels({
    dataDir,
    serviceUrl,
    timeZone: 'UTC',
    mailFrom: 'Rollcall <rollcall@corp.example>',
    connectionsMax: 2,
    timeoutMs: 60_000,
  });
}

const byMail = aPasswordMessage();
const bySms = aPasswordMessage({ to: { email: null, phone: '+44 20 7946 0958' } });

describe('outbox', () => {
  test('stores an email as a file that mail clients can open', async () => {
    const dataDir = temporaryDirectory();
    expect(await channelsIn(dataDir).deliver(byMail)).toBe('email');
    const [file = ''] = readdirSync(join(dataDir, 'outbox'));
    const mail = await PostalMime.parse(readFileSync(join(dataDir, 'outbox', file)));
    expect(mail).toMatchObject({
      from: { name: 'Rollcall', address: 'rollcall@corp.example' },
      to: [{ address: 'ada@example.com' }],
      subject: 'Your Rollcall account',
      messageId: `<${byMail.deliveryId}.1@corp.example>`,
    });
    expect(mail.text?.split('\n')).toContain(byMail.password);
    expect(mail.html).toContain(byMail.password);
    expect(mail.date).toMatch(/^\d{4}-/);
  });

  test('stores an SMS as the JSON that a gateway would receive', async () => {
    const dataDir = temporaryDirectory();
    expect(await channelsIn(dataDir).deliver(bySms)).toBe('sms');
    const [file = ''] = readdirSync(join(dataDir, 'outbox'));
    expect(JSON.parse(readFileSync(join(dataDir, 'outbox', file), 'utf8'))).toEqual({
      id: `${bySms.deliveryId}-1`,
      to: '+44 20 7946 0958',
      text: expect.stringContaining(`\n${bySms.password}\n`),
    });
  });

  test('names files by time, delivery and attempt', async () => {
    const dataDir = temporaryDirectory();
    const channels = channelsIn(dataDir);
    const before = Date.now();
    await channels.deliver({ ...byMail, attempt: 3 });
    await channels.deliver(bySms);
    const names = readdirSync(join(dataDir, 'outbox')).sort((a, b) => a.length - b.length);
    expect(names).toEqual([
      expect.stringMatching(new RegExp(`^\\d{8}T\\d{6}\\.\\d{3}Z-${byMail.deliveryId}-3\\.eml$`)),
      expect.stringMatching(new RegExp(`^\\d{8}T\\d{6}\\.\\d{3}Z-${bySms.deliveryId}-1\\.sms\\.json$`)),
    ]);
    const [, year, month, day, hour, minute, rest] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)([\d.]+Z)/.exec(names[0] ?? '') ?? [];
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${rest}`);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  test.skipIf(process.platform === 'win32')('is accessible only to its owner', async () => {
    const dataDir = temporaryDirectory();
    await channelsIn(dataDir).deliver(byMail);
    const outbox = join(dataDir, 'outbox');
    const [file = ''] = readdirSync(outbox);
    expect(statSync(outbox).mode & 0o777).toBe(0o700);
    expect(statSync(join(outbox, file)).mode & 0o777).toBe(0o600);
  });

  test('is created with the first message, not earlier', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const channels = channelsIn(dataDir);
    expect(existsSync(dataDir)).toBe(false);
    await channels.deliver(byMail);
    expect(readdirSync(join(dataDir, 'outbox'))).toHaveLength(1);
  });

  test('accepts many messages at once and leaves no partial files', async () => {
    const dataDir = temporaryDirectory();
    const channels = channelsIn(dataDir);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => channels.deliver({ ...byMail, deliveryId: `d${index}` })),
    );
    const names = readdirSync(join(dataDir, 'outbox'));
    expect(names).toHaveLength(50);
    expect(names.filter((name) => !name.endsWith('.eml'))).toEqual([]);
  });

  test('reports its path and the error code if it cannot be written', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'outbox'), 'in the way');
    const error = await channelsIn(dataDir)
      .deliver(byMail)
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DeliveryFailed);
    expect((error as DeliveryFailed).reason).toBe(
      `Cannot write to the outbox ${join(dataDir, 'outbox')} (EEXIST).`,
    );
  });

  test('leaves no partial file when writing fails midway', async () => {
    const directory = temporaryDirectory();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T08:30:00.123Z') });
    onTestFinished(() => void vi.useRealTimers());
    // A directory has the name that the file would be renamed to.
    const name = '20261122T083000.123Z-d1-1.eml';
    mkdirSync(join(directory, name));
    const writing = createOutbox(directory).write({
      deliveryId: 'd1',
      attempt: 1,
      extension: 'eml',
      content: 'x',
    });
    await expect(writing).rejects.toMatchObject({
      reason: `Cannot write to the outbox ${directory} (EISDIR).`,
    });
    expect(readdirSync(directory)).toEqual([name]);
  });

  test('rejects messages to invalid addresses', async () => {
    const dataDir = temporaryDirectory();
    const channels = channelsIn(dataDir);
    const email = 'ada@example.com\r\nBcc: eve@example.com';
    await expect(channels.deliver({ ...byMail, to: { email, phone: null } })).rejects.toThrow(DeliveryFailed);
    await expect(channels.deliver({ ...bySms, to: { email: null, phone: 'x' } })).rejects.toThrow(
      DeliveryFailed,
    );
    expect(existsSync(join(dataDir, 'outbox'))).toBe(false);
  });
});
