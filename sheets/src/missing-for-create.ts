import type { SyncItem } from './items.js';
import { contactProblem, type ItemProblem, requiredProblem } from './row-problems.js';

/**
 * What a row of a sync lacks if its person turns out to be new, in the words in which a create would tell it. Whether
 * they are active is not asked for: a sync decides that where its file does not.
 */
export function missingForCreate({ name, email, phone }: SyncItem): ItemProblem[] {
  const problems: ItemProblem[] = [];
  if (name === undefined) problems.push(requiredProblem('name'));
  if (email == null && phone == null) problems.push(contactProblem);
  return problems;
}
