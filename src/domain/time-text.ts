/** Times in messages are in UTC, whatever the time zone of the server. */
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** As in "3 March 2026". */
export function dateText(at: Date | string): string {
  return date.format(new Date(at));
}

/** As in "3 March 2026, 14:05 UTC". */
export function dateAndTime(at: Date | string): string {
  return `${dateText(at)}, ${time.format(new Date(at))} UTC`;
}
