import { editDistance } from '../../contract/edit-distance.js';
import { type Executor, snapshot } from '../../storage/database.js';
import { nameWordsAmong, similarNameWords } from '../../storage/indexing/name-words.js';
import { listUsers as readPage } from '../../storage/users/list-users.js';
import { strategyLimits } from '../../storage/users/page-order.js';
import {
  closestWords,
  isNameWord,
  mistakesMax,
  type NameWord,
  oneMistakeAway,
} from '../indexing/name-words.js';
import { parseSearch, type SearchQuery } from '../indexing/search-query.js';
import { similarSearches, type TypedWord, tolerantQuery } from '../indexing/similar-searches.js';
import type { Listed, ListRequest, UserListContext } from './list-users.js';
import { type MatchFilters, matchingUsers } from './matching-users.js';

/** A search that finds so many users was hardly misspelled. */
const fewUsers = 3;
export const suggestionsMax = 3;
/** The first words of a long search are compared with names. */
const comparedWordsMax = 5;
const similarWordsMax = 4;
/** Users from whom the suggestions are made. */
const usersMax = 50;

/**
 * Searches for similar names, if the first page has few users or none. Each of them finds somebody with the same
 * filters.
 */
export async function suggestSearches(
  context: UserListContext,
  { filters, cursor }: ListRequest,
  listed: Listed,
): Promise<readonly string[]> {
  const query = filters.search === undefined ? undefined : parseSearch(filters.search);
  if (!query || !listed.ok || cursor !== undefined) return [];
  if (listed.nextCursor !== null || listed.items.length >= fewUsers) return [];
  const listedSerials = listed.items.map(({ serial }) => serial);
  const compared = query.words
    .flatMap(([word = '']) => (isNameWord(word) ? word : []))
    .slice(0, comparedWordsMax);
  return snapshot(context.database, async (tx) => {
    let known: readonly NameWord[] = [];
    for (const wordsLike of [wordsWithOneMistake, wordsWithTwoMistakes]) {
      const found = await wordsLike(tx, compared);
      if (found.length === 0) continue;
      known = [...known, ...found];
      const typed = compareWithNames(query, compared, known);
      const users = await usersFound(tx, filters, tolerantQuery(typed), listedSerials, context);
      const searches = similarSearches(filters.search ?? '', typed, users);
      if (searches.length > 0) return searches.slice(0, suggestionsMax);
    }
    return [];
  });
}

function wordsWithOneMistake(tx: Executor, words: readonly string[]): Promise<readonly NameWord[]> {
  return nameWordsAmong(tx, words.flatMap(oneMistakeAway));
}

async function wordsWithTwoMistakes(tx: Executor, words: readonly string[]): Promise<readonly NameWord[]> {
  const known = await similarNameWords(
    tx,
    words.filter((word) => mistakesMax(word) > 1),
  );
  return known.filter(({ word }) => words.some((typed) => editDistance(typed, word) === 2));
}

function compareWithNames(
  { words }: SearchQuery,
  compared: readonly string[],
  known: readonly NameWord[],
): TypedWord[] {
  return words.map((alternatives) => {
    const [word = ''] = alternatives;
    const similar = compared.includes(word) ? closestWords(word, known, similarWordsMax) : [];
    return { word, alternatives, similar };
  });
}

async function usersFound(
  tx: Executor,
  filters: MatchFilters,
  query: SearchQuery,
  leading: readonly string[],
  { nameCollation: collation }: UserListContext,
) {
  const matching = await matchingUsers(tx, filters, { mayMiss: true, query });
  if ('error' in matching) return [];
  const order = { sort: 'createdAt', descending: false, after: undefined } as const;
  const page = { ...matching, ...order, collation, leading, limit: usersMax, strategies: strategyLimits };
  return (await readPage(tx, page)).users;
}
