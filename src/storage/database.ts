import type pg from 'pg';
import { databaseTrouble, OutcomeUnknown } from './errors.js';

/** Whatever a query can run on. A function that is given one never reaches for the pool: on PGlite that would hang. */
export type Executor = Pick<pg.ClientBase, 'query'>;

export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** For people: where the data is, without credentials. */
  readonly description: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * A connection that breaks says so twice: to the query that runs on it, if one does, and as an event that ends the
 * process if nobody listens. The query's error is the one that is handled; the pool replaces the connection.
 */
export function surviveBrokenConnections(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}

/**
 * Runs the work in one READ COMMITTED transaction. A connection that breaks before the commit was sent has changed
 * nothing; one that breaks during the commit is an OutcomeUnknown.
 */
export function transaction<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return within(database, 'BEGIN', work);
}

/** Reads everything as it was at one moment; writes nothing and locks nothing. */
export function snapshot<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return within(database, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
}

async function within<T>(database: Database, begin: string, work: (tx: Executor) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (error) {
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

/** Runs one statement that commits by itself: if the connection breaks under it, nobody can tell whether it did. */
export async function autocommit<T>(
  database: Database,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (databaseTrouble(error) !== 'away') throw error;
    broken = error as Error;
    throw new OutcomeUnknown('the connection broke during a statement', { cause: error });
  } finally {
    client.release(broken);
  }
}

/** Clears away what updates have left behind, and counts anew what the planner goes by. */
export async function vacuum(executor: Executor): Promise<void> {
  await executor.query('VACUUM (ANALYZE)');
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    if (databaseTrouble(error) === 'away') {
      throw new OutcomeUnknown('the connection broke during COMMIT', { cause: error });
    }
    throw error;
  }
}
