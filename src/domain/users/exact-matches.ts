import { employeeIdField } from '../../contract/fields.js';
import { fieldLimits } from '../../contract/limits.js';
import type { UserView } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { listUsers as readPage } from '../../storage/users/list-users.js';
import type { PageRequest } from '../../storage/users/page-order.js';
import { searchDocument } from '../indexing/search-document.js';
import { matchesSearch, type SearchQuery } from '../indexing/search-query.js';

/** If more employee IDs than this differ only in case or in leading zeros, the others stay in the usual order. */
export const exactMatchesMax = 5;

/** Users of a list whose whole employee ID was searched for, at most as many as fit on the page. */
export async function exactMatches(
  tx: Executor,
  search: string,
  query: SearchQuery,
  request: PageRequest,
): Promise<readonly UserView[]> {
  const { filters, limit } = request;
  const meant = idsMeantBy(search);
  const employeeIDs = filters.employeeIDs ? meant.filter((id) => filters.employeeIDs?.includes(id)) : meant;
  if (employeeIDs.length === 0) return [];
  const { users } = await readPage(tx, {
    ...request,
    filters: { ...filters, employeeIDs },
    search: undefined,
    limit: employeeIDs.length,
  });
  const typed = search.trim();
  return users
    .filter((user) => matchesSearch(searchDocument(user), query))
    .toSorted((a, b) => Number(b.employeeID === typed) - Number(a.employeeID === typed))
    .slice(0, Math.min(limit, exactMatchesMax));
}

/**
 * The employee IDs that a search may be the whole of: in the case as typed, or in one case, and with any number of
 * leading zeros. That many values are one lookup in the unique index; ignoring case needs another index.
 */
export function idsMeantBy(search: string): string[] {
  const typed = search.trim();
  if (!employeeIdField.accepts(typed)) return [];
  if (!/^\d+$/.test(typed)) return [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])];
  const number = typed.replace(/^0+(?=\d)/, '');
  const lengths = fieldLimits.employeeIdMaxLength - number.length + 1;
  return Array.from({ length: lengths }, (_, zeros) => `${'0'.repeat(zeros)}${number}`);
}
