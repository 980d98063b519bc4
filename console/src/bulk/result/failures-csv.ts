import { type Mapping, toCsv, uncertaintyOf } from '@rollcall/sheets';
import { bulkCopy } from '../../copy/bulk.js';
import { fieldOf } from '../state/mapping.js';
import { endingOf, type Rows, reasonOf } from '../state/rows.js';
import type { Format } from '../state/source.js';

/** Stands for a value that the file does not hold exactly. Taken in as it is, the row fails again. */
const unknownValue = '#VALUE!';

/** The rows that failed, as they were in the file or mended since, and why. It can be taken in as a file again. */
export function failuresCsv(rows: Rows, { headings, separator = ',' }: Format, mapping: Mapping): string {
  const problem = bulkCopy.result.problemColumn;
  // A file that came from here has the column already.
  const kept = headings.filter(({ name }) => name !== problem);
  const lines = [[...kept.map(({ name, isEmpty }) => (isEmpty ? '' : name)), problem]];
  const cellText = (row: number, column: number): string => {
    const notes = rows.notes.get(row);
    const field = notes && fieldOf(mapping, column);
    const isUnknown =
      field !== undefined && uncertaintyOf({ notes: notes ?? [] }, [column], field) !== undefined;
    return isUnknown ? unknownValue : (rows.cells[row]?.[column] ?? '');
  };
  for (let row = 0; row < rows.cells.length; row++) {
    if (endingOf(rows, row) !== 'failed') continue;
    lines.push([...kept.map(({ column }) => cellText(row, column)), reasonOf(rows, row)]);
  }
  return toCsv(lines, { bom: true, separator });
}
