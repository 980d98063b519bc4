import { type SearchedField, searchedFields } from '../../contract/user-values.js';
import type { UserView } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { formerEmployeeIds } from '../../storage/names/former-names.js';
import { noTexts, searchedTexts } from '../attributes/searched-texts.js';
import { type SearchableUser, searchDocument } from '../indexing/search-document.js';
import { matchesSearch, type SearchQuery } from '../indexing/search-query.js';

/** A user in a list, with the former employee ID by which the user was found, if it was one. */
export interface ListedUser extends UserView {
  readonly formerEmployeeID?: string;
}

/**
 * Says of each user whether a former employee ID is the reason for being in the list. If the index was outdated, leaves
 * out those who no longer match.
 */
export async function withFormerIdMatches(
  tx: Executor,
  users: readonly UserView[],
  query: SearchQuery | undefined,
  wanted: readonly string[] = [],
  isUpToDate = true,
): Promise<ListedUser[]> {
  const former = await formerEmployeeIds(
    tx,
    users.map(({ serial }) => serial),
  );
  const textsOf = query ? await searchedTexts(tx) : noTexts;
  return users.flatMap((user) => {
    const attributeTexts = textsOf(user.attributes);
    const formerEmployeeIDs = former.get(user.serial) ?? [];
    const documented = { ...user, formerEmployeeIDs, attributeTexts };
    if (!isUpToDate && query && !matchesSearch(searchDocument(documented), query)) return [];
    const match = matchingId({ ...user, attributeTexts }, formerEmployeeIDs, query, wanted);
    return [match === undefined ? user : { ...user, formerEmployeeID: match }];
  });
}

/** Without anything to be found by. */
const nobody = {
  ...(Object.fromEntries(searchedFields.map((field) => [field, null])) as Record<SearchedField, null>),
  name: '',
};

/** The latest one if there are several. */
function matchingId(
  user: SearchableUser,
  former: readonly string[],
  query: SearchQuery | undefined,
  wanted: readonly string[],
): string | undefined {
  const asked = former.findLast((id) => wanted.includes(id));
  if (asked !== undefined || !query || matchesSearch(searchDocument(user), query)) return asked;
  return former.findLast((id) => {
    const document = searchDocument({ ...nobody, employeeID: id });
    return query.words.some((word) => matchesSearch(document, { words: [word] }));
  });
}
