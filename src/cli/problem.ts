/** Scripts depend on these: codes may be added, never changed. */
export const exitCodes = {
  done: 0,
  /** The command finished, but part of its work failed. */
  someFailed: 1,
  wrongUse: 2,
  /** The service, or the database of a local command, cannot be reached. */
  unreachable: 3,
  /** Refused by the service or by a check of the command. */
  refused: 4,
} as const;

export type Exit = keyof typeof exitCodes;

/** Why a command failed, as a sentence that says how to fix it. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
