import type { SavedSections } from './section.js';

/** A figure of a section: the row that begins with these cells, and the column with this heading. */
export interface CellPlace {
  readonly section: string;
  readonly table: string;
  readonly row: readonly string[];
  readonly column: string;
}

/** Undefined if it has not been measured. */
export function savedCell(
  saved: SavedSections,
  { section, table, row, column }: CellPlace,
): string | undefined {
  const found = saved[section]?.section.tables.find(({ caption }) => caption.startsWith(table));
  const index = found?.head.indexOf(column) ?? -1;
  return found?.rows.find((cells) => row.every((cell, at) => cells[at] === cell))?.[index];
}

export function numberIn(cell: string): number {
  return Number(cell.replaceAll(',', ''));
}
