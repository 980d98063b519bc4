import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * Arrays for `unnest`, written as PostgreSQL array literals: the driver's encoder runs every value through several type
 * checks, which costs more than the statement itself at 10,000 rows.
 */
export function textArray(values: readonly (string | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) literal += ',';
    const value = values[i];
    if (value == null) literal += 'NULL';
    else literal += `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  return `${literal}}`;
}

/** For values that need no quotes: UUIDs, timestamps without spaces, numbers, booleans. */
export function plainArray(values: readonly (string | number | boolean)[]): string {
  return `{${values.join(',')}}`;
}

/**
 * Lists of texts, one per row. `unnest` cannot take ragged arrays, so each list is sent as one text that
 * `string_to_array(list, separator)` splits; that costs half as much as nested array literals. The separator occurs in
 * none of the lists: a rare character, or else an unpredictable text.
 */
export function joinedLists(lists: readonly (readonly string[])[]): { joined: string; separator: string } {
  let separator = '\u001f';
  while (lists.some((list) => list.some((text) => text.includes(separator)))) separator = randomUUID();
  return { joined: textArray(lists.map((list) => list.join(separator))), separator };
}

// biome-ignore lint/suspicious/noExplicitAny: the OID of text[] is not among the driver's named types
const parseQuotedArray = pg.types.getTypeParser(1009 as any) as (literal: string) => string[];

/** Parses a `text[]` that was selected as text. Most contain plain words, which a split handles. */
export function parseTextArray(literal: string): readonly string[] {
  if (literal === '{}') return [];
  return /["\\]/.test(literal) ? parseQuotedArray(literal) : literal.slice(1, -1).split(',');
}
