import type { SyncItem } from './items.js';
import { contactProblem, type ItemProblem, requiredProblem } from './row-problems.js';

/**
 * What a row of a sync lacks if its user is new, worded like the errors of a create. Whether the user is active is not
 * required: the sync decides if the file doesn't.
 */
export function missingForCreate({ name, email, phone }: SyncItem): ItemProblem[] {
  const problems: ItemProblem[] = [];
  if (name === undefined) problems.push(requiredProblem('name'));
  if (!email && !phone) problems.push(contactProblem);
  return problems;
}
