import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { isEmail } from '../contract/email.js';
import { StartupError } from '../storage/errors.js';
import { DeliveryFailed } from './message.js';
import { createLanes, type MailTimeouts, mailTimeouts } from './smtp.js';

export interface Mail {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Parses a sender such as `Rollcall <rollcall@example.com>` or `rollcall@example.com`. */
export function parseSender(from: string): Sender {
  const [sender, ...more] = addressparser(from, { flatten: true });
  if (!sender || more.length > 0 || /\p{Cc}/u.test(from) || !isEmail(sender.address)) {
    throw new StartupError(
      `Cannot send email from "${from}". Use an address such as rollcall@example.com or Rollcall <rollcall@example.com>.`,
    );
  }
  return { name: sender.name, address: sender.address };
}

function messageOf(from: Sender, mail: Mail): SendMailOptions {
  // A stored address is almost free text. One with a line break or brackets could inject headers and commands.
  if (!isEmail(mail.to)) {
    throw new DeliveryFailed('emailInvalid', { isFinal: true });
  }
  const domain = domainToASCII(from.address.slice(from.address.lastIndexOf('@') + 1)) || 'localhost';
  return {
    // A message must not read files or fetch URLs, whatever a template or name contains.
    disableFileAccess: true,
    disableUrlAccess: true,
    from: { name: from.name, address: from.address },
    to: { name: '', address: mail.to },
    envelope: { from: { address: from.address }, to: { address: mail.to } },
    messageId: `<${mail.deliveryId}.${mail.attempt}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // Keeps emails in the outbox readable in an editor.
    textEncoding: 'quoted-printable',
  };
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** The message as it would be sent over the wire. */
export async function composeMail(from: Sender, mail: Mail): Promise<Buffer> {
  const { message } = await composer.sendMail(messageOf(from, mail));
  if (!Buffer.isBuffer(message)) throw new Error('The composed message is not a buffer.');
  return message;
}

export interface MailerOptions {
  readonly smtpUrl: string;
  readonly from: Sender;
  /** Concurrent connections to the mail server; further messages wait. */
  readonly connectionsMax: number;
  readonly timeouts?: MailTimeouts;
}

export interface Mailer {
  /** Resolves once the mail server has accepted the message; every failure is a DeliveryFailed. */
  send(mail: Mail): Promise<void>;
  /** Aborts messages being sent and closes all connections. */
  close(): void;
}

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, connectionsMax, timeouts = mailTimeouts } = options;
  const lanes = createLanes(connectionsMax, smtpUrl, timeouts);
  const active = new Set<AbortController>();
  let isClosed = false;

  async function send(mail: Mail): Promise<void> {
    const message = messageOf(from, mail);
    if (isClosed) throw stopped();
    const abort = new AbortController();
    active.add(abort);
    const timer = setTimeout(() => abort.abort(new DeliveryFailed('mailTimedOut')), timeouts.messageMs);
    try {
      await lanes.send(message, abort.signal);
    } finally {
      clearTimeout(timer);
      active.delete(abort);
    }
  }

  function close(): void {
    isClosed = true;
    for (const abort of active) abort.abort(stopped());
    lanes.close();
  }

  return { send, close };
}

function stopped(): DeliveryFailed {
  return new DeliveryFailed('stopped');
}
