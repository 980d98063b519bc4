import type { RollcallCommand } from '../../rollcall-command.js';
import { backupFlags, databaseFlags } from '../setting-flags.js';

/** Back up, restore and move the data of a service. */
export function backupCommands(program: RollcallCommand): void {
  const backup = program.command('backup').description('Back up everything, and check backups.');
  const create = backup
    .command('create', { isDefault: true })
    .description('Write a backup. The service can keep running.')
    .argument('<file>', 'the file to write; replaced once the backup is complete')
    .option('--encrypt', 'fail unless a passphrase is set; with one, backups are always encrypted')
    .option('--include-key', 'include the secret key of the installation; requires a passphrase')
    .option('--remote', 'let the service make the backup, even if its database can be opened here');
  backupFlags(databaseFlags(create))
    .details(
      '`rollcall backup <file>` is the same. The command reads the database itself. If a service\n' +
        'uses the embedded database, the service makes the backup: log in first, as a client or user\n' +
        'with access:admin. The passphrase is in ROLLCALL_BACKUP_PASSPHRASE or a file.',
    )
    .examples(
      'DATABASE_URL=$DATABASE_URL rollcall backup rollcall.backup',
      'DATABASE_URL=$DATABASE_URL ROLLCALL_BACKUP_PASSPHRASE=$PASSPHRASE rollcall backup rollcall.backup --encrypt --include-key',
    )
    .runs('make the backup', async () => (await import('./create-backup.js')).createBackup);

  const verify = backup
    .command('verify')
    .description('Check that a backup is complete and undamaged, and show what is in it.')
    .argument('<file>', 'the backup');
  backupFlags(verify)
    .examples('rollcall backup verify rollcall.backup', 'rollcall backup verify rollcall.backup --json')
    .runs('verify the backup', async () => (await import('./verify-backup.js')).verifyBackup);

  backup
    .command('list')
    .description('List the backups in a directory, without checking them.')
    .argument('[directory]', 'by default, ROLLCALL_BACKUP_DIR')
    .examples('rollcall backup list .')
    .lists('list the backups', async () => (await import('./list-backups.js')).listBackups);

  const restore = program
    .command('restore')
    .description('Restore a backup into an empty database or a new data directory.')
    .argument('<file>', 'the backup');
  backupFlags(databaseFlags(restore))
    .details(
      'The whole backup is verified first. Nothing is ever overwritten, and a failure leaves the\n' +
        'target as it was. A backup of an older version is migrated to this one.',
    )
    .examples(
      'rollcall restore rollcall.backup --data-dir ./restored',
      'DATABASE_URL=$EMPTY_DATABASE_URL rollcall restore rollcall.backup',
    )
    .runs('restore the backup', async () => (await import('./restore-backup.js')).restoreBackup);

  const move = program
    .command('move')
    .description('Move all data from the embedded database to PostgreSQL, or back.')
    .requiredOption('--to <target>', 'a PostgreSQL URL, or a directory for an embedded database');
  databaseFlags(move)
    .details(
      'Stop the service first. Everything is copied and every row is compared; the source stays as\n' +
        'it is. If interrupted, run it again. The target must be empty.',
    )
    .examples('rollcall move --data-dir ./data --to $EMPTY_DATABASE_URL')
    .runs('move the data', async () => (await import('./move.js')).move);
}
