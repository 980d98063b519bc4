import type pg from 'pg';
import type { Database } from '../../src/storage/database.js';

/**
 * How a transaction fails: it gets no connection, loses it at the first statement, or loses it during the commit, so
 * that the service can't tell whether it was committed.
 */
export const faults = ['no connection', 'lost at once', 'lost before the commit', 'lost after it'] as const;

export type Fault = (typeof faults)[number];

const lost = () => Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });

/** The same database, but its transactions fail as specified, by the order in which they begin. */
export function faultyDatabase(
  database: Database,
  faultOf: (transaction: number) => Fault | undefined,
): Database {
  let begun = 0;
  const connect = async () => {
    const fault = faultOf(begun++);
    if (fault === 'no connection') throw lost();
    const client = await database.pool.connect();
    return fault === undefined ? client : standIn(client, { query: failingQuery(client, fault) });
  };
  return { ...database, pool: standIn(database.pool, { connect }) };
}

function failingQuery(client: pg.PoolClient, fault: Fault) {
  return async (...parameters: Parameters<pg.PoolClient['query']>) => {
    const [statement] = parameters as unknown[];
    const isOrder = typeof statement === 'string' && /^(?:BEGIN|COMMIT|ROLLBACK)/.test(statement);
    if (fault === 'lost at once' && !isOrder) throw lost();
    if (statement !== 'COMMIT' || fault === 'lost at once') return client.query(...parameters);
    await client.query(fault === 'lost after it' ? 'COMMIT' : 'ROLLBACK');
    throw lost();
  };
}

/** The same database, but as long as its disk is full, it refuses statements that contain a text. */
export function fullDatabase(
  database: Database,
  refusal: { isFull: boolean; refused: number },
  text: string,
) {
  const refusing = (target: pg.Pool | pg.PoolClient) => async (statement: unknown, values?: unknown[]) => {
    const sql = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
    if (refusal.isFull && sql.includes(text)) {
      refusal.refused++;
      throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
    }
    return target.query(statement as string, values); // as it was called
  };
  const connect = async () => {
    const client = await database.pool.connect();
    return standIn(client, { query: refusing(client) });
  };
  return { ...database, pool: standIn(database.pool, { query: refusing(database.pool), connect }) };
}

/** The target with some properties replaced. */
export function standIn<T extends object>(target: T, replaced: Record<string, unknown>): T {
  return new Proxy(target, {
    get: (_, property) => {
      if (typeof property === 'string' && Object.hasOwn(replaced, property)) return replaced[property];
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
