import { toCsv } from '@rollcall/sheets';
import { texts } from '../texts/index.js';
import { endingOf, type Rows, reasonOf } from './rows.js';
import type { Format } from './source.js';

/** The rows that failed, as they were in the file or mended since, and why. It can be taken in as a file again. */
export function failuresCsv(rows: Rows, { headings, separator = ',' }: Format): string {
  const problem = texts.bulk.result.problemColumn;
  // A file that came from here has the column already.
  const kept = headings.filter(({ name }) => name !== problem);
  const lines = [[...kept.map(({ name, isEmpty }) => (isEmpty ? '' : name)), problem]];
  for (let row = 0; row < rows.cells.length; row++) {
    if (endingOf(rows, row) !== 'failed') continue;
    const cells = rows.cells[row] ?? [];
    lines.push([...kept.map(({ column }) => cells[column] ?? ''), reasonOf(rows, row)]);
  }
  return toCsv(lines, { bom: true, separator });
}
