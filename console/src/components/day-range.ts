/** The start of a minute or a day in the time zone of the browser; undefined for anything else. */
function startOf(text: string, plus: { readonly days: number; readonly minutes: number }): Date | undefined {
  const [, year, month, date, hour, minute] =
    /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const [days, minutes] = hour === undefined ? [plus.days, 0] : [0, plus.minutes];
  const start = new Date(
    ...([Number(year), Number(month) - 1, Number(date) + days] as const),
    Number(hour ?? 0),
    Number(minute ?? 0) + minutes,
  );
  return Number.isNaN(start.getTime()) ? undefined : start;
}

/** Both days are included, or both minutes, such as 2026-12-31T08:30. */
export function dayRange(from: string | null, until: string | null): { since?: string; until?: string } {
  const since = startOf(from ?? '', { days: 0, minutes: 0 });
  const end = startOf(until ?? '', { days: 1, minutes: 1 });
  return {
    ...(since && { since: since.toISOString() }),
    ...(end && { until: end.toISOString() }),
  };
}

export const periods = ['lastDay', 'sinceYesterdayEvening', 'lastWeek'] as const;
const hourMs = 3_600_000;
const eveningHour = 18;

/** When a period begins, such as 2026-12-31T08:30, in the time zone of the browser. */
export function startOfPeriod(period: (typeof periods)[number], now: Date): string {
  const start = new Date(now);
  if (period === 'lastDay') start.setTime(now.getTime() - 24 * hourMs);
  if (period === 'lastWeek') start.setDate(now.getDate() - 7);
  if (period === 'sinceYesterdayEvening') {
    start.setDate(now.getDate() - 1);
    start.setHours(eveningHour, 0);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`;
  return `${day}T${two(start.getHours())}:${two(start.getMinutes())}`;
}

/** The day after a day such as 2026-12-31. */
export function dayAfter(day: string): string {
  const start = new Date(`${day}T00:00Z`);
  start.setUTCDate(start.getUTCDate() + 1);
  return start.toISOString().slice(0, 10);
}
