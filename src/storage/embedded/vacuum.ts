import { letOthersGoFirst } from '../connection-share.js';
import type { Database, Executor } from '../database.js';

/**
 * Vacuums and analyzes tables by the rules of a PostgreSQL server's autovacuum, which the embedded database lacks. One
 * table at a time, because requests wait meanwhile.
 */
export async function vacuumWhereDue({ pool }: Pick<Database, 'pool'>): Promise<void> {
  for (const { name, isToVacuum, isToAnalyze } of await dueTables(pool)) {
    if (isToVacuum) await pool.query(`VACUUM "${name}"`);
    await letOthersGoFirst(pool);
    if (isToAnalyze) await pool.query(analyzeOf(name));
    await letOthersGoFirst(pool);
  }
}

interface DueTable {
  readonly name: string;
  readonly isToVacuum: boolean;
  readonly isToAnalyze: boolean;
}

/** https://www.postgresql.org/docs/18/routine-vacuuming.html#AUTOVACUUM, with the default thresholds. */
async function dueTables(executor: Executor): Promise<DueTable[]> {
  const { rows } = await executor.query<DueTable>(
    `SELECT * FROM (
       SELECT stats.relname AS name, n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) AS "isToVacuum",
              n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0) AS "isToAnalyze"
       FROM pg_stat_user_tables AS stats JOIN pg_class ON pg_class.oid = relid) AS tables
     WHERE "isToVacuum" OR "isToAnalyze" ORDER BY name`,
  );
  return rows;
}

/** A smaller sample than usual: with the usual one, analyzing 100,000 users takes a quarter of a second. */
function analyzeOf(name: string): string {
  return `BEGIN; SET LOCAL default_statistics_target = 30; ANALYZE "${name}"; COMMIT`;
}

/**
 * Rewrites the files of the embedded database, so that they no longer contain rows that were deleted or updated. VACUUM
 * alone would not do: it makes their space available, but leaves the bytes until other rows need it. Requests wait for
 * one table at a time: with 50,000 users for up to three seconds, of ten seconds in all.
 */
export async function rewriteFiles(executor: Executor): Promise<void> {
  const { rows: tables } = await executor.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relkind = 'r' AND nspname = 'public' AND pg_total_relation_size(pg_class.oid) > 0`,
  );
  for (const { name } of tables) await executor.query(`VACUUM FULL ${name}`);
  await replaceStatistics(
    executor,
    tables.map(({ name }) => name),
  );
  await replaceLog(executor);
}

/** The planner knows frequent values and samples of all columns. It would keep those of a table that is empty now. */
async function replaceStatistics(executor: Executor, tables: readonly string[]): Promise<void> {
  await executor.query(
    `DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  );
  for (const table of tables) await executor.query(`ANALYZE ${table}`);
  await executor.query('VACUUM FULL pg_statistic');
}

/** Enough for the largest log that PostgreSQL keeps by default (1 GB). */
const segmentsMax = 100;

/** Ends the current segment of the write-ahead log, and deletes old ones instead of keeping them for reuse. */
async function replaceLog(executor: Executor): Promise<void> {
  await executor.query('SET wal_recycle = off');
  try {
    for (
      let switched = 0;
      switched === 0 || (switched < segmentsMax && (await hasReused(executor)));
      switched++
    ) {
      // A segment is only ended if it contains something.
      await executor.query(`SELECT pg_logical_emit_message(false, 'rollcall', 'end of segment')`);
      await executor.query('SELECT pg_switch_wal()');
      await executor.query(`SELECT pg_logical_emit_message(false, 'rollcall', 'new segment')`);
    }
    await executor.query('CHECKPOINT');
  } finally {
    await executor.query('RESET wal_recycle');
  }
}

/** Whether old segments were renamed to be used next. They contain what they did before. */
async function hasReused(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_ls_waldir() WHERE name > pg_walfile_name(pg_current_wal_insert_lsn())) AS found`,
  );
  return rows[0]?.found === true;
}
