import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Database } from '../../src/storage/database.js';
import type { TestService } from './service.js';

/** A competing transaction on its own connection to the service's database. */
export interface Rival {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** Locks these users until the commit. */
  hold(...serials: readonly string[]): Promise<void>;
  /** Changes a user as the service would, invisible until the commit. */
  change(serial: string, columns: Record<string, unknown>): Promise<void>;
  commit(): Promise<void>;
}

export async function aRival(service: TestService): Promise<Rival> {
  const { connectionString } = optionsOf(service);
  const client = new pg.Client({ connectionString, application_name: 'rival' });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  return {
    query: (text, values) => client.query(text, values),
    hold: async (...serials) => {
      await client.query('SELECT FROM users WHERE serial = ANY ($1::uuid[]) ORDER BY serial FOR UPDATE', [
        serials,
      ]);
    },
    change: async (serial, columns) => {
      const assignments = Object.keys(columns).map((column, at) => `${column} = $${at + 2}, `);
      await client.query(`UPDATE users SET ${assignments.join('')} version = version + 1 WHERE serial = $1`, [
        serial,
        ...Object.values(columns),
      ]);
    },
    commit: async () => {
      await client.query('COMMIT');
    },
  };
}

function optionsOf({ database }: TestService) {
  return database.pool.options;
}

const onlookers = new WeakMap<TestService['database'], pg.Pool>();

/** Queries the database without the service's pool, whose usage a test may observe. */
export async function lookUp<T extends pg.QueryResultRow>(
  service: TestService,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { connectionString } = optionsOf(service);
  const onlooker =
    onlookers.get(service.database) ?? new pg.Pool({ connectionString, allowExitOnIdle: true });
  if (!onlookers.has(service.database)) onlooker.on('error', () => {}); // the server stops first
  onlookers.set(service.database, onlooker);
  return (await onlooker.query<T>(text, values)).rows;
}

/** How many connections wait for a lock: those of the service, or those of rivals. */
export async function waiting(service: TestService, who = 'rollcall'): Promise<number> {
  const rows = await lookUp<{ count: number }>(
    service,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'`,
    [who],
  );
  return rows[0]?.count ?? 0;
}

/** Waits until at least this many do. */
export async function untilWaiting(service: TestService, count: number, who?: 'rival'): Promise<void> {
  await expect.poll(() => waiting(service, who), { interval: 5 }).toBeGreaterThanOrEqual(count);
}

/** Makes the rival lock these users as soon as earlier transactions have ended. */
export async function holdNext(service: TestService, rival: Rival, ...serials: string[]) {
  const held = rival.hold(...serials);
  held.catch(() => {}); // a failing test ends the rival
  await untilWaiting(service, 1, 'rival');
  return { held };
}

/** A PL/pgSQL statement that waits a moment for something that should not happen, then continues either way. */
export function givenTimeFor(condition: string): string {
  return `FOR i IN 1..60 LOOP EXIT WHEN ${condition}; PERFORM pg_sleep(0.005); END LOOP`;
}

/** The same, run by the test itself. */
export async function giveTimeFor(service: TestService, condition: string): Promise<void> {
  await lookUp(service, `DO $$ BEGIN ${givenTimeFor(condition)}; END $$`);
}

/** The service's database through a pool that only the test uses. */
export function ownDatabase(service: TestService, options: pg.PoolConfig = {}): Database {
  const pool = new pg.Pool({ ...optionsOf(service), ...options });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  onTestFinished(() => void pool.end()); // a failing test may still hold a connection
  return { ...service.database, pool, close: () => pool.end() };
}
