import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { host } from '../host.js';
import { CommandProblem } from '../problem.js';
import { err } from './style.js';

export function canAsk(): boolean {
  return host().stdin.isTTY === true && host().stderr.isTTY === true;
}

/** Prompts on stderr, so that stdout contains only data. */
export async function ask(question: string, fallback?: string): Promise<string> {
  const shown = fallback === undefined ? '' : ` ${err.dim(`(${fallback})`)}`;
  return (await answer(`${err.bold(question)}${shown} `)).trim() || (fallback ?? '');
}

/** Prompts without echoing the input. */
export function askSecret(question: string): Promise<string> {
  return answer(`${err.bold(question)} `, 'hidden');
}

async function askYesNo(question: string): Promise<boolean> {
  return /^(?:y|yes)$/i.test(await ask(`${question} [y/N]`));
}

async function answer(prompt: string, echo?: 'hidden'): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: host().stdin,
    output: echo === 'hidden' ? silent : host().stderr,
    terminal: true,
    prompt,
  });
  // Prompt only once echo is off: users may type faster than the prompt appears.
  if (echo === 'hidden') host().stderr.write(prompt);
  else lines.prompt();
  try {
    const line = await new Promise<string | undefined>((resolve) => {
      const stop = () => resolve(undefined);
      lines
        .once('SIGINT', stop)
        .once('close', stop)
        .once('line', (text) => {
          resolve(text);
          lines.close(); // immediately: pasted input after this line may be a secret and must not be echoed
        });
    });
    if (line !== undefined) return line;
    if (echo !== 'hidden') host().stderr.write('\n');
    throw new CommandProblem('refused', 'Aborted. Nothing was changed.');
  } finally {
    lines.close();
    if (echo === 'hidden') host().stderr.write('\n');
  }
}

/** Asks for confirmation. Scripts pass --yes, or what `toProceed` says. */
export async function confirmOrAbort(
  question: string,
  yes: boolean | undefined,
  toProceed = 'pass --yes',
): Promise<void> {
  if (yes) return;
  if (!canAsk()) {
    throw new CommandProblem(
      'wrongUse',
      `Confirmation is required, but there is no terminal to prompt on. To proceed, ${toProceed}.`,
    );
  }
  if (!(await askYesNo(question))) throw new CommandProblem('refused', 'Aborted. Nothing was changed.');
}
