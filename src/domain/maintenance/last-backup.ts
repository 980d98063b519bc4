import { latestBackup } from '../../storage/backups/records.js';
import type { Executor } from '../../storage/database.js';

/** A backup that was completed. */
export interface CompletedBackup {
  readonly finishedAt: string;
  /** Null if it was downloaded. */
  readonly fileName: string | null;
  readonly bytes: number;
  readonly users: number;
  readonly encrypted: boolean;
}

/** The latest one that succeeded. */
export async function lastBackup(executor: Executor): Promise<CompletedBackup | null> {
  const backup = await latestBackup(executor);
  return backup ? { ...backup, finishedAt: backup.finishedAt.toISOString() } : null;
}
