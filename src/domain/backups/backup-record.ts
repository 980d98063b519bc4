import { isFileError } from '../../files/whole-file.js';
import {
  type BackupResult,
  failBackup,
  finishBackup,
  nodeStopped,
  renewBackup,
} from '../../storage/backups/records.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';

const renewalMs = 60_000;

/** Somebody stopped reading a backup before its end. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/** Keeps the claim of a backup, until it is recorded how it ended. */
export interface BackupRecord {
  finished(result: BackupResult): Promise<void>;
  /** `report` is for the first scheduled backup that failed since one was completed. */
  failed(error: unknown, report?: (tx: Executor) => Promise<void>): Promise<void>;
}

export function openRecord(database: Database, id: string): BackupRecord {
  const { pool } = database;
  const renewal = setInterval(() => void renewBackup(pool, id).catch(() => {}), renewalMs).unref();
  return {
    finished: async (result) => {
      clearInterval(renewal);
      await finishBackup(pool, id, result);
    },
    failed: async (error, report) => {
      clearInterval(renewal);
      const recorded = transaction(database, async (tx) => {
        if (await failBackup(tx, id, failureText(error))) await report?.(tx);
      });
      await recorded.catch(() => {}); // the claim will end by itself
    },
  };
}

/** Contains no message of the database, which could quote data. */
export function failureText(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return nodeStopped;
  if (error instanceof ReadingStopped) return 'It was not downloaded to its end.';
  if (isFileError(error)) return `The file could not be written (${error.code}).`;
  if (databaseOutage(error) !== undefined) return 'The database was not available.';
  return 'An unexpected error, which is in the log.';
}
