import type { NameDecision, NamedEntry, NameGroup } from '@rollcall/sheets';

/** The entry that an unknown name can only mean, because nothing but the spelling differs. */
export function proposalFor({ match, name, candidates }: NameGroup): NameDecision | undefined {
  if (match !== 'unknown') return undefined;
  const found = candidates.filter((entry) => isSpelledLike(name, entry));
  const [entry, ...others] = found;
  return entry && others.length === 0 ? { kind: 'use', entry } : undefined;
}

function isSpelledLike(name: string, { serial, displayName }: NamedEntry): boolean {
  return [serial, displayName ?? serial].some((other) => areSpelledAlike(name, other));
}

/** Ignores case, punctuation, accents, how umlauts are written, and one wrong letter in a longer word. */
export function areSpelledAlike(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length === 0) return false;
  if (words.join('') === others.join('')) return true;
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [[word, others[at] ?? '']]));
  const [[word, instead] = ['', '']] = different;
  return different.length === 1 && isOneLetterOff(word ?? '', instead ?? '');
}

/** "Team A" and "Team B", "Site 11" and "Site 12" are two. */
const lettersMin = 5;

function isOneLetterOff(word: string, other: string): boolean {
  const shorter = Math.min(word.length, other.length);
  if (shorter < lettersMin || /\d/.test(word + other)) return false;
  let start = 0;
  while (start < shorter && word[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && word.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(word.length, other.length) - start - end <= 1;
}

const and = new Set(['und', 'and', 'y', 'e', 'et']);

function wordsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([aou])e/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '' && !and.has(word));
}
