import { withGuard, withoutAmbiguity } from './formula-guard.js';
import type { Separator } from './text/csv-scanner.js';

export type CsvCell = string | number | boolean | null | undefined;

export interface CsvOptions {
  readonly separator?: Separator;
  /** Starts with a byte order mark. Without it, Excel doesn't recognize UTF-8. */
  readonly bom?: boolean;
  /** No cell contains a formula error, so a text that looks like one, such as #N/A, is marked as text. */
  readonly allTexts?: boolean;
  /** For programs instead of spreadsheets: a cell that looks like a formula gets no apostrophe. */
  readonly raw?: boolean;
}

/** Any separator, not only the one in use: a spreadsheet may split at another, and a formula could start there. */
const needsQuotes = /[",;\t|\r\n]|^\s|\s$/;

/** A line of CSV, including its line ending. */
export function csvLine(cells: readonly CsvCell[], options: Omit<CsvOptions, 'bom'> = {}): string {
  const { separator = ',' } = options;
  return `${cells.map((cell) => csvCell(cell, options)).join(separator)}\r\n`;
}

export function toCsv(rows: Iterable<readonly CsvCell[]>, options: CsvOptions = {}): string {
  let text = options.bom ? '\uFEFF' : '';
  for (const row of rows) text += csvLine(row, options);
  return text;
}

function csvCell(cell: CsvCell, { raw, allTexts }: CsvOptions): string {
  if (typeof cell === 'number') return String(cell); // -5 is no formula
  const text = String(cell ?? '');
  const guarded = raw ? withoutAmbiguity(text) : withGuard(text, allTexts);
  return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
