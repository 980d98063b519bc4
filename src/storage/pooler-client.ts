import type { Socket } from 'node:net';
import pg from 'pg';
import {
  endOnUnsafeCommit,
  onReadOnlyError,
  rejectUnlessTarget,
  type ServerChoice,
} from './server-choice.js';

/** Whether there is a transaction pooler; with `auto`, each connection detects it. */
export type PoolingMode = 'auto' | 'none' | 'transaction';

/** Set on every connection, in milliseconds. */
interface SessionTimeouts {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * What queries and their results depend on, whatever the server, the database or the role sets. The `search_path` is left
 * alone: it decides in which schema the tables are.
 */
const dialect = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  // Compiling a statement takes longer than running it: an erasure took 15 times as long with it.
  jit: 'off',
};

interface Options {
  readonly pooling: PoolingMode;
  readonly timeouts: SessionTimeouts;
  readonly servers: ServerChoice;
}

type Query = (...parameters: Parameters<pg.ClientBase['query']>) => Promise<unknown>;

type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A connection that works behind a transaction pooler such as PgBouncer, where each transaction may run in another
 * PostgreSQL session, shared with other clients. So sessions hold no state: statements have no names, because the next
 * session may not know them or know them already (SQLSTATE 26000, 42P05), and settings are made in every transaction,
 * for that transaction only; a single statement gets its own transaction for this. Direct connections keep named
 * statements and make their settings once.
 */
export function poolerAwareClient({ pooling, timeouts, servers }: Options): new () => pg.Client {
  const settings = Object.entries({ ...dialect, ...timeouts });
  const setLocal = settings.map(([name, value]) => `; SET LOCAL ${name} = '${value}'`).join('');

  return class extends pg.Client {
    #isPooled = false;
    readonly #server: string;
    readonly #generation: number;
    #silence: SilenceLimit | undefined;
    /** The last query: a statement waits until the transaction of the previous one has ended. */
    #last: Promise<unknown> = Promise.resolve();

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: servers.current });
      this.#server = servers.current;
      this.#generation = servers.generation;
      // The pool only listens once it owns the connection; until then the failing query reports the error.
      this.on('error', () => {});
      endOnUnsafeCommit(this);
      onReadOnlyError(this, () => servers.becameReadOnly());
      knownClients.set(this, {
        isPooled: () => this.#isPooled,
        isStale: () => this.#generation !== servers.generation,
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then(() => (callback as Callback)(null), callback); // pg calls it with null, despite its types
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        await this.#prepareSession();
        servers.worked(this.#server);
        return this;
      } catch (error) {
        servers.failed(this.#server);
        throw error;
      }
    }

    async #prepareSession(): Promise<void> {
      try {
        await rejectUnlessTarget((statement) => super.query(statement), servers.target);
        const isDirect = await this.#setUp();
        this.#isPooled = pooling === 'transaction' || (pooling === 'auto' && !isDirect);
        const { connection } = this as unknown as { connection: { stream: Socket } }; // pg's types omit it
        this.#silence = new SilenceLimit(connection.stream, silenceMaxMs(timeouts.statement_timeout));
      } catch (error) {
        await this.end().catch(() => {}); // the error may have ended the connection as well
        throw error;
      }
    }

    /**
     * A pooler makes up the process ID in its greeting; PostgreSQL does not. The session is changed only if it is known
     * to be ours, so that a shared one is left untouched.
     */
    async #setUp(): Promise<boolean> {
      if (pooling === 'transaction') return false;
      const { processID } = this as unknown as { processID: number | null }; // pg has this field, but not in its types
      const setAll = settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join();
      const { rowCount } = await super.query(
        `SELECT ${setAll} WHERE $1::boolean OR pg_backend_pid() = $2::integer`,
        [pooling === 'none', processID],
      );
      return rowCount === 1;
    }

    // biome-ignore lint/suspicious/noExplicitAny: it stands for all overloads of pg, whose types callers see
    override query(...parameters: any[]): any {
      const run = super.query.bind(this) as unknown as Query;
      this.#silence?.beforeStatement(parameters[0]);
      if (!this.#isPooled) return run(...(parameters as Parameters<Query>));
      const callback = typeof parameters.at(-1) === 'function' ? (parameters.pop() as Callback) : undefined;
      const [statement, ...values] = parameters;
      const result = this.#last.then(() => this.#runPooled(run, withoutName(statement), values));
      this.#last = result.catch(() => {});
      if (!callback) return result;
      result.then((rows) => callback(null, rows), callback);
    }

    async #runPooled(run: Query, statement: unknown, values: unknown[]): Promise<unknown> {
      const send = (text: unknown, ...rest: unknown[]) => run(...([text, ...rest] as Parameters<Query>));
      if (isBegin(statement)) return send(`${statement}${setLocal}`);
      if (this.getTransactionStatus() !== 'I' || isEnd(statement)) return send(statement, ...values);
      await send(`BEGIN ISOLATION LEVEL READ COMMITTED${setLocal}`);
      try {
        const result = await send(statement, ...values);
        await send('COMMIT');
        return result;
      } catch (error) {
        await send('ROLLBACK').catch(() => {}); // a lost connection has already rolled back
        throw error;
      }
    }
  };
}

const knownClients = new WeakMap<
  pg.ClientBase,
  { readonly isPooled: () => boolean; readonly isStale: () => boolean }
>();

/** Whether a connection may lead to a server that is no longer the primary. */
export function isStale(client: pg.ClientBase): boolean {
  return knownClients.get(client)?.isStale() ?? false;
}

/** Whether connections go through a transaction pooler, as detected or configured. */
export async function usesPooler({ pool }: { readonly pool: pg.Pool }): Promise<boolean> {
  const client = await pool.connect();
  try {
    return knownClients.get(client)?.isPooled() ?? false;
  } finally {
    client.release();
  }
}

function withoutName(statement: unknown): unknown {
  if (statement instanceof pg.Query) return statement; // it has its own methods, and no name
  return typeof statement === 'object' && statement !== null ? { ...statement, name: undefined } : statement;
}

function isBegin(statement: unknown): statement is string {
  return typeof statement === 'string' && statement.startsWith('BEGIN');
}

function isEnd(statement: unknown): boolean {
  return statement === 'COMMIT' || statement === 'ROLLBACK';
}

const silenceGraceMs = 10_000;
const timerMaxMs = 2 ** 31 - 1;

/** PostgreSQL ends a statement after its timeout. A server that remains silent for even longer is gone. */
export function silenceMaxMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs + silenceGraceMs, timerMaxMs);
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
