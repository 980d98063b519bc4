import {
  createItemReader,
  deactivation,
  type Heading,
  type Mapping,
  type Row,
  rowText,
} from '@rollcall/sheets';
import type { Attribute } from '../../components/attribute-value.js';
import { mapInSlices } from '../../components/yield-to-browser.js';
import { importCopy, sheetsCopy } from '../../copy/on-demand-copy.js';
import { mappedColumns } from './mapping.js';
import type { Names } from './names.js';
import { missingUserOf, type RowProblem, type Rows } from './rows.js';
import type { Item } from './service-calls.js';
import { rowProblemMessage } from './sheet-messages.js';

export type EmptyCells = 'leaves' | 'clears';

export interface ReadingRules {
  readonly headings: readonly Heading[];
  readonly mapping: Mapping;
  readonly attributes: readonly Attribute[];
  readonly emptyCells: EmptyCells;
  /** What organizations and tags are called in the file. */
  readonly names: Names;
  /** The file lists all users. Those in it are active, unless it has a column that says so. */
  readonly isComplete: boolean;
}

/** The first open row with each employee ID; later rows with the same one get a warning. */
export type FirstRows = ReadonlyMap<string, number>;

/** Turns rows into the items that the service takes. */
export interface RowReader {
  readonly rules: ReadingRules;
  /** The mapped columns, in the order of the file. */
  readonly columns: readonly number[];
  readonly idColumn: number | undefined;
  problemsOf(rows: Rows, row: number, firstRows: FirstRows): readonly RowProblem[] | undefined;
  itemOf(rows: Rows, row: number): Item | undefined;
  /** The text in the column of the employee ID, or the employee ID of a missing user. */
  idOf(rows: Rows, row: number): string;
}

export function createRowReader(rules: ReadingRules): RowReader {
  const { headings, mapping, attributes, emptyCells, names, isComplete } = rules;
  const read = createItemReader({
    ...{ operation: 'sync', headings, mapping, empty: emptyCells },
    ...{ isComplete, meaningOf: names.meaningOf, attributes },
  });
  const idColumn = mapping.employeeID?.[0];

  function readRow(rows: Rows, row: number) {
    return read(sheetRow(rows, row));
  }

  function idOf(rows: Rows, row: number): string {
    const inFile = idColumn === undefined ? '' : (rows.cells[row]?.[idColumn] ?? '').trim();
    return missingUserOf(rows, row)?.employeeID ?? inFile;
  }

  function duplicateWarning(rows: Rows, row: number, firstRows: FirstRows): readonly RowProblem[] {
    const first = firstRows.get(idOf(rows, row)) ?? row;
    if (first === row) return [];
    const text = importCopy.duplicateEmployeeID(rows.numbers[first] ?? 0);
    return [{ column: idColumn, text, isWarning: true }];
  }

  return {
    rules,
    columns: mappedColumns(mapping),
    idColumn,
    idOf,
    problemsOf: (rows, row, firstRows) => {
      if (missingUserOf(rows, row)) return undefined;
      const { problems, warnings } = readRow(rows, row);
      const found = [
        ...problems.map((problem) => ({
          column: problem.column,
          text: rowProblemMessage(problem),
          isWarning: false,
        })),
        ...warnings.flatMap((warning) => {
          const text = rowText(warning, sheetsCopy);
          return text === undefined ? [] : [{ column: warning.column, text, isWarning: true }];
        }),
        ...duplicateWarning(rows, row, firstRows),
      ];
      return found.length === 0 ? undefined : found;
    },
    itemOf: (rows, row) => {
      const missing = missingUserOf(rows, row);
      return (missing ? deactivation(missing.employeeID) : readRow(rows, row).item) as Item | undefined;
    },
  };
}

/** A row as the sheets package reads it. */
export function sheetRow(rows: Rows, row: number): Row {
  const number = rows.numbers[row] ?? 0;
  const notes = rows.notes.get(row);
  return { number, line: number, cells: rows.cells[row] ?? [], ...(notes ? { notes } : {}) };
}

/** After an edit: of the employee IDs that it concerns, only these rows have one. */
export function withFirstRows(
  before: FirstRows,
  ids: ReadonlySet<string>,
  reader: RowReader,
  rows: Rows,
  concerned: readonly number[],
): FirstRows {
  const firstRows = new Map(before);
  for (const id of ids) firstRows.delete(id);
  for (const [id, row] of findFirstRows(reader, rows, concerned)) firstRows.set(id, row);
  return firstRows;
}

export function findFirstRows(reader: RowReader, rows: Rows, open: readonly number[]): FirstRows {
  const firstRows = new Map<string, number>();
  for (const row of open) {
    const id = reader.idOf(rows, row);
    if (id !== '' && !firstRows.has(id)) firstRows.set(id, row);
  }
  return firstRows;
}

/** Items are built for each call and not kept: they take as much memory as the file itself. */
export function readItems(reader: RowReader, rows: Rows, sent: readonly number[]): Promise<Item[]> {
  return mapInSlices(sent, (row) => {
    const item = reader.itemOf(rows, row);
    if (!item) throw new Error('Only valid rows are sent.');
    return item;
  });
}
