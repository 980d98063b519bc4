import type { Executor } from './database.js';

/** True for exactly one caller, on whichever node: the one whose transaction makes the row. */
export async function claimFirstStart(tx: Executor): Promise<boolean> {
  const { rowCount } = await tx.query('INSERT INTO installation DEFAULT VALUES ON CONFLICT DO NOTHING');
  return rowCount === 1;
}
