import {
  type Encoding,
  encodeText,
  type Mapping,
  type Separator,
  toCsv,
  toXlsx,
  uncertaintyOf,
} from '@rollcall/sheets';
import { importCopy } from '../../copy/copy.js';
import { csvSeparator } from '../../copy/format.js';
import { fieldOf } from '../state/mapping.js';
import type { Rows } from '../state/rows.js';
import type { Format } from '../state/source.js';
import { failureReason, invalidRows } from '../state/verdicts.js';

/** Stands in for a value that the file does not store exactly. Imported unchanged, the row is invalid again. */
const unknownValue = '#VALUE!';

/** The invalid rows with their edits and the reason, as a table that can be imported again. */
export function invalidTable(rows: Rows, { headings }: Format, mapping: Mapping): string[][] {
  const problem = importCopy.invalid.problemColumn;
  // A file downloaded here already has the column.
  const kept = headings.filter(({ name }) => name !== problem);
  const cellText = (row: number, column: number): string => {
    const notes = rows.notes.get(row);
    const field = notes && fieldOf(mapping, column);
    const isUnknown =
      field !== undefined && uncertaintyOf({ notes: notes ?? [] }, [column], field) !== undefined;
    return isUnknown ? unknownValue : (rows.cells[row]?.[column] ?? '');
  };
  return [
    [...kept.map(({ name, isEmpty }) => (isEmpty ? '' : name)), problem],
    ...invalidRows(rows).map((row) => [
      ...kept.map(({ column }) => cellText(row, column)),
      failureReason(rows, row),
    ]),
  ];
}

export interface CsvFormat {
  readonly separator: Separator;
  readonly encoding: Encoding;
}

/** Those of the original file. Workbooks and pasted rows have none. */
export function csvFormatOf({ separator = csvSeparator, encoding = 'utf-8' }: Format): CsvFormat {
  return { separator, encoding };
}

/** In UTF-8 if the encoding of the original lacks a character. */
export function csvBytes(
  table: readonly (readonly string[])[],
  { separator, encoding }: CsvFormat,
): Uint8Array<ArrayBuffer> {
  const text = toCsv(table, { separator });
  return encodeText(text, encoding) ?? (encodeText(text, 'utf-8') as Uint8Array<ArrayBuffer>);
}

export async function workbookOf(table: readonly (readonly string[])[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const part of toXlsx(table)) parts.push(part as Uint8Array<ArrayBuffer>);
  return new Blob(parts);
}
