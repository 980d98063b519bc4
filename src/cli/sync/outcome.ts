/** What happened to a row, or to a user missing from the file. */
export type Kind = 'created' | 'updated' | 'renamed' | 'deactivated' | 'unchanged' | 'failed';

export const kinds: readonly Kind[] = ['created', 'updated', 'renamed', 'deactivated', 'unchanged', 'failed'];

export interface Outcome {
  /** Numbered as in a spreadsheet; null for users missing from the file. */
  readonly row: number | null;
  /** As in the file; null if unreadable. */
  readonly employeeID: string | null;
  readonly kind: Kind;
  readonly serial?: string | undefined;
  /** Names of the changed fields. */
  readonly changed?: readonly string[] | undefined;
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
  updated: 0,
  renamed: 0,
  deactivated: 0,
  unchanged: 0,
  failed: 0,
};
