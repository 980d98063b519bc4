import { isSpaceless } from './fold.js';

/**
 * Terms are hashes: an index of integers is small and fast, and a collision only costs a comparison with the document.
 * They are stored, so changing them, or the folding of words, requires a new index.
 */
const termBits = 20;

/** A word of three characters matches inside other words. A shorter one would match nearly everybody there. */
const sequenceLength = 3;

/** Whether a search for the word finds it inside other words, or only at their beginning. With a space, it is whole. */
export function matchesInside(word: string): boolean {
  if (word.endsWith(' ')) return false;
  return codePointsOf(word).length >= sequenceLength || isSpaceless(word);
}

/** Neither occurs in a word. */
const NONE = 0;
const SPACE = 32;

/**
 * The index terms of a document, each once: the beginnings of its words, every sequence of three characters, and
 * shorter sequences in scripts without spaces.
 */
export function searchTerms(document: string): number[] {
  const terms = new Set<number>();
  let position = 0;
  let [beforeLast, last] = [NONE, NONE];
  for (const point of codePointsOf(document)) {
    position = point === SPACE ? 0 : position + 1;
    if (position === 1) terms.add(term(SPACE, point, NONE));
    if (position === 2) terms.add(term(SPACE, last, point));
    if (position > 2) terms.add(term(beforeLast, last, point));
    if (position > 0 && isSpacelessPoint(point)) terms.add(term(point, NONE, NONE));
    if (position > 1 && (isSpacelessPoint(last) || isSpacelessPoint(point)))
      terms.add(term(last, point, NONE));
    [beforeLast, last] = [last, point];
  }
  return [...terms];
}

/** Terms of every document that the word matches. */
export function wordTerms(word: string): number[] {
  const points = codePointsOf(word.trimEnd());
  const [first = NONE, second = NONE] = points;
  if (points.length < sequenceLength)
    return [isSpaceless(word) ? term(first, second, NONE) : term(SPACE, first, second)];
  const sequences = points
    .slice(2)
    .map((last, index) => term(points[index] ?? NONE, points[index + 1] ?? NONE, last));
  return [...new Set(sequences)];
}

/** The first Hangul letter. No script without spaces comes before it. */
const spacelessMin = 0x1100;

function isSpacelessPoint(point: number): boolean {
  return point >= spacelessMin && isSpaceless(String.fromCodePoint(point));
}

/** A multiplicative hash with the constants of MurmurHash3. */
function term(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0xcc9e2d51);
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ third, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> (32 - termBits);
}

function codePointsOf(text: string): number[] {
  const points: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) as number; // the index is within the text
    points.push(point);
    if (point > 0xffff) index++;
  }
  return points;
}
