import type { Administrator } from '../../../contract/scopes.js';
import type { StoredUser } from '../../../contract/users.js';
import { emptyNameHistory } from '../../bulk/name-history.js';
import type { PlannedOutcome } from '../../bulk/plan.js';
import type { Parsed } from '../../read-fields.js';
import type { YieldingTask } from '../../yielding-task.js';
import type { BulkChange } from '../user-rules.js';
import { deactivates, isProtectedFrom, noRoles, protectedUser, type RoleFacts } from './protected-users.js';
import { type Rejection, type RequestedChange, resolveNames } from './resolve-names.js';
import { noSuchEmployee, type UpdatePlan } from './sequential-plan.js';
import { type Update, updatesOf } from './updates.js';
import { applyChange, canAdminister, contactLost, lacksContact, lastAdministrator } from './user-change.js';

/** A user that the call changes, with the combined effect of all items for that user. */
interface RequestedUpdate extends RequestedChange {
  readonly before: StoredUser;
  after: StoredUser;
}

/**
 * Plans a bulk update by its final state. Items select users by the employee IDs from before the call, and names are
 * compared at the end, so swaps and cycles succeed. All items of one user succeed or fail together.
 */
export function* planFinalState(
  items: readonly Parsed<BulkChange>[],
  stored: readonly StoredUser[],
  roleFacts: RoleFacts = noRoles,
): YieldingTask<UpdatePlan> {
  const byEmployeeId = new Map(stored.map((user) => [user.employeeID, user]));
  const requested = requestedUpdates(items, byEmployeeId);
  yield;
  const rejections = yield* rejectionsOf(requested, stored, roleFacts);
  const missing = new Set<string>();

  const outcomes = items.map((item, position): PlannedOutcome => {
    if (!item.ok) return item;
    const user = byEmployeeId.get(item.value.targetEmployeeID);
    const update = user && requested.get(user.serial);
    if (!update) {
      missing.add(item.value.targetEmployeeID);
      return { ok: false, failure: noSuchEmployee(position, item.value.targetEmployeeID, undefined) };
    }
    const rejection = rejections.get(update.serial);
    if (rejection) return { ok: false, failure: rejection(position) };
    return { ok: true, serial: update.serial, ...withLostRole(update, roleFacts) };
  });

  yield;
  const accepted = [...requested.values()].filter(({ serial }) => !rejections.has(serial));
  const updates = updatesOf(accepted.map((update) => withLostRole(update, roleFacts)));
  const taken = new Set(updates.changed.map(({ after }) => after.employeeID));
  return {
    ...updates,
    outcomes,
    assumedFree: { employeeIDs: [...missing].filter((name) => !taken.has(name)), usernames: [] },
    nameHistory: emptyNameHistory(),
  };
}

function requestedUpdates(
  items: readonly Parsed<BulkChange>[],
  byEmployeeId: ReadonlyMap<string, StoredUser>,
): Map<string, RequestedUpdate> {
  const requested = new Map<string, RequestedUpdate>();
  items.forEach((item, position) => {
    const user = item.ok ? byEmployeeId.get(item.value.targetEmployeeID) : undefined;
    if (!item.ok || !user) return;
    const update = requested.get(user.serial) ?? { serial: user.serial, position, before: user, after: user };
    update.after = applyChange(update.after, item.value.change);
    requested.set(user.serial, update);
  });
  return requested;
}

/** Final-state updates compare only the two ends: a user who was active and ends up inactive loses the role. */
export function withLostRole({ before, after }: Update, { roles }: RoleFacts): Update {
  return { before, after, lostRole: deactivates(before, after) ? roles.get(before.serial) : undefined };
}

/** Why a change is rejected before names are resolved. */
interface Excluded {
  readonly reason: Rejection;
  /** The requested names are taken as well. That check comes first, so its error is reported. */
  readonly hasNameConflict: boolean;
}

/** Returns the rejected changes by serial. */
export function* rejectionsOf(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
): YieldingTask<Map<string, Rejection>> {
  const excluded = yield* rejectedIndividually(requested, stored, roleFacts);
  const rejections = yield* resolve(requested, stored, excluded);
  const removed = lastRemovedAdministrator(requested, rejections, roleFacts.administrators);
  if (removed === undefined) return rejections;
  excluded.set(removed, { reason: lastAdministrator, hasNameConflict: false });
  return yield* resolve(requested, stored, excluded);
}

/** Changes that are rejected regardless of the other changes in the call. */
function* rejectedIndividually(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
): YieldingTask<Map<string, Excluded>> {
  const rejected = new Map<string, Rejection>();
  for (const change of requested.values()) {
    const reason = individualRejection(change, roleFacts);
    if (reason) rejected.set(change.serial, reason);
  }
  const byName = rejected.size === 0 ? new Map() : yield* resolve(requested, stored, new Map());
  return new Map(
    [...rejected].map(([serial, reason]) => [serial, { reason, hasNameConflict: byName.has(serial) }]),
  );
}

function individualRejection(
  { before, after }: RequestedChange,
  roleFacts: RoleFacts,
): Rejection | undefined {
  if (after === null) return undefined;
  if (lacksContact(after)) return contactLost;
  if (before === null || !isProtectedFrom(roleFacts, before, after)) return undefined;
  return (position) => protectedUser(position, before, after);
}

function* resolve(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  excluded: ReadonlyMap<string, Excluded>,
): YieldingTask<Map<string, Rejection>> {
  const changes = [...requested.values()].filter(({ serial }) => !excluded.has(serial));
  const others = stored.filter(({ serial }) => !requested.has(serial) || excluded.has(serial));
  yield;
  const resolution = yield* resolveNames(changes, others);
  yield;
  const rejections = resolution.rejections();
  for (const [serial, { reason, hasNameConflict }] of excluded) {
    const byName = hasNameConflict
      ? resolution.rejectionOf(requested.get(serial) as RequestedChange)
      : undefined;
    rejections.set(serial, byName ?? reason);
  }
  return rejections;
}

/** If the call would leave no administrator who can sign in, returns the last one it removes. */
function lastRemovedAdministrator(
  requested: ReadonlyMap<string, RequestedChange>,
  rejections: ReadonlyMap<string, Rejection>,
  administrators: readonly Administrator[],
): string | undefined {
  let left = 0;
  let last: RequestedChange | undefined;
  for (const { serial, canSignIn } of administrators) {
    const update = rejections.has(serial) ? undefined : requested.get(serial);
    if (update ? update.after && canAdminister(update.after) : canSignIn) left++;
    else if (update && canSignIn && (last === undefined || update.position > last.position)) last = update;
  }
  return left === 0 ? last?.serial : undefined;
}
