import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runOn } from '../../src/cli/host.js';
import { runProgram } from '../../src/cli/program.js';
import { CommandHost, Exited } from './command-host.js';
import { spawnRollcall } from './command-process.js';
import { Screen } from './screen.js';
import { credentialsIn } from './service.js';
import { temporaryDirectory } from './temporary-directory.js';

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

/** Runs `rollcall` to its end, with only these environment variables: in this process, which takes a tenth of the time. */
export async function rollcall(
  args: readonly string[],
  environment: Record<string, string> = {},
  options: CommandOptions = {},
): Promise<Ended> {
  if (options.cwd !== undefined) return runIn(options.cwd, args, environment, options);
  // Removed here, not by a hook, which would belong to another test if tests run concurrently.
  const cwd = mkdtempSync(join(tmpdir(), 'rollcall-command-'));
  try {
    return await runIn(cwd, args, environment, options);
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 10 });
  }
}

function runIn(
  cwd: string,
  args: readonly string[],
  environment: Record<string, string>,
  options: CommandOptions,
): Promise<Ended> {
  const needsProcess = args[0] === 'serve'; // it logs to the stdout of its process, and stops with it
  if (needsProcess) return spawnRollcall(args, environment, cwd, options.input).ended;
  return beginCommand(args, environment, { ...options, cwd }).ended;
}

export interface RunningCommand {
  /** The output so far. */
  readonly text: { readonly stdout: string; readonly stderr: string };
  /** Sends a signal to the command. */
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** The same, without waiting for the end. */
export function beginCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
  { cwd = temporaryDirectory(), input }: CommandOptions = {},
): RunningCommand {
  const text = { stdout: '', stderr: '' };
  const host = new CommandHost({
    args,
    env: { HOME: cwd, ...environment },
    directory: cwd,
    isTerminal: false,
    onOutput: (stream, more) => {
      text[stream] += more;
    },
  });
  host.stdin.end(input);
  const ended = run(host).then((code) => ({ code, ...text }));
  return { text, signal: (name) => void host.emit(name, name), ended };
}

/** Returns the exit code. */
async function run(host: CommandHost): Promise<number> {
  try {
    return (await runOn(host, runProgram)) ?? 0;
  } catch (error) {
    if (error instanceof Exited) return error.code;
    throw error;
  } finally {
    host.emit('exit');
  }
}

export interface TerminalSession {
  /** Everything written to the terminal, including escape sequences. */
  readonly screen: () => string;
  /** Waits until the text is on the screen. Fails with the screen content if the command ends first. */
  until(text: string | RegExp): Promise<void>;
  type(text: string): void;
  readonly ended: Promise<number>;
}

/** Runs `rollcall` in this process, with streams that behave like a terminal of 100 columns. */
export function inTerminal(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd = temporaryDirectory(),
): TerminalSession {
  const screen = new Screen();
  const host = new CommandHost({
    args,
    env: { HOME: cwd, TERM: 'xterm-256color', ...environment },
    directory: cwd,
    isTerminal: true,
    onOutput: (_stream, text) => screen.write(text.replaceAll('\n', '\r\n')),
  });
  const ended = run(host).finally(() => screen.end());
  onTestFinished(() => void host.stdin.end()); // ends a prompt that still waits
  return {
    screen: () => screen.text,
    until: (text) => screen.until(text),
    type: (text) => host.type(text),
    ended,
  };
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
