// Copied from src/contract/edit-distance.ts by scripts/generate-sheets.mjs.

/** How many letters have to be inserted, removed, replaced or swapped with their neighbor to turn one word into another. */
export function editDistance(a: string, b: string): number {
  let earlier: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (earlier[j - 2] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    [earlier, row] = [row, next];
  }
  return row[b.length] as number;
}
