import { isErrorText } from './error-texts.js';
import { type FieldName, ruleOf } from './fields.js';
import type { Heading } from './headings.js';
import type { Row, Uncertainty } from './row.js';
import { isShortenedNumber, uncertaintyProblem } from './uncertain.js';

interface Told {
  readonly row: number;
  readonly line: number;
  /** A sentence, worded like the service's where it has the same rule. */
  readonly detail: string;
  readonly field?: FieldName;
  /** For a problem with a field: the detail without the leading name of the field. */
  readonly problem?: string;
  /** The column, or the first of several joined ones. */
  readonly column?: number;
  readonly text?: string;
  /** The number of missing cells. */
  readonly count?: number;
}

export interface RowProblem extends Told {
  readonly code:
    | 'FIELD_REQUIRED'
    | 'FIELD_INVALID'
    | 'CONTACT_REQUIRED'
    | 'CELL_IS_ERROR'
    | 'VALUE_UNCERTAIN'
    | 'NAME_UNKNOWN'
    | 'CELLS_STRAY';
  /** For an uncertain value. */
  readonly reason?: UncertainReason;
  /** The texts without a heading. */
  readonly texts?: readonly string[];
}

/** A long number that a spreadsheet shortened, or a row that ends early, are uncertain as well. */
export type UncertainReason = Exclude<Uncertainty, 'ERROR'> | 'SHORTENED' | 'CUT_OFF';

export interface RowWarning extends Told {
  readonly code: 'EMPLOYEE_ID_TWICE' | 'CELLS_MISSING' | 'QUOTE_STRAY';
  /** The earlier row with the same employee ID. */
  readonly first?: number;
}

/** A problem of an item, regardless of its row. */
export type ItemProblem = Pick<RowProblem, 'code' | 'detail' | 'field' | 'problem' | 'reason'>;

export function cellProblem(
  { number, line }: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  text: string,
): RowProblem {
  const where = { row: number, line, field, column, text };
  if (text === '') return { ...where, ...requiredProblem(field) };
  if (isErrorText(text)) return { ...where, ...errorProblem(field, text) };
  if (isShortenedNumber(field, text)) return { ...where, ...shortenedProblem(field, text) };
  return { ...where, ...fieldProblem('FIELD_INVALID', field, `must be ${cellRule(field)}.`) };
}

/** The value of the cell is not known exactly, and we don't guess. */
export function uncertainProblem(
  { number, line }: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  text: string,
  reason: Uncertainty,
): RowProblem {
  const where = { row: number, line, field, column, text };
  if (reason === 'ERROR') return { ...where, ...errorProblem(field, text || 'an error') };
  return { ...where, ...uncertain(reason, field, uncertaintyProblem(reason)) };
}

/** An organization or tag that the service doesn't know, and about which nobody has decided. */
export function unknownNameProblem(
  { number, line }: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  name: string,
): RowProblem {
  const problem = fieldProblem('NAME_UNKNOWN', field, `names "${name}", which is not in the directory.`);
  return { row: number, line, column, text: name, ...problem };
}

/** If empty cells clear fields, a row that ends early may have been cut off. */
export function cutOffProblem(
  { number, line }: Row,
  field: FieldName,
  [column = 0]: readonly number[],
): RowProblem {
  const problem = 'is missing: the row ends before its column. Give every row the same number of cells.';
  return { row: number, line, column, text: '', ...uncertain('CUT_OFF', field, problem) };
}

function errorProblem(field: FieldName, text: string): ItemProblem {
  return fieldProblem('CELL_IS_ERROR', field, `must not be ${text}, which is a formula error.`);
}

function shortenedProblem(field: FieldName, text: string): ItemProblem {
  const problem = `must not be ${text}, which is a long number that a spreadsheet shortened. Format the column as text, enter the value again and save the file.`;
  return uncertain('SHORTENED', field, problem);
}

function uncertain(reason: UncertainReason, field: FieldName, problem: string): ItemProblem {
  return { ...fieldProblem('VALUE_UNCERTAIN', field, problem), reason };
}

export function requiredProblem(field: FieldName): ItemProblem {
  return fieldProblem('FIELD_REQUIRED', field, `is required. It must be ${cellRule(field)}.`);
}

function fieldProblem(code: RowProblem['code'], field: FieldName, problem: string): ItemProblem {
  return { code, field, problem, detail: `"${field}" ${problem}` };
}

export const contactProblem: ItemProblem = {
  code: 'CONTACT_REQUIRED',
  detail: '"email" and "phone" are both empty. Send at least one.',
};

/** The service takes booleans; cells contain words. */
function cellRule(field: FieldName): string {
  return field === 'isActive' ? 'true or false, yes or no, active or inactive, 1 or 0' : ruleOf(field);
}

/** Problems and warnings for a row whose cells don't match the headings. */
export function ofNotes(
  { number, line, notes = [] }: Row,
  headings: readonly Heading[],
): { problems: RowProblem[]; warnings: RowWarning[] } {
  const at = { row: number, line };
  const problems: RowProblem[] = [];
  const warnings: RowWarning[] = [];
  for (const note of notes) {
    if (note.code === 'CELLS_STRAY') {
      const detail = `The row has more cells than there are headings: ${note.texts.map((text) => JSON.stringify(text)).join(', ')}.`;
      problems.push({ ...at, code: 'CELLS_STRAY', detail, column: headings.length, texts: note.texts });
    } else if (note.code === 'CELLS_MISSING') {
      const detail = `The row has ${note.count} fewer ${note.count === 1 ? 'cell' : 'cells'} than there are headings.`;
      const { count } = note;
      warnings.push({ ...at, code: 'CELLS_MISSING', detail, column: headings.length - count, count });
    } else if (note.code === 'QUOTE_STRAY') {
      const detail = 'A quote begins the cell and does not end it; the cell is taken as it stands.';
      warnings.push({ ...at, code: 'QUOTE_STRAY', detail, column: note.column });
    }
  }
  return { problems, warnings };
}
