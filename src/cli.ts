#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { run } from './cli/run.js';
import { settings } from './config/settings.js';
import { version } from './http/openapi-document.js';

/** A command loads its own code when it is run: help and mistakes are answered at once. */
const program = new Command('rollcall')
  .description('User management by employee ID.')
  .version(version)
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

program
  .command('serve')
  .description('Run the service. Configuration comes from the environment; see docs/configuration.md.')
  .option(
    '--workers <count>',
    'processes that share the port, or auto for one per core; goes before ROLLCALL_WORKERS',
    workerCount,
  )
  .addHelpText(
    'after',
    '\nExamples:\n  $ rollcall serve\n  $ DATABASE_URL=postgres://localhost/rollcall PORT=9000 rollcall serve --workers 4\n',
  )
  .action((options) => run('start', async () => (await import('./cli/serve.js')).serve(options)));

program
  .command('keys')
  .description('The keys that sign access tokens.')
  .command('rotate')
  .description('Sign with a new key from now on. Old tokens stay valid until they end.')
  .option('--revoke-old', 'end all tokens signed so far, within seconds: for a key that leaked')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nRuns on the database itself, so the embedded one must not be open in a running service.\n\nExamples:\n  $ DATABASE_URL=postgres://localhost/rollcall rollcall keys rotate\n  $ rollcall keys rotate --revoke-old\n',
  )
  .action((options) =>
    run('rotate the keys', async () => (await import('./cli/keys-rotate.js')).rotateKeys(options), 'exit'),
  );

program
  .command('password')
  .description('How passwords are hashed.')
  .command('calibrate')
  .description('Measure argon2id on this machine and suggest its settings.')
  .option('--target-ms <ms>', 'how long one hash may take', positiveNumber, 50)
  .option('--json', 'print the figures as JSON')
  .addHelpText('after', '\nExample:\n  $ rollcall password calibrate --target-ms 100\n')
  .action((options) =>
    run(
      'calibrate',
      async () => (await import('./cli/password-calibrate.js')).calibratePasswords(options),
      'exit',
    ),
  );

await program.parseAsync();

function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function workerCount(text: string): number {
  const count = settings.workers.parse(text);
  if (count === undefined) throw new InvalidArgumentError(`It must be ${settings.workers.expects}.`);
  return count;
}
