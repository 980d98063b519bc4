import { settings } from '../../config/settings.js';
import { parsedBy, positiveNumber } from '../arguments.js';
import { group, type RollcallCommand } from '../rollcall-command.js';

/** What runs on the machine of the service, on its configuration and its database. */
export function serviceCommands(program: RollcallCommand): void {
  program
    .command('serve')
    .description('Run the service. Configuration comes from the environment; see docs/configuration.md.')
    .option(
      '--workers <count>',
      'processes that share the port, or auto for one per core; goes before ROLLCALL_WORKERS',
      parsedBy(settings.workers),
    )
    .examples(
      'rollcall serve',
      'DATABASE_URL=postgres://localhost/rollcall PORT=9000 rollcall serve --workers 4',
    )
    .stays('start', async () => (await import('./serve.js')).serve);

  const keys = group(program, 'keys', 'The keys that sign access tokens.');
  keys
    .command('rotate')
    .description('Sign with a new key from now on. Old tokens stay valid until they end.')
    .option('--revoke-old', 'end all tokens signed so far, within seconds: for a key that leaked')
    .details('Runs on the database itself, so the embedded one must not be open in a running service.\n')
    .examples(
      'DATABASE_URL=postgres://localhost/rollcall rollcall keys rotate',
      'rollcall keys rotate --revoke-old',
    )
    .runs('rotate the keys', async () => (await import('./keys-rotate.js')).rotateKeys);

  const password = group(program, 'password', 'How passwords are hashed.');
  password
    .command('calibrate')
    .description('Measure argon2id on this machine and suggest its settings.')
    .option('--target-ms <ms>', 'how long one hash may take', positiveNumber, 50)
    .examples('rollcall password calibrate --target-ms 100')
    .runs('calibrate', async () => (await import('./password-calibrate.js')).calibratePasswords);
}
