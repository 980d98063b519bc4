/**
 * The order of rows whose new employee ID is still held by another row of the file. Such a row has to wait: round 1 comes
 * after the whole file, round 2 after that, and so on.
 */
export interface RenameOrder {
  /** Contains only rows that wait. */
  readonly roundOf: ReadonlyMap<number, number>;
  /** The row that a row waits for. */
  readonly waitsFor: ReadonlyMap<number, number>;
  /** Rows that others wait for. */
  readonly awaited: ReadonlySet<number>;
  readonly rounds: number;
  /** Rows that wait for each other and can never run. */
  readonly cycles: readonly (readonly number[])[];
}

/** A row waits for at most one other row, and at most one row waits for it. */
export function renameOrder(waitsFor: ReadonlyMap<number, number>): RenameOrder {
  const roundOf = new Map<number, number>();
  const cycles: number[][] = [];
  for (const row of waitsFor.keys()) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let at: number | undefined = row;
    while (at !== undefined && waitsFor.has(at) && !roundOf.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = waitsFor.get(at);
    }
    if (at !== undefined && onPath.has(at)) cycles.push(path.slice(path.indexOf(at)));
    let round = (at === undefined ? 0 : roundOf.get(at)) ?? 0;
    for (const each of path.reverse()) roundOf.set(each, ++round);
  }
  const rounds = [...roundOf.values()].reduce((a, b) => Math.max(a, b), 0);
  return { roundOf, waitsFor, awaited: new Set(waitsFor.values()), rounds, cycles };
}

/** Rows that wait for others come after all that don't. */
export function inRenameOrder<T>(rows: readonly T[], roundOf: (row: T) => number): readonly T[] {
  return rows.toSorted((one, other) => roundOf(one) - roundOf(other));
}
