import { type Database, type Executor, transaction } from '../database.js';
import { deleteBatch } from '../sql.js';

/** Renewed while a backup is being made. Without it, the backup is considered interrupted. */
const leaseSeconds = 300;
/** After a failure, the next attempt waits, because the disk is still as full as before. */
const retryMinutes = 15;

/** The error of a backup that was not completed because its node stopped. It says nothing about the next one. */
export const nodeStopped = 'The node that made it stopped.';

const lease = `now() + make_interval(secs => ${leaseSeconds})`;

export interface NewBackup {
  readonly id: string;
  readonly encrypted: boolean;
  readonly fileName: string | null;
}

/** Records that a backup was started on request. */
export async function insertBackup(executor: Executor, backup: NewBackup): Promise<void> {
  await executor.query(
    `INSERT INTO backups (id, encrypted, file_name, is_scheduled, claimed_until) VALUES ($1, $2, $3, false, ${lease})`,
    [backup.id, backup.encrypted, backup.fileName],
  );
}

const notDue = `SELECT FROM backups WHERE is_scheduled AND CASE
    WHEN finished_at IS NULL THEN claimed_until > now()
    WHEN error IS NULL THEN started_at > now() - make_interval(hours => $1)
    ELSE started_at > now() - make_interval(mins => ${retryMinutes}) END`;

/** Records the next scheduled backup if it is due. Returns true for exactly one caller across all nodes. */
export async function claimBackup(
  database: Database,
  everyHours: number,
  backup: NewBackup,
): Promise<boolean> {
  const { rowCount } = await database.pool.query(`${notDue} LIMIT 1`, [everyHours]);
  if (rowCount !== 0) return false;
  return transaction(database, async (tx) => {
    await tx.query('LOCK TABLE backups IN SHARE ROW EXCLUSIVE MODE');
    await tx.query(
      'UPDATE backups SET finished_at = now(), error = $1 WHERE finished_at IS NULL AND claimed_until < now()',
      [nodeStopped],
    );
    const { rowCount: inserted } = await tx.query(
      `INSERT INTO backups (id, encrypted, file_name, is_scheduled, claimed_until)
       SELECT $2::uuid, $3::boolean, $4::text, true, ${lease} WHERE NOT EXISTS (${notDue})`,
      [everyHours, backup.id, backup.encrypted, backup.fileName],
    );
    return inserted === 1;
  });
}

export async function renewBackup(executor: Executor, id: string): Promise<void> {
  await executor.query(`UPDATE backups SET claimed_until = ${lease} WHERE id = $1`, [id]);
}

export interface BackupResult {
  readonly bytes: number;
  readonly users: number;
}

export async function finishBackup(
  executor: Executor,
  id: string,
  { bytes, users }: BackupResult,
): Promise<void> {
  await executor.query('UPDATE backups SET finished_at = now(), bytes = $2, users = $3 WHERE id = $1', [
    id,
    bytes,
    users,
  ]);
}

/** Returns whether it is the first scheduled one that failed since one was completed. */
export async function failBackup(executor: Executor, id: string, error: string): Promise<boolean> {
  const { rows } = await executor.query<{ isFirst: boolean }>(
    `UPDATE backups SET finished_at = now(), error = $2 WHERE id = $1
     RETURNING is_scheduled AND error <> $3 AND NOT EXISTS (
       SELECT FROM backups AS earlier WHERE earlier.is_scheduled AND earlier.error <> $3
         AND earlier.started_at > coalesce((SELECT max(started_at) FROM backups AS made
           WHERE made.is_scheduled AND made.finished_at IS NOT NULL AND made.error IS NULL), '-infinity')) AS "isFirst"`,
    [id, error, nodeStopped],
  );
  return rows[0]?.isFirst === true;
}

export interface BackupRecord extends BackupResult {
  readonly finishedAt: Date;
  /** Null if it was downloaded. */
  readonly fileName: string | null;
  readonly encrypted: boolean;
}

/** The last one that was completed. */
export async function latestBackup(executor: Executor): Promise<BackupRecord | undefined> {
  const { rows } = await executor.query<BackupRecord>(
    `SELECT finished_at AS "finishedAt", file_name AS "fileName", bytes::float8 AS bytes, users::float8 AS users, encrypted
     FROM backups WHERE finished_at IS NOT NULL AND error IS NULL ORDER BY started_at DESC LIMIT 1`,
  );
  return rows[0];
}

/** Returns true if there may be more. */
export function deleteOldBackupRecords(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = 'started_at < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'backups', condition, values: [olderThanDays] });
}
