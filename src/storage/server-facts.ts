import type { Database, Executor } from './database.js';

/** What a PostgreSQL server reports about itself. */
export interface ServerFacts {
  /** For example 180001. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly connectionsMax: number;
  /** The server is a read-only replica. */
  readonly isStandby: boolean;
  readonly canCreateTables: boolean;
  readonly isEncrypted: boolean;
  /** Connected over a Unix socket, or from the same machine. */
  readonly isLocal: boolean;
}

export async function serverFacts(executor: Executor): Promise<ServerFacts> {
  const { rows } = await executor.query<ServerFacts>(`SELECT
    current_setting('server_version_num')::integer AS "versionNumber",
    current_setting('server_version') AS "version",
    current_setting('server_encoding') AS "encoding",
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer AS "connectionsMax",
    pg_is_in_recovery() AS "isStandby",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreateTables",
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
    coalesce(inet_client_addr() = inet_server_addr(), true) AS "isLocal"`);
  return rows[0] as ServerFacts; // a SELECT without FROM returns one row
}

export async function databaseClockMs(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}

/** How many connections of other Rollcall processes the database has. Those behind a pooler cannot be seen. */
export async function otherConnections({ kind, pool }: Database): Promise<number> {
  if (kind === 'embedded') return 0; // it has been locked
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'rollcall' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
