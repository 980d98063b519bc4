import { type FieldValue, parseCell } from './cells.js';
import { isErrorText } from './error-texts.js';
import { type FieldName, fieldsOf, type Operation, requiredFieldsOf } from './fields.js';
import type { Heading } from './headings.js';
import type { Mapping } from './mapping.js';
import type { Row } from './row.js';
import {
  cellProblem,
  contactProblem,
  cutOffProblem,
  ofNotes,
  type RowProblem,
  type RowWarning,
  uncertainProblem,
} from './row-problems.js';
import { uncertaintyOf } from './uncertain.js';

/** What a row of a sync tells of a person, who may be new or known. */
export interface SyncItem {
  employeeID: string;
  name?: string;
  isActive?: boolean;
  newEmployeeID?: string;
  username?: string | null;
  email?: string | null;
  phone?: string | null;
  password?: string;
  tagSerials?: readonly string[] | null;
  organizationSerial?: string | null;
}

/** An item of a bulk call, with the fields that its row has. */
export interface Item extends SyncItem {
  name: string;
  isActive: boolean;
}

/** What the rows of each operation become. */
export interface ItemOf {
  create: Item;
  update: Item;
  sync: SyncItem;
}

export interface ReadRow<O extends Operation = Operation> {
  readonly row: number;
  readonly line: number;
  /** There whenever it could be read, whatever else is wrong with the row. */
  readonly employeeID?: string;
  /** There exactly if there are no problems. */
  readonly item?: ItemOf[O];
  readonly problems: readonly RowProblem[];
  readonly warnings: readonly RowWarning[];
}

export interface ItemOptions<O extends Operation = Operation> {
  readonly operation: O;
  readonly headings: readonly Heading[];
  /** One that checkMapping finds nothing wrong with. */
  readonly mapping: Mapping;
  /** What an empty cell means: to leave the field alone, or to clear it. */
  readonly empty?: 'leaves' | 'clears';
  /** To find the same employee ID twice, all of them are remembered. */
  readonly doubles?: 'told' | 'ignored';
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Values = Partial<Record<FieldName, FieldValue | null>>;

/** Fields that everybody has, or where null means nothing but to leave them out. */
const neverCleared: ReadonlySet<FieldName> = new Set(['name', 'isActive', 'newEmployeeID', 'password']);

/** Makes the function that turns the rows of one table into items, one after the other. */
export function createItemReader<O extends Operation>(options: ItemOptions<O>): (row: Row) => ReadRow<O> {
  const { operation, headings, mapping, empty = 'leaves', doubles = 'told' } = options;
  const sources = fieldsOf(operation).flatMap((field) => {
    const columns = mapping[field] ?? [];
    return columns.length > 0 ? [{ field, columns }] : [];
  });
  const required = new Set(requiredFieldsOf(operation));
  const rowOf = new Map<string, number>();

  return (row) => {
    const { problems, warnings } = ofNotes(row, headings);
    const values: Values = {};
    for (const { field, columns } of sources) {
      const text = joined(row.cells, columns);
      const uncertainty = uncertaintyOf(row, columns, field);
      if (uncertainty !== undefined) {
        problems.push(uncertainProblem(row, field, columns, text, uncertainty));
        continue;
      }
      if (text === '' && !required.has(field)) {
        if (empty === 'leaves' || neverCleared.has(field)) continue;
        if (isCutOff(row, columns)) problems.push(cutOffProblem(row, field, columns));
        else values[field] = null;
        continue;
      }
      const value = text === '' || isError(row, columns, text) ? undefined : parseCell(field, text);
      if (value === undefined) problems.push(cellProblem(row, field, columns, text));
      else values[field] = value;
    }
    if (operation === 'create' && lacksContact(values, problems)) {
      problems.push({ row: row.number, line: row.line, ...contactProblem });
    }
    const { employeeID } = values;
    // Assigned and not spread: spreading leaves garbage that only a full collection takes, 35 MB of it on a long file.
    const read: Writable<ReadRow<O>> = { row: row.number, line: row.line, problems, warnings };
    if (typeof employeeID === 'string') {
      read.employeeID = employeeID;
      if (doubles === 'told') warnings.push(...doubleWarning(rowOf, row, employeeID, mapping.employeeID));
    }
    // Without problems the required fields are there: checkMapping has seen to their columns.
    if (problems.length === 0) read.item = values as ItemOf[O];
    return read;
  };
}

function isError({ notes = [] }: Row, columns: readonly number[], text: string): boolean {
  if (!isErrorText(text)) return false;
  return !notes.some((note) => note.code === 'NOT_AN_ERROR' && columns.includes(note.column));
}

/** The row ends before the column: whether the field is empty or the row was cut off cannot be told. */
function isCutOff({ notes = [], cells }: Row, columns: readonly number[]): boolean {
  const missing = notes.find((note) => note.code === 'CELLS_MISSING');
  return missing !== undefined && columns.some((column) => column >= cells.length - missing.count);
}

function joined(cells: readonly string[], columns: readonly number[]): string {
  if (columns.length === 1) return (cells[columns[0] ?? 0] ?? '').trim();
  return columns
    .map((column) => (cells[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** A contact that is there and wrong has been told already. */
function lacksContact({ email, phone }: Values, problems: readonly RowProblem[]): boolean {
  if (email != null || phone != null) return false;
  return !problems.some(({ field }) => field === 'email' || field === 'phone');
}

function doubleWarning(
  rowOf: Map<string, number>,
  { number, line }: Row,
  employeeID: string,
  [column = 0]: readonly number[] = [],
): RowWarning[] {
  const first = rowOf.get(employeeID);
  if (first === undefined) {
    rowOf.set(employeeID, number);
    return [];
  }
  const detail = `The employee ID "${employeeID}" is in row ${first} already.`;
  const where = { row: number, line, field: 'employeeID', column, text: employeeID } as const;
  return [{ ...where, code: 'EMPLOYEE_ID_TWICE', detail, first }];
}
