#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodes } from './cli/exit-codes.js';
import { buildProgram } from './cli/program.js';

// Readers such as head close the pipe early, which is not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`Cannot write to stdout (${code}).\n`);
  process.exit(exitCodes.someFailed);
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
}
