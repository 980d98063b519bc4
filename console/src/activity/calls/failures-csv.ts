import { errorFrom } from '@rollcall/client';
import { type CsvCell, toCsv } from '@rollcall/sheets';
import { errorMessage } from '../../components/error-message.js';
import { plannedCopy } from '../../copy/copy.js';
import { csvSeparator } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';

const pageLimit = 200;

/** Every item of a call that failed, as a file for a spreadsheet. */
export async function failuresOf(id: string, onRead: (count: number) => void): Promise<string> {
  const rows: (readonly CsvCell[])[] = [plannedCopy.items.columns];
  const query = { outcome: 'failed', limit: pageLimit } as const;
  for await (const { items } of rollcall.pages('listCallItems', { path: { id }, query })) {
    for (const { position, employeeID, error } of items) {
      const reason = error && errorMessage(errorFrom(error));
      rows.push([position + 1, employeeID, error?.message, reason]);
    }
    onRead(rows.length - 1);
  }
  return toCsv(rows, { bom: true, allTexts: true, separator: csvSeparator });
}
