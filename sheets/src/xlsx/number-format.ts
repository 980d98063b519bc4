import { isExactNumber, plainNumber } from '../plain-number.js';
import type { Uncertainty } from '../uncertain.js';

/** What a number format makes of a number, as far as a text of it can be a name or an ID. */
export type NumberFormat =
  /** The number as it is. */
  | { readonly kind: 'general' }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Digits at fixed places, and what stands between them: 00000, or "E"000. */
  | { readonly kind: 'digits'; readonly tokens: readonly string[] }
  /** The digits of a whole number with marks between or beside them: 1,234.00 or (555) 0123. `zeros` are filled up to. */
  | { readonly kind: 'marked'; readonly zeros: number }
  /** A person sees something else than the plain number. */
  | { readonly kind: 'other' }
  /** Zero is shown in another way than other numbers. */
  | { readonly kind: 'zero apart'; readonly zero: NumberFormat; readonly others: NumberFormat };

export interface ShownNumber {
  readonly text: string;
  /** Whether the sheet shows another text. */
  readonly isShownOtherwise: boolean;
  readonly uncertainty?: Uncertainty;
}

const other: NumberFormat = { kind: 'other' };

const dateFormats = /^(?:1[4-7]|2[7-9]|3[0146]|3[45]|5[0-8])$/;
const timeFormats = /^(?:1[89]|2[01]|3[23]|45|47)$/;
const builtInCodes: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_)',
  42: '_($* #,##0_)',
  43: '_(* #,##0.00_)',
  44: '_($* #,##0.00_)',
  48: '##0.0E+0',
  49: '@',
};

/** The formats that have a number and no code in the file. */
export function builtInFormat(id: number): NumberFormat {
  const name = String(id);
  if (id === 22) return { kind: 'date', hasDate: true, hasTime: true };
  if (dateFormats.test(name)) return { kind: 'date', hasDate: true, hasTime: false };
  if (timeFormats.test(name)) return { kind: 'date', hasDate: false, hasTime: true };
  const code = builtInCodes[id];
  return code === undefined ? other : parseNumberFormat(code);
}

/** Literals in quotes or behind a backslash, what fills or skips a width, and brackets, which are no digits. */
const tokenPattern = /"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|am\/pm|a\/p|general|[\s\S]/gi;
const condition = /\[[<>=][^\]]*\]/g;
/** Twice as many as a spreadsheet takes. */
const codeCharactersMax = 512;

export function parseNumberFormat(code: string): NumberFormat {
  if (code.length > codeCharactersMax) return other;
  const all = sections(code);
  if (code.search(condition) !== -1) return conditionalFormat(all);
  const [positive = '', , zero] = all;
  const others = sectionFormat(positive, all.length === 1);
  return zero === undefined ? others : { kind: 'zero apart', zero: sectionFormat(zero, false), others };
}

/** Which section holds is left open, so that all of them have to come to the same. */
function conditionalFormat(all: readonly string[]): NumberFormat {
  const zeros = all.map((section) => {
    const format = sectionFormat(section.replace(condition, ''), false);
    if (format.kind === 'marked') return format.zeros;
    return format.kind === 'digits' ? zerosOf(format.tokens) : undefined;
  });
  return zeros.every((count) => count !== undefined) ? { kind: 'marked', zeros: Math.max(...zeros) } : other;
}

/** Undefined if letters or digits of its own stand among the places. */
function zerosOf(tokens: readonly string[]): number | undefined {
  if (tokens.some((token) => token.startsWith('"') && /[\p{L}\p{N}]/u.test(token))) return undefined;
  return tokens.filter((token) => token === '0').length;
}

function sectionFormat(section: string, isOnly: boolean): NumberFormat {
  if (/^(?:general|@)$/i.test(section) || (section === '' && isOnly)) return { kind: 'general' };
  const { tokens, letters } = tokensOf(section);
  const dateLetters = letters.replace(/am\/pm|a\/p|[./,]/g, '');
  if (/^[ymdhs]+$/.test(dateLetters)) return dateFormat(dateLetters);
  if (!tokens.some((token) => /^[0#?]$/.test(token))) return other;
  return letters === '' ? { kind: 'digits', tokens } : (markedFormat(section) ?? other);
}

/** What stands in a section: places for digits, literals (with a quote in front), and whatever else has a meaning. */
function tokensOf(section: string): { tokens: string[]; letters: string } {
  const tokens: string[] = [];
  let letters = '';
  for (const [token, quoted, escaped] of section.matchAll(tokenPattern)) {
    const literal = quoted ?? escaped;
    if (literal !== undefined) tokens.push(`"${literal}`);
    else if (
      /^[_*]/.test(token) ||
      /^\[(?:\$|black|white|red|green|blue|yellow|magenta|cyan|color)/i.test(token)
    ) {
      // A colour, a width or a language changes no text; a currency stands in the same brackets.
      const currency = /^\[\$([^-\]]+)/.exec(token)?.[1];
      if (currency !== undefined) tokens.push(`"${currency}`);
    } else if (/^[0#?]$/.test(token)) tokens.push(token);
    else if (/^[-+ ():$]$/.test(token)) tokens.push(`"${token}`);
    else letters += token.toLowerCase();
  }
  return { tokens, letters };
}

/** Digits in groups, with decimals or both. A comma behind the last place divides by a thousand. */
function markedFormat(section: string): NumberFormat | undefined {
  const bare = section.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '');
  const [, whole = ''] = /^[^0#?.,\w%/]*([0#?]+(?:,[0#?]+)*)(?:\.[0#?]+)?[^0#?.,\w%/]*$/.exec(bare) ?? [];
  const { tokens } = tokensOf(section);
  if (whole === '' || zerosOf(tokens) === undefined) return undefined;
  return { kind: 'marked', zeros: whole.replace(/[^0]/g, '').length };
}

/** An m stands for minutes beside hours or seconds, and for months otherwise. */
function dateFormat(letters: string): NumberFormat {
  const hasTime = /[hs]/.test(letters);
  return { kind: 'date', hasDate: /[yd]/.test(letters) || !hasTime, hasTime };
}

/** Formats for positive, negative and zero are separated by semicolons; a semicolon in quotes is none. */
function sections(code: string): string[] {
  return Array.from(
    code.matchAll(/((?:"[^"]*"|\\.|\[[^\]]*\]?|[^;"\\[])*)(?:;|$)/g),
    ([, section = '']) => section,
  )
    .slice(0, 4)
    .filter((section, at, all) => section !== '' || at < all.length - 1 || at === 0);
}

/** The text of a number, and why it is not sure to be what the number stands for. */
export function showNumber(value: string, format: NumberFormat, isFrom1904: boolean): ShownNumber {
  const plain = readable(value);
  if (format.kind === 'zero apart') {
    return showNumber(value, plain === '0' ? format.zero : format.others, isFrom1904);
  }
  if (format.kind === 'date') {
    const text = isoDate(Number(value), format, isFrom1904);
    return { text: text ?? plain, isShownOtherwise: text === undefined, uncertainty: 'DATE' };
  }
  if (!isExactNumber(value)) {
    return { text: plain, isShownOtherwise: format.kind !== 'general', uncertainty: 'NUMBER_NOT_EXACT' };
  }
  if (format.kind === 'general') return { text: plain, isShownOtherwise: false };
  if (format.kind === 'digits' && /^\d+$/.test(plain)) {
    const text = placed(plain, format.tokens);
    // A place of # or ? shows no zero.
    if (plain !== '0' || format.tokens.includes('0')) return { text, isShownOtherwise: false };
  }
  if (format.kind === 'marked' && /^\d+$/.test(plain) && plain.length >= format.zeros) {
    return { text: plain, isShownOtherwise: true };
  }
  return { text: plain, isShownOtherwise: true, uncertainty: 'NUMBER_FORMAT' };
}

/**
 * Whole numbers keep the digits they have in the file. Of fractions a spreadsheet keeps 15 digits and writes 17, so that
 * 1.1 stands in the file as 1.1000000000000001.
 */
function readable(value: string): string {
  const plain = plainNumber(value);
  return plain.includes('.') ? plainNumber(Number(value).toPrecision(15)) : plain;
}

/** Digits fill the places from the right; those for which there is no place stand before the first. */
function placed(digits: string, tokens: readonly string[]): string {
  let left = digits === '0' ? '' : digits;
  let text = '';
  const first = tokens.findIndex((token) => !token.startsWith('"'));
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at] ?? '';
    if (token.startsWith('"')) text = token.slice(1) + text;
    else if (at === first) text = (left || (token === '0' ? '0' : '')) + text;
    else {
      text = (left.slice(-1) || (token === '0' ? '0' : '')) + text;
      left = left.slice(0, -1);
    }
  }
  return text;
}

/** Undefined if the number is no date that a spreadsheet knows. */
function isoDate(
  serial: number,
  { hasDate, hasTime }: { hasDate: boolean; hasTime: boolean },
  isFrom1904: boolean,
): string | undefined {
  if (!(serial >= 0 && serial < 2_958_466)) return undefined; // 31 December 9999 is the last
  const seconds = Math.round(serial * 86_400);
  // For a spreadsheet 1900 is a leap year, so before March of that year the days are off by one.
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + seconds * 1000).toISOString();
  if (!hasDate) return iso.slice(11, 19);
  return hasTime && seconds % 86_400 !== 0 ? iso.slice(0, 19) : iso.slice(0, 10);
}
