import type { ColumnWarningCode, TableWarning } from './problems.js';

export type ColumnWarn = (code: ColumnWarningCode, column: number, row: number) => void;

/** One warning per kind and column, with the first row: 50,000 cells in a column are one mistake. */
export function columnWarnings(warn: (warning: TableWarning) => void): ColumnWarn {
  const told = new Set<string>();
  return (code, column, row) => {
    const key = `${code} ${column}`;
    if (told.has(key)) return;
    told.add(key);
    warn({ code, column, row });
  };
}
