import type { Failure } from '../../contract/errors.js';
import { type Database, snapshot } from '../../storage/database.js';
import { countAllUsers, countMatches, sampleShare } from '../../storage/users/count-users.js';
import { type MatchFilters, matchingUsers } from './matching-users.js';

export interface UserTotal {
  readonly count: number;
  readonly isExact: boolean;
}

export const precisions = ['approximate', 'exact'] as const;
export type Precision = (typeof precisions)[number];

/** Larger totals are estimated unless they are requested exactly. */
export const exactTotalMax = 10_000;

/** How many users match the filters. Undefined if that can't be told from what the index knows. */
export async function countUsers(
  database: Database,
  filters: MatchFilters,
  precision: Precision,
): Promise<UserTotal | Failure | undefined> {
  return snapshot(database, async (tx) => {
    const mayMiss =
      filters.search !== undefined || (precision === 'approximate' && Object.keys(filters).length > 0);
    const matching = await matchingUsers(tx, filters, { mayMiss });
    if ('error' in matching) return matching;
    if (matching.words === 'outdated') return undefined;
    const { fresh, search, isComplete } = matching;
    const isUnfiltered = !search && Object.keys(matching.filters).length === 0;
    if (isUnfiltered && fresh) return { count: await countAllUsers(tx, fresh), isExact: isComplete };
    const upTo = precision === 'exact' || fresh === undefined ? undefined : exactTotalMax;
    const count = await countMatches(tx, matching, upTo);
    if (upTo === undefined || count <= upTo) return { count, isExact: isComplete };
    const all = await countAllUsers(tx, fresh ?? []);
    return { count: Math.max(rounded(all * (await sampleShare(tx, matching, all))), upTo), isExact: false };
  });
}

/** To two digits: an estimate shouldn't look more precise than it is. */
function rounded(estimate: number): number {
  return Number(estimate.toPrecision(2));
}
