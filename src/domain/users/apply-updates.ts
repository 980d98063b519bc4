import type { ChangeOrigin } from '../../storage/changes.js';
import type { Executor } from '../../storage/database.js';
import { updateUsers } from '../../storage/update-users.js';
import { parkNames } from '../../storage/user-names.js';
import { PlanOutdated } from '../races.js';
import { followStatus } from './follow-status.js';
import type { Updates } from './updates.js';
import { fieldChanges } from './user-change.js';

/** Within a transaction, with the rows of the change log and all that follows from it. */
export async function applyUpdates(
  tx: Executor,
  { changed, changedFields, parked, status }: Updates,
  origin: ChangeOrigin,
): Promise<void> {
  if (changed.length > 0) {
    await parkNames(tx, parked);
    const updates = changed.map(({ before, after }) => ({
      user: after,
      changes: fieldChanges(before, after),
    }));
    if (!(await updateUsers(tx, updates, changedFields, origin))) throw new PlanOutdated();
  }
  await followStatus(tx, status);
}
