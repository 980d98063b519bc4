import { type FieldName, typeOf } from './fields.js';
import type { CellNote, Row, Uncertainty } from './row.js';

/** Why the value of these columns is uncertain for this field, or undefined if it isn't. */
export function uncertaintyOf(
  { notes }: Pick<Row, 'notes'>,
  columns: readonly number[],
  field: FieldName,
): Uncertainty | undefined {
  if (notes === undefined) return undefined;
  for (const note of notes) {
    if (note.code === 'VALUE_UNCERTAIN' && columns.includes(note.column) && !suits(field, note.reason)) {
      return note.reason;
    }
  }
  return undefined;
}

function suits(field: FieldName, reason: Uncertainty): boolean {
  return (
    (typeOf(field) === 'boolean' && reason === 'BOOLEAN') || (typeOf(field) === 'list' && reason === 'LIST')
  );
}

/** Fields whose values spreadsheets never mistake for numbers. */
const notLikeNumbers: ReadonlySet<FieldName> = new Set(['name', 'email', 'password', 'isActive']);
/** With the sign that spreadsheets write: 1E5 without it may well be an ID. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?E[+-]\d{1,3}$/i;

/** Whether a text looks like 1.23457E+15. */
export function isShortened(text: string): boolean {
  return shortened.test(text);
}

/** Whether the text is a long number that a spreadsheet shortened. */
export function isShortenedNumber(field: FieldName, text: string): boolean {
  return !notLikeNumbers.has(field) && isShortened(text);
}

function keyOf(note: CellNote): string {
  return note.code === 'VALUE_UNCERTAIN' ? `${note.column} ${note.reason},` : `${note.column},`;
}

/** Most rows of a table have the same notes, if any, so they share one list. */
const listsSharedMax = 1_000;

export function createNoteLists(): (notes: readonly CellNote[]) => readonly CellNote[] {
  const lists = new Map<string, readonly CellNote[]>();
  return (notes) => {
    let key = '';
    for (const note of notes) key += keyOf(note);
    const known = lists.get(key);
    if (known !== undefined) return known;
    if (lists.size < listsSharedMax) lists.set(key, notes);
    return notes;
  };
}
