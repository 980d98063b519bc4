import { foldedSpellings, phoneDigits } from './fold.js';

export interface SearchQuery {
  /**
   * Every word must match, by one of its alternatives. An alternative that ends with a space is a whole word. A search
   * without letters and digits, such as "!!!", has one word without alternatives, which matches nobody.
   */
  readonly words: readonly (readonly string[])[];
}

/** A word of three characters matches inside other words. A shorter one would match nearly everybody there. */
const insideMin = 3;

/** Whether a search for the word finds it inside other words, or only at their beginning. With a space, it is whole. */
function matchesInside(word: string): boolean {
  return !word.endsWith(' ') && (word.length >= 2 * insideMin || [...word].length >= insideMin);
}

/** Only the first distinct words count. Hardly anybody matches so many without matching the rest. */
export const searchWordsMax = 16;

/** Undefined if the text is blank, and therefore doesn't filter. */
export function parseSearch(text: string): SearchQuery | undefined {
  if (!/[^\s\p{Cf}]/u.test(text)) return undefined;
  const words = foldedSpellings(text);
  const distinct = [...new Map(words.map((spellings) => [spellings.join(' '), spellings])).values()];
  const phone = phoneNumberIn(text, words);
  return {
    words:
      distinct.length === 0
        ? [[]]
        : distinct.slice(0, searchWordsMax).map((word) => alternativesOf(word, phone)),
  };
}

/** The digits of a search that consists of several numbers, such as 030 123-456. */
function phoneNumberIn(text: string, words: readonly (readonly string[])[]): string[] {
  const isPhone = words.length > 1 && words.every(([plain = '']) => isNumber(plain));
  const digits = isPhone ? phoneDigits(text) : '';
  return digits === '' ? [] : [withoutLeadingZeros(digits)];
}

/**
 * A phone number is an alternative of each of its groups: (number or 030) and (number or 123) means that either the
 * whole number matches or every group does.
 */
function alternativesOf(spellings: readonly string[], phone: readonly string[]): string[] {
  const numbers = spellings.filter((word) => isNumber(word) && word.startsWith('0')).map(numberAlone);
  return withoutImplied([...new Set([...numbers, ...spellings, ...phone])]);
}

/** 000123 finds 123 anywhere. 007 finds 7, but not 70: so short a number has to be the whole word. */
function numberAlone(digits: string): string {
  const number = withoutLeadingZeros(digits);
  return matchesInside(number) ? number : `${number} `;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Removes alternatives that match only what another one matches, such as 000123 besides 123. */
export function withoutImplied(alternatives: readonly string[]): string[] {
  return alternatives.filter((word) => !alternatives.some((other) => other !== word && implies(word, other)));
}

/** Whether every document that matches the word also matches the other one. */
function implies(word: string, other: string): boolean {
  if (other.endsWith(' ')) return false;
  return matchesInside(other) ? word.includes(other) : !matchesInside(word) && word.startsWith(other);
}

/** Defines which users a search finds. Index and SQL must agree with it. */
export function matchesSearch(document: string, query: SearchQuery): boolean {
  return query.words.every((alternatives) => alternatives.some((word) => matchesWord(document, word)));
}

function matchesWord(document: string, word: string): boolean {
  return document.includes(matchesInside(word) ? word : ` ${word}`);
}

/** A LIKE pattern that is true for exactly the documents that match the word. */
export function likePattern(word: string): string {
  return matchesInside(word) ? containsPattern(word) : containsPattern(` ${word}`);
}

/** A LIKE pattern that is true for exactly the texts that contain this one. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
