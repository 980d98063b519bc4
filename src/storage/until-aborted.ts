import pg from 'pg';
import type { Database } from './database.js';
import { Abandoned } from './errors.js';

/** For the request to cancel to be taken; after that the statement runs to its end. */
const cancelTimeoutMs = 5_000;

const cancelled = '57014';

/**
 * The same database for work that only somebody who still waits should cost anything: reads. Once the signal is aborted, what
 * waits for a connection is dropped, a running statement is cancelled, and nothing further is begun. The embedded database
 * cannot cancel a statement; what waits behind it is dropped all the same.
 */
export function untilAborted(database: Database, signal: AbortSignal): Database {
  const { pool, kind } = database;
  const connect = async () => {
    const client = await acquire(pool, signal);
    return kind === 'postgres' ? cancellable(client, signal) : stoppable(client, signal);
  };
  const query = async (...parameters: Parameters<pg.ClientBase['query']>) => {
    const client = await connect();
    try {
      return await client.query(...parameters);
    } finally {
      client.release();
    }
  };
  return { ...database, pool: Object.assign(Object.create(pool) as pg.Pool, { connect, query }) };
}

/** Whoever gave up still has a place in the pool's queue, and passes the connection on when it comes. */
function acquire(pool: pg.Pool, signal: AbortSignal): Promise<pg.PoolClient> {
  if (signal.aborted) throw new Abandoned();
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Abandoned());
    signal.addEventListener('abort', giveUp, { once: true });
    pool.connect().then((client) => {
      signal.removeEventListener('abort', giveUp);
      if (signal.aborted) client.release();
      else resolve(client);
    }, reject);
  });
}

type Query = pg.ClientBase['query'];

function stoppable(client: pg.PoolClient, signal: AbortSignal): pg.PoolClient {
  const query = async (...parameters: Parameters<Query>) => {
    if (signal.aborted && !isRollback(parameters[0])) throw new Abandoned();
    return client.query(...parameters);
  };
  return standIn(query as unknown as Query, (error) => client.release(error));
}

/**
 * A cancel request names a connection, not a statement: one that comes late would hit whatever runs there next. So the
 * connection is kept until the request was taken, and given up unless the statement was seen to end by it.
 */
function cancellable(client: pg.PoolClient, signal: AbortSignal): pg.PoolClient {
  let mayHitOthers = false;
  const query = async (...parameters: Parameters<Query>) => {
    if (isRollback(parameters[0])) return client.query(...parameters);
    if (signal.aborted) throw new Abandoned();
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      mayHitOthers = true;
      cancelling = requestCancel(client as unknown as Backend); // pg keeps these, and its types do not tell
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await client.query(...parameters);
    } catch (error) {
      if (!signal.aborted) throw error;
      if ((error as { code?: string }).code === cancelled) mayHitOthers = false;
      throw new Abandoned({ cause: error });
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelling;
    }
  };
  return standIn(query as unknown as Query, (error) => client.release(error ?? mayHitOthers));
}

/** What a transaction and a single statement use of a client. */
function standIn(query: Query, release: pg.PoolClient['release']): pg.PoolClient {
  return { query, release } as unknown as pg.PoolClient;
}

function isRollback(statement: unknown): boolean {
  return statement === 'ROLLBACK';
}

interface Backend {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}

/** The parts of pg's connection that a cancel request needs, and its types leave out. */
interface WireConnection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** Resolves once PostgreSQL has passed the request on to the backend, which it says by closing the connection. */
function requestCancel({ host, port, ssl, processID, secretKey }: Backend): Promise<void> {
  return new Promise((resolve) => {
    const connection = new pg.Connection({ ssl } as never) as unknown as WireConnection;
    const timeout = setTimeout(() => connection.stream.destroy(), cancelTimeoutMs);
    const done = () => {
      clearTimeout(timeout);
      connection.stream.destroy();
      resolve();
    };
    const send = () => connection.cancel(processID, secretKey);
    connection.once('connect', () => (ssl ? connection.requestSsl() : send()));
    connection.once('sslconnect', send);
    connection.on('error', done);
    connection.once('end', done);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
