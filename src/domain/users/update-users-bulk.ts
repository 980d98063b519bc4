import { usernameKey } from '../../contract/users.js';
import { transaction } from '../../storage/database.js';
import { anyNameHeld, lockUsersByNames, parkNames, updateUsers } from '../../storage/users.js';
import type { Context } from '../context.js';
import { PlanOutdated } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { administratorsBeside, mayUnseat } from './administrators.js';
import { type CallMemory, type Chunk, planUpdates, type UpdatePlan } from './bulk-plan.js';
import { type BulkResult, runInChunks } from './bulk-run.js';
import { followStatus } from './follow-status.js';
import type { BulkChange } from './user-rules.js';

export function updateUsersBulk(
  context: Context,
  parsed: readonly Parsed<BulkChange>[],
): Promise<BulkResult> {
  return runInChunks(parsed, context.limits, (chunk, past) => updateChunk(context, chunk, past));
}

/**
 * Lock, plan, apply. Why the plan holds at the moment of the commit: every user it changed or found in the way is
 * locked; every name it gave away was free, or the unique index would have refused; and every name that it found to be
 * nobody's is looked up once more at the end, in a fresh snapshot. If that look finds somebody, plan again.
 */
async function updateChunk(
  { database }: Context,
  chunk: Chunk<BulkChange>,
  past: CallMemory,
): Promise<UpdatePlan> {
  const { employeeIDs, usernames } = namesTouched(chunk.items);
  return transaction(database, async (tx) => {
    const stored = await lockUsersByNames(tx, employeeIDs, usernames);
    const administrators = chunk.items.some((item) => item.ok && mayUnseat(item.value.change))
      ? await administratorsBeside(tx, stored)
      : [];
    const plan = planUpdates(chunk, stored, past, administrators);
    if (plan.changed.length > 0) {
      await parkNames(tx, plan.parked);
      await updateUsers(tx, plan.changed, plan.changedFields);
    }
    await followStatus(tx, plan.status);
    if (await anyNameHeld(tx, plan.unheld)) throw new PlanOutdated();
    return plan;
  });
}

/** Sorted: neighbours in an index are read together. */
function namesTouched(items: readonly Parsed<BulkChange>[]): { employeeIDs: string[]; usernames: string[] } {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    const { selects, change } = item.value;
    employeeIDs.add(selects);
    if (change.employeeID !== undefined) employeeIDs.add(change.employeeID);
    if (change.username != null) usernames.add(usernameKey(change.username));
  }
  return { employeeIDs: [...employeeIDs].sort(), usernames: [...usernames].sort() };
}
