/** What can happen to a row, or to a user missing from the file. */
export const kinds = [
  'created',
  'rehired',
  'updated',
  'renamed',
  'deactivated',
  'unchanged',
  'planned',
  'failed',
] as const;
export type Kind = (typeof kinds)[number];

export interface Outcome {
  /** Numbered as in a spreadsheet; null for users missing from the file. */
  readonly row: number | null;
  /** As in the file; null if unreadable. */
  readonly employeeID: string | null;
  readonly kind: Kind;
  readonly serial?: string | undefined;
  /** Names of the changed fields. */
  readonly changed?: readonly string[] | undefined;
  /** Names of fields that differ from the file, but may only be changed by an administrator. */
  readonly kept?: readonly string[] | undefined;
  readonly problem?: Problem | undefined;
}

export interface Problem {
  /** An error name of the service, or a code of the file reader. */
  readonly code: string;
  /** What is wrong and how to fix it. */
  readonly detail: string;
}

export type Counts = Readonly<Record<Kind, number>>;

export const zeroCounts: Counts = {
  created: 0,
  rehired: 0,
  updated: 0,
  renamed: 0,
  deactivated: 0,
  unchanged: 0,
  planned: 0,
  failed: 0,
};
