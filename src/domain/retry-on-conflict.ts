import { setTimeout as pause } from 'node:timers/promises';
import { databaseOutage, violatedConstraint } from '../storage/errors.js';

/** Rows changed between the plan and its commit: plan again. */
export class PlanOutdated extends Error {
  override readonly name = 'PlanOutdated';
}

/** Another transaction got in the way: it took a name, caused a deadlock, or changed what was read. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof PlanOutdated ||
    violatedConstraint(error) !== undefined ||
    databaseOutage(error) === 'conflict'
  );
}

/** Retries the work over fresh rows when it loses a race. */
export async function retryOnConflict<T>(
  attemptsMax: number,
  attempt: () => Promise<T>,
  onRetry?: () => void,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tried >= attemptsMax) throw error;
      onRetry?.();
      // A random delay lets the winner finish and keeps the losers from colliding again.
      await pause(Math.random() * Math.min(5 * tried, 50));
    }
  }
}
