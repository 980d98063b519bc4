import type { RowNote } from '@rollcall/sheets';
import type { QuarantinedName } from '../../components/error-message.js';
import type { Change } from './changes.js';
import type { KnownUser } from './knowledge.js';
import type { EffectFields } from './report.js';

/** What a row changes. Managers are known by their employee ID, as in the file. */
export type ChangedFields = Omit<EffectFields, 'managerSerial'> & {
  readonly managerEmployeeID?: EffectFields['managerSerial'];
};

/** What the service would do with a row. */
export type Preview =
  | { readonly kind: 'accepted'; readonly change: Change; readonly fields: ChangedFields }
  | {
      readonly kind: 'rejected';
      readonly message: string;
      /** The name that the row needs and that is kept for its last holder. */
      readonly quarantined?: QuarantinedName | undefined;
      /** The field that is wrong, if it is one. */
      readonly field?: string | undefined;
      /** Who has the value that the row needs. */
      readonly user?: KnownUser | undefined;
    };

/** What the service did with a row. */
export type Outcome =
  | { readonly kind: 'done'; readonly change: Change }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The row was accepted, but its call waits for its time or for approval. */
  | { readonly kind: 'planned'; readonly change: Change }
  | { readonly kind: 'undone' }
  /** The row was sent, but the response was lost. */
  | { readonly kind: 'unknown' };

/** Something wrong with a row that needs no service to detect. Rows with nothing but warnings are sent. */
export interface RowProblem {
  readonly column: number | undefined;
  readonly text: string;
  readonly isWarning: boolean;
  /** Whom the problem is about, if it is another user. */
  readonly user?: KnownUser | undefined;
  /** What the text of the cell probably should be. */
  readonly suggestion?: string | undefined;
}

/** Problems of rows that can only be found by comparing them with other rows, or with users. */
export type Findings = ReadonlyMap<number, readonly RowProblem[]>;

/** An active user who is not in the file. */
export interface MissingUser {
  readonly employeeID: string;
  readonly name: string;
}

/**
 * The rows of a file, one array per aspect, by index, followed by a row for each missing user. An update copies only the
 * arrays it changes: with 100,000 rows that takes a fraction of a millisecond.
 */
export interface Rows {
  /** Row numbers as the spreadsheet shows them, counting headings and blank lines. */
  readonly numbers: readonly number[];
  readonly cells: readonly (readonly string[])[];
  /** For rows with missing or surplus cells, or with values that the file does not store exactly. */
  readonly notes: ReadonlyMap<number, readonly RowNote[]>;
  readonly missing: readonly MissingUser[];
  /** Rows of missing users that stay active. */
  readonly kept: ReadonlySet<number>;
  /** Rows of the file that the user doesn't want to import. Their users stay as they are. */
  readonly leftOut: ReadonlySet<number>;
  readonly problems: readonly (readonly RowProblem[] | undefined)[];
  /** What a comparison with other rows and with users has found, in addition to `problems`. */
  readonly findings: Findings;
  readonly previews: readonly (Preview | undefined)[];
  readonly outcomes: readonly (Outcome | undefined)[];
}

export const noRows: Rows = {
  numbers: [],
  cells: [],
  notes: new Map(),
  missing: [],
  kept: new Set(),
  leftOut: new Set(),
  problems: [],
  findings: new Map(),
  previews: [],
  outcomes: [],
};

/** Lists with holes are slow to copy, so every row has an entry from the beginning. */
export function withAllEntries(rows: Rows): Rows {
  const none = <T>() => new Array<T | undefined>(rows.cells.length).fill(undefined);
  return { ...rows, problems: none(), previews: none(), outcomes: none() };
}

/** A copy of the list with some entries replaced. */
export function withEntries<T>(
  list: readonly (T | undefined)[],
  entries: Iterable<readonly [row: number, value: T | undefined]>,
): (T | undefined)[] {
  const copy = list.slice();
  for (const [row, value] of entries) copy[row] = value;
  return copy;
}

/** Replaces the texts of cells in one column and forgets what was known about their rows. */
export function withCells(
  rows: Rows,
  column: number,
  texts: readonly (readonly [row: number, text: string])[],
): Rows {
  const cells = [...rows.cells];
  const notes = new Map(rows.notes);
  for (const [row, text] of texts) {
    cells[row] = (cells[row] ?? []).with(column, text);
    const noted = notes.get(row)?.filter((note) => !isNoteOf(note, column));
    if (noted) notes.set(row, noted);
  }
  const findings = new Map(rows.findings);
  for (const [row] of texts) findings.delete(row);
  const forgotten = texts.map(([row]) => [row, undefined] as const);
  return {
    ...rows,
    cells,
    notes,
    findings,
    previews: withEntries(rows.previews, forgotten),
    outcomes: withEntries(rows.outcomes, forgotten),
  };
}

function isNoteOf(note: RowNote, column: number): boolean {
  return 'column' in note && note.column === column;
}

/** With a row for each missing user instead of those from before. What was done for one is kept. */
export function withMissing(rows: Rows, missing: readonly MissingUser[], kept: ReadonlySet<string>): Rows {
  const before = new Map(rows.missing.map(({ employeeID }, at) => [employeeID, rows.cells.length + at]));
  const done = rows.missing.filter(({ employeeID }) => isDone(rows, before.get(employeeID) ?? -1));
  const known = new Set(done.map(({ employeeID }) => employeeID));
  const all = [...done, ...missing.filter(({ employeeID }) => !known.has(employeeID))];
  const outcomes = rows.outcomes.slice(0, rows.cells.length);
  for (const [at, { employeeID }] of done.entries()) {
    outcomes[rows.cells.length + at] = rows.outcomes[before.get(employeeID) ?? -1];
  }
  const keptRows = all.flatMap(({ employeeID }, at) =>
    kept.has(employeeID) ? [rows.cells.length + at] : [],
  );
  return {
    ...rows,
    missing: all,
    kept: new Set(keptRows),
    problems: rows.problems.slice(0, rows.cells.length),
    previews: rows.previews.slice(0, rows.cells.length),
    outcomes,
  };
}

/** The missing user of a row; undefined for a row of the file. */
export function missingUserOf({ cells, missing }: Rows, row: number): MissingUser | undefined {
  // A negative index is looked up like a name, which took most of the time with 100,000 rows.
  return row < cells.length ? undefined : missing[row - cells.length];
}

export function rowCount({ cells, missing }: Rows): number {
  return cells.length + missing.length;
}

function isDone({ outcomes }: Rows, row: number): boolean {
  const kind = outcomes[row]?.kind;
  return kind === 'done' || kind === 'planned';
}

/** Open rows are needed many times. Problems and previews, which change more often than outcomes, don't matter. */
const openRowsOf = new WeakMap<Rows['outcomes'], OpenRows>();

interface OpenRows extends Pick<Rows, 'cells' | 'missing' | 'kept' | 'leftOut'> {
  readonly open: readonly number[];
}

/** Rows that are neither completed, nor left to a planned call, nor left out, nor kept as they are. */
export function openRows(rows: Rows): readonly number[] {
  const { cells, missing, kept, leftOut, outcomes } = rows;
  const known = openRowsOf.get(outcomes);
  const isSame = known?.missing === missing && known.kept === kept && known.leftOut === leftOut;
  if (isSame && known.cells.length === cells.length) return known.open;
  const open: number[] = [];
  const count = rowCount(rows);
  for (let row = 0; row < count; row++) {
    if (!isDone(rows, row) && !kept.has(row) && !leftOut.has(row)) open.push(row);
  }
  openRowsOf.set(outcomes, { cells, missing, kept, leftOut, open });
  return open;
}

/** Invalid rows are never sent. */
export function isValid(rows: Rows, row: number): boolean {
  return problemsIn(rows, row).every(({ isWarning }) => isWarning);
}

const none: readonly RowProblem[] = [];

/** Everything that needs no preview to be known. Where a comparison finds an error, there is nothing left to warn of. */
export function problemsIn({ problems, findings }: Rows, row: number): readonly RowProblem[] {
  const [own, found] = [problems[row] ?? none, findings.get(row) ?? none];
  return own.length === 0 ? found : found.length === 0 ? own : [...withoutMoot(own, found), ...found];
}

function withoutMoot(own: readonly RowProblem[], found: readonly RowProblem[]): readonly RowProblem[] {
  const wrong = found.filter(({ isWarning }) => !isWarning).map(({ column }) => column);
  return own.filter(({ column, isWarning }) => !isWarning || !wrong.includes(column));
}
