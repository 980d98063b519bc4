import type { Socket } from 'node:net';

const graceMs = 10_000;
const timerMaxMs = 2 ** 31 - 1;

/** PostgreSQL ends a statement after its timeout. A server that remains silent for even longer is gone. */
export function silenceMaxMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs + graceMs, timerMaxMs);
}

/**
 * Ends a connection whose server has stopped answering, because its machine is down or cut off. TCP alone would notice
 * after up to 15 minutes, and until then requests would hang.
 */
export class SilenceLimit {
  readonly #socket: Socket;
  readonly #ms: number;
  #isLifted = false;

  constructor(socket: Socket, maxMs: number) {
    this.#socket = socket;
    this.#ms = maxMs;
    socket.setTimeout(maxMs, () => socket.destroy(silent(maxMs)));
  }

  /** A transaction that lifts the statement timeout, such as a migration, may be silent for as long as it takes. */
  beforeStatement(statement: unknown): void {
    if (typeof statement !== 'string') return;
    if (/\bstatement_timeout = 0\b/.test(statement)) this.#set(true);
    else if (this.#isLifted && (statement === 'COMMIT' || statement === 'ROLLBACK')) this.#set(false);
  }

  #set(isLifted: boolean): void {
    this.#isLifted = isLifted;
    this.#socket.setTimeout(isLifted ? 0 : this.#ms);
  }
}

function silent(ms: number): Error {
  return Object.assign(new Error(`the server has not answered for ${ms} ms`), { code: 'ETIMEDOUT' });
}
