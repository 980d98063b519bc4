import type { Database, Executor } from './database.js';
import { StartupError } from './errors.js';

/** The table exists while a move fills the database. It has no rows. */
const mark = 'unfinished_move';

export async function isUnfinishedMove(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    mark,
  ]);
  return rows[0]?.found === true;
}

export async function markUnfinishedMove(tx: Executor): Promise<void> {
  await tx.query(`CREATE TABLE IF NOT EXISTS ${mark} ()`);
}

export async function unmarkUnfinishedMove(tx: Executor): Promise<void> {
  await tx.query(`DROP TABLE ${mark}`);
}

/** Nobody works with half of the users. */
export async function refuseUnfinishedMove({ pool, description }: Database): Promise<void> {
  if (!(await isUnfinishedMove(pool))) return;
  throw new StartupError(
    `${description} is the target of a move that has not finished. Run "rollcall move" again with the same arguments to complete it, or use the database that it moves from.`,
  );
}
