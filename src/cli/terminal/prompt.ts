import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandProblem } from '../problem.js';
import { err } from './style.js';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a person; the question goes to stderr, so that stdout stays data. */
export async function ask(question: string, fallback?: string): Promise<string> {
  const shown = fallback === undefined ? '' : ` ${err.dim(`(${fallback})`)}`;
  return (await answer(`${err.bold(question)}${shown} `)).trim() || (fallback ?? '');
}

/** The same for what nobody should read over a shoulder. */
export function askSecret(question: string): Promise<string> {
  return answer(`${err.bold(question)} `, 'hidden');
}

/** Yes only for a yes. */
export async function confirm(question: string): Promise<boolean> {
  return /^(?:y|yes)$/i.test(await ask(`${question} [y/N]`));
}

async function answer(prompt: string, echo?: 'hidden'): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: echo === 'hidden' ? silent : process.stderr,
    terminal: true,
    prompt,
  });
  // After the terminal was told not to show what is typed: some are faster than the question.
  if (echo === 'hidden') process.stderr.write(prompt);
  else lines.prompt();
  try {
    const line = await new Promise<string | undefined>((resolve) => {
      const stop = () => resolve(undefined);
      lines
        .once('SIGINT', stop)
        .once('close', stop)
        .once('line', (text) => {
          resolve(text);
          lines.close(); // at once: what was pasted behind it may be the secret, and must not be shown
        });
    });
    if (line !== undefined) return line;
    if (echo !== 'hidden') process.stderr.write('\n');
    throw new CommandProblem('refused', 'Stopped: nothing was done.');
  } finally {
    lines.close();
    if (echo === 'hidden') process.stderr.write('\n');
  }
}
