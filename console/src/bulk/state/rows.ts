import type { RowNote } from '@rollcall/sheets';
import type { EffectFields } from './report.js';

/** What would come of a row, by a preview of the service. */
export type Preview =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly fields: EffectFields }
  | { readonly kind: 'refused'; readonly detail: string };

/** What came of a row. */
export type Outcome =
  | { readonly kind: 'done'; readonly callId: string; readonly serial: string | null }
  | { readonly kind: 'refused'; readonly detail: string; readonly callId: string }
  | { readonly kind: 'undone' }
  /** It was sent, and no answer came. */
  | { readonly kind: 'unknown' };

/** Something that is wrong with a row by itself; a warning does not keep it from being sent. */
export interface RowProblem {
  readonly column: number | undefined;
  readonly text: string;
  readonly isWarning: boolean;
}

/**
 * The rows of a file with what is known of each, by index. They are kept outside of React and changed in place: there may be
 * a hundred thousand.
 */
export interface Rows {
  /** As the file counts them, headings and blank lines included. */
  readonly numbers: number[];
  readonly cells: string[][];
  /** Of rows that have too many cells or too few, or whose values are not known exactly. */
  readonly notes: Map<number, readonly RowNote[]>;
  readonly problems: (readonly RowProblem[] | undefined)[];
  readonly previews: (Preview | undefined)[];
  readonly outcomes: (Outcome | undefined)[];
}

export function emptyRows(): Rows {
  return { numbers: [], cells: [], notes: new Map(), problems: [], previews: [], outcomes: [] };
}

/** What the file said of a cell does not hold for what was typed into it. */
export function forgetCellNotes(rows: Rows, row: number, column: number): void {
  const notes = rows.notes.get(row);
  if (notes)
    rows.notes.set(
      row,
      notes.filter((note) => !isNoteOf(note, column)),
    );
}

function isNoteOf(note: RowNote, column: number): boolean {
  return (note.code === 'VALUE_UNCERTAIN' || note.code === 'NOT_AN_ERROR') && note.column === column;
}

/** Rows that are still to be done: all but those that a run has done. */
export function openRows(rows: Rows): number[] {
  const open: number[] = [];
  for (let row = 0; row < rows.cells.length; row++) if (rows.outcomes[row]?.kind !== 'done') open.push(row);
  return open;
}

/** A row that is wrong by itself is not sent. */
export function isFit(rows: Rows, row: number): boolean {
  return !rows.problems[row]?.some(({ isWarning }) => !isWarning);
}

export type Verdict = 'wrong' | 'waiting' | 'changes' | 'unchanged';

export function verdictOf(rows: Rows, row: number): Verdict {
  if (!isFit(rows, row)) return 'wrong';
  const preview = rows.previews[row];
  if (!preview) return 'waiting';
  if (preview.kind === 'refused') return 'wrong';
  return preview.kind === 'unchanged' ? 'unchanged' : 'changes';
}

export function renames(preview: Preview | undefined): boolean {
  return preview?.kind === 'updated' && 'employeeID' in preview.fields;
}

export function deactivates(preview: Preview | undefined): boolean {
  return preview?.kind === 'updated' && preview.fields.isActive?.after === false;
}

export interface CheckCounts {
  readonly all: number;
  readonly changes: number;
  readonly renames: number;
  readonly deactivates: number;
  readonly unchanged: number;
  readonly wrong: number;
  readonly waiting: number;
  /** Rows that a run would send. */
  readonly fit: number;
}

export function countChecks(rows: Rows, open: readonly number[]): CheckCounts {
  const counts = {
    all: open.length,
    changes: 0,
    renames: 0,
    deactivates: 0,
    unchanged: 0,
    wrong: 0,
    waiting: 0,
  };
  let fit = 0;
  for (const row of open) {
    counts[verdictOf(rows, row)]++;
    if (isFit(rows, row)) fit++;
    if (renames(rows.previews[row])) counts.renames++;
    if (deactivates(rows.previews[row])) counts.deactivates++;
  }
  return { ...counts, fit };
}

export const checkFilters = ['all', 'problems', 'changes'] as const;
export type CheckFilter = (typeof checkFilters)[number];

/** `kept` are shown whatever they are by now: a row that was mended does not vanish under the hand. */
export function filterChecks(
  rows: Rows,
  open: readonly number[],
  filter: CheckFilter,
  kept: ReadonlySet<number>,
): readonly number[] {
  if (filter === 'all') return open;
  const fits = filter === 'changes' ? isChange : hasProblem;
  return open.filter((row) => kept.has(row) || fits(rows, row));
}

function isChange(rows: Rows, row: number): boolean {
  return verdictOf(rows, row) === 'changes';
}

function hasProblem(rows: Rows, row: number): boolean {
  return rows.problems[row] !== undefined || verdictOf(rows, row) === 'wrong';
}

export type Ending = 'done' | 'failed' | 'undone' | 'unknown' | 'notSent';

/** What came of a row in the end; what was wrong by itself failed too. */
export function endingOf(rows: Rows, row: number): Ending {
  const outcome = rows.outcomes[row];
  if (outcome) return outcome.kind === 'refused' ? 'failed' : outcome.kind;
  return isFit(rows, row) ? 'notSent' : 'failed';
}

export function countEndings(rows: Rows): Record<Ending, number> {
  const counts = { done: 0, failed: 0, undone: 0, unknown: 0, notSent: 0 };
  for (let row = 0; row < rows.cells.length; row++) counts[endingOf(rows, row)]++;
  return counts;
}

/** Why a row failed, in one text. */
export function reasonOf(rows: Rows, row: number): string {
  const outcome = rows.outcomes[row];
  if (outcome?.kind === 'refused') return outcome.detail;
  return (rows.problems[row] ?? [])
    .filter(({ isWarning }) => !isWarning)
    .map(({ text }) => text)
    .join(' ');
}
