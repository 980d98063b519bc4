const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * A date-time in UTC with nine digits after the second, so that instants compare as texts: clients send ticks of 100 ns,
 * and milliseconds would make two of them equal. Undefined if it isn't one, or if its year is before 1 or after 9999.
 */
export function instantOf(text: string): string | undefined {
  const [, local, fraction = '', zone = 'Z'] = dateTime.exec(text.toUpperCase()) ?? [];
  const time = new Date(`${local}${zone}`);
  if (local === undefined || Number.isNaN(time.getTime()) || !isOnCalendar(local)) return undefined;
  const [seconds = ''] = time.toISOString().split('.');
  const hasCommonYear = seconds.length === local.length && !seconds.startsWith('0000');
  return hasCommonYear ? `${seconds}.${fraction.padEnd(9, '0')}Z` : undefined;
}

/** JavaScript takes February 30 for March 2. */
function isOnCalendar(local: string): boolean {
  return new Date(`${local}Z`).toISOString().startsWith(local);
}
