/** The start of a day in the time zone of the browser; undefined for anything that is not a day. */
function startOf(day: string, plusDays = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (date === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + plusDays);
  return Number.isNaN(start.getTime()) ? undefined : start;
}

/** Both days are included. */
export function dayRange(from: string | null, until: string | null): { since?: string; until?: string } {
  const since = startOf(from ?? '');
  const end = startOf(until ?? '', 1);
  return {
    ...(since && { since: since.toISOString() }),
    ...(end && { until: end.toISOString() }),
  };
}

/** The day after a day such as 2026-12-31. */
export function dayAfter(day: string): string {
  const start = new Date(`${day}T00:00Z`);
  start.setUTCDate(start.getUTCDate() + 1);
  return start.toISOString().slice(0, 10);
}
