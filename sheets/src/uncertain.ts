import type { AttributeType } from './attributes.js';
import { type FieldName, typeOf } from './fields.js';
import type { CellNote, Row, Uncertainty } from './row.js';

/** Why the value of these columns is uncertain for this field, or undefined if it isn't. */
export function uncertaintyOf(
  row: Pick<Row, 'notes'>,
  columns: readonly number[],
  field: FieldName,
): Uncertainty | undefined {
  return uncertaintyOfType(row, columns, typeOf(field));
}

/** The same for values of a type. */
export function uncertaintyOfType(
  { notes }: Pick<Row, 'notes'>,
  columns: readonly number[],
  type: AttributeType,
): Uncertainty | undefined {
  if (notes === undefined) return undefined;
  for (const note of notes) {
    if (note.code !== 'VALUE_UNCERTAIN' || !columns.includes(note.column)) continue;
    const isMeant = types[note.reason] === type;
    if (!isMeant || (type === 'number' && !numberNote({ notes }, columns))) return note.reason;
  }
  return undefined;
}

/** Each of these leaves no doubt about a value of one type. */
const types: Partial<Record<Uncertainty, AttributeType>> = {
  BOOLEAN: 'boolean',
  LIST: 'list',
  DATE: 'date',
  NUMBER_FORMAT: 'number',
  NUMBER_NOT_EXACT: 'number',
};

/** The note that a cell is exact as a number. */
export function numberNote({ notes = [] }: Pick<Row, 'notes'>, columns: readonly number[]) {
  for (const note of notes) if (note.code === 'IS_NUMBER' && columns.includes(note.column)) return note;
  return undefined;
}

/** Fields whose values spreadsheets never mistake for numbers. */
const notLikeNumbers: ReadonlySet<string> = new Set(['name', 'email', 'password', 'isActive']);
/** With the sign that spreadsheets write: 1E5 without it may well be an ID. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?E[+-]\d{1,3}$/i;

/** Whether a text looks like 1.23457E+15. */
export function isShortened(text: string): boolean {
  return shortened.test(text);
}

/** Whether the text is a long number that a spreadsheet shortened. */
export function isShortenedNumber(field: string, text: string): boolean {
  return !notLikeNumbers.has(field) && isShortened(text);
}

/** Whether the recipe of the column doubts the value, and not the file. */
export function isDoubtOfRecipe(reason: string | undefined): boolean {
  return reason === 'NOT_IN_TABLE' || reason === 'DATE_FORMAT';
}

function keyOf(note: CellNote): string {
  if (note.code === 'VALUE_UNCERTAIN') return `${note.column} ${note.reason},`;
  return note.code === 'IS_NUMBER' ? `${note.column} ${note.code} ${note.digits},` : `${note.column},`;
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
