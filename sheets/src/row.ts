import type { Uncertainty } from './uncertain.js';

/** A row as its format gives it, before it is held against the headings. */
export interface RawRow {
  /** As a spreadsheet counts: blank rows are counted, a line break within quotes is not. */
  readonly number: number;
  /** Where the row begins in the text. */
  readonly line: number;
  readonly cells: string[];
  /** A cell that begins with a quote which does not end where a quoted cell ends: it is taken as it stands. */
  readonly strayQuote?: number;
  /** Of single cells. */
  readonly notes?: readonly CellNote[];
}

/** What there is to say of the value of one cell. */
export type CellNote =
  /** The cell reads like the error of a formula, and is marked as a text: somebody is called #N/A. */
  | { readonly code: 'NOT_AN_ERROR'; readonly column: number }
  | { readonly code: 'VALUE_UNCERTAIN'; readonly column: number; readonly reason: Uncertainty };

export type RowNote =
  | CellNote
  | { readonly code: 'CELLS_MISSING'; readonly count: number }
  /** There are more cells than headings: most likely a separator within a text that has no quotes. */
  | { readonly code: 'CELLS_STRAY'; readonly texts: readonly string[] }
  | { readonly code: 'QUOTE_STRAY'; readonly column: number };

export interface Row {
  readonly number: number;
  readonly line: number;
  /** One text per heading, as it stands in the file. */
  readonly cells: readonly string[];
  readonly notes?: readonly RowNote[];
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** A row without a text may still have a value that is not known. A merge tells nothing of a row that is blank beside it. */
export function isBlankRow({ cells, notes }: RawRow, width: number): boolean {
  if (!isBlank(cells)) return false;
  return !notes?.some(
    (note) => note.code === 'VALUE_UNCERTAIN' && note.reason !== 'MERGED' && note.column < width,
  );
}
