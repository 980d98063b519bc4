import { isBlank, type RawRow } from './row.js';
import { type HeadingMeaning, recognise } from './synonyms.js';

/** Titles, dates and remarks above a table take a few rows. */
export const headingRowsExamined = 20;

/**
 * The row with the headings: the first that names the employee ID and another field, and is wider than all rows above it,
 * which are titles. Otherwise the first row that is neither blank nor a title of a wider table.
 */
export function findHeadingRow(rows: readonly RawRow[]): number {
  let widest = 0;
  for (const [index, { cells }] of rows.slice(0, headingRowsExamined).entries()) {
    const width = cells.filter((cell) => cell.trim() !== '').length;
    if (width > widest && namesFields(cells)) return index;
    widest = Math.max(widest, width);
  }
  return firstBelowTitles(rows.slice(0, headingRowsExamined));
}

/** A single cell above mostly wider rows is a title, unless it names a field. */
function firstBelowTitles(rows: readonly RawRow[]): number {
  const isWide = ({ cells }: RawRow) => cells.filter((cell) => cell.trim() !== '').length > 1;
  const first = rows.findIndex(({ cells }) => !isBlank(cells));
  const wide = rows.findIndex(isWide);
  const single = rows.slice(first, wide).filter(({ cells }) => !isBlank(cells));
  const isTitled = single.every(({ cells }) => cells.every((cell) => !recognise(cell.trim())));
  return rows.filter(isWide).length > single.length && isTitled ? wide : first;
}

function namesFields(cells: readonly string[]): boolean {
  const meanings = new Set<HeadingMeaning>();
  for (const cell of cells) {
    const found = recognise(cell.replace(/\s+/g, ' ').trim());
    if (found) meanings.add(found.meaning);
  }
  return meanings.has('employeeID') && meanings.size > 1;
}
