import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { emailField } from '../contract/fields.js';
import { StartupError } from '../storage/errors.js';
import { mailServerSilent } from './mail-failure.js';
import { DeliveryFailed } from './message.js';
import { createLanes, type MailTimeouts, mailTimeouts } from './smtp-lanes.js';

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

/** Reads a sender like `Rollcall <rollcall@example.com>` or `rollcall@example.com`. */
export function parseSender(from: string): Sender {
  const [sender, ...more] = addressparser(from, { flatten: true });
  if (!sender || more.length > 0 || /\p{Cc}/u.test(from) || !emailField.accepts(sender.address)) {
    throw new StartupError(
      `Mail cannot be sent from "${from}": the sender must be an address like rollcall@example.com or Rollcall <rollcall@example.com>.`,
    );
  }
  return { name: sender.name, address: sender.address };
}

function messageOf(from: Sender, mail: Mail): SendMailOptions {
  // Checked here too: an address with a line break in it would be able to write headers and commands.
  if (!emailField.accepts(mail.to)) {
    throw new DeliveryFailed('The email address is not one that a mail server takes.');
  }
  const domain = domainToASCII(from.address.slice(from.address.lastIndexOf('@') + 1)) || 'localhost';
  return {
    // No message reads a file or fetches a URL, whatever a template or a name holds.
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
    // Readable as it stands, for whoever opens a mail of the outbox in an editor.
    textEncoding: 'quoted-printable',
  };
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** The message as the bytes that would go over the wire. */
export async function composeMail(from: Sender, mail: Mail): Promise<Buffer> {
  const { message } = await composer.sendMail(messageOf(from, mail));
  if (!Buffer.isBuffer(message)) throw new Error('The composed message is not a buffer.');
  return message;
}

export interface MailerOptions {
  readonly smtpUrl: string;
  readonly from: Sender;
  /** Connections to the mail server at a time; further messages wait for one. */
  readonly connectionsMax: number;
  readonly timeouts?: MailTimeouts;
}

export interface Mailer {
  /** Resolves when the mail server has taken the message over; every failure is a DeliveryFailed. */
  send(mail: Mail): Promise<void>;
  /** Gives up what is under way and closes every connection. */
  close(): void;
}

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, connectionsMax, timeouts = mailTimeouts } = options;
  const lanes = createLanes(connectionsMax, smtpUrl, timeouts);
  const underWay = new Set<AbortController>();
  let isClosed = false;

  async function send(mail: Mail): Promise<void> {
    const message = messageOf(from, mail);
    if (isClosed) throw stopped();
    const giveUp = new AbortController();
    underWay.add(giveUp);
    const timer = setTimeout(() => giveUp.abort(new DeliveryFailed(mailServerSilent)), timeouts.messageMs);
    try {
      await lanes.send(message, giveUp.signal);
    } finally {
      clearTimeout(timer);
      underWay.delete(giveUp);
    }
  }

  function close(): void {
    isClosed = true;
    for (const giveUp of underWay) giveUp.abort(stopped());
    lanes.close();
  }

  return { send, close };
}

function stopped(): DeliveryFailed {
  return new DeliveryFailed('The service stopped before the mail server confirmed the message.');
}
