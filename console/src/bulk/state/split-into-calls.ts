export const itemsPerCallMax = 10_000;
/** The service takes 16 MiB; the rest is room for what is only guessed here. */
const callBytesMax = 12 * 1024 * 1024;

/** Cuts rows into calls, in their order, by number and by size. */
export function cutIntoCalls(
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

/** At most: every character as three bytes, and the names of the fields. */
export function bytesOfCells(cells: readonly string[]): number {
  let characters = 0;
  for (const cell of cells) characters += cell.length;
  return characters * 3 + 300;
}
