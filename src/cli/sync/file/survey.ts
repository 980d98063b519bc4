import type { Table } from '#sheets';
import type { Problem } from '../outcome.js';
import type { Columns } from './columns.js';
import { IdIndex } from './id-index.js';
import { type RenameOrder, renameOrder } from './rename-order.js';
import { createIdReader } from './rows.js';

/**
 * What has to be known of a whole file before its first row is acted on: that it can be read to its end, how long it is,
 * who is in it, and which rows depend on each other.
 */
export interface Survey {
  readonly rows: number;
  /** Everybody in the file, by the employee ID they are to have, with their row. */
  readonly people: IdIndex;
  /** The employee IDs that rows are renamed from, with their row. */
  readonly sources: IdIndex;
  /** When the rows come that have to wait for others. */
  readonly turns: RenameOrder;
  /** Rows that cannot be meant as they stand, because of other rows. */
  readonly contradictions: ReadonlyMap<number, Problem>;
  /** The first rows whose employee ID cannot be read, and how many there are. */
  readonly unreadable: { readonly rows: readonly number[]; readonly count: number };
}

/** So many rows are named in a message; the rest is counted. */
const namedMax = 5;

export async function survey(table: Table, columns: Columns, onRow: (rows: number) => void): Promise<Survey> {
  const idsOf = createIdReader(columns);
  const people = new IdIndex();
  const sources = new IdIndex();
  const doubles = new Map<string, number[]>();
  const doubleSources = new Map<string, number[]>();
  const unreadable: number[] = [];
  let unreadableCount = 0;
  let rows = 0;
  for await (const row of table.rows) {
    onRow(++rows);
    const { employeeID, from } = idsOf(row);
    if (employeeID === undefined) {
      if (unreadableCount++ < namedMax) unreadable.push(row.number);
    } else note(doubles, employeeID, people.add(employeeID, row.number), row.number);
    if (from !== undefined) note(doubleSources, from, sources.add(from, row.number), row.number);
  }
  const turns = renameOrder(waitsOf(people, sources));
  return {
    rows,
    people,
    sources,
    turns,
    contradictions: contradictions(doubles, doubleSources, turns.circles),
    unreadable: { rows: unreadable, count: unreadableCount },
  };
}

function note(doubles: Map<string, number[]>, id: string, first: number | undefined, row: number): void {
  if (first === undefined) return;
  const rows = doubles.get(id);
  if (rows) rows.push(row);
  else doubles.set(id, [first, row]);
}

/** A row whose employee ID is freed by another row has to wait for that one. */
function waitsOf(people: IdIndex, sources: IdIndex): Map<number, number> {
  const waits = new Map<number, number>();
  if (sources.size === 0) return waits;
  for (const [id, row] of people) {
    const freeing = sources.get(id);
    if (freeing !== undefined) waits.set(row, freeing);
  }
  return waits;
}

function contradictions(
  doubles: ReadonlyMap<string, readonly number[]>,
  doubleSources: ReadonlyMap<string, readonly number[]>,
  circles: readonly (readonly number[])[],
): Map<number, Problem> {
  const all = new Map<number, Problem>();
  const add = (rows: readonly number[], code: string, detail: string) => {
    for (const row of rows) all.set(row, { code, detail });
  };
  for (const rows of circles) {
    add(
      rows,
      'RENAME_CIRCLE',
      `${rowsText(rows)} rename in a circle. Sent once more, the file would turn it further: so it is done by hand, with an update-bulk in mode=finalState.`,
    );
  }
  for (const [id, rows] of doubleSources) {
    add(rows, 'RENAME_TWICE', `${rowsText(rows)} are all renamed from "${id}". Keep the one that is right.`);
  }
  for (const [id, rows] of doubles) {
    add(
      rows,
      'EMPLOYEE_ID_TWICE',
      `${rowsText(rows)} have the same employee ID "${id}". Keep the one that is right.`,
    );
  }
  return all;
}

/** "Rows 3 and 7", "Rows 3, 7, 9, 11, 12 and 40 more" */
export function rowsText(rows: readonly number[], count = rows.length): string {
  if (count === 1) return `Row ${rows[0]}`;
  const named = rows.slice(0, namedMax);
  if (count > named.length) return `Rows ${named.join(', ')} and ${count - named.length} more`;
  return `Rows ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}
