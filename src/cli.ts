#!/usr/bin/env node
import { exitCodes } from './cli/problem.js';
import { runProgram } from './cli/program.js';

// Readers such as head close the pipe early, which is not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`Cannot write to stdout (${code}).\n`);
  process.exit(exitCodes.someFailed);
});

process.exitCode = await runProgram();
