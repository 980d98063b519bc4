import { foldedName } from './fold.js';
import type { SimilarWord } from './name-words.js';
import { type SearchableUser, searchDocument } from './search-document.js';
import { matchesSearch, type SearchQuery, withoutImplied } from './search-query.js';

/** A word of a search, and the words of names that may be meant by it. */
export interface TypedWord {
  /** As folded. */
  readonly word: string;
  /** By which it matches as typed. */
  readonly alternatives: readonly string[];
  /** The closest first. */
  readonly similar: readonly SimilarWord[];
}

/**
 * Finds users by what is typed or by similar names, which have to be whole words. A single word is not looked for as
 * typed once more: a search has already found these users.
 */
export function tolerantQuery(typed: readonly TypedWord[]): SearchQuery {
  return {
    words: typed.map(({ alternatives, similar }) =>
      withoutImplied([
        ...(typed.length === 1 ? [] : alternatives),
        ...similar.map(({ word }) => wholeWord(word)),
      ]),
    ),
  };
}

/** What to search for to find these users, spelled like their names: the closest first, then what finds most of them. */
export function similarSearches(
  search: string,
  typed: readonly TypedWord[],
  users: readonly SearchableUser[],
): string[] {
  const found = new Map<string, { text: string; mistakes: number; users: number }>();
  for (const user of users) {
    const meant = meantWords(typed, searchDocument(user));
    const mistakes = meant.reduce((sum, word) => sum + word.mistakes, 0);
    if (mistakes === 0) continue; // found by what is typed after all
    const key = meant.map(({ word }) => word).join(' ');
    const known = found.get(key);
    if (known) known.users++;
    else found.set(key, { text: spelledLike(user.name, meant, search), mistakes, users: 1 });
  }
  const ranked = [...found.values()].sort((a, b) => a.mistakes - b.mistakes || b.users - a.users);
  return [...new Set(ranked.map(({ text }) => text))];
}

/** What the user is found by; without mistakes where it is what was typed. */
function meantWords(typed: readonly TypedWord[], document: string): SimilarWord[] {
  return typed.map(({ word, alternatives, similar }) => {
    const asTyped = { word, mistakes: 0 };
    if (matchesSearch(document, { words: [alternatives] })) return asTyped;
    return similar.find((each) => matchesSearch(document, { words: [[wholeWord(each.word)]] })) ?? asTyped;
  });
}

/** Capital letters, accents and hyphens are those of the name, or else those of the search. */
function spelledLike(name: string, meant: readonly SimilarWord[], search: string): string {
  const texts = meant.map(({ word }) => wordIn(name, word) ?? wordIn(search, word) ?? word);
  return [...new Set(texts)].join(' ');
}

/** Without the other half of a double name, unless the word is both. */
function wordIn(text: string, word: string): string | undefined {
  const written = [...text.split(/[\s\p{Pd}]+/u), ...text.split(/\s+/)];
  return written
    .find((each) => foldedName(each).flat().includes(word))
    ?.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

function wholeWord(word: string): string {
  return `${word} `;
}
