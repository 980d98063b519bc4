import { format, getFormatDateInfo, getFormatFromId, type Token, type TokenType, tokenize } from 'numfmt';
import { isExactNumber, plainNumber } from '../plain-number.js';
import type { Uncertainty } from '../row.js';

/**
 * How a number format displays zero and all other numbers. `numfmt` parses and applies the format; what is decided here
 * is whether the displayed text, the plain number, or neither can be trusted as a name or an ID.
 */
export interface NumberFormat {
  readonly code: string;
  readonly zero: Display;
  readonly others: Display;
  /** Whether the number itself is meant, if not the text: 50% may be 0.5 or 50, and 37:30 hours aren't 1.5625. */
  readonly isNumber: boolean;
}

type Display =
  /** The number itself: General, or a text format. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Digits in fixed places and literal text, such as 00000 or "E"000: the displayed text is the value. */
  | { readonly kind: 'literal' }
  /** Thousands separators, decimals or conditions: the plain number is the value if its digits are displayed. */
  | { readonly kind: 'decorated'; readonly decimals: number }
  /** Anything else, such as percentages, fractions and exponents. */
  | { readonly kind: 'other' };

export interface DisplayedNumber {
  readonly text: string;
  /** Whether the sheet displays a different text. */
  readonly isDisplayedDifferently: boolean;
  readonly uncertainty?: Uncertainty;
  /** The number itself, if it is exact and a field for numbers may use it instead of the text. */
  readonly digits?: string;
}

const plain: Display = { kind: 'plain' };
const other: Display = { kind: 'other' };

export const generalFormat: NumberFormat = { code: 'General', zero: plain, others: plain, isNumber: true };
export const unknownFormat: NumberFormat = { code: '', zero: other, others: other, isNumber: false };

/** The formats that a file refers to by number alone. 23 to 26 are reserved, and none is defined above 58. */
export function builtInFormat(id: number): NumberFormat {
  const isDefined = (id >= 0 && id <= 22) || (id >= 27 && id <= 58);
  return isDefined ? parseNumberFormat(getFormatFromId(id)) : unknownFormat;
}

/** Twice as many as Excel allows. */
const codeCharactersMax = 512;

export function parseNumberFormat(code: string): NumberFormat {
  if (code === '') return generalFormat;
  if (code.length > codeCharactersMax || !canFormat(code)) return unknownFormat;
  const tokens = tokenize(code);
  const sections = sectionsOf(tokens);
  const isNumber = !has(tokens, 'PERCENT', 'DURATION', 'DATETIME');
  if (has(tokens, 'CONDITION')) {
    const display = conditionalDisplay(sections);
    return { code, zero: display, others: display, isNumber };
  }
  const [positive = [], , zero = positive] = sections;
  return { code, zero: zeroDisplay(zero), others: sectionDisplay(positive), isNumber };
}

function canFormat(code: string): boolean {
  try {
    format(code, 0);
    return true;
  } catch {
    return false;
  }
}

type Section = readonly Token[];

/** The sections for positive numbers, negative numbers, zero and texts. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'BREAK') sections.push([]);
    else sections.at(-1)?.push(token);
  }
  return sections;
}

function has(section: Section, ...types: readonly TokenType[]): boolean {
  return section.some(({ type }) => types.includes(type));
}

const digitPlaces: readonly TokenType[] = ['ZERO', 'HASH', 'QMARK'];
/** Text, widths, colors and currencies, which leave the digits as they are. */
const besideDigits: ReadonlySet<TokenType> = new Set<TokenType>([
  ...(['STRING', 'ESCAPED', 'CHAR', 'SPACE', 'MINUS', 'PLUS', 'PAREN', 'CURRENCY'] as const),
  ...(['SKIP', 'FILL', 'COLOR', 'LOCALE', 'CONDITION'] as const),
]);

function sectionDisplay(section: Section): Display {
  const [first] = section;
  if (section.length === 1 && (first?.type === 'GENERAL' || first?.type === 'TEXT')) return plain;
  if (has(section, 'DURATION')) return other;
  if (has(section, 'DATETIME')) return dateDisplay(section);
  const isUnderstood = section.every(
    ({ type }) =>
      digitPlaces.includes(type) || besideDigits.has(type) || type === 'GROUP' || type === 'POINT',
  );
  if (!isUnderstood || !has(section, ...digitPlaces)) return other;
  return has(section, 'GROUP', 'POINT')
    ? { kind: 'decorated', decimals: decimalsOf(section) }
    : { kind: 'literal' };
}

/** # and ? display nothing for zero. */
function zeroDisplay(section: Section): Display {
  const display = sectionDisplay(section);
  return display.kind === 'literal' && !has(section, 'ZERO') ? other : display;
}

/** No section of a conditional format may do anything but decorate the digits. */
function conditionalDisplay(sections: readonly Section[]): Display {
  const isDecoration = sections.every((section) =>
    ['literal', 'decorated'].includes(sectionDisplay(section).kind),
  );
  return isDecoration ? { kind: 'decorated', decimals: Math.max(...sections.map(decimalsOf)) } : other;
}

function decimalsOf(section: Section): number {
  const point = section.findIndex(({ type }) => type === 'POINT');
  return point === -1 ? 0 : section.slice(point).filter(({ type }) => digitPlaces.includes(type)).length;
}

/** Beside hours or seconds, an m without a day or a year stands for minutes. */
function dateDisplay(section: Section): Display {
  const { year, day, hours, seconds } = getFormatDateInfo(section.map(({ raw }) => raw).join(''));
  const hasTime = hours || seconds;
  return { kind: 'date', hasDate: year || day || !hasTime, hasTime };
}

/** The text of a number, and why it may not be its value. */
export function displayNumber(
  value: string,
  numberFormat: NumberFormat,
  isFrom1904: boolean,
): DisplayedNumber {
  const digits = readable(value);
  const display = digits === '0' ? numberFormat.zero : numberFormat.others;
  if (display.kind === 'date') {
    const text = isoDate(Number(value), display, isFrom1904);
    return { text: text ?? digits, isDisplayedDifferently: text === undefined, uncertainty: 'DATE' };
  }
  if (!isExactNumber(value)) {
    return {
      text: digits,
      isDisplayedDifferently: display.kind !== 'plain',
      uncertainty: 'NUMBER_NOT_EXACT',
      // Of a calculated fraction, such as 0.1 + 0.2, spreadsheets display 15 digits: 0.3.
      ...(digits.includes('.') && numberFormat.isNumber ? { digits } : {}),
    };
  }
  if (display.kind === 'plain') return { text: digits, isDisplayedDifferently: false };
  if (display.kind !== 'other' && /^\d+$/.test(digits)) {
    const text = format(numberFormat.code, Number(digits)).trim();
    if (display.kind === 'literal') {
      const number = { text, isDisplayedDifferently: false };
      return /^\d+$/.test(text) ? number : { ...number, digits };
    }
    if (isDecorated(digits, text, display.decimals)) return { text: digits, isDisplayedDifferently: true };
  }
  const number = { text: digits, isDisplayedDifferently: true, uncertainty: 'NUMBER_FORMAT' } as const;
  return numberFormat.isNumber ? { ...number, digits } : number;
}

/** Whether a text has these digits, decimals of zero, and no letters or digits besides. */
function isDecorated(digits: string, text: string, decimals: number): boolean {
  const shown = text.replace(/[^\p{L}\p{N}]/gu, '');
  return (
    shown.startsWith(digits) &&
    /^0*$/.test(shown.slice(digits.length)) &&
    shown.length <= digits.length + decimals
  );
}

/**
 * Whole numbers keep the digits they have in the file. Of fractions a spreadsheet keeps 15 digits and writes 17, so
 * that 1.1 is 1.1000000000000001 in the file.
 */
function readable(value: string): string {
  const digits = plainNumber(value);
  return digits.includes('.') ? plainNumber(Number(value).toPrecision(15)) : digits;
}

/** 31 December 9999 is the last day. */
const serialMax = 2_958_466;
/** The serial number of 1 January 1904. */
const days1904 = 1_462;

/** Undefined if the number is not a date that a spreadsheet can display. */
function isoDate(
  value: number,
  { hasDate, hasTime }: { hasDate: boolean; hasTime: boolean },
  isFrom1904: boolean,
): string | undefined {
  const serial = isFrom1904 ? value + days1904 : value;
  if (!(serial >= 0 && serial < serialMax)) return undefined;
  if (!hasDate) return format('hh:mm:ss', serial);
  return format(hasTime && serial % 1 !== 0 ? 'yyyy-mm-dd"T"hh:mm:ss' : 'yyyy-mm-dd', serial);
}
