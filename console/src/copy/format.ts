const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const count = new Intl.NumberFormat();

/** In the locale and time zone of the browser. */
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

/** `1 user`, `2 users`. */
export function plural(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `1 user`, `2 users`. */
export function users(value: number): string {
  return plural(value, 'user');
}
