import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

interface ProgramOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Program {
  /** Resolves when it has exited with 0; otherwise rejects with the end of its output. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const outputKeptChars = 2_000;
/** By then a peer has stopped, or ignores the signal. */
const stopTimeoutMs = 10_000;
const startTimeoutMs = 120_000;

/**
 * Runs a command in its own process group, so that everything it starts, such as a compiler, ends with it: at once if
 * the run is interrupted.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { folder, environment = {}, signal }: ProgramOptions,
): Program {
  signal.throwIfAborted();
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    env: { ...environmentOfOurs(), NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputKeptChars);
    });
  }
  const killGroup = (name: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, name);
    } catch {
      // It has already exited.
    }
  };
  const kill = () => killGroup('SIGKILL');
  signal.addEventListener('abort', kill);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(new Error(`it exited with ${by ?? code}: ${reasonIn(output, folder)}`));
    });
  });
  ended.catch(() => {}); // rejections are reported to those who wait for it; nobody has to
  return {
    ended,
    stop: async () => {
      killGroup('SIGTERM');
      const timer = setTimeout(kill, stopTimeoutMs);
      await ended.catch(() => {});
      clearTimeout(timer);
    },
  };
}

/** Without npm's own variables, which would make an npm started here use our project. */
function environmentOfOurs(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

/** The errors in its output, or else the end of it, without paths of this machine. */
function reasonIn(output: string, folder: string): string {
  const lines = output
    .replaceAll(folder, '.')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.includes('complete log of this run'));
  const errors = lines.filter((line) => /error/i.test(line));
  return errors.slice(0, 3).join(' ') || lines.slice(-3).join(' ') || 'no output';
}

/** Waits until a GET request to the URL succeeds. */
export async function untilAnswered(url: string, program: Program): Promise<void> {
  let failure: Error | undefined;
  program.ended.then(
    () => {
      failure = new Error('it exited during startup');
    },
    (error) => {
      failure = error;
    },
  );
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const reply = await fetch(url).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply?.ok) return;
    if (failure) throw failure;
    if (performance.now() > deadline) throw new Error(`no response within ${startTimeoutMs / 1_000} s`);
    await pause(100);
  }
}
