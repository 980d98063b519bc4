import { text } from 'node:stream/consumers';
import { CommandProblem } from '../problem.js';
import { askSecret, canAsk } from '../terminal/prompt.js';

/**
 * A secret: typed without being seen, or from stdin where there is no terminal. Never from the command line, which
 * everybody on the machine can read. `what` completes "No … was given."
 */
export async function readSecret(question: string, what: string): Promise<string> {
  if (!canAsk() && process.stdin.isTTY) {
    throw new CommandProblem(
      'wrongUse',
      `There is no terminal to ask for the ${what} on: pipe it into stdin.`,
    );
  }
  const given = canAsk() ? await askSecret(question) : await text(process.stdin);
  const secret = given.replace(/\r?\n$/, '');
  if (secret === '') {
    throw new CommandProblem(
      'wrongUse',
      `No ${what} was given. Type it on a terminal, or pipe it into stdin.`,
    );
  }
  return secret;
}
