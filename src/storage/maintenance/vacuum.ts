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
