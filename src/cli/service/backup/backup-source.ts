import { basename } from 'node:path';
import { v7 } from 'uuid';
import { downloadBackup } from '#client';
import type { Config } from '../../../config.js';
import { openRecord } from '../../../domain/backups/backup-record.js';
import { resealed, type SealOptions } from '../../../domain/backups/format/backup-stream.js';
import { makeBackup } from '../../../domain/backups/make-backup.js';
import { writeWhole } from '../../../files/whole-file.js';
import { insertBackup } from '../../../storage/backups/records.js';
import type { Database } from '../../../storage/database.js';
import { DataDirInUse, StartupError } from '../../../storage/errors.js';
import { appliedMigrations, migrationNames } from '../../../storage/migrate.js';
import { databaseExists } from '../../../storage/open-database.js';
import { pathOf } from '../../host.js';
import { connectInteractive } from '../../session/connect.js';
import { createProgress } from '../../terminal/progress.js';
import { withDatabase } from '../local-database.js';
import { fileProblem } from './file-problem.js';

export interface WrittenBackup {
  readonly bytes: number;
  /** The running service made it, and not this command. */
  readonly isDownloaded: boolean;
}

/** Asks the service that this user is logged in to. */
export async function downloadTo(file: string, options: SealOptions): Promise<WrittenBackup> {
  const progress = createProgress({ doing: 'Downloading', unit: 'bytes' });
  let received = 0;
  const stream = await downloadBackup(connectInteractive());
  async function* counted() {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      progress.at(received);
      yield chunk;
    }
  }
  try {
    return { bytes: await writeWhole(pathOf(file), resealed(counted(), options)), isDownloaded: true };
  } finally {
    progress.end();
  }
}

/** Reads the database itself. Undefined if a service has opened the embedded database, or if there is none. */
export async function readTo(
  file: string,
  config: Config,
  options: SealOptions,
): Promise<WrittenBackup | undefined> {
  if (!databaseExists(config)) return undefined;
  try {
    const bytes = await withDatabase('make the backup', config, (database) =>
      writeRecorded(database, file, options),
    );
    return { bytes, isDownloaded: false };
  } catch (error) {
    if ((error as Error).cause instanceof DataDirInUse) return undefined;
    throw error;
  }
}

async function writeRecorded(database: Database, file: string, options: SealOptions): Promise<number> {
  await requireCurrentSchema(database);
  const id = v7();
  await insertBackup(database.pool, {
    id,
    encrypted: options.passphrase !== undefined,
    fileName: basename(file),
  });
  const record = openRecord(database, id);
  const progress = createProgress({ doing: 'Backing up', unit: 'rows' });
  let done = 0;
  let users = 0;
  const onRows = (count: number) => {
    done += count;
    progress.at(done);
  };
  const onRead = (rows: Readonly<Record<string, number>>) => {
    users = rows.users ?? 0;
  };
  try {
    const made = makeBackup(database, { ...options, onRows, onRead });
    const bytes = await writeWhole(pathOf(file), made);
    await record.finished({ bytes, users });
    return bytes;
  } catch (error) {
    await record.failed(error);
    throw fileProblem(file, error);
  } finally {
    progress.end();
  }
}

/** Another version may have tables that this one does not know. */
async function requireCurrentSchema({ pool, description }: Database): Promise<void> {
  const last = (await appliedMigrations(pool)).at(-1)?.name;
  if (last === migrationNames.at(-1)) return;
  throw new StartupError(
    last === undefined
      ? `Rollcall has never run on ${description}. Set ROLLCALL_DATA_DIR or DATABASE_URL to the values that the service uses.`
      : `${description} has the schema of another version of Rollcall (${last}). Use that version, or run \`rollcall migrate\` first.`,
  );
}
