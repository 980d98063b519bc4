import type pg from 'pg';
import type { SessionTarget } from '../contract/database-url.js';
import { readOnlyState } from './errors.js';

/**
 * Decides which of several servers the next connection goes to: the last one that worked, or after a failure the next
 * in the list.
 */
export class ServerChoice {
  readonly target: SessionTarget;
  readonly #urls: readonly string[];
  #at = 0;
  #readOnlyReports = 0;

  constructor(urls: readonly string[], target: SessionTarget) {
    this.#urls = urls;
    this.target = target;
  }

  get count(): number {
    return this.#urls.length;
  }

  get current(): string {
    return this.#urls[this.#at] as string; // #at is always an index
  }

  /** Several connections may fail at the same time: only the first of them moves on. */
  failed(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.count;
  }

  worked(url: string): void {
    this.#at = this.#urls.indexOf(url);
  }

  /** A connection opened now is stale once a later statement is refused because its server is read-only. */
  get generation(): number {
    return this.#readOnlyReports;
  }

  /** A server that was the primary no longer is, so connections opened before now may lead to it. */
  becameReadOnly(): void {
    this.#readOnlyReports++;
  }
}

type Ask = (statement: string) => Promise<pg.QueryResult<{ fits: boolean }>>;

const questions: Readonly<Record<Exclude<SessionTarget, 'any'>, string>> = {
  primary: 'SELECT NOT pg_is_in_recovery() AS fits',
  'read-write': `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS fits`,
};

/** Fails as the first write would, so that the next server is tried instead. */
export async function rejectUnlessTarget(ask: Ask, target: SessionTarget): Promise<void> {
  if (target === 'any') return;
  const { rows } = await ask(questions[target]);
  if (rows[0]?.fits === true) return;
  throw Object.assign(new Error('the server is a standby or read-only'), { code: readOnlyState });
}

/** The events of pg's connection that its types omit. */
interface WireEvents {
  on(event: 'errorMessage', listener: (error: { code?: string }) => void): void;
  emit(event: 'error', error: Error): void;
}

function wireOf(client: pg.Client): WireEvents {
  return (client as unknown as { connection: WireEvents }).connection;
}

export function onReadOnlyError(client: pg.Client, listener: () => void): void {
  wireOf(client).on('errorMessage', ({ code }) => {
    if (code === readOnlyState) listener();
  });
}

/** The function in PostgreSQL that waits for a synchronous standby. Unlike messages, its name isn't translated. */
const waitForStandby = 'SyncRepWaitForLSN';

/**
 * If a commit has waited for a synchronous standby until the statement timeout, PostgreSQL reports success with a
 * warning: the change exists on the primary only, and a failover would lose it. Such a commit must not be acknowledged,
 * so the connection counts as broken before the success is read, and the outcome as unknown.
 */
export function endOnUnsafeCommit(client: pg.Client): void {
  client.on('notice', ({ routine }) => {
    if (routine !== waitForStandby) return;
    const error = new Error('no synchronous standby has confirmed the commit');
    wireOf(client).emit('error', Object.assign(error, { code: 'ECONNABORTED' }));
  });
}
