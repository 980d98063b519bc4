import {
  createItemReader,
  type MeaningOf,
  openTable,
  type Row,
  readEmployeeID,
  type SyncItem,
  type Table,
  TableError,
  type TableOptions,
  tableProblemText,
  uncertaintyOf,
  uncertaintyText,
} from '#sheets';
import { CommandProblem } from '../../problem.js';
import type { Problem } from '../outcome.js';
import type { Columns } from './columns.js';
import { readProblem, type Source } from './source.js';

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
  | { readonly row: number; readonly employeeID: string | undefined; readonly problem: Problem };

/** A workbook of a million users unpacks to 0.5 GB, of which little is in memory at a time. */
const inflatedBytesMax = 4_000_000_000;

export async function openSourceTable(source: Source, options: TableOptions): Promise<Table> {
  try {
    return await openTable(await source.open(), { inflatedBytesMax, ...options });
  } catch (error) {
    throw asProblem(source, error);
  }
}

export function asProblem(source: Source, error: unknown): unknown {
  if (!(error instanceof TableError)) return readProblem(source.name, error);
  const hint = error.problem.code.startsWith('ENCODING') ? ' Or set its encoding with --encoding.' : '';
  return new CommandProblem(
    'wrongUse',
    `Cannot use ${source.name}. ${tableProblemText(error.problem)}${hint}`,
  );
}

export interface Ids {
  /** The employee ID after the sync. */
  readonly employeeID: string | undefined;
  /** The previous employee ID, if different. */
  readonly from: string | undefined;
  readonly problem?: Problem | undefined;
}

/** Reads only the employee IDs of a row. */
export function createIdReader({ mapping, from }: Columns): (row: Row) => Ids {
  const [idColumn = 0] = mapping.employeeID ?? [];
  const [newColumn] = mapping.newEmployeeID ?? [];
  return (row) => {
    const own = idIn(row, idColumn);
    if (newColumn !== undefined && isFilled(row, newColumn)) {
      return renamed(idIn(row, newColumn).id, own.id, idIn(row, newColumn));
    }
    if (from === undefined || !isFilled(row, from)) return { employeeID: own.id, from: undefined };
    return renamed(own.id, idIn(row, from).id, idIn(row, from));
  };
}

interface ReadId {
  readonly id: string | undefined;
  readonly text: string;
  /** Why the value is uncertain, if it is. */
  readonly uncertainty: ReturnType<typeof uncertaintyOf>;
}

function idIn(row: Row, column: number): ReadId {
  const text = row.cells[column] ?? '';
  const uncertainty = uncertaintyOf(row, [column], 'employeeID');
  return { id: uncertainty === undefined ? readEmployeeID(text) : undefined, text, uncertainty };
}

/** A cell with an uncertain value is not empty. */
function isFilled(row: Row, column: number): boolean {
  const { text, uncertainty } = idIn(row, column);
  return text.trim() !== '' || uncertainty !== undefined;
}

function renamed(employeeID: string | undefined, from: string | undefined, other: ReadId): Ids {
  if (employeeID !== undefined && from !== undefined) {
    return { employeeID, from: from === employeeID ? undefined : from };
  }
  const { text, uncertainty } = other;
  const detail =
    uncertainty === undefined || uncertainty === 'ERROR'
      ? `"${text.trim()}" is not a valid employee ID, so the user cannot be renamed.`
      : uncertaintyText('employeeID', uncertainty);
  return { employeeID: employeeID ?? from, from: undefined, problem: { code: 'RENAME_INVALID', detail } };
}

export interface RowOptions {
  readonly empty: 'leaves' | 'clears';
  /** Users in the file are active unless it says otherwise. */
  readonly presentIsActive: boolean;
  /** What names of organizations and tags mean. */
  readonly meaningOf: MeaningOf;
}

export function createRowReader(
  table: Pick<Table, 'headings'>,
  columns: Columns,
  { empty, presentIsActive, meaningOf }: RowOptions,
): (row: Row) => FileRow {
  const read = createItemReader({
    operation: 'sync',
    headings: table.headings,
    mapping: columns.mapping,
    empty,
    meaningOf,
    doubles: 'ignored',
  });
  const idsOf = createIdReader(columns);
  return (row) => {
    const { item, problems } = read(row);
    const { employeeID, from, problem } = idsOf(row);
    const { number } = row;
    const invalid = problem ?? asOne(problems);
    if (invalid || !item || employeeID === undefined) {
      return {
        row: number,
        employeeID,
        problem: invalid ?? { code: 'FIELD_REQUIRED', detail: 'The employee ID is missing.' },
      };
    }
    if (presentIsActive) item.isActive ??= true;
    return { row: number, employeeID, sync: { row: number, employeeID, from, fields: item } };
  };
}

function asOne(problems: readonly Problem[]): Problem | undefined {
  const [first] = problems;
  return first && { code: first.code, detail: problems.map(({ detail }) => detail).join(' ') };
}
