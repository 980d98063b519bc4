import { resolve } from 'node:path';
import type { Config } from '../../../config.js';
import type { SealOptions } from '../../../domain/backups/format/backup-stream.js';
import { existingSecretKeys } from '../../../domain/secrets/open-secret-cipher.js';
import { pathOf } from '../../host.js';
import { printJson, printMessage } from '../../output.js';
import { CommandProblem } from '../../problem.js';
import { lastUrl } from '../../session/connect.js';
import { duration, size } from '../../terminal/numbers.js';
import { err } from '../../terminal/style.js';
import { withFileErrors } from '../../with-file-errors.js';
import { serviceConfig } from '../service-config.js';
import { downloadTo, readTo } from './backup-source.js';
import { fileProblem } from './file-problem.js';

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
