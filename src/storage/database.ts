import type pg from 'pg';
import { databaseOutage, isReadOnlyError, OutcomeUnknown } from './errors.js';

/** Anything a query can run on. A function that receives one never uses the pool: on PGlite that would hang. */
export type Executor = Pick<pg.ClientBase, 'query'>;

export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** Where the data is, for display; without credentials. */
  readonly description: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * A broken connection reports its error twice: to the running query, if any, and as an event that ends the process if
 * no one listens. The query's error is the one that is handled; the pool replaces the connection.
 */
export function ignoreConnectionErrors(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}

/**
 * Makes lists of keys use index scans in key order. A plan that scans the whole table instead, because the table is
 * small or the list is long, would lock users in physical order, and two calls could deadlock.
 */
const begin =
  'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/**
 * Runs the work in one READ COMMITTED transaction. If the connection breaks before the commit is sent, nothing has
 * changed; if it breaks during the commit, the error is an OutcomeUnknown.
 */
export function transaction<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return within(database, begin, work);
}

/** Reads everything in one snapshot, without writing or locking. A statement may take no longer than this. */
export function snapshot<T>(
  database: Database,
  work: (tx: Executor) => Promise<T>,
  statementTimeoutMs?: number,
): Promise<T> {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const limit = statementTimeoutMs && `; SET LOCAL statement_timeout = ${statementTimeoutMs}`;
  return within(database, `${begin}${limit ?? ''}`, work);
}

async function within<T>(
  database: Database,
  opening: string,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const tx = open(client, opening);
  try {
    const result = await work(tx);
    await tx.opened;
    tx.end();
    await commit(client);
    return result;
  } catch (error) {
    tx.end();
    try {
      await client.query('ROLLBACK');
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

interface Transaction extends Executor {
  readonly opened: Promise<unknown>;
  /** From now on, statements fail instead of running outside the transaction. */
  end(): void;
}

/** Lets the work prepare its first statement while the transaction is being opened. */
function open(client: pg.PoolClient, opening: string): Transaction {
  const opened = client.query(opening);
  opened.catch(() => {}); // whoever waits for it gets the error
  let hasEnded = false;
  const query = async (...parameters: Parameters<Executor['query']>) => {
    await opened;
    if (hasEnded) throw new Error('the transaction has ended');
    return client.query(...parameters);
  };
  return {
    opened,
    query: query as unknown as Executor['query'],
    end: () => {
      hasEnded = true;
    },
  };
}

/** Runs one statement that commits by itself. If the connection breaks meanwhile, the outcome is unknown. */
export async function autocommit<T>(
  database: Database,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (databaseOutage(error) !== 'unavailable') throw error;
    broken = error as Error;
    if (isReadOnlyError(error)) throw error; // refused, so nothing has changed
    throw new OutcomeUnknown('the connection broke during a statement', { cause: error });
  } finally {
    client.release(broken);
  }
}

/** Refreshes the planner's statistics of the tables that belong to this role. */
export async function analyze(executor: Executor): Promise<void> {
  await executor.query('ANALYZE');
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    if (databaseOutage(error) === 'unavailable') {
      throw new OutcomeUnknown('the connection broke during COMMIT', { cause: error });
    }
    throw error;
  }
}
