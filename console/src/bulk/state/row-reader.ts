import { createItemReader, type Heading, type Mapping } from '@rollcall/sheets';
import { bulkCopy } from '../../copy/copy.js';
import { mappedColumns } from './mapping.js';
import type { RowProblem, Rows } from './rows.js';
import type { BulkKind, Item } from './service-calls.js';
import { rowProblemMessage, rowWarningMessage } from './sheet-messages.js';
import { createYieldToBrowser } from './yield-to-browser.js';

export type EmptyCells = 'leaves' | 'clears';

export interface ReadingRules {
  readonly kind: BulkKind;
  readonly headings: readonly Heading[];
  readonly mapping: Mapping;
  readonly emptyCells: EmptyCells;
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
  idOf(rows: Rows, row: number): string;
}

export function createRowReader(rules: ReadingRules): RowReader {
  const { kind, headings, mapping, emptyCells } = rules;
  // Rows are read more than once, and would count as duplicates of themselves.
  const read = createItemReader({
    operation: kind,
    headings,
    mapping,
    empty: emptyCells,
    doubles: 'ignored',
  });
  const idColumn = mapping.employeeID?.[0];

  function readRow(rows: Rows, row: number) {
    const number = rows.numbers[row] ?? 0;
    const notes = rows.notes.get(row);
    return read({ number, line: number, cells: rows.cells[row] ?? [], ...(notes ? { notes } : {}) });
  }

  function idOf(rows: Rows, row: number): string {
    return idColumn === undefined ? '' : (rows.cells[row]?.[idColumn] ?? '').trim();
  }

  function duplicateWarning(rows: Rows, row: number, firstRows: FirstRows): readonly RowProblem[] {
    const first = firstRows.get(idOf(rows, row)) ?? row;
    if (first === row) return [];
    const text = bulkCopy.duplicateEmployeeID(rows.numbers[first] ?? 0);
    return [{ column: idColumn, text, isWarning: true }];
  }

  return {
    rules,
    columns: mappedColumns(mapping),
    idColumn,
    idOf,
    problemsOf: (rows, row, firstRows) => {
      const { problems, warnings } = readRow(rows, row);
      const found = [
        ...problems.map((problem) => ({
          column: problem.column,
          text: rowProblemMessage(problem),
          isWarning: false,
        })),
        ...warnings.flatMap((warning) => {
          const text = rowWarningMessage(warning);
          return text === undefined ? [] : [{ column: warning.column, text, isWarning: true }];
        }),
        ...duplicateWarning(rows, row, firstRows),
      ];
      return found.length === 0 ? undefined : found;
    },
    itemOf: (rows, row) => readRow(rows, row).item as Item | undefined,
  };
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
export async function readItems(reader: RowReader, rows: Rows, sent: readonly number[]): Promise<Item[]> {
  const yieldToBrowser = createYieldToBrowser();
  const items: Item[] = [];
  for (const row of sent) {
    const item = reader.itemOf(rows, row);
    if (!item) throw new Error('Only valid rows are sent.');
    items.push(item);
    if (items.length % 100 === 0) await yieldToBrowser();
  }
  return items;
}
