import { ConfigInvalid } from '../config.js';
import { StartupError } from '../storage/errors.js';
import { host } from './host.js';
import { CommandProblem, type Exit, exitCodes } from './problem.js';
import { err, supportsColor } from './terminal/style.js';

export interface RunOptions {
  /** Report problems as JSON too. */
  readonly json?: boolean | undefined;
  /** The command keeps the process alive by itself. */
  readonly keepsRunning?: boolean | undefined;
}

/** Nothing means done. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command may return nothing
export type CommandResult = Exit | void;

/** Runs a command and exits. A failure is reported as one sentence, and by the exit code. */
export async function run(
  action: string,
  command: () => Promise<CommandResult>,
  { json, keepsRunning }: RunOptions = {},
): Promise<void> {
  const failed = async (error: unknown) => {
    const problem = await problemOf(action, error);
    host().stderr.write(`${json ? JSON.stringify(jsonOf(problem)) : withErrorMark(problem.message)}\n`);
    return end(problem.exit);
  };
  const result = await command().catch(failed);
  if (!keepsRunning) await end(result ?? 'done');
}

export function withErrorMark(message: string): string {
  return supportsColor(host().stderr) ? `${err.red('✗')} ${message}` : message;
}

async function end(exit: Exit): Promise<never> {
  await new Promise<void>((resolve) => host().stdout.write('', () => resolve()));
  return host().exit(exitCodes[exit]);
}

/** Errors of the service keep their name and code. */
function jsonOf({ exit, message, cause }: CommandProblem) {
  const { name, code, requestId } = Object(cause) as { name?: string; code?: number; requestId?: string };
  return { error: { exit, message, ...(typeof code === 'number' ? { name, code, requestId } : {}) } };
}

async function problemOf(action: string, error: unknown): Promise<CommandProblem> {
  if (error instanceof CommandProblem) return error;
  const failure = `Could not ${action}`;
  if (error instanceof ConfigInvalid) {
    return new CommandProblem('wrongUse', `${failure}:\n  ${error.problems.join('\n  ')}`);
  }
  if (error instanceof StartupError) return new CommandProblem('refused', `${failure}: ${error.message}`);
  const { code, syscall, port, address } = Object(error) as Partial<NodeJS.ErrnoException> & {
    readonly port?: number;
    readonly address?: string;
  };
  if (code === 'EADDRINUSE') {
    const message = `${failure}: ${address}:${port} is already in use. Stop the other program, or set PORT.`;
    return new CommandProblem('refused', message);
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const message = `${failure}: cannot listen on ${address ?? 'this address'} (${code}). Set HOST and PORT.`;
    return new CommandProblem('refused', message);
  }
  // Loaded only on failure: a running service does not need the client.
  const requestProblem = (await import('./session/request-problem.js')).requestProblem(action, error);
  if (requestProblem) return requestProblem;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CommandProblem('someFailed', `${failure}: ${details}`, { cause: error });
}
