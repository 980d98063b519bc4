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
