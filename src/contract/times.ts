/** RFC 3339, but seconds are optional. Whether the month has the day is checked separately. */
export const timePattern =
  '^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$';
const timestamp = new RegExp(timePattern);

/** Converts an RFC 3339 time to the database format; undefined for an invalid date or a year out of range. */
export function readTime(text: string): string | undefined {
  const [, year, month, day] = timestamp.exec(text) ?? [];
  if (day === undefined) return undefined;
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const time = new Date(text);
  const utcYear = time.getUTCFullYear(); // the offset can move a time into another year
  return utcYear >= 1 && utcYear <= 9999 ? time.toISOString() : undefined;
}
