import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { writeWhole } from '../../files/whole-file.js';
import { claimBackup } from '../../storage/backups/records.js';
import { databaseOutage } from '../../storage/errors.js';
import { type NoticeContext, queueNotice } from '../notices/notices.js';
import { failureText, openRecord } from './backup-record.js';
import { makeServiceBackup, type ServiceBackupContext } from './make-backup.js';

export interface BackupSchedule {
  readonly directory: string;
  readonly everyHours: number;
  /** How many files to keep. */
  readonly keep: number;
  readonly passphrase: string | undefined;
}

interface ScheduledBackupContext extends ServiceBackupContext, NoticeContext {}

interface BackupWorker {
  stop(): Promise<void>;
}

const pollMs = 60_000;

/** Makes backups on schedule. Any number of nodes can run this: one of them makes each backup. */
export function startBackups(
  context: ScheduledBackupContext,
  schedule: BackupSchedule,
  logger: Logger,
): BackupWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      await makeDueBackup(context, schedule, signal).then(
        (made) => made && logMade(made, schedule, logger),
        (error: unknown) => {
          if (signal.aborted) return;
          const known = databaseOutage(error) === undefined ? { err: error } : {};
          logger.error(known, `The scheduled backup failed and is tried again. ${failureText(error)}`);
        },
      );
      await pause(pollMs, undefined, { signal }).catch(() => {});
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

interface MadeBackup {
  readonly fileName: string;
  readonly bytes: number;
  readonly ms: number;
  /** Old files that could not be deleted. */
  readonly undeleted: readonly string[];
}

function logMade({ undeleted, ...made }: MadeBackup, { directory }: BackupSchedule, logger: Logger): void {
  logger.info(made, `Backup written to ${join(directory, made.fileName)}.`);
  if (undeleted.length > 0)
    logger.error({ undeleted }, `Old backups in ${directory} cannot be deleted, so its disk will fill up.`);
}

/** Returns undefined if none is due, or if another node makes it. */
export async function makeDueBackup(
  context: ScheduledBackupContext,
  schedule: BackupSchedule,
  signal: AbortSignal,
): Promise<MadeBackup | undefined> {
  const { database } = context;
  const startedAt = performance.now();
  const { passphrase } = schedule;
  const startedOn = new Date();
  const fileName = backupFileName(startedOn);
  const backup = { id: v7(), encrypted: passphrase !== undefined, fileName };
  if (!(await claimBackup(database, schedule.everyHours, backup))) return undefined;
  const record = openRecord(database, backup.id);
  try {
    const made = makeServiceBackup(context, passphrase);
    const bytes = await write(untilAborted(made.bytes, signal), fileName, schedule);
    await record.finished({ bytes, users: made.users() });
    const undeleted = await rotate(fileName, schedule);
    return { fileName, bytes, ms: Math.round(performance.now() - startedAt), undeleted };
  } catch (error) {
    const facts = { at: startedOn.toISOString() };
    await record.failed(error, (tx) => queueNotice(context, tx, { topic: 'backupFailed', facts }));
    throw error;
  }
}

/** Returns the size of the file. */
async function write(
  bytes: AsyncIterable<Buffer>,
  fileName: string,
  { directory }: BackupSchedule,
): Promise<number> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await remove(directory, partialBackups(await readdir(directory)));
  return writeWhole(join(directory, fileName), bytes);
}

/** The backup is made, whatever happens to the old ones: as a failure, it would be repeated, and fill the disk. */
async function rotate(made: string, { directory, keep }: BackupSchedule): Promise<string[]> {
  return remove(directory, outdatedBackups(await readdir(directory), made, keep));
}

/** Returns the names that could not be removed. */
async function remove(directory: string, names: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const name of names) await rm(join(directory, name), { force: true }).catch(() => left.push(name));
  return left;
}

async function* untilAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** The names of scheduled backups sort by time. Nothing else in the directory is ever deleted. */
const scheduledName = /^rollcall-\d{8}T\d{6}Z\.backup$/;

/** For example rollcall-20261116T213000Z.backup. */
export function backupFileName(at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `rollcall-${time}.backup`;
}

/**
 * Which files of a directory to delete so that the newest ones remain, among them the one that was just made: files from
 * a time when the clock was wrong may have later names.
 */
export function outdatedBackups(names: readonly string[], made: string, keep: number): string[] {
  const others = names.filter((name) => scheduledName.test(name) && name !== made).sort();
  return others.slice(0, Math.max(others.length + 1 - keep, 0));
}

/** Scheduled backups that were never completed. */
export function partialBackups(names: readonly string[]): string[] {
  const suffix = '.partial';
  return names.filter((name) => name.endsWith(suffix) && scheduledName.test(name.slice(0, -suffix.length)));
}
