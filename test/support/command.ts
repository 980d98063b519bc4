import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { nodeFlags } from './node-flags.js';
import { credentialsIn } from './service.js';
import { timed } from './setup-costs.js';
import { temporaryDirectory } from './temporary-directory.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Where the command runs; by default, its own directory. */
  readonly cwd?: string;
  /** The content of stdin. */
  readonly input?: string | Buffer;
}

/** Runs the built `rollcall` to its end, with only these environment variables. */
export async function rollcall(
  args: readonly string[],
  environment: Record<string, string> = {},
  options: CommandOptions = {},
): Promise<Ended> {
  if (options.cwd !== undefined) return spawnRollcall(args, environment, options.cwd, options.input).ended;
  // Removed here, not by a hook, which would belong to another test if tests run concurrently.
  const cwd = mkdtempSync(join(tmpdir(), 'rollcall-command-'));
  try {
    return await spawnRollcall(args, environment, cwd, options.input).ended;
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 10 });
  }
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  readonly text: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
}

/** The same, without waiting for the end. Killed when the test ends, so not for concurrent tests. */
export function startRollcall(
  args: readonly string[],
  environment: Record<string, string> = {},
  options: CommandOptions = {},
): Started {
  const started = spawnRollcall(args, environment, options.cwd ?? temporaryDirectory(), options.input);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

function spawnRollcall(
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string,
  input: string | Buffer | undefined,
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

/** The environment of a command that uses a service as its first client. */
export function asFirstClient(service: { readonly url: string; readonly dataDir: string }) {
  const { clientId, clientSecret } = credentialsIn(service.dataDir);
  return {
    ROLLCALL_URL: service.url,
    ROLLCALL_CLIENT_ID: clientId,
    ROLLCALL_CLIENT_SECRET: clientSecret,
  };
}

export interface TerminalSession {
  /** Everything written to the terminal, including escape sequences. */
  readonly screen: () => string;
  /** Waits until the text is on the screen. Fails with the screen content if the command ends first. */
  until(text: string | RegExp): Promise<void>;
  type(text: string): void;
  readonly ended: Promise<number>;
}

/** Runs `rollcall` in a pseudo-terminal of 100 columns. */
export function inTerminal(
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
  let screen = '';
  let exitCode: number | undefined;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  terminal.onData((data) => {
    screen += data;
    wake();
  });
  const ended = new Promise<number>((resolve) =>
    terminal.onExit((end) => {
      exitCode = end.exitCode;
      resolve(end.exitCode);
      wake();
    }),
  );
  onTestFinished(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
  });
  return {
    screen: () => screen,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isThere = typeof text === 'string' ? screen.includes(text) : text.test(screen);
          if (!isThere && exitCode === undefined) return;
          waiting.delete(look);
          if (isThere) resolve();
          else reject(new Error(`"${text}" never appeared: ${screen}`));
        };
        waiting.add(look);
        look();
      }),
    type: (text) => terminal.write(text),
    ended,
  };
}
