import {
  csvLine,
  type Encoding,
  encodeText,
  isAttributeField,
  type Mapping,
  numberNote,
  type Separator,
  toXlsx,
  typeOf,
  uncertaintyOfType,
} from '@rollcall/sheets';
import { type Attribute, attributeOf } from '../../components/attribute-value.js';
import { createYieldToBrowser, forEachInSlices, inSlices } from '../../components/yield-to-browser.js';
import { csvSeparator } from '../../copy/format.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import { fieldOf } from '../state/mapping.js';
import type { Rows } from '../state/rows.js';
import type { Format } from '../state/source.js';
import { failureReason, invalidRows } from '../state/verdicts.js';

/** Stands in for a value that the file does not store exactly. Imported unchanged, the row is invalid again. */
const unknownValue = '#VALUE!';

/** The invalid rows with their edits and the reason, as a table that can be imported again. */
export function* invalidTable(
  rows: Rows,
  { headings }: Format,
  mapping: Mapping,
  attributes: readonly Attribute[],
): Generator<string[]> {
  const problem = importCopy.invalid.problemColumn;
  // A file downloaded here already has the column.
  const kept = headings.filter(({ name }) => name !== problem);
  const cellText = (row: number, column: number): string => {
    const text = rows.cells[row]?.[column] ?? '';
    const [notes, field] = [rows.notes.get(row), fieldOf(mapping, column)];
    if (notes === undefined || field === undefined) return text;
    const type = isAttributeField(field) ? attributeOf(field, attributes)?.type : typeOf(field);
    if (type === undefined) return text;
    if (uncertaintyOfType({ notes }, [column], type) !== undefined) return unknownValue;
    return (type === 'number' && numberNote({ notes }, [column])?.digits) || text;
  };
  yield [...kept.map(({ name, isEmpty }) => (isEmpty ? '' : name)), problem];
  for (const row of invalidRows(rows)) {
    yield [...kept.map(({ column }) => cellText(row, column)), failureReason(rows, row)];
  }
}

export interface CsvFormat {
  readonly separator: Separator;
  readonly encoding: Encoding;
}

/** Those of the original file. Workbooks and pasted rows have none. */
export function csvFormatOf({ separator = csvSeparator, encoding = 'utf-8' }: Format): CsvFormat {
  return { separator, encoding };
}

type Table = Iterable<readonly string[]>;

/** In UTF-8 if the encoding of the original lacks a character. */
export async function csvFile(table: Table, { separator, encoding }: CsvFormat): Promise<Blob> {
  const texts = await csvTexts(table, separator);
  return new Blob((await encoded(texts, encoding)) ?? (await encoded(texts, 'utf-8')));
}

/** Few enough to be encoded without a pause. */
const charactersPerText = 32_768;

async function csvTexts(table: Table, separator: Separator): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  await forEachInSlices(table, (cells) => {
    text += csvLine(cells, { separator });
    if (text.length < charactersPerText) return;
    texts.push(text);
    text = '';
  });
  return [...texts, text];
}

/** Undefined if the encoding lacks a character. */
async function encoded(texts: readonly string[], encoding: Encoding): Promise<BlobPart[] | undefined> {
  const yieldToBrowser = createYieldToBrowser();
  const parts: BlobPart[] = [];
  for (const text of texts) {
    const part = encodeText(text, encoding, { bom: parts.length === 0 });
    if (!part) return undefined;
    parts.push(part);
    await yieldToBrowser();
  }
  return parts;
}

export async function workbookFile(table: Table): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const part of toXlsx(inSlices(table))) parts.push(part as Uint8Array<ArrayBuffer>);
  return new Blob(parts);
}
