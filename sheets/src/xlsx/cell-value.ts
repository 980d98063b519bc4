import { TableError } from '../problems.js';
import type { Uncertainty } from '../row.js';
import { displayNumber, generalFormat, unknownFormat } from './number-format.js';
import type { Styles } from './styles.js';
import { unescapedText } from './text-escapes.js';

/** A cell as represented in the XML. */
export interface SheetCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  /** The content of `<v>`: undefined if there is none, and empty if it is empty. */
  value: string | undefined;
  /** Whether there is an `<is>`, which contains the text of the cell. */
  hasInline: boolean;
  hasFormula: boolean;
}

export interface CellValue {
  readonly text: string;
  readonly uncertainty?: Uncertainty;
  /** Whether the sheet displays a different text. */
  readonly isDisplayedDifferently?: boolean;
  /** The number itself, if a field for numbers may use it instead of the text. */
  readonly digits?: string;
}

export interface ValueContext {
  readonly part: string;
  readonly sharedStrings: readonly string[];
  readonly styles: Styles;
  readonly isFrom1904: boolean;
  /** Formulas are calculated when the workbook is opened, so the results in the file don't count. */
  readonly isToBeCalculated: boolean;
}

const nothing: CellValue = { text: '' };
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d{1,3})?$/i;

/** The text of a cell, and why it may not be its value. An unreadable cell is never treated as empty. */
export function cellValue(cell: SheetCell, inline: string, context: ValueContext): CellValue {
  const stored = storedValue(cell, inline, context);
  if (!cell.hasFormula || !context.isToBeCalculated) return stored;
  const { digits: _, ...outdated } = stored;
  return { ...outdated, uncertainty: stored.uncertainty ?? 'FORMULA_NOT_CALCULATED' };
}

function storedValue(cell: SheetCell, inline: string, context: ValueContext): CellValue {
  const { type, value, hasInline, hasFormula } = cell;
  if (value === undefined && !hasInline) {
    return hasFormula ? { text: '', uncertainty: 'FORMULA_NOT_CALCULATED' } : nothing;
  }
  if (type === 'inlineStr') return hasInline ? { text: inline } : malformed(value);
  if (value === undefined) return malformed(inline);
  if (type === 'str') return { text: unescapedText(value) };
  // A formula may result in an empty text, as its type shows. No other cell has an empty value.
  if (value.trim() === '') {
    return { text: '', uncertainty: hasFormula ? 'FORMULA_NOT_CALCULATED' : 'MALFORMED' };
  }
  switch (type) {
    case 's':
      return { text: sharedString(value, context) };
    case 'b':
      return flag(value);
    case 'd':
      return { text: value.replace(/(?:T00:00(?::00(?:\.0+)?)?)?Z?$/, ''), uncertainty: 'DATE' };
    case 'e':
      return { text: value, uncertainty: 'ERROR' };
    case 'n':
      return number(value.trim(), cell.style, context);
    default:
      return malformed(value);
  }
}

function malformed(text = ''): CellValue {
  return { text, uncertainty: 'MALFORMED' };
}

function sharedString(value: string, { sharedStrings, part }: ValueContext): string {
  const text = /^\d+$/.test(value.trim()) ? sharedStrings[Number(value)] : undefined;
  if (text === undefined) throw new TableError({ code: 'WORKBOOK_DAMAGED', part });
  return text;
}

function flag(value: string): CellValue {
  const word = value.trim().toLowerCase();
  if (word === '1' || word === 'true') return { text: 'TRUE', uncertainty: 'BOOLEAN' };
  if (word === '0' || word === 'false') return { text: 'FALSE', uncertainty: 'BOOLEAN' };
  return malformed(value);
}

function number(value: string, style: number, { styles, isFrom1904 }: ValueContext): CellValue {
  if (!numberPattern.test(value)) return malformed(value);
  const format = styles.formats[style] ?? (style === 0 ? generalFormat : unknownFormat);
  return displayNumber(value, format, isFrom1904);
}
