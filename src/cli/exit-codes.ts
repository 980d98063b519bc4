/** What a script learns from a command. They are never changed, only added to. */
export const exitCodes = {
  done: 0,
  /** The command ran to its end, and some of what it was asked for failed. */
  someFailed: 1,
  wrongUse: 2,
  /** The service, or the database of a local command, does not answer. */
  unreachable: 3,
  /** The service, or a guard of the command, said no. */
  refused: 4,
} as const;

export type Exit = keyof typeof exitCodes;
