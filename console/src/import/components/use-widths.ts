import { useMemo } from 'react';
import type { Rows } from '../state/rows.js';
import { type FileColumn, widthOf } from './file-columns.js';

/** The widths of columns. They change with cells and previews, but not with every problem that is found. */
export function useWidths(rows: Rows | undefined, columns: readonly FileColumn[]): number[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: problems and outcomes have no width
  return useMemo(
    () => columns.map((column) => (rows ? widthOf(rows, column) : 0)),
    [rows?.cells, rows?.missing, rows?.previews, columns],
  );
}
