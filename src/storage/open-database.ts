import pg from 'pg';
import { parseDatabaseUrl } from '../contract/database-url.js';
import type { Limits } from '../contract/limits.js';
import { type Database, ignoreConnectionErrors } from './database.js';
import { closeDataDir, type Permissions } from './embedded/data-dir-permissions.js';
import { isInitialized, openEmbedded } from './embedded/open-embedded.js';
import { databaseOutage, StartupError } from './errors.js';
import { isStale, type PoolingMode, poolerAwareClient } from './pooler-client.js';
import { ServerChoice } from './server-choice.js';

export interface DatabaseOptions {
  /** A PostgreSQL URL. Without one, the embedded database in `dataDir` is opened. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Whether a transaction pooler sits between the service and PostgreSQL. */
  readonly databasePooling: PoolingMode;
  readonly limits: Pick<
    Limits,
    'poolConnectionsMax' | 'connectTimeoutMs' | 'statementTimeoutMs' | 'lockTimeoutMs'
  >;
}

export async function openDatabase(
  options: DatabaseOptions,
  permissions: Permissions = () => {},
): Promise<Database> {
  if (options.databaseUrl === undefined) return openEmbedded(options.dataDir, permissions);
  closeDataDir(options.dataDir, 'postgres', permissions);
  return openPostgres(options.databaseUrl, options);
}

/** Whether there is a database to open. For a PostgreSQL server this is unknown until it is queried. */
export function databaseExists({ databaseUrl, dataDir }: DatabaseOptions): boolean {
  return databaseUrl !== undefined || isInitialized(dataDir);
}

/** A statement that waits for its answer notices that the server's machine is gone some seconds after this. */
const keepAliveAfterMs = 10_000;

/** Connects at the first query, so that the service can start before its database does. */
function openPostgres(databaseUrl: string, { limits, databasePooling }: DatabaseOptions): Database {
  const parsed = parseDatabaseUrl(databaseUrl);
  if (!parsed.ok) throw new StartupError(`The URL of the database is not valid. ${parsed.problem}`);
  const { urls, target, description } = parsed.servers;
  const servers = new ServerChoice(urls, target);
  const config = {
    connectionString: databaseUrl,
    max: limits.poolConnectionsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    Client: poolerAwareClient({
      pooling: databasePooling,
      servers,
      timeouts: {
        statement_timeout: limits.statementTimeoutMs,
        lock_timeout: limits.lockTimeoutMs,
        // A node that dies inside a transaction without closing its socket must not hold its locks for long.
        idle_in_transaction_session_timeout: limits.statementTimeoutMs,
      },
    }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    // Statements of one transaction that do not wait for each other are sent at once.
    pipeline: true,
    application_name: 'rollcall',
  };
  const pool = new FailoverPool(config, servers);
  ignoreConnectionErrors(pool);
  return { kind: 'postgres', description, pool, close: () => pool.end() };
}

type Callback = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** A pool whose new connections try one server after the other, and that drops connections to a former primary. */
export class FailoverPool extends pg.Pool {
  readonly #servers: ServerChoice;

  constructor(config: pg.PoolConfig, servers: ServerChoice) {
    super(config);
    this.#servers = servers;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then((client) => callback(undefined, client, () => client.release()), callback);
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; ) {
      try {
        const client = await super.connect();
        if (!isStale(client)) return client;
        client.release(true);
      } catch (error) {
        if (tried++ >= this.#servers.count || !mayWorkElsewhere(error)) throw error;
      }
    }
  }
}

/** Waiting for a free connection is no fault of the server, and another server would refuse the login as well. */
const elsewhereTheSame = /^(?:28...|3D000)$/;

export function mayWorkElsewhere(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string };
  if (elsewhereTheSame.test(code) || message.startsWith('timeout exceeded')) return false;
  return databaseOutage(error) === 'unavailable' || code === '53300';
}
