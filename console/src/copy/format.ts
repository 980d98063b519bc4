import { locale } from './language.js';

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
const count = new Intl.NumberFormat(locale);
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 15, useGrouping: 'min2' });
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const units = {
  second: new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
  minute: new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
  megabyte: new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 }),
};
const list = new Intl.ListFormat(locale, { type: 'conjunction' });
const compactCount = new Intl.NumberFormat(locale, { notation: 'compact', useGrouping: 'always' });

/** In the language of the user and the time zone of the browser. */
export function formatDateTime(time: string): string {
  return dateTime.format(new Date(time));
}

/** When something starts: only the day, if it starts with the day. */
export function formatStart(at: string): string {
  const start = new Date(at);
  return start.getHours() === 0 && start.getMinutes() === 0 ? date.format(start) : dateTime.format(start);
}

/** The day of a time. */
export function formatDate(time: string): string {
  return date.format(new Date(time));
}

/** The time of day. */
export function formatTime(at: string): string {
  return time.format(new Date(at));
}

/** The day of a time, with its weekday. */
export function formatLongDate(at: string): string {
  return longDate.format(new Date(at));
}

/** A day such as 2026-11-15. */
export function formatDay(day: string): string {
  return date.format(new Date(`${day}T00:00`));
}

/** When a day such as 2026-11-15 begins: `15 November 2026, 00:00 (Europe/Berlin)`. */
export function formatDayStart(day: string, timeZone: string | undefined): string {
  const start = new Date(`${day}T00:00`);
  const text = `${longDay.format(start)}, ${time.format(start)}`;
  return timeZone === undefined ? text : `${text} (${timeZone})`;
}

/** A time such as 2026-11-15T03:30:00Z in another time zone, with its weekday. */
export function formatInTimeZone(at: string, timeZone: string): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}

/** The name of a weekday, from 1 for Monday to 7 for Sunday. */
export function formatWeekday(day: number): string {
  return weekday.format(new Date(Date.UTC(2024, 0, day))); // a Monday
}

export function formatNumber(value: number): string {
  return count.format(value);
}

/** A number with all of its digits: `1234.5`, `12,345.6`. Years and other short numbers have no separator. */
export function formatDecimal(value: number): string {
  return decimal.format(value);
}

/** A number as the region writes it: `1.234,5` in German. Undefined for anything else, also for `1.23` in German. */
export function parseDecimal(text: string, region: string = locale): number | undefined {
  const parts = new Intl.NumberFormat(region, { useGrouping: 'always' }).formatToParts(1234.5);
  const [group, point] = ['group', 'decimal'].map((type) => parts.find((part) => part.type === type)?.value);
  const form = new RegExp(
    `^([-+\u2212]?)(\\d+|\\d{1,3}(?:[\\s'’${group}]\\d{3})+)(?:[${point}](\\d+))?$`,
    'u',
  );
  const [, sign = '', whole, fraction = '0'] = form.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  return Number(`${sign === '' || sign === '+' ? '' : '-'}${whole.replace(/\D/g, '')}.${fraction}`);
}

/** A share between 0 and 1, such as 62.5%. */
export function formatPercent(share: number): string {
  return percent.format(share);
}

/** `45 seconds`, `5 minutes`. */
export function formatDuration(seconds: number): string {
  return seconds < 60 ? units.second.format(seconds) : units.minute.format(Math.ceil(seconds / 60));
}

export function formatBytes(bytes: number): string {
  return units.megabyte.format(bytes / 1_000_000);
}

/** What spreadsheets of the region expect between cells: a semicolon where the comma separates decimals. */
export const csvSeparator = separatorOf(locale);

export function separatorOf(region: string): ',' | ';' {
  return new Intl.NumberFormat(region).format(1.5).includes(',') ? ';' : ',';
}

/** A part of a whole in percent, without the sign. */
export function formatShare(part: number, whole: number): string {
  return share.format(whole === 0 ? 0 : (100 * part) / whole);
}

/** A day such as 2026-11-15, without the year. */
export function formatShortDay(day: string): string {
  return shortDay.format(new Date(`${day}T00:00`));
}

/** The day of a time, without the year. */
export function formatShortDate(at: string): string {
  return shortDay.format(new Date(at));
}

/** Where there is little space: 12K. */
export function formatCompactNumber(value: number): string {
  return compactCount.format(value);
}

/** `A, B, and C`. */
export function formatList(items: readonly string[]): string {
  return list.format(items);
}

/** In the time zone of the browser, in a form that spreadsheets sort and recognize. */
export function sheetTime(time: string): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
