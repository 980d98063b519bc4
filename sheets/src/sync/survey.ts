import { createNameCollector, type NameCollector } from '../entry-names.js';
import type { Row } from '../row.js';
import { IdIndex } from './id-index.js';
import { type RenameOrder, renameOrder } from './rename-order.js';
import { createIdReader, type SyncColumns, type SyncProblem } from './rows.js';

/**
 * What has to be known about the whole file before its first row is applied: how long it is, which employee IDs it has,
 * and which rows depend on each other.
 */
export interface Survey {
  readonly rows: number;
  /** Every employee ID in the file, as it will be after the sync, with its row. */
  readonly ids: IdIndex;
  /** The employee IDs that rows are renamed from, with their row. */
  readonly renamedFrom: IdIndex;
  readonly renames: RenameOrder;
  /** Rows that cannot be applied because they conflict with other rows. */
  readonly contradictions: ReadonlyMap<number, SyncProblem>;
  /** The first rows of which an employee ID cannot be read, and their total number. */
  readonly unreadable: { readonly rows: readonly number[]; readonly count: number };
  /** What the file calls organizations and tags. */
  readonly names: NameCollector;
}

export interface Surveyor {
  /** Notes the next row of the file. */
  add(row: Row): void;
  survey(): Survey;
}

/** Messages list this many rows and count the rest. */
const listedRowsMax = 5;

export function createSurveyor(columns: SyncColumns): Surveyor {
  const idsOf = createIdReader(columns);
  const names = createNameCollector(columns.mapping);
  const [ids, renamedFrom] = [new IdIndex(), new IdIndex()];
  const [duplicates, duplicateSources] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const unreadable: number[] = [];
  let unreadableCount = 0;
  let rows = 0;
  return {
    add: (row) => {
      rows++;
      names.add(row);
      const { employeeID, from, problem } = idsOf(row);
      // If only one of two employee IDs can be read, the user may be known by the other one.
      if (employeeID === undefined || problem) {
        if (unreadableCount++ < listedRowsMax) unreadable.push(row.number);
      }
      if (employeeID !== undefined)
        noteDuplicate(duplicates, employeeID, ids.add(employeeID, row.number), row.number);
      if (from !== undefined)
        noteDuplicate(duplicateSources, from, renamedFrom.add(from, row.number), row.number);
    },
    survey: () => {
      const renames = renameOrder(findWaits(ids, renamedFrom));
      return {
        ...{ rows, ids, renamedFrom, renames, names },
        contradictions: findContradictions(duplicates, duplicateSources, renames.cycles),
        unreadable: { rows: unreadable, count: unreadableCount },
      };
    },
  };
}

function noteDuplicate(
  duplicates: Map<string, number[]>,
  id: string,
  first: number | undefined,
  row: number,
): void {
  if (first === undefined) return;
  const rows = duplicates.get(id);
  if (rows) rows.push(row);
  else duplicates.set(id, [first, row]);
}

/** A row whose employee ID is freed by another row waits for that row. */
function findWaits(ids: IdIndex, renamedFrom: IdIndex): Map<number, number> {
  const waits = new Map<number, number>();
  if (renamedFrom.size === 0) return waits;
  for (const [id, row] of ids) {
    const freeing = renamedFrom.get(id);
    if (freeing !== undefined) waits.set(row, freeing);
  }
  return waits;
}

function findContradictions(
  duplicates: ReadonlyMap<string, readonly number[]>,
  duplicateSources: ReadonlyMap<string, readonly number[]>,
  cycles: readonly (readonly number[])[],
): Map<number, SyncProblem> {
  const all = new Map<number, SyncProblem>();
  const add = (rows: readonly number[], code: string, detail: string) => {
    for (const row of rows) all.set(row, { code, detail });
  };
  for (const rows of cycles) {
    add(
      rows,
      'RENAME_CIRCLE',
      `${rowsText(rows)} rename in a circle, so every sync of this file would rotate the IDs again. Rename these users once with update-bulk and mode=finalState.`,
    );
  }
  for (const [id, rows] of duplicateSources) {
    add(rows, 'RENAME_TWICE', `${rowsText(rows)} are all renamed from "${id}". Keep the correct row.`);
  }
  for (const [id, rows] of duplicates) {
    add(
      rows,
      'EMPLOYEE_ID_TWICE',
      `${rowsText(rows)} have the same employee ID "${id}". Keep the correct row.`,
    );
  }
  return all;
}

/** "Rows 3 and 7", "Rows 3, 7, 9, 11, 12 and 40 more" */
export function rowsText(rows: readonly number[], count = rows.length): string {
  if (count === 1) return `Row ${rows[0]}`;
  const listed = rows.slice(0, listedRowsMax);
  if (count > listed.length) return `Rows ${listed.join(', ')} and ${count - listed.length} more`;
  return `Rows ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}
