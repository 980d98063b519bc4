import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { DeliveryProblem } from '../contract/enums.js';
import { DeliveryFailed } from './message.js';

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

/**
 * Turns a nodemailer error into a problem: the stage of the SMTP session and the code. The server's own text is left out,
 * because servers tend to repeat addresses in it.
 */
export function mailFailure(error: unknown): DeliveryFailed {
  const known: NodemailerError = error instanceof Error ? error : new Error();
  const [problem, code] = problemOf(known);
  return new DeliveryFailed(problem, { code, isFinal: isPermanent(known) });
}

/**
 * Whether this recipient is refused for good. A refused sender, password or message, or a policy (5.7.x, such as "relay access
 * denied"), concerns everyone's messages, and somebody is about to mend it.
 */
function isPermanent({ code, command, responseCode = 0, response = '' }: NodemailerError): boolean {
  const isRecipient = code === 'EENVELOPE' && command === 'RCPT TO';
  return isRecipient && responseCode >= 500 && !/^\d{3}[ -]5\.7\./.test(response);
}

type Cause = readonly [problem: DeliveryProblem, code?: number | string | undefined];

function problemOf({ code, command, responseCode, originalCode }: NodemailerError): Cause {
  switch (code) {
    case 'ETIMEDOUT':
      return ['mailTimedOut'];
    case 'EDNS':
      return ['mailUnreachable', originalCode];
    case 'ESOCKET':
      return socketProblem(originalCode);
    case 'ECONNECTION':
      return responseCode === undefined ? ['mailClosed'] : ['mailEnded', responseCode];
    case 'ETLS':
      return ['mailTls', responseCode ?? originalCode];
    case 'EAUTH':
      return responseCode === undefined ? ['mailNoAuthentication'] : ['mailCredentialsRefused', responseCode];
    case 'EENVELOPE':
      return [refused(command), responseCode];
    case 'EMESSAGE':
      return ['mailMessageRefused', responseCode];
    case 'EPROTOCOL':
      return responseCode === undefined ? ['mailInvalidResponse'] : ['mailConnectionRefused', responseCode];
    default:
      return ['mailFailed', code];
  }
}

function refused(command: string | undefined): DeliveryProblem {
  if (command === 'MAIL FROM') return 'mailSenderRefused';
  return command === 'RCPT TO' ? 'mailRecipientRefused' : 'mailMessageRefused';
}

/** Codes of connection errors start with E; those of TLS errors follow other patterns. */
function socketProblem(code: string | undefined): Cause {
  if (code === undefined || code === 'ECONNRESET' || code === 'EPIPE') return ['mailClosed'];
  return [/^E(?!RR_|PROTO$)/.test(code) ? 'mailUnreachable' : 'mailTls', code];
}
