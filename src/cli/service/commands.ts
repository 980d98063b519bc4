import { positiveNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { backupCommands } from './backup/commands.js';
import { allFlags, databaseFlags } from './setting-flags.js';

/** Commands that run where the service runs, with its configuration and database. */
export function serviceCommands(program: RollcallCommand): void {
  allFlags(program.command('serve'), 'all')
    .description('Run the service.')
    .details(
      'Every flag overrides an environment variable: --port is PORT, --data-dir is\n' +
        'ROLLCALL_DATA_DIR, and so on. See docs/configuration.md.',
    )
    .examples(
      'rollcall serve --port 9470 --data-dir ./data',
      'DATABASE_URL=$DATABASE_URL rollcall serve --port 9471 --workers 2',
    )
    .runsUntilStopped('start', async () => (await import('./serve.js')).serve);

  allFlags(program.command('doctor'), 'common')
    .description('Check the installation: the configuration and everything it depends on. Read-only.')
    .details(
      'Run it with the same variables and flags as the service; it accepts every flag of\n' +
        '`rollcall serve`. Exit codes: 0 no check failed, 1 a check failed, 2 invalid settings.',
    )
    .examples(
      'rollcall doctor --port 9470 --public-url http://localhost:9470',
      'rollcall doctor --port 9470 --public-url http://localhost:9470 --data-dir ./data --json',
    )
    .runs('check the installation', async () => (await import('./doctor/doctor.js')).doctor);

  const migrate = program
    .command('migrate')
    .description('Migrate the database schema. The service also does this at startup.')
    .option('--status', 'only show applied and pending migrations');
  databaseFlags(migrate)
    .details('Stop the service first if it uses the embedded database.')
    .examples('rollcall migrate --status', 'rollcall migrate --data-dir ./data')
    .runs('migrate', async () => (await import('./migrate.js')).migrateSchema);

  const keys = program
    .command('keys')
    .description('Manage the keys that sign tokens and encrypt stored secrets.');
  const rotate = keys
    .command('rotate')
    .description('Sign tokens with new keys. Existing tokens stay valid until they expire.')
    .option('--revoke-old', 'revoke all existing tokens within seconds; use this if the key has leaked');
  databaseFlags(rotate)
    .details('Stop the service first if it uses the embedded database.')
    .examples(
      'DATABASE_URL=$DATABASE_URL rollcall keys rotate',
      'DATABASE_URL=$DATABASE_URL rollcall keys rotate --revoke-old',
    )
    .runs('rotate the keys', async () => (await import('./keys.js')).rotateKeys);

  const rewrap = keys
    .command('rewrap')
    .description('Encrypt all stored secrets with the current ROLLCALL_SECRET_KEY.')
    .option(
      '--discard <key-id>',
      'discard everything encrypted with this lost key; tokens of its signing keys are revoked',
    );
  databaseFlags(rewrap)
    .details(
      'Run it after you set or replace ROLLCALL_SECRET_KEY, with the old key in\n' +
        'ROLLCALL_SECRET_KEY_PREVIOUS. If interrupted, run it again. Stop the service first if it\n' +
        'uses the embedded database.',
    )
    .examples(
      'DATABASE_URL=$DATABASE_URL rollcall keys rewrap',
      'DATABASE_URL=$DATABASE_URL rollcall keys rewrap --json',
    )
    .runs('rewrap the secrets', async () => (await import('./keys.js')).rewrapKeys);

  const reindex = program.command('reindex').description('Rebuild the list and search index.');
  databaseFlags(reindex)
    .details(
      'Run it if anything other than Rollcall has written to the users table. The service rebuilds\n' +
        'the index in the background. With the embedded database, stop the service, run this\n' +
        'command, then start the service again.',
    )
    .examples('DATABASE_URL=$DATABASE_URL rollcall reindex')
    .runs('reindex', async () => (await import('./reindex.js')).reindex);

  backupCommands(program);

  const password = program.command('password').description('Tune password hashing.');
  password
    .command('calibrate')
    .description('Measure argon2id on this machine and suggest settings.')
    .option('--target-ms <ms>', 'maximum time per hash, in milliseconds', positiveNumber, 50)
    .examples('rollcall password calibrate --target-ms 25')
    .runs(
      'calibrate password hashing',
      async () => (await import('./password-calibrate.js')).calibratePasswords,
    );
}
