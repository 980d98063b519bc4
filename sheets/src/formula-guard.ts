import { isErrorText } from './error-texts.js';

/**
 * A cell that a spreadsheet would take for a formula is written with a leading apostrophe, which our reader removes
 * again. Apostrophes before such a cell count as part of it, so that every text survives the round trip.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** With `allTexts`, a text that looks like a formula error gets one too. */
export function withGuard(cell: string, allTexts = false): string {
  return formula.test(cell) || isGuardedError(cell) || (allTexts && isErrorText(cell)) ? `'${cell}` : cell;
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && (formula.test(cell) || isGuardedError(cell)) ? cell.slice(1) : cell;
}

/** '#N/A with any number of apostrophes. */
function isGuardedError(cell: string): boolean {
  return cell.startsWith("'") && isErrorText(cell.replace(/^'+/, ''));
}
