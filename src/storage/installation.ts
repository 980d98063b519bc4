import type { Executor } from './database.js';

/** Whether a first start was ever made on this database; a database without our tables has seen none. */
export async function isInstalled(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    `SELECT to_regclass('installation') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) return false;
  const { rowCount } = await executor.query('SELECT FROM installation');
  return rowCount === 1;
}

/** True for exactly one caller, on whichever node: the one whose transaction makes the row. */
export async function claimFirstStart(tx: Executor): Promise<boolean> {
  const { rowCount } = await tx.query('INSERT INTO installation DEFAULT VALUES ON CONFLICT DO NOTHING');
  return rowCount === 1;
}
