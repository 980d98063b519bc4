import type { Executor } from '../../storage/database.js';
import { readFreshness } from '../../storage/indexing/index-state.js';

/** What has to be added to the counts of the indexer. */
export interface FreshCounts {
  /** Users changed since they were counted. */
  readonly fresh: readonly string[];
  /** Whether these are all. */
  readonly isExact: boolean;
}

/** How many changes since then are taken into account. If there are more, only the newest: the rest takes too long. */
const countedMax = { allMax: 10_000, newestMax: 1_000 };

/** Must be read in the same snapshot as the counts. */
export async function freshCounts(tx: Executor): Promise<FreshCounts> {
  const { fresh, isComplete, isBuilding } = await readFreshness(tx, countedMax);
  return { fresh, isExact: isComplete && !isBuilding };
}
