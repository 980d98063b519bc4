import { plainNumber } from '../plain-number.js';

/** What a number format makes of a number, as far as a text of it can be a name or an ID. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Digits at fixed places, and what stands between them: 00000, or "E"000. */
  | { readonly kind: 'digits'; readonly tokens: readonly string[] }
  /** A person sees something else than the plain number, which is given all the same. */
  | { readonly kind: 'other' };

export interface ShownNumber {
  readonly text: string;
  /** Whether the sheet shows another text. */
  readonly isShownOtherwise: boolean;
}

const dateFormats = /^(?:1[4-7]|2[7-9]|3[0146]|3[45]|5[0-8])$/;
const timeFormats = /^(?:1[89]|2[01]|3[23]|45|47)$/;
const plainFormats = /^(?:0|1|49)$/;

/** The formats that have a number and no code in the file. */
export function builtInFormat(id: number): NumberFormat {
  const name = String(id);
  if (plainFormats.test(name)) return { kind: 'plain' };
  if (id === 22) return { kind: 'date', hasDate: true, hasTime: true };
  if (dateFormats.test(name)) return { kind: 'date', hasDate: true, hasTime: false };
  if (timeFormats.test(name)) return { kind: 'date', hasDate: false, hasTime: true };
  return { kind: 'other' };
}

/** Literals in quotes or behind a backslash, what fills or skips a width, and brackets, which are no digits. */
const tokenPattern = /"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|am\/pm|a\/p|general|[\s\S]/gi;

export function parseNumberFormat(code: string): NumberFormat {
  const [positive = ''] = sections(code);
  if (/^(?:general|@|0|#)?$/i.test(positive)) return { kind: 'plain' };
  const tokens: string[] = [];
  let letters = '';
  for (const [token, quoted, escaped] of positive.matchAll(tokenPattern)) {
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
    else if (/^[-+ ():$]$/.test(token)) {
      tokens.push(`"${token}`);
    } else letters += token.toLowerCase();
  }
  const dateLetters = letters.replace(/am\/pm|a\/p|[./,]/g, '');
  if (/^[ymdhs]+$/.test(dateLetters)) return dateFormat(dateLetters);
  return letters === '' && tokens.some((token) => /^[0#?]$/.test(token))
    ? { kind: 'digits', tokens }
    : { kind: 'other' };
}

/** An m stands for minutes beside hours or seconds, and for months otherwise. */
function dateFormat(letters: string): NumberFormat {
  const hasTime = /[hs]/.test(letters);
  return { kind: 'date', hasDate: /[yd]/.test(letters) || !hasTime, hasTime };
}

/** Formats for positive, negative and zero are separated by semicolons; a semicolon in quotes is none. */
function sections(code: string): string[] {
  return code.match(/(?:"[^"]*"|\\.|[^;"\\])+/g) ?? [];
}

export function showNumber(value: string, format: NumberFormat, isFrom1904: boolean): ShownNumber {
  const plain = readable(value);
  if (format.kind === 'plain') return { text: plain, isShownOtherwise: false };
  if (format.kind === 'date') {
    const text = isoDate(Number(value), format, isFrom1904);
    return { text: text ?? plain, isShownOtherwise: text === undefined };
  }
  if (format.kind === 'digits' && /^\d+$/.test(plain)) {
    return { text: placed(plain, format.tokens), isShownOtherwise: false };
  }
  return { text: plain, isShownOtherwise: true };
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
