import {
  createItemReader,
  openTable,
  type Row,
  readEmployeeID,
  type Table,
  TableError,
  type TableOptions,
  uncertaintyOf,
  uncertaintyText,
} from '#sheets';
import { CommandProblem } from '../../problem.js';
import type { SyncRow } from '../decide.js';
import type { Problem } from '../outcome.js';
import type { Columns } from './columns.js';
import { readProblem, type Source } from './source.js';
import { tableProblemText } from './table-text.js';

/** A row as the file has it: something to do, or what is wrong with it. */
export type FileRow =
  | {
      readonly row: number;
      readonly employeeID: string;
      readonly sync: SyncRow;
      readonly problem?: undefined;
    }
  | { readonly row: number; readonly employeeID: string | undefined; readonly problem: Problem };

/** A workbook of a million people is 0.5 GB when it is unpacked, of which little is held at a time. */
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
  return new CommandProblem('wrongUse', `${source.name} cannot be taken. ${tableProblemText(error.problem)}`);
}

export interface Ids {
  /** Whom the row is about, once all is done. */
  readonly employeeID: string | undefined;
  /** Whom it is about until then, if that is another ID. */
  readonly from: string | undefined;
  readonly problem?: Problem | undefined;
}

/** Reads the employee IDs of a row, and nothing else of it. */
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
  /** Why it cannot be known, if that is what is wrong with it. */
  readonly uncertainty: ReturnType<typeof uncertaintyOf>;
}

function idIn(row: Row, column: number): ReadId {
  const text = row.cells[column] ?? '';
  const uncertainty = uncertaintyOf(row, [column], 'employeeID');
  return { id: uncertainty === undefined ? readEmployeeID(text) : undefined, text, uncertainty };
}

/** A cell whose value is not known is not an empty one. */
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
      ? `"${text.trim()}" is no employee ID that somebody can be renamed from or to.`
      : uncertaintyText('employeeID', uncertainty);
  return { employeeID: employeeID ?? from, from: undefined, problem: { code: 'RENAME_INVALID', detail } };
}

export interface RowOptions {
  readonly empty: 'leaves' | 'clears';
  /** Who is in the file is active, unless it says otherwise. */
  readonly presentIsActive: boolean;
}

/** Makes the function that reads the rows of a file. */
export function createRowReader(
  table: Pick<Table, 'headings'>,
  columns: Columns,
  { empty, presentIsActive }: RowOptions,
): (row: Row) => FileRow {
  const read = createItemReader({
    operation: 'sync',
    headings: table.headings,
    mapping: columns.mapping,
    empty,
    doubles: 'ignored',
  });
  const idsOf = createIdReader(columns);
  return (row) => {
    const { item, problems } = read(row);
    const { employeeID, from, problem } = idsOf(row);
    const { number } = row;
    const wrong = problem ?? asOne(problems);
    if (wrong || !item || employeeID === undefined) {
      return {
        row: number,
        employeeID,
        problem: wrong ?? { code: 'FIELD_REQUIRED', detail: 'There is no employee ID.' },
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
