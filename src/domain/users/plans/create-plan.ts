import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import type { NameHistory } from '../../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../../bulk/plan.js';
import { noQuarantine, type Quarantine } from '../../names/quarantine.js';
import type { NewUser } from '../user-rules.js';
import type { CreatedUser } from './creation.js';
import { keyOf, NameHolders } from './name-holders.js';
import { isProtectedFrom, noRoles, protectedUser, type RoleFacts } from './protected-users.js';
import { type Updates, updatesOf } from './updates.js';

export interface CreatePlan {
  readonly outcomes: readonly PlannedOutcome[];
  readonly created: readonly CreatedUser[];
  /** Inactive users who are reactivated with the data of an item, and what that changes. */
  readonly rehired: readonly CreatedUser[];
  readonly updates: Updates;
  readonly nameHistory: NameHistory;
}

export interface CreateOptions {
  readonly quarantine?: Quarantine;
  /** Whether an item rehires an inactive user who has its employee ID. */
  readonly rehire?: boolean;
  /** Roles of the stored users. */
  readonly roleFacts?: RoleFacts;
}

/** A user that the plan creates or rehires, as of the last item. */
interface PlannedUser extends CreatedUser {
  /** Null for a user that the plan creates. */
  readonly original: StoredUser | null;
}

/** Plans the outcome of each item of a bulk create. `serials` holds the serial of each item that creates a user. */
export function planCreates(
  { first, items }: Chunk<NewUser>,
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: NameHistory,
  { quarantine = noQuarantine, rehire = false, roleFacts = noRoles }: CreateOptions = {},
): CreatePlan {
  const names = new NameHolders<StoredUser>(past, quarantine);
  for (const user of stored) {
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(keyOf(user), user);
  }
  const planned = new Map<string, PlannedUser>();
  const outcomes = items.map((item, index): PlannedOutcome => {
    if (!item.ok) return item;
    const user = item.value;
    const position = first + index;
    const holder = names.byEmployeeId.get(user.employeeID);
    return rehire && holder && !holder.isActive && user.isActive
      ? rehireHolder(holder, user, index, position)
      : create(user, index, position);
  });

  function create({ password, ...fields }: NewUser, index: number, position: number): PlannedOutcome {
    const serial = serials[index] as string;
    const conflict =
      names.employeeIdConflict(position, fields.employeeID, serial) ??
      names.usernameConflict(position, fields.username, serial);
    if (conflict) return { ok: false, failure: conflict };
    const after = { ...fields, serial, version: 1 };
    names.takeEmployeeId(after.employeeID, after, position);
    names.takeUsername(after.username, after, position);
    planned.set(serial, { original: null, user: after, password, index });
    return { ok: true, serial, before: null, after };
  }

  function rehireHolder(
    before: StoredUser,
    { password, ...fields }: NewUser,
    index: number,
    position: number,
  ): PlannedOutcome {
    const { serial, version } = before;
    const after = { ...fields, serial, version };
    const rejection: Failure | undefined =
      names.usernameConflict(position, after.username, serial) ??
      (isProtectedFrom(roleFacts, before, after) ? protectedUser(position, before, after) : undefined);
    if (rejection) return { ok: false, failure: rejection };
    names.byEmployeeId.set(after.employeeID, after);
    if (keyOf(after) !== keyOf(before)) {
      names.releaseUsername(before.username, before, position);
      names.takeUsername(after.username, after, position);
    }
    const earlier = planned.get(serial);
    planned.set(serial, { original: earlier ? earlier.original : before, user: after, password, index });
    return { ok: true, serial, before, after, rehired: true };
  }

  const users = [...planned.values()];
  return {
    outcomes,
    created: users.flatMap(({ original, ...created }) => (original === null ? [created] : [])),
    rehired: users.flatMap(({ original, ...rehired }) => (original === null ? [] : [rehired])),
    updates: updatesOf(
      users.flatMap(({ original, user }) =>
        original === null ? [] : [{ before: original, after: user, rehired: true }],
      ),
    ),
    nameHistory: names.history,
  };
}
