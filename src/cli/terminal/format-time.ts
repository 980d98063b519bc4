/** To the second. Accepted by options such as --since. */
export function formatTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19)}Z`;
}

const long = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** "31 December 2026 at 00:00 UTC", in the time zone of the terminal. */
export function formatLongTime(time: string): string {
  return long.format(new Date(time));
}
