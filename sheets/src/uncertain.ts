import type { FieldName } from './fields.js';
import type { CellNote, Row } from './row.js';

/** Why the value of a cell is not known exactly. The text of the cell is then only what there is to show. */
export type Uncertainty =
  /** The file holds a formula but not its result, or says itself that its results are out of date. */
  | 'FORMULA_NOT_CALCULATED'
  /** More digits than a double keeps: the last ones were rounded when the number was typed or written. */
  | 'NUMBER_NOT_EXACT'
  /** The number format shows other digits or letters than the number has. */
  | 'NUMBER_FORMAT'
  /** No field is a date: a spreadsheet made one of a text like 3-4 or SEP2. */
  | 'DATE'
  | 'BOOLEAN'
  | 'LIST'
  /** Only the first of merged cells has the value. */
  | 'MERGED'
  | 'ERROR'
  | 'KEY_TWICE'
  | 'MALFORMED';

/** Each says what to do about it. They follow the name of the field. */
const sentences: Readonly<Record<Exclude<Uncertainty, 'ERROR'>, string>> = {
  FORMULA_NOT_CALCULATED:
    'is a formula whose result is not in the file. Open the file in Excel and save it so formulas are calculated.',
  NUMBER_NOT_EXACT:
    'is a number with more digits than can be stored exactly, so its last digits may be wrong. Format the column as text (in JSON, put the value in quotes) and enter the value again.',
  NUMBER_FORMAT:
    'is a number that its format shows as something else. Format the column as text and enter the value again.',
  DATE: 'is a date. Format the column as text and enter the value again.',
  BOOLEAN:
    'is true or false, not a text. Format the column as text (in JSON, put the value in quotes) and enter the value again.',
  LIST: 'is a list. Give a single text.',
  MERGED: 'is covered by merged cells. Unmerge them and fill in every row.',
  KEY_TWICE: 'cannot be told, because the object has the same key twice. Keep the one that is right.',
  MALFORMED: 'cannot be read. Open the file in Excel, check the cell and save the file.',
};

export function uncertaintyProblem(reason: Exclude<Uncertainty, 'ERROR'>): string {
  return sentences[reason];
}

export function uncertaintyText(field: string, reason: Exclude<Uncertainty, 'ERROR'>): string {
  return `"${field}" ${sentences[reason]}`;
}

/** Why the value of these columns is not known, or undefined if it is, for this field. */
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
  return (field === 'isActive' && reason === 'BOOLEAN') || (field === 'tagSerials' && reason === 'LIST');
}

/** Fields whose values people mistake for numbers, and so do spreadsheets. */
const numberLike: ReadonlySet<FieldName> = new Set([
  'employeeID',
  'newEmployeeID',
  'username',
  'phone',
  'organizationSerial',
  'tagSerials',
]);
/** With the sign that spreadsheets write and people do not: 1E5 may well be an ID. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?E[+-]\d{1,3}$/i;

/** A text like 1.23457E+15 is what a spreadsheet left of a long number when it wrote the file. */
export function isShortenedNumber(field: FieldName, text: string): boolean {
  return numberLike.has(field) && shortened.test(text);
}

function keyOf(note: CellNote): string {
  return note.code === 'VALUE_UNCERTAIN' ? `${note.column} ${note.reason},` : `${note.column},`;
}

/** Most rows of a table have the same notes, if any, so that they share one list. */
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
