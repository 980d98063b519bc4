import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import {
  type AttributeSet,
  type HiddenAttributes,
  noAttributes,
  nothingHidden,
} from '../../attributes/attribute-set.js';
import type { NameHistory } from '../../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../../bulk/plan.js';
import { noQuarantine, type Quarantine } from '../../names/quarantine.js';
import type { NewUser } from '../user-rules.js';
import type { CreatedUser } from './creation.js';
import {
  type FailingManagers,
  giversOf,
  ManagerTracker,
  type MeantManager,
  noReportingLines,
  type ReportingLines,
  replannedWithoutFailing,
} from './managers.js';
import { keyOf, NameHolders } from './name-holders.js';
import { isProtectedFrom, noRoles, protectedUser, type RoleFacts } from './protected-users.js';
import { keptInRehire } from './rehire.js';
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
  readonly attributes?: AttributeSet;
  /** Of the stored users, if items say who their managers are. */
  readonly lines?: ReportingLines;
  /** Of users who are rehired. */
  readonly hidden?: HiddenAttributes;
}

/** A user that the plan creates or rehires, as of the last item. */
interface PlannedUser extends CreatedUser {
  /** Null for a user that the plan creates. */
  readonly original: StoredUser | null;
}

/** Plans the outcome of each item of a bulk create. `serials` holds the serial of each item that creates a user. */
export function planCreates(
  chunk: Chunk<NewUser>,
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: NameHistory,
  options: CreateOptions = {},
): CreatePlan {
  return replannedWithoutFailing(chunk, (items) =>
    planOnce({ first: chunk.first, items }, stored, serials, past, options),
  );
}

const noManager: MeantManager = { change: {}, wanted: null };

function planOnce(
  { first, items }: Chunk<NewUser>,
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: NameHistory,
  options: CreateOptions,
): CreatePlan | FailingManagers {
  const {
    quarantine = noQuarantine,
    rehire = false,
    roleFacts = noRoles,
    attributes = noAttributes,
    hidden = nothingHidden,
  } = options;
  const names = new NameHolders<StoredUser>(past, quarantine, attributes);
  for (const user of stored) {
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(keyOf(user), user);
    names.addUniqueNames(user, user);
  }
  const managersMatter = items.some((item) => item.ok && item.value.managerEmployeeID != null);
  const givers = managersMatter ? giversOf(items, ({ employeeID }) => employeeID) : new Map();
  const managers = new ManagerTracker(options.lines ?? noReportingLines, givers, managersMatter);
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

  /** Who is meant by the employee ID of the manager. */
  function managerOf({ managerEmployeeID }: NewUser, index: number) {
    if (managerEmployeeID == null) return noManager;
    return managers.meant({ managerEmployeeID }, index, (id) => names.byEmployeeId.get(id)?.serial);
  }

  function create(user: NewUser, index: number, position: number): PlannedOutcome {
    const { password, managerEmployeeID: _, ...fields } = user;
    const manager = managerOf(user, index);
    const serial = serials[index] as string;
    const after = { ...fields, managerSerial: manager.change.managerSerial ?? null, serial, version: 1 };
    const conflict =
      names.employeeIdConflict(position, after.employeeID, serial) ??
      names.usernameConflict(position, after.username, serial) ??
      names.uniqueNameConflict(position, null, after) ??
      managers.problem(position, serial, manager);
    if (conflict) return { ok: false, failure: conflict };
    names.takeEmployeeId(after.employeeID, after, position);
    names.takeUsername(after.username, after, position);
    names.moveUniqueNames(null, after, after, position);
    managers.note(after, index, manager);
    planned.set(serial, { original: null, user: after, password, index });
    return { ok: true, serial, before: null, after };
  }

  function rehireHolder(before: StoredUser, user: NewUser, index: number, position: number): PlannedOutcome {
    const { password, managerEmployeeID: _, ...fields } = user;
    const { serial, version } = before;
    const manager = managerOf(user, index);
    const managerSerial = manager.change.managerSerial ?? null;
    const after = { ...fields, managerSerial, ...keptInRehire(before, fields, hidden), serial, version };
    const rejection: Failure | undefined =
      names.usernameConflict(position, after.username, serial) ??
      names.uniqueNameConflict(position, before, after) ??
      managers.problem(position, serial, manager) ??
      (isProtectedFrom(roleFacts, before, after) ? protectedUser(position, before, after) : undefined);
    if (rejection) return { ok: false, failure: rejection };
    names.byEmployeeId.set(after.employeeID, after);
    if (keyOf(after) !== keyOf(before)) {
      names.releaseUsername(before.username, before, position);
      names.takeUsername(after.username, after, position);
    }
    names.moveUniqueNames(before, after, after, position);
    managers.note(after, index, manager);
    const earlier = planned.get(serial);
    planned.set(serial, { original: earlier ? earlier.original : before, user: after, password, index });
    return { ok: true, serial, before, after, rehired: true };
  }

  const settled = managers.settle(first, (id) => names.holderOf(id));
  if (settled.failures.size > 0) return settled;
  for (const [index, managerSerial] of settled.managers) {
    const outcome = outcomes[index];
    const user = outcome?.ok ? planned.get(outcome.serial) : undefined;
    if (!outcome?.ok || !outcome.after || !user) continue;
    outcomes[index] = { ...outcome, after: { ...outcome.after, managerSerial } };
    planned.set(outcome.serial, { ...user, user: { ...user.user, managerSerial } });
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
