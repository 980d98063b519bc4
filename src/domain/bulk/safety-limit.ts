import { failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import { countUsers } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import { CallRejected } from './call-errors.js';
import type { Transition } from './plan.js';

/** Stops a call that would deactivate or rename more than the allowed share of all users. */
export interface SafetyLimit {
  /** Runs within the transaction before anything is written, over all users that the call changes. */
  check(tx: Executor, moves: readonly Transition[]): Promise<void>;
}

/** The percentage is of all users. A number that the caller confirmed is always allowed. */
export function createSafetyLimit(percent: number, confirmed: number | undefined): SafetyLimit {
  return {
    check: async (tx, moves) => {
      // A removed user counts whether active or not.
      const gone = moves.filter(
        ({ before, after }) => before && (after === null || (before.isActive && !after.isActive)),
      );
      const renamed = moves.filter(
        ({ before, after }) => before && after && before.employeeID !== after.employeeID,
      );
      const affected = new Set([...gone, ...renamed]).size;
      if (affected === 0 || affected === confirmed) return;
      const total = await countUsers(tx);
      if (affected * 100 <= total * percent) return;
      const takes = moves.some(({ after }) => after === null) ? 'remove or deactivate' : 'deactivate';
      const share = ((affected / total) * 100).toFixed(1);
      throw new CallRejected(
        failure(
          'CALL_BRAKED',
          `The call would ${takes} ${gone.length} and rename ${renamed.length} users, ${affected} of ${total} in all (${share}%), and one call may do so to ${percent}%. Nothing was done. If it is meant, send it again with ?confirm=${affected}.`,
        ),
      );
    },
  };
}

/** Returns undefined if a call that deactivates or renames at most this many users cannot reach the limit. */
export async function safetyLimitFor(
  { database, safetyLimitPercent }: Context,
  affectedMax: number,
  confirmed: number | undefined,
): Promise<SafetyLimit | undefined> {
  if (safetyLimitPercent === 0 || affectedMax === 0) return undefined;
  const total = await countUsers(database.pool);
  return affectedMax * 100 <= total * safetyLimitPercent
    ? undefined
    : createSafetyLimit(safetyLimitPercent, confirmed);
}
