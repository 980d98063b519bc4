import { TableError } from '../problems.js';

/** A block of cells, its edges included. Rows count from 1 and columns from 0. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface CellAddress {
  readonly column: number;
  readonly row: number;
}

/** A1 is column 0 of row 1. Undefined if it is no address. */
export function addressOf(reference: string): CellAddress | undefined {
  let at = 0;
  let column = 0;
  // By hand and not by a pattern: it is asked for every cell of a sheet.
  for (; at < 3; at++) {
    const letter = (reference.charCodeAt(at) | 0x20) - 0x60;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  const digits = reference.slice(at);
  if (column === 0 || !/^\d{1,7}$/.test(digits)) return undefined;
  return { column: column - 1, row: Number(digits) };
}

/** Of A1:B2, or of a single address. */
export function rangeOf(reference: string): CellRange | undefined {
  const [first = '', last = first, ...more] = reference.split(':');
  const [from, to] = [addressOf(first.replaceAll('$', '')), addressOf(last.replaceAll('$', ''))];
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  return {
    top: Math.min(from.row, to.row),
    bottom: Math.max(from.row, to.row),
    left: Math.min(from.column, to.column),
    right: Math.max(from.column, to.column),
  };
}

export function isSingle({ top, left, bottom, right }: CellRange): boolean {
  return top === bottom && left === right;
}

/**
 * The ranges that the rows of a sheet run through, asked for row by row. A cell can be in one of them only, so that there are
 * never more in a row than it has columns; a file that says otherwise is damaged, and would make every row slow.
 */
export class RunningRanges {
  readonly #waiting: CellRange[];
  readonly #part: string;
  readonly #columnsMax: number;
  #open: CellRange[] = [];

  constructor(ranges: readonly CellRange[], part: string, columnsMax: number) {
    // The first that begins is the last of the list, where it is cheap to take.
    this.#waiting = [...ranges].sort((a, b) => b.top - a.top);
    this.#part = part;
    this.#columnsMax = columnsMax;
  }

  /** One that begins in the row that is read. */
  add(range: CellRange): void {
    if (range.left >= this.#columnsMax) return;
    if (this.#open.length >= this.#columnsMax) {
      throw new TableError({ code: 'WORKBOOK_DAMAGED', part: this.#part });
    }
    this.#open.push(range);
  }

  /** Those that have cells in the row. Rows are asked for from the first to the last. */
  in(row: number): readonly CellRange[] {
    if (this.#open.length > 0) this.#open = this.#open.filter(({ bottom }) => bottom >= row);
    for (
      let next = this.#waiting.at(-1);
      next !== undefined && next.top <= row;
      next = this.#waiting.at(-1)
    ) {
      this.#waiting.pop();
      if (next.bottom >= row) this.add(next);
    }
    return this.#open;
  }
}
