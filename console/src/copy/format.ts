import { locale } from './language.js';

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const count = new Intl.NumberFormat(locale);

/** In the language of the user and the time zone of the browser. */
export function formatDateTime(time: string): string {
  return dateTime.format(new Date(time));
}

/** The day of a time. */
export function formatDate(time: string): string {
  return date.format(new Date(time));
}

/** A day such as 2026-11-15. */
export function formatDay(day: string): string {
  return date.format(new Date(`${day}T00:00`));
}

export function formatNumber(value: number): string {
  return count.format(value);
}
