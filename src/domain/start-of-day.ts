/** The first moment of a day in a time zone: midnight, or the end of the gap if clocks are put forward at midnight. */
export function startOfDay(date: string, timeZone: string): Date {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Offsets change at most once around a day, so the one before or the one after applies.
  const offsets = [noon - 86_400_000, noon].map((time) => offsetMs(time, timeZone));
  const moments = offsets.map((offset) => midnight - offset).toSorted((a, b) => a - b);
  const first = moments.find((moment) => dateIn(moment, timeZone) === date);
  return new Date(first ?? (moments.at(-1) as number));
}

/** How far the clocks of a time zone are ahead of UTC. */
function offsetMs(time: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(time, timeZone);
  return (
    Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(time / 1_000) * 1_000
  );
}

/** The day of a time. */
export function dateIn(time: number, timeZone: string): string {
  const { year, month, day } = partsOf(time, timeZone);
  return `${year}-${month}-${day}`;
}

/** With a new one for each time, finding the days of a year took most of a second. A service has one time zone. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    },
  });
  formats.set(timeZone, format);
  return format;
}

function partsOf(time: number, timeZone: string): Record<string, string> {
  const format = formatFor(timeZone);
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return { ...parts, year: (parts.year ?? '').padStart(4, '0') };
}
