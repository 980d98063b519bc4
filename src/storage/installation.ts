import type { Database, Executor } from './database.js';
import { StartupError } from './errors.js';

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

/**
 * While a move fills a database, this row is among its migrations, with the ID of the attempt. Versions that don't know
 * what it means refuse a schema that is so much newer.
 */
const moveVersion = 2_147_483_647;
const moveName = (id: string) => `unfinished move ${id}`;

export async function isUnfinishedMove(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) return false;
  const { rowCount } = await executor.query('SELECT FROM schema_migrations WHERE version = $1', [
    moveVersion,
  ]);
  return rowCount === 1;
}

export async function markUnfinishedMove(tx: Executor, id: string): Promise<void> {
  await tx.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [
    moveVersion,
    moveName(id),
  ]);
}

export async function unmarkUnfinishedMove(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM schema_migrations WHERE version = $1', [moveVersion]);
}

/** Until the end of the transaction, no other attempt can begin. Throws if one has begun already. */
export async function lockUnfinishedMove(tx: Executor, id: string): Promise<void> {
  const { rowCount } = await tx.query(
    'SELECT FROM schema_migrations WHERE version = $1 AND name = $2 FOR UPDATE',
    [moveVersion, moveName(id)],
  );
  if (rowCount === 1) return;
  throw new StartupError('Another move into the same target has begun, so this one has stopped.');
}

/** Nobody works with half of the users. */
export async function refuseUnfinishedMove({ pool, description }: Database): Promise<void> {
  if (!(await isUnfinishedMove(pool))) return;
  throw new StartupError(
    `${description} is the target of a move that has not finished. Run "rollcall move" again with the same arguments to complete it. To give up, drop this database and keep using the source.`,
  );
}
