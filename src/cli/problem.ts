import type { Exit } from './exit-codes.js';

/** Why a command failed, as a sentence that says how to fix it. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
