import type { Exit } from './exit-codes.js';

/** What keeps a command from its end, as a sentence that says how to mend it. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
