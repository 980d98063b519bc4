import type { Attribute } from '../attributes.js';
import { type MeaningOf, readEmployeeID } from '../cells.js';
import type { Heading } from '../headings.js';
import { createItemReader, type SyncItem } from '../items.js';
import type { Mapping } from '../mapping.js';
import type { Row } from '../row.js';
import { uncertaintyText } from '../row-problems.js';
import { isDoubtOfRecipe, uncertaintyOf } from '../uncertain.js';

/** How a sync uses the columns of a file. */
export interface SyncColumns {
  readonly mapping: Mapping;
  /** The column with the previous employee ID. */
  readonly from?: number | undefined;
}

/** Why a row cannot be applied. */
export interface SyncProblem {
  /** An error name of the service, or a code of the file reader. */
  readonly code: string;
  /** What is wrong and how to fix it. */
  readonly detail: string;
}

/** A readable row: the user it is for, by new and previous employee ID, and the fields to set. */
export interface SyncRow {
  readonly row: number;
  readonly employeeID: string;
  /** The previous employee ID, if the row renames the user. */
  readonly from?: string | undefined;
  /** As in the row; the employee IDs above take precedence over those in here. */
  readonly fields: Readonly<SyncItem>;
}

/** A row of the file: something to do, or a problem. */
export type FileRow =
  | {
      readonly row: number;
      readonly employeeID: string;
      readonly sync: SyncRow;
      readonly problem?: undefined;
    }
  | { readonly row: number; readonly employeeID: string | undefined; readonly problem: SyncProblem };

export interface RowIds {
  /** The employee ID after the sync. */
  readonly employeeID: string | undefined;
  /** The previous employee ID, if different. */
  readonly from: string | undefined;
  /** If one of the two cannot be read. */
  readonly problem?: SyncProblem | undefined;
}

/** Reads only the employee IDs of a row. */
export function createIdReader(
  { mapping, from }: SyncColumns,
  headings: readonly Heading[] = [],
): (row: Row) => RowIds {
  const [idColumn = 0] = mapping.employeeID ?? [];
  const [newColumn] = mapping.newEmployeeID ?? [];
  const nameOf = ({ column, uncertainty }: ReadId) =>
    (isDoubtOfRecipe(uncertainty) && headings[column]?.name) || 'employeeID';
  return (row) => {
    const own = idIn(row, idColumn);
    const other = newColumn === undefined ? undefined : idIn(row, newColumn);
    if (other && isFilled(other)) return renamed(other, own, nameOf);
    const before = from === undefined ? undefined : idIn(row, from);
    return before && isFilled(before)
      ? renamed(own, before, nameOf)
      : { employeeID: own.id, from: undefined };
  };
}

interface ReadId {
  readonly column: number;
  readonly id: string | undefined;
  readonly text: string;
  /** Why the value is uncertain, if it is. */
  readonly uncertainty: ReturnType<typeof uncertaintyOf>;
}

function idIn(row: Row, column: number): ReadId {
  const text = row.cells[column] ?? '';
  const uncertainty = uncertaintyOf(row, [column], 'employeeID');
  return { id: uncertainty === undefined ? readEmployeeID(text) : undefined, column, text, uncertainty };
}

/** A cell with an uncertain value is not empty. */
function isFilled({ text, uncertainty }: ReadId): boolean {
  return text.trim() !== '' || uncertainty !== undefined;
}

function renamed(after: ReadId, before: ReadId, nameOf: (id: ReadId) => string): RowIds {
  const [employeeID, from] = [after.id, before.id];
  if (employeeID !== undefined && from !== undefined) {
    return { employeeID, from: from === employeeID ? undefined : from };
  }
  const unread = employeeID === undefined ? after : before;
  const { text, uncertainty } = unread;
  const detail =
    uncertainty === undefined || uncertainty === 'ERROR'
      ? `"${text.trim()}" is not a valid employee ID, so the user cannot be renamed.`
      : `"${nameOf(unread)}": ${uncertaintyText(uncertainty, text)}`;
  return { employeeID: employeeID ?? from, from: undefined, problem: { code: 'RENAME_INVALID', detail } };
}

export interface RowOptions {
  readonly empty: 'leaves' | 'clears';
  /** The file lists all users. Those in it are active, unless it has a column that says so. */
  readonly isComplete: boolean;
  /** What names of organizations and tags mean. */
  readonly meaningOf: MeaningOf;
  /** The definitions of the attributes in the mapping. */
  readonly attributes?: readonly Attribute[];
}

export function createSyncRowReader(
  headings: readonly Heading[],
  columns: SyncColumns,
  options: RowOptions,
): (row: Row) => FileRow {
  const { mapping } = columns;
  const read = createItemReader({ operation: 'sync', headings, mapping, ...options });
  const idsOf = createIdReader(columns, headings);
  return (row) => {
    const { item, problems } = read(row);
    const { employeeID, from, problem } = idsOf(row);
    const { number } = row;
    const invalid = problem ?? joinProblems(problems);
    if (invalid || !item || employeeID === undefined) {
      return {
        row: number,
        employeeID,
        problem: invalid ?? { code: 'FIELD_REQUIRED', detail: 'The employee ID is missing.' },
      };
    }
    return { row: number, employeeID, sync: { row: number, employeeID, from, fields: item } };
  };
}

/** All problems as one, with the code of the first. */
export function joinProblems(problems: readonly SyncProblem[]): SyncProblem | undefined {
  const [first] = problems;
  return first && { code: first.code, detail: problems.map(({ detail }) => detail).join(' ') };
}
