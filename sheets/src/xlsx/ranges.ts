import { TableError } from '../problems.js';

/** A block of cells, including its edges. Rows start at 1 and columns at 0. */
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

/** A1 is column 0 of row 1. Undefined if it isn't an address. */
export function addressOf(reference: string): CellAddress | undefined {
  let at = 0;
  let column = 0;
  // Without a regular expression, because it runs for every cell.
  for (; at < 3; at++) {
    const letter = (reference.charCodeAt(at) | 0x20) - 0x60;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  const digits = reference.slice(at);
  if (column === 0 || !/^\d{1,7}$/.test(digits)) return undefined;
  return { column: column - 1, row: Number(digits) };
}

/** Parses A1:B2, or a single address. */
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
 * The ranges that intersect each row of a sheet, row by row. A cell can be in only one range, so together they are never
 * wider than a row. A file that claims otherwise is damaged, and would slow down every row.
 */
export class RunningRanges {
  readonly #waiting: CellRange[];
  readonly #part: string;
  readonly #columnsMax: number;
  #open: CellRange[] = [];
  /** The cells that these ranges have in a row. */
  #openCells = 0;

  constructor(ranges: readonly CellRange[], part: string, columnsMax: number) {
    // The first to start is last in the list, where removing it is cheap.
    this.#waiting = [...ranges].sort((a, b) => b.top - a.top);
    this.#part = part;
    this.#columnsMax = columnsMax;
  }

  /** Adds a range that starts in the current row. */
  add(range: CellRange): void {
    if (range.left >= this.#columnsMax) return;
    this.#openCells += this.#width(range);
    if (this.#openCells > this.#columnsMax) {
      throw new TableError({ code: 'WORKBOOK_DAMAGED', part: this.#part });
    }
    this.#open.push(range);
  }

  /** The ranges with cells in the row. Must be called in the order of rows. */
  in(row: number): readonly CellRange[] {
    if (this.#open.length > 0) {
      this.#open = this.#open.filter(({ bottom }) => bottom >= row);
      this.#openCells = this.#open.reduce((cells, range) => cells + this.#width(range), 0);
    }
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

  #width({ left, right }: CellRange): number {
    return Math.min(right, this.#columnsMax - 1) - left + 1;
  }
}
