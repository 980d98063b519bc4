import { positiveNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { allFlags, databaseFlags } from './setting-flags.js';

/** What runs on the machine of the service, on its configuration and its database. */
export function serviceCommands(program: RollcallCommand): void {
  allFlags(program.command('serve'), 'all')
    .description('Run the service.')
    .details(
      'Every flag is also an environment variable, and goes before it: --port is PORT,\n' +
        '--data-dir is ROLLCALL_DATA_DIR, and so on; docs/configuration.md has them all.',
    )
    .examples(
      'rollcall serve --port 9470 --data-dir ./people',
      'DATABASE_URL=$DATABASE_URL rollcall serve --port 9471 --workers 2',
    )
    .stays('start', async () => (await import('./serve.js')).serve);

  allFlags(program.command('doctor'), 'common')
    .description('Check the configuration and all that the service depends on. Changes and sends nothing.')
    .details(
      'Give it the variables and the flags that the service has; it takes every flag of\n' +
        '`rollcall serve`. It ends with 0 if nothing fails, with 1 if something does, and\n' +
        'with 2 if a setting is wrong.',
    )
    .examples(
      'rollcall doctor --port 9470 --public-url http://localhost:9470',
      'rollcall doctor --port 9470 --public-url http://localhost:9470 --data-dir ./people --json',
    )
    .runs('look at the installation', async () => (await import('./doctor/doctor.js')).doctor);

  const migrate = program
    .command('migrate')
    .description('Bring the schema of the database up to date. A service does it at its start, too.')
    .option('--status', 'only tell what was applied and what is pending');
  databaseFlags(migrate)
    .details('The embedded database must not be open in a running service.')
    .examples('rollcall migrate --status', 'rollcall migrate --data-dir ./people')
    .runs('migrate', async () => (await import('./migrate.js')).migrateSchema);

  const keys = program
    .command('keys')
    .description('The keys that sign access tokens, and the key that encrypts stored secrets.');
  const rotate = keys
    .command('rotate')
    .description('Sign with a new key from now on. Old tokens stay valid until they end.')
    .option('--revoke-old', 'end all tokens signed so far, within seconds: for a key that leaked');
  databaseFlags(rotate)
    .details('Runs on the database itself, so the embedded one must not be open in a running\nservice.')
    .examples(
      'DATABASE_URL=$DATABASE_URL rollcall keys rotate',
      'DATABASE_URL=$DATABASE_URL rollcall keys rotate --revoke-old',
    )
    .runs('rotate the keys', async () => (await import('./keys-rotate.js')).rotateKeys);

  const rewrap = keys
    .command('rewrap')
    .description('Encrypt all stored secrets with the current ROLLCALL_SECRET_KEY.')
    .option(
      '--discard <key-id>',
      'give up what is encrypted with this lost key: ends all tokens if it is the signing key',
    );
  databaseFlags(rewrap)
    .details(
      'Run it after you set or replace ROLLCALL_SECRET_KEY, with the old key in\n' +
        'ROLLCALL_SECRET_KEY_PREVIOUS. It can be interrupted and run again. An embedded database\n' +
        'must not be open in a running service.',
    )
    .examples(
      'DATABASE_URL=$DATABASE_URL rollcall keys rewrap',
      'DATABASE_URL=$DATABASE_URL rollcall keys rewrap --json',
    )
    .runs('rewrap the secrets', async () => (await import('./keys-rewrap.js')).rewrapKeys);

  const password = program.command('password').description('How passwords are hashed.');
  password
    .command('calibrate')
    .description('Measure argon2id on this machine and suggest its settings.')
    .option('--target-ms <ms>', 'how long one hash may take', positiveNumber, 50)
    .examples('rollcall password calibrate --target-ms 25')
    .runs('calibrate', async () => (await import('./password-calibrate.js')).calibratePasswords);
}
