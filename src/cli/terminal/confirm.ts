import { CommandProblem } from '../problem.js';
import { askYesNo, canAsk } from './prompt.js';

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
