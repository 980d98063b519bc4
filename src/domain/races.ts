import { setTimeout as pause } from 'node:timers/promises';
import { databaseOutage, violatedConstraint } from '../storage/errors.js';

/** The rows changed between the plan and its commit: plan again. */
export class PlanOutdated extends Error {
  override readonly name = 'PlanOutdated';
}

/** Another call was in the way: a name went to it, a deadlock was broken, or what was read is no longer so. */
export function isLostRace(error: unknown): boolean {
  return (
    error instanceof PlanOutdated ||
    violatedConstraint(error) !== undefined ||
    databaseOutage(error) === 'race'
  );
}

/** A lost race is no failure: the same work is tried again over fresh rows. */
export async function untilRaceIsWon<T>(attemptsMax: number, attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLostRace(error) || tried >= attemptsMax) throw error;
      // The winner needs a moment, and losers that come back together would only meet again.
      await pause(Math.random() * Math.min(5 * tried, 50));
    }
  }
}
