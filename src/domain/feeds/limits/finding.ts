import type { SourceColumn } from './run-profile.js';

/** Why a run stops and waits for a person. Texts derive from it, in any language. */
export type Finding =
  | CountFinding
  | FieldFinding
  | ColumnsMoved
  | RowsFinding
  | ChangesReverted
  | FileSeenBefore;

/** A quantity that is above its limit. */
export interface Excess {
  readonly actual: number;
  /** All rows for failures, all planned changes for withdrawals, otherwise all active users in the scope of the feed. */
  readonly of: number;
  readonly limit: number;
  readonly source: LimitSource;
  /** The median and the highest value of comparable runs. Absent as long as there are too few of them. */
  readonly usual?: number;
  readonly highest?: number;
}

/** Set by an administrator, the same for every feed, or learned from past runs. */
export type LimitSource = 'explicit' | 'fixed' | 'learned';

export type CountCode =
  | 'DEACTIVATIONS'
  | 'REACTIVATIONS'
  | 'RENAMES'
  | 'CREATES'
  | 'FAILURES'
  | 'WITHDRAWALS';

export interface CountFinding extends Excess {
  readonly code: CountCode;
  readonly isFirstRun: boolean;
  /** How many of the users who would be deactivated are missing from the file. */
  readonly missing?: number;
}

export interface FieldFinding extends Excess {
  readonly code: 'FIELD_CHANGES' | 'FIELD_EMPTIED';
  readonly field: string;
  readonly column?: SourceColumn;
}

/** Several fields change for most users at once. */
export interface ColumnsMoved {
  readonly code: 'COLUMNS_MOVED';
  readonly fields: readonly FieldFinding[];
  readonly of: number;
}

/** Compared with the rows of recent runs. */
export interface RowsFinding {
  readonly code: 'ROWS_BELOW' | 'ROWS_ABOVE';
  readonly actual: number;
  readonly limit: number;
  readonly source: LimitSource;
  /** The rows of the last run. Absent in the first. */
  readonly usual?: number;
}

/** Most changes take back recent ones, so the file is probably an older one. */
export interface ChangesReverted {
  readonly code: 'CHANGES_REVERTED';
  readonly actual: number;
  /** All users that the run would change. */
  readonly of: number;
}

/** The file equals that of an earlier run, and not of the last one. */
export interface FileSeenBefore {
  readonly code: 'FILE_SEEN_BEFORE';
  readonly at: string;
}
