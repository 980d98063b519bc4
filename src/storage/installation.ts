import type { Executor } from './database.js';

/** Whether a first start was ever completed on this database; false without our tables. */
export async function isInstalled(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    `SELECT to_regclass('installation') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) return false;
  const { rowCount } = await executor.query('SELECT FROM installation');
  return rowCount === 1;
}

/** Returns true for exactly one caller across all nodes: the one whose transaction inserts the row. */
export async function claimFirstStart(tx: Executor): Promise<boolean> {
  const { rowCount } = await tx.query('INSERT INTO installation DEFAULT VALUES ON CONFLICT DO NOTHING');
  return rowCount === 1;
}
