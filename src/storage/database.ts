import type pg from 'pg';
import { databaseOutage, OutcomeUnknown } from './errors.js';

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
 * Lists of keys are gone through in their order, by index. A plan that reads the whole table instead, because it is small
 * or the list is long, would lock people in the order in which the table holds them: two calls could wait in a circle.
 */
const begin = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/**
 * Runs the work in one READ COMMITTED transaction. A connection that breaks before the commit was sent has changed
 * nothing; one that breaks during the commit is an OutcomeUnknown.
 */
export function transaction<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return within(database, begin, work);
}

/** Reads everything as it was at one moment; writes nothing and locks nothing. */
export function snapshot<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return within(database, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
}

async function within<T>(
  database: Database,
  opening: string,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(opening);
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
    if (databaseOutage(error) !== 'away') throw error;
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
    if (databaseOutage(error) === 'away') {
      throw new OutcomeUnknown('the connection broke during COMMIT', { cause: error });
    }
    throw error;
  }
}
