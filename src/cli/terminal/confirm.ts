import { CommandProblem } from '../problem.js';
import { askYesNo, canAsk } from './prompt.js';

/** Asks for confirmation. Scripts pass --yes. */
export async function confirmOrAbort(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!canAsk()) {
    throw new CommandProblem(
      'wrongUse',
      'Confirmation is required, but there is no terminal to prompt on. To proceed, pass --yes.',
    );
  }
  if (!(await askYesNo(question))) throw new CommandProblem('refused', 'Aborted. Nothing was changed.');
}
