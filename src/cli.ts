#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { ConfigInvalid } from './config.js';
import { version } from './http/openapi-document.js';
import { StartRefused } from './storage/errors.js';

/** A command loads its own code when it is run: help and mistakes are answered at once. */
const program = new Command('rollcall')
  .description('User management by employee ID.')
  .version(version)
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

program
  .command('serve')
  .description('Run the service. Configuration comes from the environment; see docs/configuration.md.')
  .addHelpText(
    'after',
    '\nExamples:\n  $ rollcall serve\n  $ DATABASE_URL=postgres://localhost/rollcall PORT=9000 rollcall serve\n',
  )
  .action(() => run('start', async () => (await import('./cli/serve.js')).serve()));

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

/** Runs a command to its end; what keeps it from starting is told in a sentence. */
async function run(doing: string, command: () => Promise<void>, then?: 'exit'): Promise<void> {
  try {
    await command();
    // PGlite keeps the process alive on its own account.
    if (then === 'exit') process.exit();
  } catch (error) {
    process.stderr.write(`${problemOf(doing, error)}\n`);
    process.exitCode = 1;
    process.exit();
  }
}

function problemOf(doing: string, error: unknown): string {
  const cannot = `Rollcall cannot ${doing}`;
  if (error instanceof ConfigInvalid) return `${cannot}:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof StartRefused) return `${cannot}: ${error.message}`;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    return `${cannot}: ${address}:${port} is in use. Stop the other program, or set PORT.`;
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${cannot}: it cannot listen on ${address ?? 'this address'} (${code}). Set HOST and PORT.`;
  }
  return `${cannot}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
