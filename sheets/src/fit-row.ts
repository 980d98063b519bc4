import type { ColumnWarn } from './column-warnings.js';
import type { Heading } from './headings.js';
import type { RawRow, Row, RowNote } from './row.js';

/** A row of text should have as many cells as there are headings. Further cells may have been shifted. */
export function textRow({ number, line, cells, strayQuote, notes: ofCells }: RawRow, width: number): Row {
  if (cells.length === width && strayQuote === undefined) return withNotes(number, line, cells, ofCells);
  const notes: RowNote[] = [...(ofCells ?? [])];
  const stray = cells.slice(width).filter((cell) => cell.trim() !== '');
  if (cells.length < width) notes.push({ code: 'CELLS_MISSING', count: width - cells.length });
  if (stray.length > 0) notes.push({ code: 'CELLS_STRAY', texts: stray });
  if (strayQuote !== undefined) notes.push({ code: 'QUOTE_STRAY', column: strayQuote });
  return withNotes(number, line, fit(cells, width), notes);
}

/** Cells of a sheet can't shift: a row ends with its last text, and there may be remarks next to the table. */
export function sheetRow(
  { number, line, cells, notes }: RawRow,
  headings: readonly Heading[],
  warn: ColumnWarn,
): Row {
  for (let column = headings.length; column < cells.length; column++) {
    if (cells[column]?.trim()) warn('CELLS_WITHOUT_HEADING', column, number);
  }
  return withNotes(number, line, fit(cells, headings.length), notes);
}

function withNotes(number: number, line: number, cells: readonly string[], notes?: readonly RowNote[]): Row {
  return notes !== undefined && notes.length > 0 ? { number, line, cells, notes } : { number, line, cells };
}

function fit(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => cells[column] ?? '');
}
