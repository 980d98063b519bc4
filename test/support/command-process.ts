import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import type { CommandOptions, Ended, TerminalSession } from './command.js';
import { nodeFlags } from './node-flags.js';
import { Screen } from './screen.js';
import { timed } from './setup-costs.js';
import { temporaryDirectory } from './temporary-directory.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  readonly text: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
}

/** Starts the built `rollcall` as a process: for signals, exits and pipes. Killed when the test ends. */
export function startRollcall(
  args: readonly string[],
  environment: Record<string, string> = {},
  { cwd = temporaryDirectory(), input }: CommandOptions = {},
): Started {
  const started = spawnRollcall(args, environment, cwd, input);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

/** The same for concurrent tests, whose hooks would belong to each other. Nobody kills it. */
export function spawnRollcall(
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string,
  input?: string | Buffer,
): Started {
  const child = spawn(process.execPath, [...nodeFlags, cli, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  child.stdin.on('error', () => {}); // it may end without reading all of it
  child.stdin.end(input);
  const ended = timed(
    'spawn command',
    () => new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...text }))),
  );
  return { child, text, ended };
}

/** Runs `rollcall` as a process in a pseudo-terminal of 100 columns. */
export function inPseudoTerminal(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd = temporaryDirectory(),
): TerminalSession {
  const terminal = spawnInTerminal(process.execPath, [...nodeFlags, cli, ...args], {
    cols: 100,
    rows: 40,
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...environment },
  });
  const screen = new Screen();
  terminal.onData((data) => screen.write(data));
  let isRunning = true;
  const ended = new Promise<number>((resolve) =>
    terminal.onExit(({ exitCode }) => {
      isRunning = false;
      screen.end();
      resolve(exitCode);
    }),
  );
  onTestFinished(() => {
    if (isRunning) terminal.kill('SIGKILL');
  });
  return {
    screen: () => screen.text,
    until: (text) => screen.until(text),
    type: (text) => terminal.write(text),
    ended,
  };
}
