import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type ChangeableField, columnOf, fieldRows } from '../contract/user-values.js';
import type { Executor } from './database.js';

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

/** Adds a value to those of the statement and returns its placeholder. */
export type Parameter = (value: unknown) => string;

/** The values of a statement, collected while it is written. */
export function newParameters(): { readonly values: unknown[]; readonly parameter: Parameter } {
  const values: unknown[] = [];
  return { values, parameter: (value) => `$${values.push(value)}` };
}

/** Joins the conditions whose value is defined. `?` stands for the value. */
export function whereAll(
  conditions: Readonly<Record<string, unknown>>,
  values: unknown[],
): { readonly where: string; readonly values: unknown[] } {
  const parts = ['true'];
  for (const [condition, value] of Object.entries(conditions)) {
    if (value === undefined) continue;
    values.push(value);
    parts.push(condition.replaceAll('?', `$${values.length}`));
  }
  return { where: parts.join(' AND '), values };
}

/** How many rows one statement deletes, so that no lock lasts. */
const rowsDeletedAtOnce = 5_000;

/** Deletes rows that satisfy a condition, but not too many at once. Returns true if there may be more. */
export async function deleteBatch(
  executor: Executor,
  { table, condition, values }: { table: string; condition: string; values: readonly unknown[] },
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${rowsDeletedAtOnce}))`,
    [...values],
  );
  return rowCount === rowsDeletedAtOnce;
}

/** The columns of fields, under the names of the fields. */
export function namedColumns(fields: readonly ChangeableField[]): string {
  // As a text, because most values are compared or passed on, not looked at.
  const isJson = (name: ChangeableField) => ['attributes', 'json'].includes(fieldRows[name].kind);
  const selected = (name: ChangeableField) => (isJson(name) ? `${columnOf(name)}::text` : columnOf(name));
  return fields.map((name) => `${selected(name)} AS "${name}"`).join(', ');
}
