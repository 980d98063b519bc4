import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { describe, expect, onTestFinished, test } from 'vitest';
import { completionScripts, type Shell } from '../../../src/cli/completion/scripts.js';
import { rollcall } from '../../support/command.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

/** A home directory with `rollcall` on the path, its completion script, and files to complete. */
function aHome(shell: Shell) {
  const home = temporaryDirectory();
  const command = join(home, 'bin', 'rollcall');
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'work', 'exports'), { recursive: true });
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(home, 'work', 'users.csv'), '');
  const script = join(home, `rollcall.${shell}`);
  writeFileSync(script, completionScripts[shell]);
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm' };
  return { script, options: { cwd: join(home, 'work'), env } };
}

/** Sequences that style text or move the cursor: zsh shows the space after a completed word in bold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin
const escapeSequences = /\u001b\[[\d;?]*[A-Za-z]/g;

/** A shell in a terminal, with the completion script loaded and its line editor ready for keys. */
async function interactive(shell: Shell, args: string[], setUp: string) {
  const { script, options } = aHome(shell);
  const terminal = spawn(shell, args, { ...options, cols: 200 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  let screen = '';
  terminal.onData((data) => {
    screen += data;
  });
  const until = (shown: string | RegExp) =>
    expect.poll(() => screen.replace(escapeSequences, '')).toMatch(shown);
  terminal.write(`${setUp}; source ${script}; echo sourc''ed\r`);
  // A shell that prints its prompt has already taken over the terminal.
  await until(/sourced\r\n[\s\S]*ready> $/);
  return { type: (keys: string) => terminal.write(keys), until };
}

function isInstalled(shell: Shell): boolean {
  const isThere = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  if (!isThere) console.log(`${shell} is not installed, so its completion is not tried.`);
  return isThere;
}

describe('rollcall completion', () => {
  test('prints the script, and rejects an unknown shell', async () => {
    const [bash, tcsh] = await Promise.all([
      rollcall(['completion', 'bash']),
      rollcall(['completion', 'tcsh']),
    ]);
    expect(bash).toEqual({ code: 0, stdout: completionScripts.bash, stderr: '' });
    expect(tcsh).toMatchObject({ code: 2, stdout: '' });
    expect(tcsh.stderr).toContain('Allowed choices are bash, zsh, fish.');
  });

  test.runIf(isInstalled('bash'))('completes on Tab in bash, and leaves files to bash', async () => {
    const { type, until } = await interactive('bash', ['--norc', '-i'], "PS1='ready> '");
    type('rollcall ser\t');
    await until('ready> rollcall serve ');
    type('--log-level=w\t');
    await until('rollcall serve --log-level=warn ');
    type('--data-dir \t');
    await until('--data-dir exports/');
    type(' --issuers-file use\t');
    await until('--issuers-file users.csv ');
    type('\u0015rollcall keys \t\t');
    await until(/\nhelp +rewrap +rotate/);
  });

  test.runIf(isInstalled('zsh'))('completes on Tab in zsh, and leaves files to zsh', async () => {
    const compinit = 'autoload -U compinit; compinit -u -D';
    const { type, until } = await interactive('zsh', ['-f', '-i'], `PROMPT='ready> '; ${compinit}`);
    type('rollcall ser\t');
    await until('rollcall serve ');
    type('--log-level=w\t');
    await until('--log-level=warn ');
    type('--data-dir \t');
    await until('--data-dir exports/'); // without a bell, which would mean that nothing was found
    type(' --issuers-file use\t');
    await until('--issuers-file users.csv ');
  });

  test.runIf(isInstalled('fish'))('completes with descriptions in fish', () => {
    const { script, options } = aHome('fish');
    const ask = (line: string) =>
      spawnSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
        ...options,
        encoding: 'utf8',
      }).stdout;
    expect(ask('rollcall ser')).toBe('serve\tRun the service.\n');
    expect(ask('rollcall serve --log-level=w')).toBe('--log-level=warn\n');
    expect(ask('rollcall serve --issuers-file u')).toContain('users.csv');
  });
});
