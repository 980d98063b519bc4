import { isErrorText } from './error-texts.js';

/**
 * What a spreadsheet takes for the beginning of a formula is written with an apostrophe in front, and our reader takes
 * it off again. Apostrophes before such a beginning count as part of it, so that whatever was written comes back.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** With `allTexts` it is told of a text that reads like the error of a formula, too, that it is a text. */
export function withGuard(cell: string, allTexts = false): string {
  return formula.test(cell) || isGuardedError(cell) || (allTexts && isErrorText(cell)) ? `'${cell}` : cell;
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && (formula.test(cell) || isGuardedError(cell)) ? cell.slice(1) : cell;
}

/** '#N/A, with any number of apostrophes. */
function isGuardedError(cell: string): boolean {
  return cell.startsWith("'") && isErrorText(cell.replace(/^'+/, ''));
}
