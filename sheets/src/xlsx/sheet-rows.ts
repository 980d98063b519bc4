import { type ColumnWarn, columnWarnings } from '../column-warnings.js';
import { isDamageText, withoutGuard } from '../formula-guard.js';
import { TableError, type TableWarning } from '../problems.js';
import type { CellNote, RawRow, Uncertainty } from '../row.js';
import { createNoteLists } from '../uncertain.js';
import { type CellValue, cellValue, type SheetCell, type ValueContext } from './cell-value.js';
import type { MergedCells } from './merged-cells.js';
import { addressOf, isSingle, RunningRanges, rangeOf } from './ranges.js';
import { createTextCollector, joinedText } from './shared-strings.js';
import { isTrue } from './workbook.js';
import { attributesOf, scanningXml } from './xml.js';

export interface SheetContext extends ValueContext {
  readonly mergedCells: MergedCells;
  readonly columnsMax: number;
  readonly rowCharactersMax: number;
  warn(warning: TableWarning): void;
}

/** The rows of a sheet with their displayed texts, in batches as the sheet is inflated. */
export async function* sheetRows(
  chunks: AsyncIterable<Uint8Array>,
  context: SheetContext,
): AsyncGenerator<RawRow[]> {
  const { mergedCells } = context;
  const rows = createRowBuilder(context);
  const hidden = { row: 0, count: 0 };
  let cell: SheetCell | undefined;
  let isValue = false;
  const inline = createTextCollector();

  const scanning = scanningXml(chunks, context.part, {
    open: (tag, attributes) => {
      if (tag === 'row') {
        const { number, isHidden } = rows.begin(attributes);
        if (!isHidden) return;
        hidden.row ||= number;
        hidden.count++;
      } else if (tag === 'c') {
        cell = rows.cell(attributes);
        inline.start();
      } else if (tag === 'v' && cell !== undefined) {
        isValue = true;
        cell.value ??= '';
      } else if (tag === 'is' && cell !== undefined) cell.hasInline = true;
      else if (tag === 'f' && cell !== undefined) {
        cell.hasFormula = true;
        rows.formula(attributes);
      } else inline.open(tag);
    },
    close: (tag) => {
      if (tag === 'v') isValue = false;
      else if (tag === 'c' && cell !== undefined) {
        rows.add(cell, cellValue(cell, inline.text(), context));
        cell = undefined;
      } else if (tag === 'row') rows.end();
      else inline.close(tag);
    },
    text: (text) => {
      if (isValue && cell !== undefined) cell.value = joinedText(cell.value ?? '', text);
      else inline.add(text);
    },
  });
  for await (const _ of scanning) {
    const ready = rows.take();
    if (ready.length > 0) yield ready;
  }
  if (hidden.count > 0) context.warn({ code: 'HIDDEN_ROWS', ...hidden });
  if (mergedCells.count > 0) {
    context.warn({ code: 'MERGED_CELLS', ranges: mergedCells.named, count: mergedCells.count });
  }
}

interface RowBuilder {
  begin(attributes: string): { readonly number: number; readonly isHidden: boolean };
  cell(attributes: string): SheetCell;
  /** The text of the current cell. */
  formula(attributes: string): void;
  add(cell: SheetCell, value: CellValue): void;
  end(): void;
  /** The complete rows that haven't been taken yet. */
  take(): RawRow[];
}

/** Spreadsheets have no more rows, and rows without cells cost next to no bytes. */
const rowsMax = 1_048_576;

/** Assembles rows. Cells and rows must be in order and unique: if two claim the same place, neither can be trusted. */
function createRowBuilder(context: SheetContext): RowBuilder {
  const { part, styles, columnsMax, rowCharactersMax } = context;
  const damaged = new TableError({ code: 'WORKBOOK_DAMAGED', part });
  const warn = columnWarnings(context.warn);
  const shared = createNoteLists();
  const merged = new RunningRanges(context.mergedCells.ranges, part, columnsMax);
  const arrays = new RunningRanges([], part, columnsMax);
  let rows: RawRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let notes: CellNote[] = [];
  let characters = 0;
  let lastColumn = -1;
  /** Columns whose cell contains an empty text, which is a value too. */
  let emptyTexts: number[] = [];

  function place({ column }: SheetCell, text: string): void {
    if (column >= columnsMax)
      throw new TableError({ code: 'TOO_MANY_COLUMNS', line: number, max: columnsMax });
    characters += text.length;
    if (characters > rowCharactersMax) {
      throw new TableError({ code: 'ROW_TOO_LONG', line: number, max: rowCharactersMax });
    }
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  function note(column: number, reason: Uncertainty): void {
    notes.push({ code: 'VALUE_UNCERTAIN', column, reason });
  }

  /** Cells without their own value, because they belong to merged cells or an array formula. */
  function noteCovered(): void {
    for (const { left, right } of arrays.in(number)) {
      for (let column = left; column <= right && column < columnsMax; column++) {
        // Every cell of a calculated array formula has its result.
        const hasResult = (cells[column] ?? '') !== '' || emptyTexts.includes(column);
        if (!hasResult) note(column, 'FORMULA_NOT_CALCULATED');
      }
    }
    for (const { top, left, right } of merged.in(number)) {
      for (let column = left; column <= right && column < columnsMax; column++) {
        if (top !== number || column !== left) note(column, 'MERGED');
      }
    }
  }

  return {
    begin: (attributes) => {
      const { r, hidden } = attributesOf(attributes);
      const next = r === undefined ? number + 1 : Number(/^\d{1,7}$/.test(r) ? r : Number.NaN);
      if (!(next > number && next <= rowsMax)) throw damaged;
      number = next;
      cells = [];
      notes = [];
      characters = 0;
      lastColumn = -1;
      emptyTexts = [];
      return { number, isHidden: isTrue(hidden) };
    },
    cell: (attributes) => {
      const { r, s = '0', t = 'n' } = attributesOf(attributes);
      const address = r === undefined ? { column: lastColumn + 1, row: number } : addressOf(r);
      if (address === undefined || address.row !== number || address.column <= lastColumn) throw damaged;
      lastColumn = address.column;
      return {
        column: lastColumn,
        type: t,
        style: Number(s),
        value: undefined,
        hasInline: false,
        hasFormula: false,
      };
    },
    formula: (attributes) => {
      if (!attributes.includes('ref')) return;
      const { t, ref = '' } = attributesOf(attributes);
      if (t !== 'array' && t !== 'dataTable') return;
      const range = rangeOf(ref);
      if (range === undefined) throw damaged;
      if (!isSingle(range)) arrays.add(range);
    },
    add: (cell, value) => {
      const { column } = cell;
      const { text: written, uncertainty, digits } = value;
      const text = withoutGuard(written); // a text from CSV keeps its apostrophe in a workbook
      if (text === '' && uncertainty === undefined) {
        const isText = cell.value !== undefined || cell.hasInline;
        if (isText && column < columnsMax) emptyTexts.push(column);
        return;
      }
      tell(value, column, number, warn);
      place(cell, text);
      if (digits !== undefined && digits !== text) notes.push({ code: 'IS_NUMBER', column, digits });
      else if (digits !== undefined && uncertainty !== undefined) notes.push({ code: 'IS_NUMBER', column });
      if (uncertainty !== undefined) note(column, uncertainty);
      else if ((text !== written || styles.quoted.has(cell.style)) && isDamageText(text))
        notes.push({ code: 'IS_TEXT', column });
    },
    end: () => {
      noteCovered();
      const row = { number, line: number, cells };
      rows.push(notes.length > 0 ? { ...row, notes: shared(notes) } : row);
    },
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

function tell(
  { uncertainty, isDisplayedDifferently }: CellValue,
  column: number,
  row: number,
  warn: ColumnWarn,
): void {
  if (uncertainty === 'FORMULA_NOT_CALCULATED') warn('FORMULA_WITHOUT_VALUE', column, row);
  if (uncertainty === 'NUMBER_NOT_EXACT') warn('LONG_NUMBER', column, row);
  if (isDisplayedDifferently && uncertainty !== 'NUMBER_NOT_EXACT') warn('NUMBER_FORMAT', column, row);
}
