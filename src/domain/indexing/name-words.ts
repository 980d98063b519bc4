import { editDistance } from '../../contract/edit-distance.js';
import { foldedName, isSpaceless } from './fold.js';

/** Shorter words are all similar to each other. */
const lettersMin = 3;
const lettersMax = 40;

/** Whether similar names are looked for: not for numbers, nor in scripts where a name is one or two characters. */
export function isNameWord(word: string): boolean {
  return word.length >= lettersMin && word.length <= lettersMax && letters.test(word) && !isSpaceless(word);
}

const letters = /^[\p{L}\p{M}]+$/u;

/** The words of a name in every spelling, each once. */
export function nameWords(name: string): Set<string> {
  return new Set(foldedName(name).flat().filter(isNameWord));
}

/** From this length, words with two mistakes are recognized. In a shorter one, they could turn it into any other. */
const lettersForTwo = 6;

export function mistakesMax(typed: string): number {
  return typed.length < lettersForTwo ? 1 : 2;
}

/** Everything that one letter more, less, or other, or two neighbors swapped turn the word into. */
export function oneMistakeAway(word: string): string[] {
  const alphabet = alphabets.find((each) => each.includes(word.charAt(0))) ?? '';
  const edits = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    edits.add(before + after.slice(1));
    edits.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of alphabet) {
      edits.add(before + letter + after);
      edits.add(before + letter + after.slice(1));
    }
  }
  edits.delete(word);
  return [...edits];
}

/** As folded. In other scripts, letters can be swapped or too many. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяієґђјљњћџ',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכלמנסעפצקרשתךםןףץ',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژگ',
];

/** A word of a name. */
export interface NameWord {
  readonly word: string;
  /** How many users have it. */
  readonly users: number;
}

export interface SimilarWord {
  readonly word: string;
  readonly mistakes: number;
}

/** The closest ones that aren't the word itself; of equally close ones, those that most users have. */
export function closestWords(typed: string, known: readonly NameWord[], max: number): SimilarWord[] {
  return known
    .map(({ word, users }) => ({ word, users, mistakes: editDistance(typed, word) }))
    .filter(({ mistakes }) => mistakes > 0 && mistakes <= mistakesMax(typed))
    .sort((a, b) => a.mistakes - b.mistakes || b.users - a.users)
    .slice(0, max)
    .map(({ word, mistakes }) => ({ word, mistakes }));
}
