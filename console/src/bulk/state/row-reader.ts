import { createItemReader, type Heading, type Mapping } from '@rollcall/sheets';
import { fieldMessage } from '../../components/error-message.js';
import { bulkCopy } from '../../copy/bulk.js';
import { mappedColumns } from './mapping.js';
import type { RowProblem, Rows } from './rows.js';
import type { BulkKind, Item } from './service-calls.js';

export type EmptyMeans = 'leaves' | 'clears';

export interface CheckRules {
  readonly kind: BulkKind;
  readonly headings: readonly Heading[];
  readonly mapping: Mapping;
  readonly emptyMeans: EmptyMeans;
}

/** Reads rows as items by the rules that were chosen. */
export interface Checker {
  readonly rules: CheckRules;
  /** The columns that are used. */
  readonly columns: readonly number[];
  /** Once for each row, in their order: of two with one employee ID the second is told. */
  note(row: number): void;
  problemsOf(row: number): readonly RowProblem[] | undefined;
  itemOf(row: number): Item | undefined;
  idOf(row: number): string;
  /** An employee ID that was mended may double another one, or no longer do so: tells which rows to look at again. */
  noteMended(row: number, idBefore: string): readonly number[];
}

export function createChecker(rules: CheckRules, rows: Rows): Checker {
  const { kind, headings, mapping, emptyMeans } = rules;
  // A row that is read again would be its own double, so doubles are found here.
  const read = createItemReader({
    operation: kind,
    headings,
    mapping,
    empty: emptyMeans,
    doubles: 'ignored',
  });
  const idColumn = mapping.employeeID?.[0];
  const rowsById = new Map<string, number[]>();
  const idOf = (row: number) => (idColumn === undefined ? '' : (rows.cells[row]?.[idColumn] ?? '').trim());

  function add(id: string, row: number): void {
    if (id === '') return;
    const others = rowsById.get(id);
    if (others) others.push(row);
    else rowsById.set(id, [row]);
  }

  function readRow(row: number) {
    const number = rows.numbers[row] ?? 0;
    const notes = rows.notes.get(row);
    return read({ number, line: number, cells: rows.cells[row] ?? [], ...(notes ? { notes } : {}) });
  }

  function doubleOf(row: number): readonly RowProblem[] {
    const first = rowsById.get(idOf(row))?.[0] ?? row;
    if (first === row) return [];
    const text = bulkCopy.employeeIdTwice(rows.numbers[first] ?? 0);
    return [{ column: idColumn, text, isWarning: true }];
  }

  return {
    rules,
    columns: mappedColumns(mapping),
    note: (row) => add(idOf(row), row),
    problemsOf: (row) => {
      const { problems, warnings } = readRow(row);
      const told = [
        ...problems.map(({ column, ...each }) => ({
          column,
          text: fieldMessage(each) ?? each.detail,
          isWarning: false,
        })),
        ...warnings.map(({ column, detail }) => ({ column, text: detail, isWarning: true })),
        ...doubleOf(row),
      ];
      return told.length === 0 ? undefined : told;
    },
    itemOf: (row) => readRow(row).item as Item | undefined,
    noteMended: (row, idBefore) => {
      const left = (rowsById.get(idBefore) ?? []).filter((other) => other !== row);
      rowsById.set(idBefore, left);
      add(idOf(row), row);
      const joined = rowsById.get(idOf(row)) ?? [row];
      joined.sort((a, b) => a - b);
      return [...left, ...joined];
    },
    idOf,
  };
}
