import { type Failure, failure, retry } from '../../contract/errors.js';
import { type Database, type Executor, snapshot } from '../../storage/database.js';
import {
  areCounted,
  type ChangeCounts,
  type PeriodCounts,
  readChangeCounts,
} from '../../storage/indexing/change-counts.js';
import { readFreshness } from '../../storage/indexing/index-state.js';
import {
  countByStatus,
  countEveryUserByStatus,
  type UsersByStatus,
} from '../../storage/users/count-users.js';
import { boundsOf, type DayRange, daysIn } from './days.js';

export interface DayStatistics {
  readonly day: string;
  /** At the end of the day, or now. */
  readonly users: UsersByStatus;
  readonly changes: ChangeCounts;
}

export interface Statistics {
  readonly timeZone: string;
  /** Now. */
  readonly users: UsersByStatus;
  readonly days: readonly DayStatistics[];
}

/** Reads look at each change that is not counted yet. The indexer counts as many in a few seconds. */
const uncountedMax = 50_000;

/** With more changes than this, counting all users is faster. */
const freshMax = 10_000;

export async function getStatistics(
  database: Database,
  timeZone: string,
  range: DayRange,
): Promise<Statistics | Failure> {
  const days = daysIn(range);
  return snapshot(database, async (tx) => {
    if (!(await areCounted(tx, uncountedMax))) return beingCounted();
    const users = await usersNow(tx);
    const counts = await readChangeCounts(tx, boundsOf(days, timeZone));
    return { timeZone, users, days: statisticsOf(days, counts, users) };
  });
}

async function usersNow(tx: Executor): Promise<UsersByStatus> {
  const { isBuilding, isComplete, fresh } = await readFreshness(tx, { allMax: freshMax, newestMax: 0 });
  return isBuilding || !isComplete ? countEveryUserByStatus(tx) : countByStatus(tx, fresh);
}

/** Goes back in time from the users there are now. The last count is of what happened after the last day. */
export function statisticsOf(
  days: readonly string[],
  counts: readonly PeriodCounts[],
  now: UsersByStatus,
): DayStatistics[] {
  const result: DayStatistics[] = [];
  let users = now;
  for (let index = days.length - 1; index >= 0; index--) {
    users = before(users, counts[index + 1]);
    const { active: _, inactive: __, ...changes } = counts[index] as PeriodCounts; // one count per day
    result.unshift({ day: days[index] as string, users, changes });
  }
  return result;
}

function before(users: UsersByStatus, counts: PeriodCounts | undefined): UsersByStatus {
  if (!counts) return users;
  return { active: users.active - counts.active, inactive: users.inactive - counts.inactive };
}

function beingCounted(): Failure {
  return failure(
    'SERVICE_UNAVAILABLE',
    'The changes so far are being counted. Retry in a few seconds.',
    retry,
  );
}
