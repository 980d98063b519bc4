import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { nodeFlags } from './node-flags.js';
import { temporaryDirectory } from './temporary-directory.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface Shell {
  /** Its working directory, which is also its home. */
  readonly home: string;
  /** Runs lines as if pasted, and stops at the first that fails. */
  run(lines: readonly string[]): ShellRun;
}

export interface ShellRun {
  /** The output so far, including each line before it runs. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** Interrupts the running commands, like Ctrl-C. */
  interrupt(): void;
}

/** A bash with `rollcall` on its PATH, only these environment variables, and no terminal. */
export function openShell(environment: Environment): Shell {
  const home = temporaryDirectory();
  const bin = temporaryDirectory();
  const processes = join(bin, 'processes');
  const command = join(bin, 'rollcall');
  const node = `'${process.execPath}' ${nodeFlags.join(' ')}`;
  writeFileSync(command, `#!/bin/sh\necho $$ >> '${processes}'\nexec ${node} '${cli}' "$@"\n`);
  chmodSync(command, 0o755);
  const running = () =>
    existsSync(processes) ? readFileSync(processes, 'utf8').trim().split('\n').map(Number) : [];
  return {
    home,
    run(lines) {
      const child = spawn('bash', ['-ex', '-o', 'pipefail', '-c', lines.join('\n')], {
        cwd: home,
        env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const signal = (name: NodeJS.Signals) => {
        if (child.exitCode !== null) return; // by now the IDs may belong to other processes
        for (const id of running()) trySignal(id, name);
      };
      onTestFinished(() => {
        signal('SIGKILL');
        child.kill('SIGKILL');
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
        child.once('close', (code) => resolve({ code, output })),
      );
      return { output: () => output, ended, interrupt: () => signal('SIGINT') };
    },
  };
}

function trySignal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // already ended
  }
}
