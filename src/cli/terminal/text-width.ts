/** Created when first needed: most texts are plain, and the ICU data takes 15 ms to load. */
let segmenter: Intl.Segmenter | undefined;
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])/u;

/** Columns that a text occupies on a terminal, in any script. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Truncates a text to a number of columns, with an ellipsis. */
export function truncateToWidth(text: string, max: number): string {
  if (textWidth(text) <= max) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of segmentsOf(text)) {
    width += wide.test(segment) ? 2 : 1;
    if (width > max - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Removes control characters: a name must not move the cursor or change colors. */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
