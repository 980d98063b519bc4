import { withGuard } from './formula-guard.js';
import type { Separator } from './text/csv-scanner.js';

export type CsvCell = string | number | boolean | null | undefined;

export interface CsvOptions {
  readonly separator?: Separator;
  /** A byte order mark in front: without it Excel does not know that a file is UTF-8. */
  readonly bom?: boolean;
  /** No cell holds the error of a formula: what reads like one, such as #N/A, is read as the text that it is. */
  readonly allTexts?: boolean;
}

/** Any separator, not only the one that is used: a spreadsheet may cut at another, and a formula begin there. */
const needsQuotes = /[",;\t|\r\n]|^\s|\s$/;

/** A line of CSV with its line end. */
export function csvLine(cells: readonly CsvCell[], options: Omit<CsvOptions, 'bom'> = {}): string {
  const { separator = ',', allTexts } = options;
  return `${cells.map((cell) => csvCell(cell, allTexts)).join(separator)}\r\n`;
}

export function toCsv(rows: Iterable<readonly CsvCell[]>, options: CsvOptions = {}): string {
  let text = options.bom ? '\uFEFF' : '';
  for (const row of rows) text += csvLine(row, options);
  return text;
}

function csvCell(cell: CsvCell, allTexts: boolean | undefined): string {
  const guarded = withGuard(String(cell ?? ''), allTexts);
  return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
