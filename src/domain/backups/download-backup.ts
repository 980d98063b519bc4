import { v7 } from 'uuid';
import { type Failure, failure, retry } from '../../contract/errors.js';
import { insertBackup } from '../../storage/backups/records.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { openRecord, ReadingStopped } from './backup-record.js';
import { makeServiceBackup, type ServiceBackupContext } from './make-backup.js';

export type Download =
  | { readonly ok: true; readonly bytes: AsyncIterableIterator<Buffer> }
  | { readonly ok: false; readonly failure: Failure };

export interface DownloadContext extends ServiceBackupContext {
  /** Counts the backups that are being downloaded from this node. */
  readonly backups: { running: number };
}

/** Starts a backup for a caller. Fails rather than wait for another one: each takes a connection and disk space. */
export async function downloadBackup(context: DownloadContext, caller: Caller): Promise<Download> {
  const { database, backups } = context;
  if (backups.running > 0) {
    const detail = 'This node is making a backup already. Retry when it is done.';
    return { ok: false, failure: failure('BACKUP_BUSY', detail, retry) };
  }
  backups.running++;
  const id = v7();
  try {
    await transaction(database, async (tx) => {
      await insertBackup(tx, { id, encrypted: false, fileName: null });
      await recordAccess(tx, 'backup.downloaded', caller);
    });
  } catch (error) {
    backups.running--;
    throw error;
  }
  return { ok: true, bytes: await started(recordedBytes(context, id)) };
}

/** The backup is no longer running when this ends. */
async function* recordedBytes(context: DownloadContext, id: string) {
  const record = openRecord(context.database, id);
  const made = makeServiceBackup(context);
  let problem: unknown = new ReadingStopped();
  let bytes = 0;
  try {
    for await (const chunk of made.bytes) {
      bytes += chunk.length;
      yield chunk;
    }
    problem = undefined;
  } catch (error) {
    problem = error;
    throw error;
  } finally {
    context.backups.running--;
    await (problem === undefined ? record.finished({ bytes, users: made.users() }) : record.failed(problem));
  }
}

/**
 * Waits for the first bytes, so that what prevents a backup is an error reply and not a broken download. No generator: one
 * that is ended before it has begun, because the caller has left meanwhile, would not end the backup.
 */
async function started(bytes: AsyncGenerator<Buffer>): Promise<AsyncIterableIterator<Buffer>> {
  let first: IteratorResult<Buffer> | undefined = await bytes.next();
  const all: AsyncIterableIterator<Buffer> = {
    next: async () => {
      const result = first ?? (await bytes.next());
      first = undefined;
      return result;
    },
    return: () => bytes.return(undefined),
    throw: (error) => bytes.throw(error),
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
