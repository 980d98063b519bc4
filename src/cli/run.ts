import { ConfigInvalid } from '../config.js';
import { StartupError } from '../storage/errors.js';
import { type Exit, exitCodes } from './exit-codes.js';
import { CommandProblem } from './problem.js';
import { err, hasColours } from './terminal/style.js';

export interface RunOptions {
  /** Problems are told as JSON too. */
  readonly json?: boolean | undefined;
  /** The command goes on by itself after its start. */
  readonly stays?: boolean | undefined;
}

/** What a command came to; nothing is as good as done. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command that only does its work returns nothing at all
export type Ended = Exit | void;

/** Runs a command to its end. What keeps it from there is told in a sentence, and by the exit code. */
export async function run(
  doing: string,
  command: () => Promise<Ended>,
  { json, stays }: RunOptions = {},
): Promise<void> {
  try {
    const exit = (await command()) ?? 'done';
    if (!stays) await end(exit);
  } catch (error) {
    const problem = await problemOf(doing, error);
    process.stderr.write(`${json ? JSON.stringify(jsonOf(problem)) : marked(problem.message)}\n`);
    await end(problem.exit);
  }
}

export function marked(message: string): string {
  return hasColours(process.stderr) ? `${err.red('✗')} ${message}` : message;
}

async function end(exit: Exit): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit(exitCodes[exit]);
}

/** The name and number are those of the service's catalogue where it was the service that said no. */
function jsonOf({ exit, message, cause }: CommandProblem) {
  const { name, code, requestId } = Object(cause) as { name?: string; code?: number; requestId?: string };
  return { error: { exit, message, ...(typeof code === 'number' ? { name, code, requestId } : {}) } };
}

async function problemOf(doing: string, error: unknown): Promise<CommandProblem> {
  if (error instanceof CommandProblem) return error;
  const cannot = `Rollcall cannot ${doing}`;
  if (error instanceof ConfigInvalid) {
    return new CommandProblem('wrongUse', `${cannot}:\n  ${error.problems.join('\n  ')}`);
  }
  if (error instanceof StartupError) return new CommandProblem('refused', `${cannot}: ${error.message}`);
  const { code, syscall, port, address } = Object(error) as Partial<NodeJS.ErrnoException> & {
    readonly port?: number;
    readonly address?: string;
  };
  if (code === 'EADDRINUSE') {
    const message = `${cannot}: ${address}:${port} is in use. Stop the other program, or set PORT.`;
    return new CommandProblem('refused', message);
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const message = `${cannot}: it cannot listen on ${address ?? 'this address'} (${code}). Set HOST and PORT.`;
    return new CommandProblem('refused', message);
  }
  // Loaded for a failure alone: a service that starts has no use for the client.
  const requestProblem = (await import('./session/request-problem.js')).requestProblem(doing, error);
  if (requestProblem) return requestProblem;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CommandProblem('someFailed', `${cannot}: ${told}`, { cause: error });
}
