import type { Administrator } from '../../../contract/scopes.js';
import type { StoredUser } from '../../../contract/users.js';
import { emptyNameHistory } from '../../bulk/name-history.js';
import type { PlannedOutcome } from '../../bulk/plan.js';
import type { Parsed } from '../../read-fields.js';
import type { YieldingTask } from '../../steps.js';
import type { BulkChange } from '../user-rules.js';
import { deactivates, isProtectedFrom, noRoles, protectedUser, type RoleFacts } from './protected-users.js';
import { type Mover, type Refusal, resolveNames } from './resolve-names.js';
import { noSuchEmployee, type UpdatePlan } from './sequential-plan.js';
import { type Update, updatesOf } from './updates.js';
import { applyChange, canAdminister, contactLost, lacksContact, lastAdministrator } from './user-change.js';

/** A user that the call changes, with the combined effect of all items for that user. */
interface Wish extends Mover {
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
  const wishes = wishesOf(items, byEmployeeId);
  yield;
  const refusals = yield* refusalsOf(wishes, stored, roleFacts);
  const missing = new Set<string>();

  const outcomes = items.map((item, position): PlannedOutcome => {
    if (!item.ok) return item;
    const user = byEmployeeId.get(item.value.selects);
    const wish = user && wishes.get(user.serial);
    if (!wish) {
      missing.add(item.value.selects);
      return { ok: false, failure: noSuchEmployee(position, item.value.selects, undefined) };
    }
    const refusal = refusals.get(wish.serial);
    if (refusal) return { ok: false, failure: refusal(position) };
    return { ok: true, serial: wish.serial, ...withLostRole(wish, roleFacts) };
  });

  yield;
  const moving = [...wishes.values()].filter(({ serial }) => !refusals.has(serial));
  const updates = updatesOf(moving.map((wish) => withLostRole(wish, roleFacts)));
  const taken = new Set(updates.changed.map(({ after }) => after.employeeID));
  return {
    ...updates,
    outcomes,
    unheld: { employeeIDs: [...missing].filter((name) => !taken.has(name)), usernames: [] },
    memory: emptyNameHistory(),
  };
}

function wishesOf(
  items: readonly Parsed<BulkChange>[],
  byEmployeeId: ReadonlyMap<string, StoredUser>,
): Map<string, Wish> {
  const wishes = new Map<string, Wish>();
  items.forEach((item, position) => {
    const user = item.ok ? byEmployeeId.get(item.value.selects) : undefined;
    if (!item.ok || !user) return;
    const wish = wishes.get(user.serial) ?? { serial: user.serial, position, before: user, after: user };
    wish.after = applyChange(wish.after, item.value.change);
    wishes.set(user.serial, wish);
  });
  return wishes;
}

/** Final-state updates compare only the two ends: a user who was active and ends up inactive loses the role. */
export function withLostRole({ before, after }: Update, { roles }: RoleFacts): Update {
  return { before, after, lostRole: deactivates(before, after) ? roles.get(before.serial) : undefined };
}

/** Why a change is rejected before names are resolved. */
interface LeftOut {
  readonly reason: Refusal;
  /** The requested names are taken as well. That check comes first, so its error is reported. */
  readonly hasNoName: boolean;
}

/** Returns the rejected changes by serial. */
export function* refusalsOf(
  wishes: ReadonlyMap<string, Mover>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
): YieldingTask<Map<string, Refusal>> {
  const leftOut = yield* refusedForThemselves(wishes, stored, roleFacts);
  const refusals = yield* judge(wishes, stored, leftOut);
  const unseated = lastUnseated(wishes, refusals, roleFacts.administrators);
  if (unseated === undefined) return refusals;
  leftOut.set(unseated, { reason: lastAdministrator, hasNoName: false });
  return yield* judge(wishes, stored, leftOut);
}

/** Changes that are rejected regardless of the other changes in the call. */
function* refusedForThemselves(
  wishes: ReadonlyMap<string, Mover>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
): YieldingTask<Map<string, LeftOut>> {
  const refused = new Map<string, Refusal>();
  for (const mover of wishes.values()) {
    const reason = ownRefusal(mover, roleFacts);
    if (reason) refused.set(mover.serial, reason);
  }
  const byName = refused.size === 0 ? new Map() : yield* judge(wishes, stored, new Map());
  return new Map([...refused].map(([serial, reason]) => [serial, { reason, hasNoName: byName.has(serial) }]));
}

function ownRefusal({ before, after }: Mover, roleFacts: RoleFacts): Refusal | undefined {
  if (after === null) return undefined;
  if (lacksContact(after)) return contactLost;
  if (before === null || !isProtectedFrom(roleFacts, before, after)) return undefined;
  return (position) => protectedUser(position, before, after);
}

function* judge(
  wishes: ReadonlyMap<string, Mover>,
  stored: readonly StoredUser[],
  leftOut: ReadonlyMap<string, LeftOut>,
): YieldingTask<Map<string, Refusal>> {
  const movers = [...wishes.values()].filter(({ serial }) => !leftOut.has(serial));
  const stayers = stored.filter(({ serial }) => !wishes.has(serial) || leftOut.has(serial));
  yield;
  const settled = yield* resolveNames(movers, stayers);
  yield;
  const refusals = settled.refusals();
  for (const [serial, { reason, hasNoName }] of leftOut) {
    const byName = hasNoName ? settled.refusalOf(wishes.get(serial) as Mover) : undefined;
    refusals.set(serial, byName ?? reason);
  }
  return refusals;
}

/** If the call would leave no administrator who can sign in, returns the last one it removes. */
function lastUnseated(
  wishes: ReadonlyMap<string, Mover>,
  refusals: ReadonlyMap<string, Refusal>,
  administrators: readonly Administrator[],
): string | undefined {
  let left = 0;
  let last: Mover | undefined;
  for (const { serial, canSignIn } of administrators) {
    const wish = refusals.has(serial) ? undefined : wishes.get(serial);
    if (wish ? wish.after && canAdminister(wish.after) : canSignIn) left++;
    else if (wish && canSignIn && (last === undefined || wish.position > last.position)) last = wish;
  }
  return left === 0 ? last?.serial : undefined;
}
