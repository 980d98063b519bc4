import { basename, resolve } from 'node:path';
import { v7 } from 'uuid';
import { downloadBackup } from '#client';
import type { Config } from '../../../config.js';
import { openRecord } from '../../../domain/backups/backup-record.js';
import { resealed, type SealOptions } from '../../../domain/backups/format/backup-stream.js';
import { makeBackup } from '../../../domain/backups/make-backup.js';
import { existingSecretKeys } from '../../../domain/secrets/open-secret-cipher.js';
import { isFileError, writeWhole } from '../../../files/whole-file.js';
import { insertBackup } from '../../../storage/backups/records.js';
import type { Database } from '../../../storage/database.js';
import { DataDirInUse, StartupError } from '../../../storage/errors.js';
import { appliedMigrations, migrationNames } from '../../../storage/migrate.js';
import { databaseExists } from '../../../storage/open-database.js';
import { pathOf } from '../../host.js';
import { printJson, printMessage } from '../../output.js';
import { CommandProblem } from '../../problem.js';
import { connectInteractive, lastUrl } from '../../session/connect.js';
import { duration, size } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { err } from '../../terminal/style.js';
import { withFileErrors } from '../../with-file-errors.js';
import { withDatabase } from '../local-database.js';
import { serviceConfig } from '../service-config.js';

interface CreateOptions {
  readonly encrypt?: boolean;
  readonly includeKey?: boolean;
  readonly remote?: boolean;
  readonly json?: boolean;
}

/** `rollcall backup <file>` */
export async function createBackup(file: string, options: CreateOptions): Promise<void> {
  const config = serviceConfig(options);
  const seal = sealOptions(config, options);
  const startedAt = performance.now();
  const { bytes, isDownloaded } = await withFileErrors(
    async () =>
      (options.remote ? undefined : await readTo(file, config, seal)) ?? (await downloadTo(file, seal)),
    (error) => fileProblem(file, error),
  );
  const ms = Math.round(performance.now() - startedAt);
  const encrypted = seal.passphrase !== undefined;
  if (options.json) return printJson({ file: resolve(pathOf(file)), bytes, encrypted, isDownloaded, ms });
  const how = `${encrypted ? 'encrypted' : 'not encrypted'}${isDownloaded ? `, made by the service at ${lastUrl()}` : ''}`;
  printMessage(err.dim(`${file}: ${size(bytes)} in ${duration(ms)}, ${how}.`));
  if (!options.includeKey)
    printMessage(err.dim('Also keep the secret key, in another place: see docs/backup.md.'));
}

/** With a passphrase, every backup is encrypted. */
function sealOptions(config: Config, { encrypt, includeKey }: CreateOptions): SealOptions {
  const { backupPassphrase: passphrase } = config;
  if ((encrypt || includeKey) && passphrase === undefined)
    throw new CommandProblem(
      'wrongUse',
      `${encrypt ? '--encrypt' : '--include-key'} needs a passphrase: set ROLLCALL_BACKUP_PASSPHRASE, or ROLLCALL_BACKUP_PASSPHRASE_FILE.`,
    );
  if (!includeKey) return { passphrase };
  const secretKeys = existingSecretKeys(config);
  if (secretKeys.length === 0)
    throw new CommandProblem(
      'wrongUse',
      `There is no secret key to include: ROLLCALL_SECRET_KEY is not set, and ${config.dataDir} has no secret.key. Run the command where the service runs.`,
    );
  return { passphrase, extras: { secretKeys } };
}

interface WrittenBackup {
  readonly bytes: number;
  /** The running service made it, and not this command. */
  readonly isDownloaded: boolean;
}

/** Asks the service that this user is logged in to. */
async function downloadTo(file: string, options: SealOptions): Promise<WrittenBackup> {
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
async function readTo(
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

/** Says which file could not be used. Other errors stay as they are. */
export function fileProblem(file: string, error: unknown): unknown {
  if (!isFileError(error)) return error;
  return new CommandProblem('wrongUse', `Cannot use ${file} (${error.code}).`, { cause: error });
}
