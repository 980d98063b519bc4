import { optionalSecret, optionalText, type Setting, wholeNumber } from '../kinds.js';

/** Scheduled backups, and the passphrase of all backups. */
export const backupSettings = {
  backupDir: optionalText(
    'ROLLCALL_BACKUP_DIR',
    'directory',
    'Directory for scheduled backups, best on another disk. See [backup.md](backup.md).',
  ),
  backupEveryHours: wholeNumber(
    'ROLLCALL_BACKUP_EVERY_HOURS',
    0,
    0,
    8_760,
    'Hours between scheduled backups. 0 turns them off. Requires `ROLLCALL_BACKUP_DIR`.',
  ),
  backupKeep: wholeNumber(
    'ROLLCALL_BACKUP_KEEP',
    7,
    1,
    10_000,
    'Number of scheduled backups to keep. Older ones are deleted.',
  ),
  backupPassphrase: {
    ...optionalSecret(
      'ROLLCALL_BACKUP_PASSPHRASE',
      'passphrase',
      'Passphrase of encrypted backups, also scheduled ones.',
    ),
    expects: 'at least 12 characters',
    parse: (value: string) => (value.length >= 12 ? value : undefined),
  } satisfies Setting<string | undefined>,
} as const;
