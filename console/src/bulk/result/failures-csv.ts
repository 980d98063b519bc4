import { type Mapping, toCsv, uncertaintyOf } from '@rollcall/sheets';
import { bulkCopy } from '../../copy/copy.js';
import { fieldOf } from '../state/mapping.js';
import { failureReason, type Rows, resultOf } from '../state/rows.js';
import type { Format } from '../state/source.js';

/** Stands in for a value that the file does not store exactly. Uploaded unchanged, the row fails again. */
const unknownValue = '#VALUE!';

/** The failed rows with their edits and the reason, as a file that can be uploaded again. */
export function failuresCsv(rows: Rows, { headings, separator = ',' }: Format, mapping: Mapping): string {
  const problem = bulkCopy.result.problemColumn;
  // A file downloaded here already has the column.
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
    if (resultOf(rows, row) !== 'failed') continue;
    lines.push([...kept.map(({ column }) => cellText(row, column)), failureReason(rows, row)]);
  }
  return toCsv(lines, { bom: true, separator });
}
