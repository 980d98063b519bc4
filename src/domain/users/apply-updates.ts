import type { ChangeOrigin } from '../../storage/changes.js';
import type { Executor } from '../../storage/database.js';
import { updateUsers } from '../../storage/update-users.js';
import { parkNames } from '../../storage/user-names.js';
import { othersTurn } from '../others-turn.js';
import { PlanOutdated } from '../races.js';
import { followStatus } from './follow-status.js';
import type { Updates } from './updates.js';
import { fieldChanges } from './user-change.js';

/** How many users one statement writes: to put more of them into words would keep others waiting. */
const updatesAtOnce = 2_500;

/** Within a transaction, with the rows of the change log and all that follows from it. */
export async function applyUpdates(
  tx: Executor,
  { changed, changedFields, parked, status }: Updates,
  origin: ChangeOrigin,
): Promise<void> {
  if (changed.length > 0) {
    await parkNames(tx, parked);
    const sorted = changed.toSorted((a, b) => (a.after.serial < b.after.serial ? -1 : 1));
    for (let first = 0; first < sorted.length; first += updatesAtOnce) {
      await othersTurn();
      const updates = sorted.slice(first, first + updatesAtOnce).map(({ before, after }) => ({
        user: after,
        changes: fieldChanges(before, after),
      }));
      if (!(await updateUsers(tx, updates, changedFields, origin))) throw new PlanOutdated();
    }
  }
  await followStatus(tx, status);
}
