import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Executor, transaction } from './database.js';
import { databaseOutage, StartupError, violatedConstraint } from './errors.js';
import { refuseUnfinishedMove } from './installation.js';
import { usesPooler } from './pooler-client.js';

const directory = new URL('../../migrations/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

function readMigrations(): Migration[] {
  return readdirSync(directory)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(new URL(file, directory), 'utf8'),
    }));
}

const migrations = readMigrations();
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** The names of all migrations, in order. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

interface RunMigration {
  readonly name: string;
  readonly ms: number;
}

/** While a migration waits for a lock, everybody else waits behind it. It gives up after this, and tries again. */
const lockTimeoutMs = 1_000;
const retryPauseMs = 1_000;
const lockTimedOut = '55P03';

/**
 * Brings the schema up to date and returns the migrations that ran. Safe to run on several nodes at once: one migrates
 * while the others wait. A new or embedded database is migrated in one transaction. On a server in use, each migration
 * has one of its own, so that nobody waits for all of them.
 */
export async function migrate(database: Database): Promise<RunMigration[]> {
  await refuseUnfinishedMove(database);
  const run: RunMigration[] = [];
  for (;;) {
    // A role that may not create tables can run the service once the owner has migrated.
    const applied = (await appliedMigrations(database.pool)).at(-1)?.name;
    if (applied === migrationNames.at(-1)) return run;
    try {
      run.push(...(await runNext(database, applied)));
    } catch (error) {
      const { code } = error as { code?: string };
      // Two nodes created the migrations table at the same time: the retry finds it.
      const bothCreated =
        applied === undefined && (violatedConstraint(error) !== undefined || code === '42P07');
      if (code === lockTimedOut) await pause(retryPauseMs);
      else if (!bothCreated && databaseOutage(error) !== 'conflict') throw error;
    }
  }
}

async function runNext(database: Database, applied: string | undefined): Promise<RunMigration[]> {
  const next = migrations.find(({ name }) => applied === undefined || name > applied);
  if (database.kind === 'embedded' || applied === undefined || next === undefined)
    return transaction(database, (tx) => runPending(tx));
  if (next.sql.includes(concurrently) && !(await usesPooler(database))) return buildIndexes(database, next);
  return transaction(database, (tx) => runPending(tx, next.version, lockTimeoutMs));
}

/** In migrations that run outside of transactions. Inside of one, indexes are built without it. */
const concurrently = ' CONCURRENTLY';
const builtIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)/m;
/** For a lock of the session that builds indexes: it is free again once that session has ended. */
const buildLock = 1_380_928_578;

/**
 * Builds indexes while others write. That takes a while, so nobody may wait for it inside a transaction: the statement
 * waits until all older ones have ended. If it is interrupted, the unfinished index is built anew.
 */
async function buildIndexes({ pool }: Database, { version, name, sql }: Migration): Promise<RunMigration[]> {
  const client = await pool.connect();
  try {
    // Nobody else has this session, which ends below.
    await client.query('SET statement_timeout = 0');
    await client.query('SET lock_timeout = 0');
    await client.query(`SET idle_session_timeout = '1min'`); // if this machine is gone
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${buildLock}) AS locked`);
    if (!rows[0]?.locked) {
      await pause(retryPauseMs);
      return [];
    }
    if ((await appliedVersion(client)) >= version) return [];
    const start = performance.now();
    for (const statement of sql.split(/;$/m)) {
      const index = builtIndex.exec(statement)?.[1];
      if (index === undefined) continue;
      if (await isUnfinished(client, index)) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
      await client.query(statement);
    }
    await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name]);
    return [{ name, ms: Math.round(performance.now() - start) }];
  } finally {
    client.release(true);
  }
}

async function isUnfinished(executor: Executor, index: string): Promise<boolean> {
  const { rowCount } = await executor.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [index],
  );
  return rowCount === 1;
}

/** Runs the migrations that have not run yet, up to a version. */
export async function runPending(
  tx: Executor,
  upTo = schemaVersion,
  lockTimeoutMs = 0,
): Promise<RunMigration[]> {
  await requireUtf8(tx);
  await requireIcu(tx);
  await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schema_migrations__version PRIMARY KEY (version)
  )`);
  // The row of version 0 is the lock: plain row locks work on every PostgreSQL-compatible engine.
  await tx.query(`INSERT INTO schema_migrations (version, name) VALUES (0, 'lock') ON CONFLICT DO NOTHING`);
  await tx.query('SELECT FROM schema_migrations WHERE version = 0 FOR UPDATE');
  await requireTrigrams(tx);
  const applied = await appliedVersion(tx);
  if (applied > schemaVersion) throw newerSchema(applied);
  const run: RunMigration[] = [];
  for (const { version, name, sql } of migrations) {
    if (version <= applied || version > upTo) continue;
    const start = performance.now();
    await tx.query(sql.replaceAll(concurrently, ''));
    await tx.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name]);
    run.push({ name, ms: Math.round(performance.now() - start) });
  }
  return run;
}

export async function appliedVersion(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ version: number }>(
    'SELECT max(version) AS version FROM schema_migrations',
  );
  return rows[0]?.version ?? 0;
}

function newerSchema(applied: number): StartupError {
  return new StartupError(
    `The database has schema version ${applied}, and this Rollcall knows versions up to ${schemaVersion}. Start the newer Rollcall that wrote it.`,
  );
}

/** Other encodings cannot store some names, and would count lengths in bytes. */
async function requireUtf8(executor: Executor): Promise<void> {
  const { rows } = await executor.query<{ server_encoding: string }>('SHOW server_encoding');
  if (rows[0]?.server_encoding === 'UTF8') return;
  throw new StartupError(
    `The database has the encoding ${rows[0]?.server_encoding}. Create it with ENCODING 'UTF8' TEMPLATE template0.`,
  );
}

/** Names are sorted by ICU, which PostgreSQL has unless it was built without. */
async function requireIcu(executor: Executor): Promise<void> {
  const { rowCount } = await executor.query(`SELECT FROM pg_collation WHERE collname = 'und-x-icu'`);
  if (rowCount !== 0) return;
  throw new StartupError(
    'This PostgreSQL was built without ICU, which sorts names. Use a build with ICU, as all common distributions provide.',
  );
}

/** Searches use pg_trgm, which comes with PostgreSQL, and which the owner of a database may create. */
async function requireTrigrams(executor: Executor): Promise<void> {
  const { rows } = await executor.query<{ isAvailable: boolean; isAllowed: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "isAvailable",
            EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
              OR has_database_privilege(current_database(), 'CREATE') AS "isAllowed"`,
  );
  if (!rows[0]?.isAvailable)
    throw new StartupError(
      'This PostgreSQL lacks the extension pg_trgm, which searches use. Install the contrib modules of PostgreSQL on the server.',
    );
  if (!rows[0].isAllowed)
    throw new StartupError(
      'The database lacks the extension pg_trgm, which searches use. Run CREATE EXTENSION pg_trgm in it as its owner, in a schema that the role may use, or GRANT CREATE ON DATABASE to the role.',
    );
}

export interface AppliedMigration {
  readonly name: string;
  readonly appliedAt: string;
}

/** Read-only. A new database has none. */
export async function appliedMigrations(executor: Executor): Promise<AppliedMigration[]> {
  const { rows: found } = await executor.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  );
  if (!found[0]?.found) return [];
  const { rows } = await executor.query<{ name: string; applied_at: Date }>(
    'SELECT name, applied_at FROM schema_migrations WHERE version > 0 ORDER BY version',
  );
  return rows.map(({ name, applied_at }) => ({ name, appliedAt: applied_at.toISOString() }));
}

/** Whether a migration was applied longer ago than this. */
export async function isAppliedSince(executor: Executor, version: number, seconds: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    'SELECT FROM schema_migrations WHERE version = $1 AND applied_at < now() - make_interval(secs => $2)',
    [version, seconds],
  );
  return rowCount === 1;
}
