import { transaction } from '../../storage/database.js';
import { lockErasures } from '../../storage/erasure/erased-users.js';
import { inactiveForDays, stillInactive } from '../../storage/indexing/inactive-users.js';
import { lockUsers } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { eraseWithin } from './erase-within.js';

/** Small, because other requests wait for the transaction on the embedded database. */
const batchSize = 50;

const service = { origin: { actor: null, requestId: null, callId: null } };

/**
 * Erases some users who have been inactive for more than these days. Returns true if there may be more. Nodes that do so
 * at the same time wait for each other, and the second one finds nobody.
 */
export async function eraseInactive(
  { database, limits }: Pick<Context, 'database' | 'limits'>,
  days: number,
): Promise<boolean> {
  const found = await inactiveForDays(database.pool, days, batchSize);
  if (found.length === 0) return false;
  const erased = await retryOnConflict(limits.raceAttemptsMax, () =>
    transaction(database, async (tx) => {
      await lockErasures(tx, 'erase');
      // Somebody may have activated them meanwhile.
      await lockUsers(tx, { employeeIDs: [], usernames: [], serials: found });
      const inactive = await stillInactive(tx, found, days);
      const { verdicts } = await eraseWithin(
        tx,
        inactive.map((serial) => ({ serial })),
        service,
      );
      return verdicts.filter((verdict) => verdict.ok && verdict.isNew).length;
    }),
  );
  return erased > 0;
}
