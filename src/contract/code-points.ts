/** Lengths are counted in code points, as in JSON Schema and PostgreSQL. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a text has at most this many code points. Counts them only if that can decide. */
export function isWithin(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && codePoints(text) <= maxLength);
}
