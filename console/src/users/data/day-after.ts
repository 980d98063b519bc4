/** The day after a day such as 2026-12-31. */
export function dayAfter(day: string): string {
  const start = new Date(`${day}T00:00Z`);
  start.setUTCDate(start.getUTCDate() + 1);
  return start.toISOString().slice(0, 10);
}
