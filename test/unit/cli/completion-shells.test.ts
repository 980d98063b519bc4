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
  writeFileSync(join(home, 'work', 'people.csv'), '');
  const script = join(home, `rollcall.${shell}`);
  writeFileSync(script, completionScripts[shell]);
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm' };
  return { script, options: { cwd: join(home, 'work'), env } };
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

  test.runIf(isInstalled('bash'))('completes commands, options and values in bash', () => {
    const { script, options } = aHome('bash');
    // As called by readline: the words of the line, one of them split at the equals sign.
    const lines = [
      ['rollcall', 'ser'],
      ['rollcall', 'keys', ''],
      ['rollcall', 'serve', '--log-level', '=', 'w'],
      ['rollcall', 'serve', '--log-f'],
    ];
    const asks = lines.map((words) => {
      const quoted = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _rollcall; echo "\${COMPREPLY[*]}"`;
    });
    const { stdout, stderr } = spawnSync('bash', ['-c', `source ${script}\n${asks.join('\n')}`], {
      ...options,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual(['serve', 'rotate rewrap help', 'warn', '--log-format', '']);
  });

  test.runIf(isInstalled('bash'))('completes on Tab in bash, and leaves files to bash', async () => {
    const { script, options } = aHome('bash');
    const terminal = spawn('bash', ['--norc', '-i'], { ...options, cols: 200 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    let screen = '';
    terminal.onData((data) => {
      screen += data;
    });
    const typed = async (keys: string, shown: string) => {
      terminal.write(keys);
      await expect.poll(() => screen).toContain(shown);
    };
    await typed(`PS1='> '; source ${script}; echo sourc''ed\r`, 'sourced');
    await typed('rollcall ser\t', 'rollcall serve ');
    await typed('--log-level=w\t', '--log-level=warn ');
    await typed('--data-dir \t', '--data-dir exports/');
    await typed(' --issuers-file peo\t', '--issuers-file people.csv ');
  });

  test.runIf(isInstalled('zsh'))('completes on Tab in zsh', async () => {
    const { script, options } = aHome('zsh');
    const terminal = spawn('zsh', ['-f', '-i'], { ...options, cols: 200 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    let screen = '';
    terminal.onData((data) => {
      screen += data;
    });
    const typed = async (keys: string, shown: string) => {
      terminal.write(keys);
      await expect.poll(() => screen).toContain(shown);
    };
    await typed(`autoload -U compinit; compinit -u -D; source ${script}; echo sourc''ed\r`, 'sourced');
    await typed('rollcall ser\t', 'serve ');
    await typed('--log-level=w\t', 'warn ');
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
    expect(ask('rollcall serve --issuers-file p')).toContain('people.csv');
  });
});
