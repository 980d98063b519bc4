import pg from 'pg';
import type { Database } from './database.js';
import { RequestAborted } from './errors.js';

/** How long to wait for the cancel request to be accepted. After that the statement runs to its end. */
const cancelTimeoutMs = 5_000;

const cancelled = '57014';

/**
 * The same database for reads that are only worth their cost while the caller waits. Once the signal is aborted,
 * waiting for a connection ends, a running statement is canceled, and nothing more is started. The embedded database
 * cannot cancel a statement, but what waits behind it is still dropped.
 */
export function abortableDatabase(database: Database, signal: AbortSignal): Database {
  const { pool, kind } = database;
  const connect = async () => {
    const client = await acquire(pool, signal);
    return kind === 'postgres' ? cancelable(client, signal) : stoppable(client, signal);
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

/** An aborted request keeps its place in the pool's queue, and passes the connection on when it gets it. */
function acquire(pool: pg.Pool, signal: AbortSignal): Promise<pg.PoolClient> {
  if (signal.aborted) throw new RequestAborted();
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new RequestAborted());
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
    if (signal.aborted && !isRollback(parameters[0])) throw new RequestAborted();
    return client.query(...parameters);
  };
  return clientWith(query as unknown as Query, (error) => client.release(error));
}

/**
 * A cancel request names a connection, not a statement: a late one would hit whatever runs there next. So the
 * connection is kept until the request was accepted, and closed unless the statement was seen to end by it.
 */
function cancelable(client: pg.PoolClient, signal: AbortSignal): pg.PoolClient {
  let mayHitOthers = false;
  const query = async (...parameters: Parameters<Query>) => {
    if (isRollback(parameters[0])) return client.query(...parameters);
    if (signal.aborted) throw new RequestAborted();
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      mayHitOthers = true;
      cancelling = requestCancel(client as unknown as Backend); // pg has these fields, but not in its types
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await client.query(...parameters);
    } catch (error) {
      if (!signal.aborted) throw error;
      if ((error as { code?: string }).code === cancelled) mayHitOthers = false;
      throw new RequestAborted({ cause: error });
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelling;
    }
  };
  return clientWith(query as unknown as Query, (error) => client.release(error ?? mayHitOthers));
}

/** The part of a client that transactions and single statements use. */
function clientWith(query: Query, release: pg.PoolClient['release']): pg.PoolClient {
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

/** The parts of pg's connection that a cancel request needs and that its types omit. */
interface WireConnection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** Resolves once PostgreSQL has passed the request to the backend, which it signals by closing the connection. */
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
