import { createTransport, type SendMailOptions } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { mailFailure } from './mail-failure.js';

export interface MailTimeouts {
  /** For the connection to be there. */
  readonly connectionMs: number;
  /** For the server to greet. */
  readonly greetingMs: number;
  /** For any single answer. */
  readonly socketMs: number;
  /** For the whole message, the wait for a free connection included: a server can be slow without ever being silent. */
  readonly messageMs: number;
}

export const mailTimeouts: MailTimeouts = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  socketMs: 30_000,
  messageMs: 45_000,
};

export interface Lanes {
  send(message: SendMailOptions, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Nodemailer can drop a message that is under way only by closing its whole pool. So each connection is a pool of its
 * own, and giving up on one message leaves the others alone.
 */
export function createLanes(count: number, smtpUrl: string, timeouts: MailTimeouts): Lanes {
  const open = () => openPool(smtpUrl, timeouts);
  /** The one used last is used first: at quiet times one connection does it all and the others are closed as idle. */
  const free: Pool[] = Array.from({ length: count }, open);
  const waiting: ((pool: Pool) => void)[] = [];

  function take(): Promise<Pool> {
    const pool = free.pop();
    return pool ? Promise.resolve(pool) : new Promise((resolve) => waiting.push(resolve));
  }

  function giveBack(pool: Pool): void {
    const next = waiting.shift();
    if (next) next(pool);
    else free.push(pool);
  }

  async function send(message: SendMailOptions, signal: AbortSignal): Promise<void> {
    // Whoever waits came later than all who are served, and is given up later: no need to listen while waiting.
    let pool = await take();
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
      giveBack(pool);
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

/** A pool of one connection, which stays open for the next message. */
function openPool(smtpUrl: string, timeouts: MailTimeouts) {
  return createTransport({
    ...parseConnectionUrl(smtpUrl),
    // From here on nothing can be set by the query of the URL: a logger would write passwords to the terminal.
    logger: false,
    debug: false,
    pool: true,
    maxConnections: 1,
    // Only a message of which no byte was sent is queued again, as when the server closed a connection at rest.
    maxRequeues: 1,
    dnsTimeout: timeouts.connectionMs,
    connectionTimeout: timeouts.connectionMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.socketMs,
  });
}
