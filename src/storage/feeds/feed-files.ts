import type { Executor } from '../database.js';

export async function insertFilePart(
  tx: Executor,
  runId: string,
  part: number,
  bytes: Buffer,
): Promise<void> {
  await tx.query('INSERT INTO feed_files (run_id, part, bytes) VALUES ($1, $2, $3)', [runId, part, bytes]);
}

export async function getFilePart(
  executor: Executor,
  runId: string,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await executor.query<{ bytes: Buffer }>(
    'SELECT bytes FROM feed_files WHERE run_id = $1 AND part = $2',
    [runId, part],
  );
  return rows[0]?.bytes;
}

export async function deleteFile(tx: Executor, runId: string): Promise<void> {
  await tx.query('DELETE FROM feed_files WHERE run_id = $1', [runId]);
}

/** Those of runs that have ended. Returns true if there may be more. */
export async function deleteOldFiles(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rows } = await executor.query<{ id: string }>(
    `SELECT id FROM feed_runs WHERE state NOT IN ('uploading', 'queued', 'running', 'waiting', 'undoing')
       AND coalesce(finished_at, created_at) <= now() - make_interval(days => $1)
       AND EXISTS (SELECT FROM feed_files WHERE run_id = feed_runs.id) ORDER BY id LIMIT 1`,
    [olderThanDays],
  );
  for (const { id } of rows) await deleteFile(executor, id);
  return rows.length > 0;
}

/** The files that are stored, with the hashes of the employee IDs in them; null if they are not known. */
export async function listStoredFiles(
  executor: Executor,
): Promise<{ readonly runId: string; readonly mentions: Buffer | null }[]> {
  const { rows } = await executor.query<{ runId: string; mentions: Buffer | null }>(
    `SELECT id AS "runId", mentions FROM feed_runs WHERE EXISTS (SELECT FROM feed_files WHERE run_id = feed_runs.id)`,
  );
  return rows;
}
