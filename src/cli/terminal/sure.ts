import { CommandProblem } from '../problem.js';
import { canAsk, confirm } from './prompt.js';

/** Lets a person think twice. A script says --yes beforehand, so that none goes on by accident. */
export async function beSure(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!canAsk()) {
    throw new CommandProblem('wrongUse', 'There is no terminal to ask on: say --yes if it is meant.');
  }
  if (!(await confirm(question))) throw new CommandProblem('refused', 'Nothing was done.');
}
