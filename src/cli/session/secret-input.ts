import { text } from 'node:stream/consumers';
import { host } from '../host.js';
import { CommandProblem } from '../problem.js';
import { askSecret, canAsk } from '../terminal/prompt.js';

/**
 * Reads a secret from a hidden prompt, or from stdin if there is no terminal. Never from arguments, which every user of
 * the machine can see. `what` completes "No … was given."
 */
export async function readSecret(question: string, what: string): Promise<string> {
  if (!canAsk() && host().stdin.isTTY) {
    throw new CommandProblem('wrongUse', `There is no terminal to prompt for the ${what}. Pipe it to stdin.`);
  }
  const given = canAsk() ? await askSecret(question) : await text(host().stdin);
  const secret = given.replace(/\r?\n$/, '');
  if (secret === '') {
    throw new CommandProblem('wrongUse', `No ${what} was given. Type it at the prompt, or pipe it to stdin.`);
  }
  return secret;
}
