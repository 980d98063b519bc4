import { ConfigInvalid } from '../config.js';
import { StartRefused } from '../storage/errors.js';

/** Runs a command to its end; what keeps it from starting is told in a sentence. */
export async function run(doing: string, command: () => Promise<void>, then?: 'exit'): Promise<void> {
  try {
    await command();
    if (then === 'exit') process.exit();
  } catch (error) {
    process.stderr.write(`${problemOf(doing, error)}\n`);
    process.exitCode = 1;
    process.exit();
  }
}

function problemOf(doing: string, error: unknown): string {
  const cannot = `Rollcall cannot ${doing}`;
  if (error instanceof ConfigInvalid) return `${cannot}:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof StartRefused) return `${cannot}: ${error.message}`;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    return `${cannot}: ${address}:${port} is in use. Stop the other program, or set PORT.`;
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${cannot}: it cannot listen on ${address ?? 'this address'} (${code}). Set HOST and PORT.`;
  }
  return `${cannot}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
