import { attributeRule } from './attribute-cells.js';
import type { Attribute } from './attributes.js';
import { isErrorText } from './error-texts.js';
import { type FieldName, type MappedField, ruleOf } from './fields.js';
import { englishTexts, type FileTexts } from './file-texts.js';
import type { Heading } from './headings.js';
import type { Row, Uncertainty } from './row.js';
import { isShortened, isShortenedNumber } from './uncertain.js';

interface Told {
  readonly row: number;
  readonly line: number;
  /** A sentence, worded like the service's where it has the same rule. */
  readonly detail: string;
  readonly field?: MappedField;
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
  readonly code: 'CELLS_MISSING' | 'QUOTE_STRAY';
}

/** A problem of an item, regardless of its row. */
export type ItemProblem = Pick<RowProblem, 'code' | 'detail' | 'field'>;

type Untold<Problem> = Omit<Problem, 'detail' | 'row' | 'line'>;

/** What is wrong with the row as the file has it. Undefined for what depends on the rules of fields. */
export function rowText(
  problem: Untold<RowProblem> | Untold<RowWarning>,
  texts: FileTexts = englishTexts,
): string | undefined {
  const { code, text = '', count = 1 } = problem;
  switch (code) {
    case 'CELL_IS_ERROR':
      return text === '' ? texts.someFormulaError : texts.formulaError(text);
    case 'VALUE_UNCERTAIN':
      return uncertaintyText(problem.reason ?? 'MALFORMED', text, texts);
    case 'NAME_UNKNOWN':
      return texts.nameUnknown(text);
    case 'CELLS_STRAY':
      return texts.cellsStray(problem.texts ?? []);
    case 'CELLS_MISSING':
      return texts.cellsMissing(count);
    case 'QUOTE_STRAY':
      return texts.quoteStray;
    default:
      return undefined;
  }
}

export function uncertaintyText(reason: UncertainReason, text: string, { uncertain } = englishTexts): string {
  const told = uncertain[reason];
  return typeof told === 'string' ? told : told(text);
}

/** Adds the row and the English text. */
function told<Problem extends Untold<RowProblem> | Untold<RowWarning>>(
  { number: row, line }: Pick<Row, 'number' | 'line'>,
  problem: Problem,
  name: string | undefined = problem.field,
): Problem & Pick<Told, 'row' | 'line' | 'detail'> {
  const text = rowText(problem) ?? '';
  const detail = name === undefined ? text : `"${name}": ${text}`;
  return { row, line, detail, ...problem };
}

export function cellProblem(
  row: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  text: string,
): RowProblem {
  const where = { field, column, text };
  if (isErrorText(text)) return told(row, { ...where, code: 'CELL_IS_ERROR' });
  if (isShortenedNumber(field, text))
    return told(row, { ...where, code: 'VALUE_UNCERTAIN', reason: 'SHORTENED' });
  const { number, line } = row;
  return { row: number, line, ...where, ...(text === '' ? requiredProblem(field) : invalidProblem(field)) };
}

/** Where an attribute is in a file. People know it by the heading of its column. */
export interface AttributeSource {
  readonly attribute: Attribute;
  readonly field: MappedField;
  readonly columns: readonly number[];
  readonly heading: string;
}

/** The attribute doesn't accept what the cell contains. */
export function attributeProblem(row: Row, source: AttributeSource, text: string): RowProblem {
  const { attribute, field, heading, columns } = source;
  const where = { field, column: columns[0] ?? 0, text };
  if (isErrorText(text)) return told(row, { ...where, code: 'CELL_IS_ERROR' }, heading);
  if (attribute.type !== 'date' && attribute.type !== 'boolean' && isShortened(text))
    return told(row, { ...where, code: 'VALUE_UNCERTAIN', reason: 'SHORTENED' }, heading);
  const detail = `"${heading}" must be ${attributeRule(attribute)}, not "${text}".`;
  return { row: row.number, line: row.line, ...where, code: 'FIELD_INVALID', detail };
}

/** The value of the cell is not known exactly, and we don't guess. */
export function uncertainProblem(
  row: Row,
  field: MappedField,
  [column = 0]: readonly number[],
  text: string,
  reason: UncertainReason | 'ERROR',
  heading?: string,
): RowProblem {
  const where = { field, column, text };
  if (reason === 'ERROR') return told(row, { ...where, code: 'CELL_IS_ERROR' }, heading);
  return told(row, { ...where, code: 'VALUE_UNCERTAIN', reason }, heading);
}

/** An organization or tag that the service doesn't know, and about which nobody has decided. */
export function unknownNameProblem(
  row: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  name: string,
): RowProblem {
  return told(row, { code: 'NAME_UNKNOWN', field, column, text: name });
}

function invalidProblem(field: FieldName): ItemProblem {
  return { code: 'FIELD_INVALID', field, detail: `"${field}" must be ${cellRule(field)}.` };
}

export function requiredProblem(field: FieldName): ItemProblem {
  const detail = `"${field}" is required. It must be ${cellRule(field)}.`;
  return { code: 'FIELD_REQUIRED', field, detail };
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
  row: Row,
  { length }: readonly Heading[],
): { problems: RowProblem[]; warnings: RowWarning[] } {
  const problems: RowProblem[] = [];
  const warnings: RowWarning[] = [];
  for (const note of row.notes ?? []) {
    if (note.code === 'CELLS_STRAY') {
      problems.push(told(row, { code: 'CELLS_STRAY', column: length, texts: note.texts }));
    } else if (note.code === 'CELLS_MISSING') {
      const { count } = note;
      warnings.push(told(row, { code: 'CELLS_MISSING', column: length - count, count }));
    } else if (note.code === 'QUOTE_STRAY') {
      warnings.push(told(row, { code: 'QUOTE_STRAY', column: note.column }));
    }
  }
  return { problems, warnings };
}
