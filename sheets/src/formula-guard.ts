/**
 * What a spreadsheet takes for the beginning of a formula is written with an apostrophe in front, and our reader takes
 * it off again. Apostrophes before such a beginning count as part of it, so that whatever was written comes back.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

export function withGuard(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
