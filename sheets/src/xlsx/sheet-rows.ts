import { type ColumnWarn, columnWarnings } from '../column-warnings.js';
import { isErrorText } from '../error-texts.js';
import { TableError, type TableWarning } from '../problems.js';
import type { RawRow } from '../row.js';
import { type NumberFormat, showNumber } from './number-format.js';
import { createTextCollector } from './shared-strings.js';
import type { Styles } from './styles.js';
import { unescapedText } from './text-escapes.js';
import { isTrue } from './workbook.js';
import { attributesOf, scanningXml } from './xml.js';

export interface SheetContext {
  readonly part: string;
  readonly sharedStrings: readonly string[];
  readonly styles: Styles;
  readonly isFrom1904: boolean;
  readonly columnsMax: number;
  readonly rowCharactersMax: number;
  warn(warning: TableWarning): void;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  hasFormula: boolean;
}

const plain: NumberFormat = { kind: 'plain' };
/** Of ranges that are told, the rest is a number. */
const rangesToldMax = 10;
/** More digits than these a spreadsheet does not keep; the rest became zeros when the number was typed. */
const exactDigits = 15;

/** The rows of a sheet with their texts as a person sees them, batch by batch as the sheet is unpacked. */
export async function* sheetRows(
  chunks: AsyncIterable<Uint8Array>,
  context: SheetContext,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let notErrors: number[] = [];
  let characters = 0;
  let lastColumn = -1;
  let cell: Cell | undefined;
  let isValue = false;
  const inline = createTextCollector();
  const hidden = { row: 0, count: 0 };
  const merged: string[] = [];
  let mergedCount = 0;
  const warn = columnWarnings(context.warn);
  const damaged = new TableError({ code: 'WORKBOOK_DAMAGED', part: context.part });

  function openRow(attributes: string): void {
    const { r, hidden: isHidden } = attributesOf(attributes);
    number = r === undefined ? number + 1 : Number(r);
    if (!Number.isInteger(number)) throw damaged;
    cells = [];
    notErrors = [];
    characters = 0;
    lastColumn = -1;
    if (!isTrue(isHidden)) return;
    hidden.row ||= number;
    hidden.count++;
  }

  function openCell(attributes: string): void {
    const { r, s, t = 'n' } = attributesOf(attributes);
    lastColumn = r === undefined ? lastColumn + 1 : columnOf(r);
    if (lastColumn < 0) throw damaged;
    cell = { column: lastColumn, type: t, style: Number(s ?? 0), value: undefined, hasFormula: false };
    inline.start();
  }

  function closeCell(closed: Cell): void {
    const text = cellText(closed, inline.text(), number, context, warn);
    if (text === '') return;
    characters += text.length;
    if (closed.column >= context.columnsMax) {
      throw new TableError({ code: 'TOO_MANY_COLUMNS', line: number, max: context.columnsMax });
    }
    if (characters > context.rowCharactersMax) {
      throw new TableError({ code: 'ROW_TOO_LONG', line: number, max: context.rowCharactersMax });
    }
    while (cells.length < closed.column) cells.push('');
    cells[closed.column] = text;
    if (closed.type !== 'e' && context.styles.quoted.has(closed.style) && isErrorText(text)) {
      notErrors.push(closed.column);
    }
  }

  const scanning = scanningXml(chunks, context.part, {
    open: (tag, attributes) => {
      if (tag === 'row') openRow(attributes);
      else if (tag === 'c') openCell(attributes);
      else if (tag === 'v') isValue = true;
      else if (tag === 'f' && cell !== undefined) cell.hasFormula = true;
      else if (tag === 'mergeCell' && ++mergedCount <= rangesToldMax) {
        merged.push(attributesOf(attributes).ref ?? '');
      } else inline.open(tag);
    },
    close: (tag) => {
      if (tag === 'v') isValue = false;
      else if (tag === 'c' && cell !== undefined) {
        closeCell(cell);
        cell = undefined;
      } else if (tag === 'row') {
        const row = { number, line: number, cells };
        rows.push(notErrors.length > 0 ? { ...row, notErrors } : row);
      } else inline.close(tag);
    },
    text: (text) => {
      if (isValue && cell !== undefined) cell.value = (cell.value ?? '') + text;
      else inline.add(text);
    },
  });
  for await (const _ of scanning) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  if (hidden.count > 0) context.warn({ code: 'HIDDEN_ROWS', ...hidden });
  if (mergedCount > 0) context.warn({ code: 'MERGED_CELLS', ranges: merged, count: mergedCount });
}

function cellText(cell: Cell, inline: string, row: number, context: SheetContext, warn: ColumnWarn): string {
  const { value, type, column } = cell;
  if (type === 'inlineStr') return inline;
  if (value === undefined || value === '') {
    if (cell.hasFormula && value === undefined) warn('FORMULA_WITHOUT_VALUE', column, row);
    return '';
  }
  if (type === 's') {
    const text = context.sharedStrings[Number(value)];
    if (text === undefined) throw new TableError({ code: 'WORKBOOK_DAMAGED', part: context.part });
    return text;
  }
  if (type === 'b') return value.trim() === '1' || value === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace(/(?:T00:00(?::00(?:\.0+)?)?)?Z?$/, '');
  if (type !== 'n') return unescapedText(value);
  const shown = showNumber(value, context.styles.formats[cell.style] ?? plain, context.isFrom1904);
  if (shown.isShownOtherwise) warn('NUMBER_FORMAT', column, row);
  if (/^\d+$/.test(shown.text) && shown.text.replace(/^0+/, '').length > exactDigits) {
    warn('LONG_NUMBER', column, row);
  }
  return shown.text;
}

/** A is 0, Z is 25, AA is 26. */
function columnOf(reference: string): number {
  let column = 0;
  for (const character of reference) {
    const letter = character.toUpperCase().charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
