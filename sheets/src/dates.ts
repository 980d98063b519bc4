const isoDay = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const otherDays = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/;

/**
 * A day without a time, as 2026-12-31. In 31.12.2026, the day comes first; with slashes, only a number above 12 tells
 * the day from the month, and we don't guess.
 */
export function parseDate(text: string): string | undefined {
  if (isoDay.test(text)) return parseIsoDate(text);
  const [, first = '', separator, second = '', last = ''] = otherDays.exec(text) ?? [];
  if (first.length === 4) return last.length > 2 ? undefined : calendarDay(first, second, last);
  if (first.length > 2 || last.length !== 4) return undefined;
  if (separator === '.') return calendarDay(last, second, first);
  const [low, high] = [Number(first), Number(second)];
  if (low > 12) return calendarDay(last, second, first);
  return high > 12 || low === high ? calendarDay(last, first, second) : undefined;
}

function parseIsoDate(text: string): string | undefined {
  const [, year, month, day] = isoDay.exec(text) ?? [];
  return year === undefined ? undefined : calendarDay(year, month, day);
}

function calendarDay(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${text}T00:00:00Z`);
  const exists = year !== '0000' && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return exists ? text : undefined;
}

const formatParts = /^(YYYY|YY|MM?|DD?)([^\p{L}\p{N}]*)(YYYY|YY|MM?|DD?)([^\p{L}\p{N}]*)(YYYY|YY|MM?|DD?)$/u;
const digits: Readonly<Record<string, string>> = {
  ...{ YYYY: '(?<year>\\d{4})', YY: '(?<year>\\d\\d)' },
  ...{ MM: '(?<month>\\d\\d)', M: '(?<month>\\d\\d?)' },
  ...{ DD: '(?<day>\\d\\d)', D: '(?<day>\\d\\d?)' },
};
/** A year before the month and the day in any other order would misread the dates of workbooks, which are 2026-12-31. */
const orders: ReadonlySet<string> = new Set(['YMD', 'DMY', 'MDY']);

/**
 * Reads the dates of a format such as DD.MM.YYYY, M/D/YY or YYYYMMDD, and those in the form of ISO 8601, in which
 * workbooks are read. D and M are one or two digits. Returns undefined if the format isn't one.
 */
export function createDateReader(format: string): ((text: string) => string | undefined) | undefined {
  const [, first = '', before = '', second = '', after = '', third = ''] = formatParts.exec(format) ?? [];
  const parts = [first, second, third];
  if (!orders.has(parts.map((part) => part.charAt(0)).join(''))) return undefined;
  const isVariable = parts.some((part) => part.length === 1);
  if (isVariable && (before === '' || after === '')) return undefined;
  const pattern = new RegExp(
    `^${digits[first]}${escaped(before)}${digits[second]}${escaped(after)}${digits[third]}$`,
  );
  return (text) => {
    const found = pattern.exec(text)?.groups;
    return found ? calendarDay(fullYear(found.year), found.month, found.day) : parseIsoDate(text);
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** From 1950 to 2049, as .NET, Windows and X.509 (RFC 5280) read two digits. The clock doesn't change a date. */
function fullYear(year = ''): string {
  if (year.length === 4) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
}
