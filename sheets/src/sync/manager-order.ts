/** Managers come before their reports, wherever the file has them: only then does each call find those it needs. */
export function inManagerOrder<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  managerOf: (row: T) => string,
): readonly T[] {
  const byID = new Map(rows.map((row) => [idOf(row), row]));
  byID.delete('');
  const ordered = new Set<T>();
  for (const row of rows) {
    const chain = new Set<T>();
    let next: T | undefined = row;
    while (next !== undefined && !ordered.has(next) && !chain.has(next)) {
      chain.add(next);
      next = byID.get(managerOf(next));
    }
    for (const each of [...chain].reverse()) ordered.add(each);
  }
  return [...ordered];
}
