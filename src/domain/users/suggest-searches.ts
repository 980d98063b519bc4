import { type Executor, snapshot } from '../../storage/database.js';
import { knownNameWords } from '../../storage/indexing/name-words.js';
import { listUsers as readPage } from '../../storage/users/list-users.js';
import { strategyLimits } from '../../storage/users/page-order.js';
import { closestWords, isNameWord, mistakesMax, oneMistakeAway } from '../indexing/name-words.js';
import { parseSearch, type SearchQuery } from '../indexing/search-query.js';
import { similarSearches, type TypedWord, tolerantQuery } from '../indexing/similar-searches.js';
import type { Listed, ListRequest, UserListContext } from './list-users.js';
import { type MatchFilters, matchingUsers } from './matching-users.js';

/** A search that finds so many users was hardly misspelled. */
const fewUsers = 3;
export const suggestionsMax = 3;
/** The first words of a long search are compared with names. */
const comparedWordsMax = 5;
const similarWordsMax = 8;
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
  return snapshot(context.database, async (tx) => {
    const typed = await compareWithNames(tx, query);
    // Words with two mistakes only if no word with one finds anybody: they could fill the page.
    for (const mistakesMax of [1, 2]) {
      const closer = typed.map((word) => ({
        ...word,
        similar: word.similar.filter(({ mistakes }) => mistakes <= mistakesMax),
      }));
      if (closer.every(({ similar }) => similar.length === 0)) continue;
      const users = await usersFound(tx, filters, tolerantQuery(closer), listedSerials, context);
      const searches = similarSearches(filters.search ?? '', closer, users);
      if (searches.length > 0) return searches.slice(0, suggestionsMax);
    }
    return [];
  });
}

async function compareWithNames(tx: Executor, { words }: SearchQuery): Promise<TypedWord[]> {
  const compared = words.flatMap(([word = '']) => (isNameWord(word) ? word : [])).slice(0, comparedWordsMax);
  const known =
    compared.length === 0
      ? []
      : await knownNameWords(
          tx,
          compared.flatMap(oneMistakeAway),
          compared.filter((word) => mistakesMax(word) > 1),
        );
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
