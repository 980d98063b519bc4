import { resolve } from 'node:path';
import type { Config } from '../../../config.js';
import { schemaLevel } from '../../../domain/backups/fill-database.js';
import {
  type InspectedBackup,
  restoreBackup as restoreInto,
  totalRows,
} from '../../../domain/backups/restore-backup.js';
import { existingSecretCipher, writeSecretKey } from '../../../domain/secrets/open-secret-cipher.js';
import type { Database } from '../../../storage/database.js';
import { createEmbedded } from '../../../storage/embedded/new-embedded.js';
import { print, printJson, printMessage } from '../../output.js';
import { count, duration } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { withDatabase } from '../local-database.js';
import { serviceConfig } from '../service-config.js';
import { fileBytes, inspectFile } from './verify-backup.js';

/** `rollcall restore <file>`. Everything is checked before anything is written. */
export async function restoreBackup(file: string, options: { json?: boolean }): Promise<void> {
  const config = serviceConfig(options);
  const startedAt = performance.now();
  const backup = await inspectFile(file, config.backupPassphrase);
  schemaLevel(backup.header.migrations);
  const fill = (database: Database) => load(database, file, config, backup);
  if (config.databaseUrl === undefined) await createEmbedded(config.dataDir, fill);
  else await withDatabase('restore the backup', config, fill);
  const key = restoreKey(config, backup);
  const ms = Math.round(performance.now() - startedAt);
  const users = backup.rows.users ?? 0;
  if (options.json) return printJson({ users, rows: totalRows(backup), ...key, ms });
  const where = config.databaseUrl === undefined ? resolve(config.dataDir) : 'the database';
  print(
    `Restored ${count(users)} users (${count(totalRows(backup))} rows) into ${where} in ${duration(ms)}.`,
  );
  if (key.writtenTo) printMessage(`The secret key was in the backup and is now in ${key.writtenTo}.`);
  if (key.missingKeyIds.length > 0) printMessage(missingKeys(key.missingKeyIds));
  printMessage('Lists and searches are indexed when the service starts.');
}

async function load(
  database: Database,
  file: string,
  { backupPassphrase: passphrase }: Config,
  backup: InspectedBackup,
): Promise<void> {
  const total = { count: totalRows(backup), isExact: true };
  const progress = createProgress({ doing: 'Restoring', unit: 'rows', total });
  let done = 0;
  const onRows = (more: number) => {
    done += more;
    progress.at(done);
  };
  try {
    await restoreInto(database, fileBytes(file), { passphrase, onRows });
  } finally {
    progress.end();
  }
}

interface RestoredKey {
  /** The file that got the key. */
  readonly writtenTo: string | null;
  /** What these keys encrypt cannot be read. */
  readonly missingKeyIds: readonly string[];
}

/** The key of the backup becomes that of the data directory, unless another is configured or there. */
function restoreKey(config: Config, { header, secretKeys: [key] }: InspectedBackup): RestoredKey {
  const isWritten =
    key !== undefined && config.secretKey === undefined && writeSecretKey(config.dataDir, key);
  const cipher = existingSecretCipher(config);
  return {
    writtenTo: isWritten ? resolve(config.dataDir, 'secret.key') : null,
    missingKeyIds: header.secretKeyIds.filter((id) => !cipher?.canDecrypt(id)),
  };
}

function missingKeys(ids: readonly string[]): string {
  return `Before you start the service, bring back the secret key ${ids.join(' and ')}: copy secret.key into the data directory, or set ROLLCALL_SECRET_KEY. Without it, the service refuses to start.`;
}
