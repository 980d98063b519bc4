/** What becomes of a row, or of a person whom the file does not have. */
export type Kind = 'created' | 'updated' | 'renamed' | 'deactivated' | 'unchanged' | 'failed';

export const kinds: readonly Kind[] = ['created', 'updated', 'renamed', 'deactivated', 'unchanged', 'failed'];

export interface Outcome {
  /** As the spreadsheet counts; null for somebody who is not in the file. */
  readonly row: number | null;
  /** As the file has it; null where it cannot be read. */
  readonly employeeID: string | null;
  readonly kind: Kind;
  readonly serial?: string | undefined;
  /** Names of the fields that change. */
  readonly changed?: readonly string[] | undefined;
  readonly problem?: Problem | undefined;
}

export interface Problem {
  /** A symbol: of the service's catalogue, or of the reading of the file. */
  readonly code: string;
  /** What is wrong and how to mend it. */
  readonly detail: string;
}

export type Counts = Readonly<Record<Kind, number>>;

export const nothingYet: Counts = {
  created: 0,
  updated: 0,
  renamed: 0,
  deactivated: 0,
  unchanged: 0,
  failed: 0,
};
