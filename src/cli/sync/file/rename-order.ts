/** In which turn rows come that have to wait for another row: 1 after the whole file, 2 after those, and so on. */
export interface RenameOrder {
  /** Only rows that wait. */
  readonly turnOf: ReadonlyMap<number, number>;
  /** The row that a row waits for. */
  readonly waitsFor: ReadonlyMap<number, number>;
  /** The rows that others wait for. */
  readonly awaited: ReadonlySet<number>;
  readonly last: number;
  /** Rows that wait for each other, and so can never have their turn. */
  readonly circles: readonly (readonly number[])[];
}

/** From the row that each row waits for; a row waits for one at most, and one row at most waits for it. */
export function renameOrder(waitsFor: ReadonlyMap<number, number>): RenameOrder {
  const turnOf = new Map<number, number>();
  const circles: number[][] = [];
  for (const row of waitsFor.keys()) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let at: number | undefined = row;
    while (at !== undefined && waitsFor.has(at) && !turnOf.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = waitsFor.get(at);
    }
    if (at !== undefined && onPath.has(at)) circles.push(path.slice(path.indexOf(at)));
    let turn = (at === undefined ? 0 : turnOf.get(at)) ?? 0;
    for (const each of path.reverse()) turnOf.set(each, ++turn);
  }
  const last = [...turnOf.values()].reduce((a, b) => Math.max(a, b), 0);
  return { turnOf, waitsFor, awaited: new Set(waitsFor.values()), last, circles };
}
