import { limits } from '@rollcall/client';
import { inManagerOrder, inRenameOrder, type Survey } from '@rollcall/sheets';
import { managerIDOf, newIDOf } from './row-facts.js';
import type { RowReader } from './row-reader.js';
import type { Rows } from './rows.js';

/** The size of a call is only estimated, so this leaves a margin. */
const callBytesMax = limits.bulkBodyMaxBytes * 0.75;

/**
 * Managers come before their reports, and a row that takes an employee ID after the row that gives it up, wherever the
 * file has them.
 */
export function sendingOrder(
  rows: Rows,
  some: readonly number[],
  reader: RowReader | undefined,
  survey: Survey | undefined,
): readonly number[] {
  const ordered = reader?.rules.mapping.managerEmployeeID
    ? inManagerOrder(
        some,
        (row) => newIDOf(reader, rows, row) || reader.idOf(rows, row),
        (row) => managerIDOf(reader, rows, row),
      )
    : some;
  if (!survey || survey.renames.rounds === 0) return ordered;
  const { roundOf } = survey.renames;
  return inRenameOrder(ordered, (row) => roundOf.get(rows.numbers[row] ?? 0) ?? 0);
}

/** Splits rows into calls by count and size, in order. */
export function splitIntoCalls(
  rows: readonly number[],
  { itemsPerCall, bytesOf }: { readonly itemsPerCall: number; readonly bytesOf: (row: number) => number },
): number[][] {
  const calls: number[][] = [];
  let call: number[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = bytesOf(row);
    if (call.length > 0 && (call.length >= itemsPerCall || bytes + more > callBytesMax)) {
      calls.push(call);
      call = [];
      bytes = 0;
    }
    call.push(row);
    bytes += more;
  }
  if (call.length > 0) calls.push(call);
  return calls;
}

/** An upper bound: three bytes per character, plus the field names. */
export function estimateBytes(cells: readonly string[]): number {
  let characters = 0;
  for (const cell of cells) characters += cell.length;
  return characters * 3 + 300;
}
