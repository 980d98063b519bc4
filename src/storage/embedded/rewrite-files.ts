import type { Executor } from '../database.js';

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
