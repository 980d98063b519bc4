import type { CsvCell } from './to-csv.js';
import { rangeOf, type SheetExtent, sheetXml } from './xlsx/sheet-xml.js';
import { fixedParts, sheetPart, workbookPart, workbookXml } from './xlsx/workbook-xml.js';
import { type TextFile, zipped } from './xlsx/zip-writer.js';

export interface WorkbookOptions {
  readonly sheetName?: string;
  /** In characters, starting with the first column. */
  readonly columnWidths?: readonly number[];
}

type Rows = Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>;

/** What spreadsheets accept as the name of a sheet. */
const sheetNameRule = /^(?!')[^[\]:*?/\\\p{C}]{1,31}(?<!')$/u;

/**
 * A workbook with one sheet, streamed as its rows arrive, in constant memory. The first row contains the headings:
 * bold, frozen, and with a filter. Texts stay texts, including 007 and =1+1.
 */
export function toXlsx(rows: Rows, options: WorkbookOptions = {}): AsyncGenerator<Uint8Array> {
  const { sheetName = 'Users', columnWidths = [] } = options;
  if (!sheetNameRule.test(sheetName))
    throw new RangeError(`No sheet can be called ${JSON.stringify(sheetName)}.`);
  return zipped(workbookFiles(rows, sheetName, columnWidths));
}

/** The workbook comes last, because it contains the extent of the sheet. */
async function* workbookFiles(
  rows: Rows,
  sheetName: string,
  columnWidths: readonly number[],
): AsyncGenerator<TextFile> {
  const extent: SheetExtent = { rows: 0, columns: 0 };
  for (const [name, xml] of Object.entries(fixedParts)) yield { name, texts: [xml] };
  yield { name: sheetPart, texts: sheetXml(rows, columnWidths, extent) };
  yield { name: workbookPart, texts: [workbookXml(sheetName, rangeOf(extent, '$'))] };
}
