import type { Executor } from './database.js';

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
