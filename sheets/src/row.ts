/** A row as it was read, before it is matched with the headings. */
export interface RawRow {
  /** As a spreadsheet counts: including blank rows, excluding line breaks in quotes. */
  readonly number: number;
  /** The line of the text where the row starts. */
  readonly line: number;
  readonly cells: string[];
  /** A cell that starts with a quote but isn't a quoted cell. It is read verbatim. */
  readonly strayQuote?: number;
  /** Notes on individual cells. */
  readonly notes?: readonly CellNote[];
}

/** Why the value of a cell is not known exactly. Its text is then for display only. */
export type Uncertainty =
  /** The file contains a formula without its result, or declares its results to be outdated. */
  | 'FORMULA_NOT_CALCULATED'
  /** More digits than a double holds: the last ones were rounded when the number was entered or written. */
  | 'NUMBER_NOT_EXACT'
  /** The number format displays different digits or letters than the number has. */
  | 'NUMBER_FORMAT'
  /** Unless the field is a date, a spreadsheet has converted a text like 3-4 or SEP2. */
  | 'DATE'
  | 'BOOLEAN'
  | 'LIST'
  /** Only the first of the merged cells has the value. */
  | 'MERGED'
  | 'ERROR'
  | 'KEY_TWICE'
  | 'MALFORMED'
  /** The value table of a recipe doesn't say what the text means. */
  | 'NOT_IN_TABLE'
  /** The text isn't a date in the format of a recipe. */
  | 'DATE_FORMAT';

/** A note on the value of a cell. */
export type CellNote =
  /** The cell looks like a formula error or a shortened number but is marked as text: it could be a name. */
  | { readonly code: 'IS_TEXT'; readonly column: number }
  /** The cell is a number, exact as a number, whatever it displays. Its digits are given unless they are its text. */
  | { readonly code: 'IS_NUMBER'; readonly column: number; readonly digits?: string }
  | { readonly code: 'VALUE_UNCERTAIN'; readonly column: number; readonly reason: Uncertainty };

export type RowNote =
  | CellNote
  /** The last columns have no cells, unless the note says which ones. */
  | { readonly code: 'CELLS_MISSING'; readonly count: number; readonly columns?: readonly number[] }
  /** More cells than headings, most likely because of a separator in an unquoted text. */
  | { readonly code: 'CELLS_STRAY'; readonly texts: readonly string[] }
  | { readonly code: 'QUOTE_STRAY'; readonly column: number };

export interface Row {
  readonly number: number;
  readonly line: number;
  /** One text per heading, as written in the file. */
  readonly cells: readonly string[];
  readonly notes?: readonly RowNote[];
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** A row without texts may still have an uncertain value. Merged cells alone don't make a row count. */
export function isBlankRow({ cells, notes }: RawRow, width: number): boolean {
  if (!isBlank(cells)) return false;
  return !notes?.some(
    (note) => note.code === 'VALUE_UNCERTAIN' && note.reason !== 'MERGED' && note.column < width,
  );
}

/** The text of a field that is written in one or several columns. */
export function joined(cells: readonly string[], columns: readonly number[], separator = ' '): string {
  if (columns.length === 1) return (cells[columns[0] ?? 0] ?? '').trim();
  return columns
    .map((column) => (cells[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(separator);
}

/** Whether the cell is marked as text, whatever it looks like. */
export function isText({ notes = [] }: Pick<Row, 'notes'>, columns: readonly number[]): boolean {
  return notes.some((note) => note.code === 'IS_TEXT' && columns.includes(note.column));
}

/** The row ends before the column, so the field may be empty or the row cut off. */
export function isCutOff(
  { notes = [], cells }: Pick<Row, 'notes' | 'cells'>,
  columns: readonly number[],
): boolean {
  const missing = notes.find((note) => note.code === 'CELLS_MISSING');
  if (missing === undefined) return false;
  const first = cells.length - missing.count;
  return columns.some((column) => missing.columns?.includes(column) ?? column >= first);
}
