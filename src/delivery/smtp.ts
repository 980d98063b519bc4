import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { codeText, DeliveryFailed } from './message.js';

export interface MailTimeouts {
  readonly connectionMs: number;
  readonly greetingMs: number;
  /** Per response. */
  readonly socketMs: number;
  /** For the whole message, including the wait for a connection: a slow server may never trip the other timeouts. */
  readonly messageMs: number;
}

export const mailTimeouts: MailTimeouts = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  socketMs: 30_000,
  messageMs: 45_000,
};

interface Lanes {
  send(message: SendMailOptions, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Nodemailer can abort a message only by closing its whole pool. So each connection is its own pool, and aborting one
 * message does not affect the others.
 */
export function createLanes(count: number, smtpUrl: string, timeouts: MailTimeouts): Lanes {
  const open = () => openPool(smtpUrl, timeouts);
  /** Last in, first out: under low load one connection does all the work and the others are closed as idle. */
  const free: Pool[] = Array.from({ length: count }, open);
  const waiting: ((pool: Pool) => void)[] = [];

  function acquire(): Promise<Pool> {
    const pool = free.pop();
    return pool ? Promise.resolve(pool) : new Promise((resolve) => waiting.push(resolve));
  }

  function release(pool: Pool): void {
    const next = waiting.shift();
    if (next) next(pool);
    else free.push(pool);
  }

  async function send(message: SendMailOptions, signal: AbortSignal): Promise<void> {
    // A waiting message started later than all that are being sent, and times out later: no need to listen for abort here.
    let pool = await acquire();
    try {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          pool.close({ force: true });
          pool = open();
          reject(signal.reason);
        });
        pool.sendMail(message).then(
          () => resolve(),
          (error: unknown) => reject(mailFailure(error)),
        );
      });
    } finally {
      release(pool);
    }
  }

  return {
    send,
    close: () => {
      for (const pool of free) pool.close({ force: true });
    },
  };
}

type Pool = ReturnType<typeof openPool>;

/** A single connection, kept open for the next message. */
function openPool(smtpUrl: string, timeouts: MailTimeouts) {
  return createTransport({
    ...parseConnectionUrl(smtpUrl),
    // Overrides the query of the URL, which could enable a logger that prints passwords.
    logger: false,
    debug: false,
    pool: true,
    maxConnections: 1,
    // Requeues only messages of which nothing was sent, as when the server closed an idle connection.
    maxRequeues: 1,
    dnsTimeout: timeouts.connectionMs,
    connectionTimeout: timeouts.connectionMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.socketMs,
  });
}

export const mailServerTimeout = 'The mail server did not respond in time.';

/**
 * Turns a nodemailer error into a reason: the stage of the SMTP session and the code. The server's own text is left out,
 * because servers tend to repeat addresses in it.
 */
export function mailFailure(error: unknown): DeliveryFailed {
  const known: NodemailerError = error instanceof Error ? error : new Error();
  return new DeliveryFailed(reasonOf(known), { isFinal: isPermanent(known) });
}

/**
 * Whether this recipient is refused for good. A refused sender, password or message, or a policy (5.7.x, such as "relay access
 * denied"), concerns everyone's messages, and somebody is about to mend it.
 */
function isPermanent({ code, command, responseCode = 0, response = '' }: NodemailerError): boolean {
  const isRecipient = code === 'EENVELOPE' && command === 'RCPT TO';
  return isRecipient && responseCode >= 500 && !/^\d{3}[ -]5\.7\./.test(response);
}

const connectionLost = 'The mail server closed the connection before it confirmed the message.';

function reasonOf({ code, command, responseCode, originalCode }: NodemailerError): string {
  const answer = typeof responseCode === 'number' ? ` (${responseCode})` : '';
  switch (code) {
    case 'ETIMEDOUT':
      return mailServerTimeout;
    case 'EDNS':
      return `Cannot reach the mail server${codeText(originalCode)}.`;
    case 'ESOCKET':
      return socketReason(originalCode);
    case 'ECONNECTION':
      return answer === '' ? connectionLost : `The mail server ended the session${answer}.`;
    case 'ETLS':
      return `Could not establish a secure connection to the mail server${answer || codeText(originalCode)}.`;
    case 'EAUTH':
      return answer === ''
        ? 'The mail server supports no authentication method for the configured credentials.'
        : `The mail server refused the credentials${answer}.`;
    case 'EENVELOPE':
      return `The mail server refused the ${refusedBy(command)}${answer}.`;
    case 'EMESSAGE':
      return `The mail server refused the message${answer}.`;
    case 'EPROTOCOL':
      return answer === ''
        ? 'The server does not respond like a mail server.'
        : `The mail server refused the connection${answer}.`;
    default:
      return `Could not hand the message to the mail server${codeText(code)}.`;
  }
}

function refusedBy(command: string | undefined): string {
  if (command === 'MAIL FROM') return 'sender';
  return command === 'RCPT TO' ? 'recipient' : 'message';
}

/** Codes of connection errors start with E; those of TLS errors follow other patterns. */
function socketReason(originalCode: string | undefined): string {
  if (originalCode === undefined || originalCode === 'ECONNRESET' || originalCode === 'EPIPE')
    return connectionLost;
  return /^E(?!RR_|PROTO$)/.test(originalCode)
    ? `Cannot reach the mail server${codeText(originalCode)}.`
    : `Could not establish a secure connection to the mail server${codeText(originalCode)}.`;
}
