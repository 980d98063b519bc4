/**
 * The forms in which texts are stored. Nobody means the characters that these functions replace, and an item that
 * deactivates a user must not fail because of one. Text that can't be stored (NUL, lone surrogates) is left as it is.
 * Every pattern takes a time proportional to the length of the text.
 */
export const textForms = {
  /** Text that people read, on one line. */
  line: oneLine,
  /**
   * The name of a user: accents have one encoding, so that it is found and compared however it was typed. Empty if nothing
   * of it can be seen.
   */
  name: (text: string) => (isInvisible.test(text) ? '' : composed(oneLine(text))),
  /** The serial of another system, whose spaces may matter. Control characters never do. */
  serial: (text: string) => (hasControls.test(text) ? oneLine(text) : text),
} as const;

export type TextForm = keyof typeof textForms;

/** C0 without NUL, DEL and C1. */
const CONTROL = '\\u0001-\\u001f\\u007f-\\u009f';
/** Embeddings, overrides and isolates, which change the display order of surrounding text. */
const DIRECTION = '\\u202a-\\u202e\\u2066-\\u2069';

/** White space and what is not displayed, including fillers, which are letters or symbols to Unicode. */
const isInvisible = /^[\s\p{Cf}\p{DI}\u2800]*$/u;

const hasControls = new RegExp(`[${CONTROL}${DIRECTION}]`);
const directions = new RegExp(`[${DIRECTION}]`, 'g');
const gaps = new RegExp(`[\\s${CONTROL}]{2,}|[${CONTROL}]`, 'g');

function oneLine(text: string): string {
  return text.replace(directions, '').replace(gaps, ' ').trim();
}

/** The limit of the Stream-Safe Text Format (UAX #15). Normalization time grows with the square of a run. */
export const marksInARowMax = 30;
const runsOfMarks = /\p{M}+/gu;

/** A single pass: a pattern of 31 marks would restart at every mark, and take fifteen times as long. */
export function hasManyMarks(text: string): boolean {
  return text.match(runsOfMarks)?.some((run) => [...run].length > marksInARowMax) ?? false;
}

const ascii = /^[\x20-\x7e]*$/;

/** Converts to normalization form C. Text with too many marks in a row is left as is, and rejected. */
function composed(text: string): string {
  if (ascii.test(text)) return text;
  return hasManyMarks(text) ? text : text.normalize('NFC');
}
