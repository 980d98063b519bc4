import { isDamageText, withoutAmbiguity } from '../formula-guard.js';
import { columnLetter } from '../headings.js';
import { TableError } from '../problems.js';
import type { CsvCell } from '../to-csv.js';
import { escapedText } from './text-escapes.js';
import { cellStyles, namespace, xmlDeclaration } from './workbook-xml.js';

/** The extent of a sheet, counted while it is written. */
export interface SheetExtent {
  rows: number;
  /** Columns with a heading. */
  columns: number;
}

/** The limits of spreadsheets. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
const cellCharactersMax = 32_767;
/** The size of a chunk, which is compressed while the next is made. */
const pieceCharacters = 32_768;
const defaultWidth = 18;

/** The XML of a sheet, in chunks. The first row contains the headings. */
export async function* sheetXml(
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
  columnWidths: readonly number[],
  extent: SheetExtent,
): AsyncGenerator<string> {
  let xml = '';
  for await (const cells of rows) {
    extent.rows++;
    if (extent.rows > rowsMax) throw new TableError({ code: 'TOO_MANY_ROWS', max: rowsMax });
    if (cells.length > columnsMax) {
      throw new TableError({ code: 'TOO_MANY_COLUMNS', line: extent.rows, max: columnsMax });
    }
    if (extent.rows === 1) {
      extent.columns = cells.length;
      xml = beginning(cells.length, columnWidths) + rowXml(cells.map(headingText), 1, cellStyles.heading);
    } else xml += rowXml(cells, extent.rows, cellStyles.text);
    if (xml.length < pieceCharacters) continue;
    yield xml;
    xml = '';
  }
  yield (extent.rows === 0 ? beginning(0, []) : xml) + end(extent);
}

function beginning(columns: number, widths: readonly number[]): string {
  const frozen =
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>';
  const views = `<sheetViews><sheetView tabSelected="1" workbookViewId="0">${frozen}</sheetView></sheetViews>`;
  // Values entered into an empty cell, or below the last row, stay texts too.
  const column = (_: unknown, index: number): string =>
    `<col min="${index + 1}" max="${index + 1}" width="${widths[index] ?? defaultWidth}" style="${cellStyles.text}" customWidth="1"/>`;
  const all = Array.from({ length: columns }, column).join('');
  const cols = all === '' ? '' : `<cols>${all}</cols>`;
  return `${xmlDeclaration}<worksheet xmlns="${namespace}">${views}${cols}<sheetData>`;
}

function end(extent: SheetExtent): string {
  const range = rangeOf(extent);
  // Otherwise a spreadsheet marks every numeric employee ID as an error.
  const marks =
    range === undefined
      ? ''
      : `<autoFilter ref="${range}"/><ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  return `</sheetData>${marks}</worksheet>`;
}

/** The table from its first heading to its last row: A1:H100. */
export function rangeOf({ rows, columns }: SheetExtent, mark: '' | '$' = ''): string | undefined {
  if (columns === 0) return undefined;
  return `${mark}A${mark}1:${mark}${columnLetter(columns - 1)}${mark}${rows}`;
}

const headingText = (cell: CsvCell): string => String(cell ?? '');

function rowXml(cells: readonly CsvCell[], row: number, textStyle: number): string {
  let xml = '';
  for (let column = 0; column < cells.length; column++) xml += cellXml(cells[column], column, row, textStyle);
  return xml === '' ? '' : `<row r="${row}">${xml}</row>`;
}

function cellXml(cell: CsvCell, column: number, row: number, textStyle: number): string {
  if (cell == null || cell === '') return '';
  const reference = letter(column) + row;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${reference}"><v>${cell}</v></c>`;
  const text = withoutAmbiguity(String(cell));
  if (text.length > cellCharactersMax) {
    throw new RangeError(`A cell of a workbook holds at most ${cellCharactersMax} characters.`);
  }
  const space = /^\s|\s$|[\t\n]/.test(text) ? ' xml:space="preserve"' : '';
  // As if entered with a leading apostrophe: otherwise a reader may take it for an error or a shortened number.
  const style = textStyle === cellStyles.text && isDamageText(text) ? cellStyles.quoted : textStyle;
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${escapedText(text)}</t></is></c>`;
}

const letters: string[] = [];

function letter(column: number): string {
  letters[column] ??= columnLetter(column);
  return letters[column];
}
