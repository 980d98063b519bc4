import type { TableWarning } from './problems.js';

export interface Heading {
  /** Starts at 0. */
  readonly column: number;
  /** The column's name in a spreadsheet: A, B, … AA. */
  readonly letter: string;
  /** Trimmed; the letter if the heading is empty. */
  readonly name: string;
  readonly isEmpty: boolean;
}

export function readHeadings(cells: readonly string[]): Heading[] {
  return cells.map((cell, column) => {
    const text = cell.replace(/\s+/g, ' ').trim();
    const letter = columnLetter(column);
    return { column, letter, name: text === '' ? letter : text, isEmpty: text === '' };
  });
}

export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last;
}

/** Headings that occur more than once, ignoring case. */
export function doubledHeadings(headings: readonly Heading[]): TableWarning[] {
  const byName = new Map<string, Heading[]>();
  for (const heading of headings) {
    if (heading.isEmpty) continue;
    const key = heading.name.toLowerCase();
    byName.set(key, [...(byName.get(key) ?? []), heading]);
  }
  return [...byName.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      code: 'HEADING_DOUBLED',
      heading: same[0]?.name ?? '',
      columns: same.map(({ column }) => column),
    }));
}
