import { isBlank, type RawRow } from './row.js';
import { type HeadingMeaning, recognise } from './synonyms.js';

/** Titles, dates and remarks above a table take a few rows. */
export const headingRowsExamined = 20;

/**
 * The row with the headings: the first that names the employee ID and another field, and is wider than all rows above it,
 * which are titles. Otherwise the first row that isn't blank.
 */
export function findHeadingRow(rows: readonly RawRow[]): number {
  let widest = 0;
  for (const [index, { cells }] of rows.slice(0, headingRowsExamined).entries()) {
    const width = cells.filter((cell) => cell.trim() !== '').length;
    if (width > widest && namesFields(cells)) return index;
    widest = Math.max(widest, width);
  }
  return rows.findIndex(({ cells }) => !isBlank(cells));
}

function namesFields(cells: readonly string[]): boolean {
  const meanings = new Set<HeadingMeaning>();
  for (const cell of cells) {
    const found = recognise(cell.replace(/\s+/g, ' ').trim());
    if (found) meanings.add(found.meaning);
  }
  return meanings.has('employeeID') && meanings.size > 1;
}
