import { parseAttributes } from '../../contract/attribute-values.js';
import { searchedAttributeIds } from '../../storage/attributes/attributes.js';
import type { Executor } from '../../storage/database.js';

/** The texts of a user's attributes by which the user is found. */
export type SearchedTexts = (attributes: string | null) => readonly string[];

export const noTexts: SearchedTexts = () => none;

const none: readonly string[] = [];

/** By the definitions at this moment. */
export async function searchedTexts(executor: Executor): Promise<SearchedTexts> {
  const ids = await searchedAttributeIds(executor);
  if (ids.length === 0) return noTexts;
  return (attributes) => {
    if (attributes === null) return none;
    const values = parseAttributes(attributes);
    return ids.flatMap((id) => values[id] ?? none).map(String);
  };
}
