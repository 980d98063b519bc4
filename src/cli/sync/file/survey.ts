import { createNameCollector, type NameCollector, type Table } from '#sheets';
import type { Problem } from '../outcome.js';
import type { Columns } from './columns.js';
import { IdIndex } from './id-index.js';
import { type RenameOrder, renameOrder } from './rename-order.js';
import { createIdReader } from './rows.js';

/**
 * What has to be known about the whole file before its first row is applied: that it can be read to the end, how long it
 * is, which employee IDs it has, and which rows depend on each other.
 */
export interface Survey {
  readonly rows: number;
  /** Every employee ID in the file, as it will be after the sync, with its row. */
  readonly ids: IdIndex;
  /** The employee IDs that rows are renamed from, with their row. */
  readonly renamedFrom: IdIndex;
  readonly renames: RenameOrder;
  /** Rows that cannot be applied because they conflict with other rows. */
  readonly contradictions: ReadonlyMap<number, Problem>;
  /** The first rows without a readable employee ID, and their total number. */
  readonly unreadable: { readonly rows: readonly number[]; readonly count: number };
  /** What the file calls organizations and tags. */
  readonly names: NameCollector;
}

/** Messages list this many rows and count the rest. */
const listedRowsMax = 5;

export async function survey(table: Table, columns: Columns, onRow: (rows: number) => void): Promise<Survey> {
  const idsOf = createIdReader(columns);
  const names = createNameCollector(columns.mapping);
  const ids = new IdIndex();
  const renamedFrom = new IdIndex();
  const duplicates = new Map<string, number[]>();
  const duplicateSources = new Map<string, number[]>();
  const unreadable: number[] = [];
  let unreadableCount = 0;
  let rows = 0;
  for await (const row of table.rows) {
    onRow(++rows);
    names.add(row);
    const { employeeID, from } = idsOf(row);
    if (employeeID === undefined) {
      if (unreadableCount++ < listedRowsMax) unreadable.push(row.number);
    } else noteDuplicate(duplicates, employeeID, ids.add(employeeID, row.number), row.number);
    if (from !== undefined)
      noteDuplicate(duplicateSources, from, renamedFrom.add(from, row.number), row.number);
  }
  const renames = renameOrder(findWaits(ids, renamedFrom));
  return {
    rows,
    ids,
    renamedFrom,
    renames,
    contradictions: findContradictions(duplicates, duplicateSources, renames.cycles),
    unreadable: { rows: unreadable, count: unreadableCount },
    names,
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
): Map<number, Problem> {
  const all = new Map<number, Problem>();
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
