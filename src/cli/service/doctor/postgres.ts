import type { Config } from '../../../config.js';
import type { Executor } from '../../../storage/database.js';
import { databaseTrouble } from '../../../storage/errors.js';
import { openDatabase } from '../../../storage/open-database.js';
import { cannotBeUsed } from '../local-database.js';
import { type AppliedMigration, appliedMigrations } from '../schema-state.js';
import type { ClockReading } from './clock.js';
import { checkLimitMs } from './time-limit.js';

export interface ServerFacts {
  /** As 180001. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly connectionsMax: number;
  /** It follows another server, and takes no writes. */
  readonly isStandby: boolean;
  readonly canCreateTables: boolean;
}

export type PostgresLook =
  | {
      readonly ok: true;
      readonly description: string;
      readonly server: ServerFacts;
      readonly applied: readonly AppliedMigration[];
      readonly clock: ClockReading;
    }
  | { readonly ok: false; readonly problem: string };

/** All that is asked of a PostgreSQL, over one connection. */
export async function lookAtPostgres(config: Config): Promise<PostgresLook> {
  const limits = { ...config.limits, poolConnectionsMax: 1, connectTimeoutMs: checkLimitMs - 500 };
  const database = await openDatabase({ ...config, limits });
  try {
    const server = await serverFacts(database.pool);
    const clock = await clockReading(database.pool);
    const applied = await appliedMigrations(database.pool);
    return { ok: true, description: database.description, server, applied, clock };
  } catch (error) {
    if (databaseTrouble(error) === undefined) throw error;
    return { ok: false, problem: cannotBeUsed(database, error) };
  } finally {
    await database.close();
  }
}

export async function serverFacts(executor: Executor): Promise<ServerFacts> {
  const { rows } = await executor.query<ServerFacts>(`SELECT
    current_setting('server_version_num')::integer AS "versionNumber",
    current_setting('server_version') AS "version",
    current_setting('server_encoding') AS "encoding",
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer AS "connectionsMax",
    pg_is_in_recovery() AS "isStandby",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreateTables"`);
  return rows[0] as ServerFacts; // a SELECT without FROM gives one row
}

async function clockReading(executor: Executor): Promise<ClockReading> {
  const askedAtMs = Date.now();
  const { rows } = await executor.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return { theirMs: rows[0]?.ms ?? askedAtMs, askedAtMs, answeredAtMs: Date.now(), stepMs: 0 };
}
