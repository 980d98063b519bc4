import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openChannels } from '../../src/delivery/channels.js';
import { composeMail, createMailer, type Mail, type Mailer, parseSender } from '../../src/delivery/mail.js';
import { DeliveryFailed } from '../../src/delivery/message.js';
import { mailFailure, mailTimeouts } from '../../src/delivery/smtp.js';
import { loadTemplates, renderMail } from '../../src/delivery/templates.js';
import { StartupError } from '../../src/storage/errors.js';
import { serverChatter, startMailServer } from '../support/mail-server.js';
import { aPasswordMessage, serviceUrl } from '../support/password-message.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const from = parseSender('Rollcall <rollcall@corp.example>');
const templates = loadTemplates(undefined);
const { password } = aPasswordMessage();

function aMail(overrides: Partial<Mail> = {}): Mail {
  const { deliveryId, attempt } = aPasswordMessage();
  const texts = renderMail(templates, aPasswordMessage(), { serviceUrl, timeZone: 'UTC' });
  return { deliveryId, attempt, to: 'ada@example.com', ...texts, ...overrides };
}

interface MailerOverrides {
  connectionsMax?: number;
  timeouts?: Partial<typeof mailTimeouts>;
}

/** A mailer that is closed when the test finishes. */
function mailerFor(smtpUrl: string, { connectionsMax = 2, timeouts = {} }: MailerOverrides = {}): Mailer {
  const mailer = createMailer({ smtpUrl, from, connectionsMax, timeouts: { ...mailTimeouts, ...timeouts } });
  onTestFinished(() => mailer.close());
  return mailer;
}

/** Why a message was not sent. Also checks that the reason reveals no secrets. */
async function failure(sending: Promise<void>): Promise<string> {
  const error = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DeliveryFailed);
  const { reason, message } = error as DeliveryFailed;
  for (const secret of ['ada', 'example', password, serverChatter, 'rollcall@', 'secret']) {
    expect(`${reason} ${message}`.toLowerCase()).not.toContain(secret.toLowerCase());
  }
  return reason;
}

describe('email', () => {
  test('arrives with text, HTML, sender and recipient', async () => {
    const server = await startMailServer();
    await mailerFor(server.url).send(aMail());

    const [mail] = server.messages;
    expect(mail).toMatchObject({
      envelope: { from: 'rollcall@corp.example', to: ['ada@example.com'] },
      from: { name: 'Rollcall', address: 'rollcall@corp.example' },
      to: [{ name: '', address: 'ada@example.com' }],
      subject: 'Your Rollcall account',
      attachments: [],
    });
    expect(mail?.text?.split('\n')).toContain(password);
    expect(mail?.text).toContain('Hello Ada Lovelace,');
    expect(mail?.html).toContain(`>${password}</p>`);
  });

  test('is marked as auto-generated and identifies the delivery', async () => {
    const server = await startMailServer();
    await mailerFor(server.url).send(aMail({ deliveryId: 'delivery-7', attempt: 3 }));
    const [mail] = server.messages;
    expect(mail?.messageId).toBe('<delivery-7.3@corp.example>');
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
  });

  test('preserves names in any script, with emoji and markup', async () => {
    const server = await startMailServer();
    const user = {
      name: '山田 Łukasz 👩🏽‍🚀 <script>\r\nBcc: eve@x.y',
      username: 'ada',
      employeeID: 'E1',
      signInName: 'ada',
    };
    const texts = renderMail(templates, aPasswordMessage({ user }), { serviceUrl, timeZone: 'UTC' });
    await mailerFor(server.url).send(aMail({ ...texts, subject: `Für 山田 👩🏽‍🚀 ${'x'.repeat(200)}` }));
    const [mail] = server.messages;
    expect(mail?.subject).toBe(`Für 山田 👩🏽‍🚀 ${'x'.repeat(200)}`);
    expect(mail?.text).toContain('Hello 山田 Łukasz 👩🏽‍🚀 <script> Bcc: eve@x.y,\n');
    expect(mail?.html).toContain('Hello 山田 Łukasz 👩🏽‍🚀 &lt;script&gt; Bcc: eve@x.y,');
    expect(mail?.bcc).toBeUndefined();
  });

  test('preserves any characters of a password, on its own line', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url);
    for (const odd of ['.', '>From me', '=3D', '  spaces  ', 'ß€👍', 'x'.repeat(128)]) {
      const texts = renderMail(templates, aPasswordMessage({ password: odd }), {
        serviceUrl,
        timeZone: 'UTC',
      });
      await mailer.send(aMail(texts));
      expect(server.messages.at(-1)?.text?.split('\n')).toContain(odd);
    }
  });

  test('has no headers injected by a subject with line breaks', async () => {
    const server = await startMailServer();
    await mailerFor(server.url).send(aMail({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' }));
    const [mail] = server.messages;
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail?.envelope.to).toEqual(['ada@example.com']);
    expect(mail?.text).toContain('Hello Ada Lovelace,');
  });

  test('to anything but one address is rejected before connecting', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url);
    for (const to of [
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com\nRCPT TO:<eve@example.com>',
      'ada@example.com>\r\nDATA',
      'ada@example.com, eve@example.com',
      'Ada <ada@example.com>',
      '"eve@example.com" <ada@example.com>',
      '<ada@example.com>',
      'ada',
      '',
    ]) {
      expect(await failure(mailer.send(aMail({ to }))), to).toBe(
        'Mail cannot be sent to this email address. Correct it, then send the message again.',
      );
      await expect(composeMail(from, aMail({ to }))).rejects.toThrow(DeliveryFailed);
    }
    await turn();
    expect(server.connectionsMade).toBe(0);
  });

  test('reads no files and fetches nothing that its texts refer to', async () => {
    const server = await startMailServer();
    const html = '<img src="data:image/png;base64,AAAA"><img src="file:///etc/passwd">';
    await mailerFor(server.url).send(aMail({ html }));
    expect(server.messages[0]?.html?.trim()).toBe(html);
    expect(server.messages[0]?.attachments).toEqual([]);
  });

  test('can be sent to domains in any script', async () => {
    const server = await startMailServer();
    await mailerFor(server.url).send(aMail({ to: 'ada@bücher.example' }));
    // The server converts the domain back to its own script. The header is as sent.
    expect(server.messages[0]?.envelope.to).toEqual(['ada@bücher.example']);
    expect(server.messages[0]?.raw).toContain('To: ada@xn--bcher-kva.example\r\n');
  });

  test('is sent with the credentials in the URL', async () => {
    const server = await startMailServer();
    await mailerFor(server.urlWithCredentials).send(aMail());
    expect(server.messages).toHaveLength(1);
  });

  test('is not logged, whatever the query string of the URL says', async () => {
    const server = await startMailServer();
    const spies = (['log', 'info', 'debug', 'warn', 'error'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => {}),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    await mailerFor(`${server.url}/?logger=true&debug=true&transactionLog=true&pool=false`).send(aMail());
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(server.messages).toHaveLength(1);
  });
});

describe('failure reason', () => {
  test.each([
    ['refuse-connection', 'The mail server refused the connection (554).'],
    ['refuse-credentials', 'The mail server refused the credentials (535).'],
    ['refuse-sender', 'The mail server refused the sender (553).'],
    ['refuse-recipient', 'The mail server refused the recipient (550).'],
    ['delay-recipient', 'The mail server refused the recipient (450).'],
    ['refuse-message', 'The mail server refused the message (554).'],
    ['drop-at-greeting', 'The mail server closed the connection before it confirmed the message.'],
    ['drop-after-data', 'The mail server closed the connection before it confirmed the message.'],
  ] as const)('for a server with behavior %s', async (behaviour, reason) => {
    const server = await startMailServer();
    server.behaviour = behaviour;
    const mailer = mailerFor(server.urlWithCredentials);
    expect(await failure(mailer.send(aMail()))).toBe(reason);
    server.behaviour = 'accept';
    await mailer.send(aMail());
    expect(server.messages).toHaveLength(1);
  });

  test.each([
    ['refuse-recipient', true],
    ['delay-recipient', false],
    ['deny-relay', false],
    ['refuse-message', false],
    ['refuse-sender', false],
    ['refuse-credentials', false],
    ['drop-after-data', false],
  ] as const)('is final if the server %s: %s', async (behaviour, isFinal) => {
    const server = await startMailServer();
    server.behaviour = behaviour;
    await expect(mailerFor(server.urlWithCredentials).send(aMail())).rejects.toMatchObject({ isFinal });
  });

  test.each([
    ['never sends a greeting', 'hang-at-greeting', { greetingMs: 50 }],
    ['does not accept the connection in time', 'hang-at-greeting', { connectionMs: 50 }],
    ['never confirms', 'hang-after-data', { socketMs: 50 }],
    ['exceeds the time for a message with its greeting', 'hang-at-greeting', { messageMs: 50 }],
  ] as const)('for a server that %s', async (_what, behaviour, timeouts) => {
    const server = await startMailServer();
    server.behaviour = behaviour;
    const mailer = mailerFor(server.url, { timeouts });
    expect(await failure(mailer.send(aMail()))).toBe('The mail server did not respond in time.');
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('for a server that is down', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url);
    await server.halt();
    expect(await failure(mailer.send(aMail()))).toBe('Cannot reach the mail server (ECONNREFUSED).');
    await server.resume();
    await mailer.send(aMail());
    expect(server.messages).toHaveLength(1);
  });

  test('for a server whose host name does not resolve', async () => {
    const mailer = mailerFor('smtp://mail.invalid', { timeouts: { connectionMs: 5_000 } });
    expect(await failure(mailer.send(aMail()))).toMatch(/^Cannot reach the mail server \(E[A-Z_]+\)\.$/);
  });

  test('for a server without TLS although the URL requires it', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url.replace('smtp:', 'smtps:'));
    expect(await failure(mailer.send(aMail()))).toMatch(
      /^Could not establish a secure connection to the mail server \([A-Z0-9_]+\)\.$/,
    );
  });

  test('for a server without STARTTLS although it is required', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(`${server.url}/?requireTLS=true`);
    expect(await failure(mailer.send(aMail()))).toMatch(
      /^Could not establish a secure connection to the mail server \(5\d\d\)\.$/,
    );
    expect(server.messages).toEqual([]);
  });

  test('for something that is not a mail server', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const { port } = web.address() as { port: number };
    expect(await failure(mailerFor(`smtp://127.0.0.1:${port}`).send(aMail()))).toBe(
      'The server does not respond like a mail server.',
    );
  });

  test('does not show malformed error codes', () => {
    const odd = Object.assign(new Error('x'), { code: 'EDNS', originalCode: 'getaddrinfo ada@example.com' });
    expect(mailFailure(odd).reason).toBe('Cannot reach the mail server.');
    expect(mailFailure('a thrown text').reason).toBe('Could not hand the message to the mail server.');
  });
});

describe('connections', () => {
  test('are reused for the next message', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url, { connectionsMax: 5 });
    for (let sent = 0; sent < 5; sent++) await mailer.send(aMail());
    expect(server.messages).toHaveLength(5);
    expect(server.connectionsMade).toBe(1);
  });

  test('stay within the limit, and every message is sent once', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url, { connectionsMax: 3 });
    const sent = Array.from({ length: 20 }, (_, index) => aMail({ deliveryId: `delivery-${index}` }));
    await Promise.all(sent.map((mail) => mailer.send(mail)));
    expect(server.connectionsMade).toBe(3);
    expect(new Set(server.messages.map(({ messageId }) => messageId)).size).toBe(20);
    expect(server.messages).toHaveLength(20);
  });

  test('that the server closed while idle lose no message', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url, { connectionsMax: 1 });
    await mailer.send(aMail());
    await server.halt();
    await server.resume();
    await mailer.send(aMail());
    expect(server.messages).toHaveLength(2);
  });

  test('are closed only with the message that took too long', async () => {
    const server = await startMailServer();
    const messageMs = 59_999; // recognizable
    const mailer = mailerFor(server.url, { connectionsMax: 2, timeouts: { messageMs } });
    await mailer.send(aMail());
    server.behaviour = 'hang-after-data';
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const tooLong = failure(mailer.send(aMail()));
    await expect.poll(() => server.messagesSeen).toBe(2);
    const [timeIsUp] = timers.mock.calls.find(([, ms]) => ms === messageMs) ?? [];
    server.behaviour = 'accept';
    await mailer.send(aMail({ deliveryId: 'meanwhile' }));
    timeIsUp?.();
    expect(await tooLong).toBe('The mail server did not respond in time.');
    await expect.poll(() => server.connectionsOpen).toBe(1);
    await mailer.send(aMail({ deliveryId: 'afterwards' }));
    expect(server.messages).toHaveLength(3);
  });

  test('count as time for a waiting message, which is not sent after its timeout', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url, { connectionsMax: 1, timeouts: { messageMs: 1_000 } });
    server.behaviour = 'hang-after-data';
    // Both time out at the same moment, however busy the machine is.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const sending = Promise.all([
      failure(mailer.send(aMail())),
      failure(mailer.send(aMail({ deliveryId: 'waits' }))),
    ]);
    await expect.poll(() => server.messagesSeen).toBe(1);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    const reasons = await sending;
    expect(reasons).toEqual(Array(2).fill('The mail server did not respond in time.'));
    expect(server.messagesSeen).toBe(1);
    server.behaviour = 'accept';
    await mailer.send(aMail({ deliveryId: 'next' }));
    expect(server.messages.map(({ messageId }) => messageId)).toEqual(['<next.1@corp.example>']);
  });

  test('are closed with the mailer, which then sends nothing', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.url);
    await Promise.all([mailer.send(aMail()), mailer.send(aMail())]);
    expect(server.connectionsOpen).toBe(2);
    mailer.close();
    await expect.poll(() => server.connectionsOpen).toBe(0);
    expect(await failure(mailer.send(aMail()))).toBe(
      'The service stopped before the mail server confirmed the message.',
    );
    expect(server.connectionsMade).toBe(2);
  });

  test('are closed with the mailer even while messages are being sent or waiting', async () => {
    const server = await startMailServer();
    server.behaviour = 'hang-after-data';
    const mailer = mailerFor(server.url, { connectionsMax: 1 });
    const failures = [failure(mailer.send(aMail())), failure(mailer.send(aMail()))];
    await expect.poll(() => server.messagesSeen).toBe(1);
    mailer.close();
    expect(await Promise.all(failures)).toEqual(
      Array(2).fill('The service stopped before the mail server confirmed the message.'),
    );
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });
});

describe('composed email', () => {
  test('matches what goes over the wire', async () => {
    const server = await startMailServer();
    const mail = aMail();
    await mailerFor(server.url).send(mail);
    const composed = await PostalMime.parse(await composeMail(from, mail));
    const { envelope, raw, ...received } = server.messages[0] ?? expect.fail('nothing arrived');
    const told = ({ headers, headerLines, date, ...rest }: typeof composed) => ({
      ...rest,
      names: headers.map(({ key }) => key),
    });
    expect(told(composed)).toEqual(told(received));
  });

  test('has only CRLF line endings', async () => {
    const mail = (await composeMail(from, aMail())).toString('latin1');
    expect(mail.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});

describe('sender', () => {
  test.each([
    ['rollcall@corp.example', { name: '', address: 'rollcall@corp.example' }],
    ['Rollcall <rollcall@corp.example>', { name: 'Rollcall', address: 'rollcall@corp.example' }],
    ['"Acme, HR" <hr@localhost>', { name: 'Acme, HR', address: 'hr@localhost' }],
  ])('can be %s', (text, sender) => {
    expect(parseSender(text)).toEqual(sender);
  });

  test.each(['', 'Rollcall', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', '<a@b@c>'])(
    'cannot be %j',
    (text) => {
      expect(() => parseSender(text)).toThrow(StartupError);
      const options = {
        dataDir: temporaryDirectory(),
        serviceUrl,
        timeZone: 'UTC',
        connectionsMax: 1,
        timeoutMs: 60_000,
      };
      expect(() => openChannels({ ...options, mailFrom: text })).toThrow(StartupError);
    },
  );
});
