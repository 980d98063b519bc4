/** A part of a text. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Finds what a search matched, as the service does: whatever the case, accents and leading zeros. */
export type Highlighter = (text: string) => readonly TextPart[];

/** Undefined if there is nothing to look for. */
export function highlighter(search: string): Highlighter | undefined {
  const words = wordsIn(search);
  if (words.length === 0) return undefined;
  const pattern = new RegExp(words.map(patternFor).join('|'), 'gu');
  return (text) => partsOf(text, pattern);
}

function wordsIn(search: string): string[] {
  const words = folded(search).text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

/** Numbers may have zeros before them, and separators between their digits. `ue` also finds `ü`. */
function patternFor(word: string): string {
  const isNumber = /^\d+$/.test(word);
  const digits = isNumber ? word.replace(/^0+(?=\d)/, '') : word;
  const pattern = digits.replace(/[aou]e/g, (pair) => `${pair[0]}e?`).replace(/(^|[a-z])0*(?=\d)/g, '$10*');
  return isNumber && digits.length > 2 ? `0*${[...digits].join('[ ()./-]*')}` : pattern;
}

function partsOf(text: string, pattern: RegExp): TextPart[] {
  const { text: plain, positions } = folded(text);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of plain.matchAll(pattern)) {
    if (found === '') continue;
    const from = positions[index] ?? text.length;
    const to = positions[index + found.length] ?? text.length;
    if (from > end) parts.push({ text: text.slice(end, from), isMatch: false });
    parts.push({ text: text.slice(from, to), isMatch: true });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** Without case and accents, and where each character comes from. */
function folded(text: string): { readonly text: string; readonly positions: readonly number[] } {
  let plain = '';
  const positions: number[] = [];
  let position = 0;
  for (const character of text) {
    const base = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
    plain += base;
    for (let index = 0; index < base.length; index++) positions.push(position);
    position += character.length;
  }
  positions.push(position);
  return { text: plain, positions };
}
