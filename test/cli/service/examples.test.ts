import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { completionCommands } from '../../../src/cli/completion/commands.js';
import { RollcallCommand } from '../../../src/cli/rollcall-command.js';
import { serviceCommands } from '../../../src/cli/service/commands.js';
import { useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

function examples(): string[] {
  const program = new RollcallCommand('rollcall');
  serviceCommands(program);
  completionCommands(program);
  const below = (command: RollcallCommand): string[] => [
    ...command.exampleLines,
    ...command.commands.flatMap((child) => below(child as RollcallCommand)),
  ];
  return below(program);
}

/** Pastes a line into a shell, in an empty directory; what goes on is stopped once it is ready. */
async function pasted(line: string, databaseUrl: string) {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'rollcall'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(cwd, 'rollcall'), 0o755);
  const child = spawn('bash', ['-c', line], {
    cwd,
    env: { PATH: `${cwd}:${process.env.PATH}`, HOME: cwd, DATABASE_URL: databaseUrl },
    detached: true, // a group of its own, which a signal reaches as Ctrl-C would
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid as number), name);
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
  });
  const told = { stdout: '', stderr: '' };
  let isStopped = false;
  const ready = line.includes('--workers') ? 'workers serve.' : 'Ready.';
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      told[stream] += text;
      if (isStopped || !told.stdout.includes(ready)) return;
      isStopped = true;
      signal('SIGINT');
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, isStopped, ...told };
}

/** One of the two engines is enough: the lines say themselves which database they need. */
describe.runIf(inject('engine') === 'postgres')('examples of the help', () => {
  const service = useOwnService();

  test.each(examples())('$ %s', async (line) => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = new URL(service.database.description).pathname;
    const { code, isStopped, stderr } = await pasted(line, line.includes('$DATABASE_URL') ? url.href : '');
    expect(code, stderr).toBe(0);
    expect(isStopped).toBe(line.includes('rollcall serve'));
  });
});
