const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const count = new Intl.NumberFormat();

/** A time of the API as the reader's locale writes it. */
export function formatDateTime(time: string): string {
  return moment.format(new Date(time));
}

export function formatNumber(value: number): string {
  return count.format(value);
}
