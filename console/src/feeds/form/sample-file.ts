import { type Heading, openTable } from '@rollcall/sheets';
import type { ReadingDraft } from './mapping-draft.js';

/** The headings of a file that was chosen to map its columns. */
export interface SampleFile {
  readonly name: string;
  readonly headings: readonly Heading[];
}

/** Reads only as far as the headings. The file never leaves the browser. */
export async function readSample(file: File, reading: ReadingDraft): Promise<SampleFile> {
  const { format, encoding, separator, sheet, headingRow } = reading;
  const table = await openTable(file, {
    format: format || undefined,
    encoding: encoding || undefined,
    separator: separator || undefined,
    sheet: sheet || undefined,
    headingRow: Number(headingRow) || undefined,
  });
  await table.close();
  return { name: file.name, headings: table.headings };
}
