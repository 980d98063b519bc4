import { isErrorText } from './error-texts.js';
import { isShortened } from './uncertain.js';

/**
 * A cell that a spreadsheet would take for a formula is written with a leading apostrophe, which our readers remove
 * again. Apostrophes before such a cell count as part of it, so that every text survives the round trip.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A phone number such as +49 40 123 can do no harm, and other programs would take an apostrophe for a part of it. Two
 * digits with nothing but a space between them keep a spreadsheet from calculating: +49-40 would become 9.
 */
const phone = /^\+\d+$|^\+\d[\d()./-]*[\d)] +[\d(][\d ()./-]*$/;

/** With `allTexts`, a text that looks like a formula error or a shortened number gets one too. */
export function withGuard(cell: string, allTexts = false): string {
  const isFormula = formula.test(cell) && !phone.test(cell);
  return isFormula || isGuarded(cell) || (allTexts && isDamageText(cell)) ? `'${cell}` : cell;
}

/** For programs: only what a reader of ours would take for guarded is. */
export function withoutAmbiguity(cell: string): string {
  return isGuarded(cell) ? `'${cell}` : cell;
}

export function withoutGuard(cell: string): string {
  return isGuarded(cell) ? cell.slice(1) : cell;
}

/** #N/A or 1E+02: a text like this usually is what a spreadsheet has left of something else. */
export function isDamageText(cell: string): boolean {
  return isErrorText(cell) || isShortened(cell);
}

function isGuarded(cell: string): boolean {
  return cell.startsWith("'") && (formula.test(cell) || isDamageText(cell.replace(/^'+/, '')));
}
