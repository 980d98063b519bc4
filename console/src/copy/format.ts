const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const count = new Intl.NumberFormat();

/** In the locale and time zone of the browser. */
export function formatDateTime(time: string): string {
  return dateTime.format(new Date(time));
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
