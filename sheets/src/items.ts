import { type FieldValue, isErrorText, parseCell } from './cells.js';
import { type FieldName, fieldsOf, type Operation, requiredFieldsOf, ruleOf } from './fields.js';
import type { Heading } from './headings.js';
import type { Mapping } from './mapping.js';
import type { Row } from './row.js';

/** An item of a bulk call, with the fields that its row has. */
export interface Item {
  employeeID: string;
  name: string;
  isActive: boolean;
  newEmployeeID?: string;
  username?: string | null;
  email?: string | null;
  phone?: string | null;
  password?: string;
  tagSerials?: readonly string[] | null;
  organizationSerial?: string | null;
}

interface Told {
  readonly row: number;
  readonly line: number;
  /** A sentence, in the words of the service where it has the same rule. */
  readonly detail: string;
  readonly field?: FieldName;
  /** The column, or the first of those that are joined. */
  readonly column?: number;
  readonly text?: string;
}

export interface RowProblem extends Told {
  readonly code: 'FIELD_REQUIRED' | 'FIELD_INVALID' | 'CONTACT_REQUIRED' | 'CELL_IS_ERROR' | 'CELLS_STRAY';
}

export interface RowWarning extends Told {
  readonly code: 'EMPLOYEE_ID_TWICE' | 'CELLS_MISSING' | 'QUOTE_STRAY';
  /** The row that has the employee ID already. */
  readonly first?: number;
}

export interface ReadRow {
  readonly row: number;
  readonly line: number;
  /** There exactly if there are no problems. */
  readonly item?: Item;
  readonly problems: readonly RowProblem[];
  readonly warnings: readonly RowWarning[];
}

export interface ItemOptions {
  readonly operation: Operation;
  readonly headings: readonly Heading[];
  /** One that checkMapping finds nothing wrong with. */
  readonly mapping: Mapping;
  /** What an empty cell means: to leave the field alone, or to clear it. */
  readonly empty?: 'leaves' | 'clears';
  /** To find the same employee ID twice, all of them are remembered. */
  readonly doubles?: 'told' | 'ignored';
}

/** Fields where null means nothing but to leave them out. */
const neverCleared: ReadonlySet<FieldName> = new Set(['newEmployeeID', 'password']);

/** Makes the function that turns the rows of one table into items, one after the other. */
export function createItemReader(options: ItemOptions): (row: Row) => ReadRow {
  const { operation, headings, mapping, empty = 'leaves', doubles = 'told' } = options;
  const sources = fieldsOf(operation).flatMap((field) => {
    const columns = mapping[field] ?? [];
    return columns.length > 0 ? [{ field, columns }] : [];
  });
  const required = new Set(requiredFieldsOf(operation));
  const rowOf = new Map<string, number>();

  return (row) => {
    const { problems, warnings } = ofNotes(row, headings);
    const item: Partial<Record<FieldName, FieldValue | null>> = {};
    for (const { field, columns } of sources) {
      const text = joined(row.cells, columns);
      if (text === '' && !required.has(field)) {
        if (empty === 'clears' && !neverCleared.has(field)) item[field] = null;
        continue;
      }
      const value = text === '' || isErrorText(text) ? undefined : parseCell(field, text);
      if (value === undefined) problems.push(problemOf(row, field, columns, text));
      else item[field] = value;
    }
    if (operation === 'create') problems.push(...contactProblem(row, item, problems));
    if (doubles === 'told' && typeof item.employeeID === 'string') {
      warnings.push(...doubleWarning(rowOf, row, item.employeeID, mapping.employeeID));
    }
    const read = { row: row.number, line: row.line, problems, warnings };
    // Without problems the required fields are there: checkMapping has seen to their columns.
    return problems.length > 0 ? read : { ...read, item: item as Item };
  };
}

function joined(cells: readonly string[], columns: readonly number[]): string {
  if (columns.length === 1) return (cells[columns[0] ?? 0] ?? '').trim();
  return columns
    .map((column) => (cells[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ');
}

function problemOf(
  { number, line }: Row,
  field: FieldName,
  [column = 0]: readonly number[],
  text: string,
): RowProblem {
  // The service knows booleans; cells are words.
  const rule = field === 'isActive' ? 'true or false, yes or no, active or inactive, 1 or 0' : ruleOf(field);
  const where = { row: number, line, field, column, text };
  if (text === '') return { ...where, code: 'FIELD_REQUIRED', detail: `"${field}" is required: ${rule}.` };
  if (!isErrorText(text)) return { ...where, code: 'FIELD_INVALID', detail: `"${field}" must be ${rule}.` };
  const detail = `"${field}" must not be ${text}, which is the error of a formula.`;
  return { ...where, code: 'CELL_IS_ERROR', detail };
}

function contactProblem(
  { number, line }: Row,
  { email, phone }: Partial<Record<FieldName, FieldValue | null>>,
  problems: readonly RowProblem[],
): RowProblem[] {
  const isTold = problems.some(({ field }) => field === 'email' || field === 'phone');
  if (email != null || phone != null || isTold) return [];
  const detail = 'Give an "email" or a "phone": both are empty.';
  return [{ row: number, line, code: 'CONTACT_REQUIRED', detail }];
}

function doubleWarning(
  rowOf: Map<string, number>,
  { number, line }: Row,
  employeeID: string,
  [column = 0]: readonly number[] = [],
): RowWarning[] {
  const first = rowOf.get(employeeID);
  if (first === undefined) {
    rowOf.set(ownCopy(employeeID), number);
    return [];
  }
  const detail = `The employee ID "${employeeID}" is in row ${first} already.`;
  const where = { row: number, line, field: 'employeeID', column, text: employeeID } as const;
  return [{ ...where, code: 'EMPLOYEE_ID_TWICE', detail, first }];
}

/** A piece of a text keeps all of that text in memory, which here would be the whole file. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

function ofNotes(
  { number, line, notes = [] }: Row,
  headings: readonly Heading[],
): { problems: RowProblem[]; warnings: RowWarning[] } {
  const at = { row: number, line };
  const problems: RowProblem[] = [];
  const warnings: RowWarning[] = [];
  for (const note of notes) {
    if (note.code === 'CELLS_STRAY') {
      const detail = `The row has more cells than there are headings: ${note.texts.map((text) => JSON.stringify(text)).join(', ')}.`;
      problems.push({ ...at, code: 'CELLS_STRAY', detail, column: headings.length });
    } else if (note.code === 'CELLS_MISSING') {
      const detail = `The row has ${note.count} ${note.count === 1 ? 'cell' : 'cells'} less than there are headings.`;
      warnings.push({ ...at, code: 'CELLS_MISSING', detail, column: headings.length - note.count });
    } else {
      const detail = 'A quote begins the cell and does not end it; the cell is taken as it stands.';
      warnings.push({ ...at, code: 'QUOTE_STRAY', detail, column: note.column });
    }
  }
  return { problems, warnings };
}
