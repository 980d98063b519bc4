import { failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import { countUsers } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import type { Move } from '../users/plans/updates.js';
import type { BulkChange } from '../users/user-rules.js';
import { CallRefused } from './call-refused.js';

/** Holds up a call that would deactivate or rename a larger share of all users than one call may. */
export interface Brake {
  /** Within the transaction, before anything is written; all the users that the call moves. */
  check(tx: Executor, moves: readonly Move[]): Promise<void>;
}

/** The share is of all users; a number that the caller confirmed may be as large as it is. */
export function createBrake(percent: number, confirmed: number | undefined): Brake {
  return {
    check: async (tx, moves) => {
      // Whoever is removed is gone, active or not.
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
      throw new CallRefused(
        failure(
          'CALL_BRAKED',
          `The call would ${takes} ${gone.length} and rename ${renamed.length} users, ${affected} of ${total} in all (${share}%), and one call may do so to ${percent}%. Nothing was done. If it is meant, send it again with ?confirm=${affected}.`,
        ),
      );
    },
  };
}

/** The brake for a bulk update, if it can be met at all: what the items ask for is the most that they can do. */
export async function brakeFor(
  { database, brakePercent }: Context,
  parsed: readonly Parsed<BulkChange>[],
  confirmed: number | undefined,
): Promise<Brake | undefined> {
  if (brakePercent === 0) return undefined;
  const touched = new Set<string>();
  for (const item of parsed) {
    if (!item.ok) continue;
    const { selects, change } = item.value;
    const renames = change.employeeID !== undefined && change.employeeID !== selects;
    if (renames || change.isActive === false) touched.add(selects);
  }
  if (touched.size === 0) return undefined;
  const total = await countUsers(database.pool);
  return touched.size * 100 <= total * brakePercent ? undefined : createBrake(brakePercent, confirmed);
}
