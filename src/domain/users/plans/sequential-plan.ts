import { type Failure, failure } from '../../../contract/errors.js';
import type { Role } from '../../../contract/scopes.js';
import type { StoredUser } from '../../../contract/users.js';
import type { Departure, NameHistory } from '../../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../../bulk/plan.js';
import { sentence } from '../../read-fields.js';
import type { BulkChange } from '../user-rules.js';
import { keyOf, NameHolders } from './name-holders.js';
import {
  changesAddress,
  deactivates,
  isProtectedFrom,
  noRoles,
  protectedUser,
  type RoleFacts,
} from './protected-users.js';
import { type Updates, updatesOf } from './updates.js';
import { applyChange, canAdminister, contactLost, lacksContact, lastAdministrator } from './user-change.js';

export interface UpdatePlan extends Updates {
  readonly outcomes: readonly PlannedOutcome[];
  /**
   * Names that the plan relies on being free and that no user of this plan holds at the end: missing users, and names
   * that were only held in between. No lock or index protects them, so they are checked again before the commit.
   */
  readonly unheld: { readonly employeeIDs: readonly string[]; readonly usernames: readonly string[] };
  readonly memory: NameHistory;
}

/** A user's state as the plan processes its items. */
interface TrackedUser {
  readonly serial: string;
  readonly original: StoredUser;
  current: StoredUser;
}

export function planUpdates(
  { first, items }: Chunk<BulkChange>,
  stored: readonly StoredUser[],
  past: NameHistory,
  roleFacts: RoleFacts = noRoles,
): UpdatePlan {
  const names = new NameHolders<TrackedUser>(past);
  const walkers = stored.map((user): TrackedUser => ({ serial: user.serial, original: user, current: user }));
  const usernamesMatter = items.some((item) => item.ok && item.value.change.username !== undefined);
  for (const walker of walkers) {
    names.byEmployeeId.set(walker.original.employeeID, walker);
    if (usernamesMatter && walker.original.username !== null)
      names.byUsername.set(keyOf(walker.original), walker);
  }
  const missing: string[] = [];
  const status = { deactivated: [] as string[], activated: [] as string[] };
  const readdressed: string[] = [];
  const holders = new RoleTracker(roleFacts);

  const outcomes = items.map((item, index): PlannedOutcome => {
    if (!item.ok) return item;
    const { selects, change } = item.value;
    const position = first + index;
    const walker = names.byEmployeeId.get(selects);
    if (walker === undefined) {
      missing.push(selects);
      return {
        ok: false,
        failure: noSuchEmployee(position, selects, names.departure(selects)),
      };
    }
    const { serial, current: before } = walker;
    const after = applyChange(before, change);
    const refusal =
      names.employeeIdRefusal(position, after.employeeID, serial) ??
      names.usernameRefusal(position, change.username, serial) ??
      (lacksContact(after) ? contactLost(position) : undefined) ??
      (holders.isProtected(before, after) ? protectedUser(position, before, after) : undefined) ??
      (holders.wouldLoseLastAdministrator(before, after) ? lastAdministrator(position) : undefined);
    if (refusal) return { ok: false, failure: refusal };

    walker.current = after;
    const lostRole = holders.move(before, after);
    if (before.isActive !== after.isActive) {
      (after.isActive ? status.activated : status.deactivated).push(serial);
    }
    if (changesAddress(before, after)) readdressed.push(serial);
    if (after.employeeID !== before.employeeID) {
      names.leaveEmployeeId(before.employeeID, after.employeeID, position);
      names.takeEmployeeId(after.employeeID, walker, position);
    }
    if (after.username !== before.username && keyOf(after) !== keyOf(before)) {
      names.leaveUsername(before.username);
      names.takeUsername(after.username, walker, position);
    }
    return { ok: true, serial, before, after, lostRole };
  });

  const moves = walkers.map(({ serial, original, current }) => ({
    before: original,
    after: current,
    lostRole: holders.lost.get(serial),
  }));
  return {
    ...updatesOf(moves),
    ...{ status, readdressed, outcomes },
    unheld: unheldNames(missing, names, stored),
    memory: names.memory,
  };
}

/** Tracks roles, and administrators who can sign in, as the plan processes its items. */
class RoleTracker {
  readonly lost = new Map<string, Role>();
  readonly #roles: Map<string, Role>;
  readonly #facts: Pick<RoleFacts, 'roles' | 'mayChangeProtected'>;
  /** Administrators who can sign in. */
  readonly #able: Set<string>;

  constructor({ administrators, roles, mayChangeProtected }: RoleFacts) {
    this.#roles = new Map(roles);
    this.#facts = { roles: this.#roles, mayChangeProtected };
    this.#able = new Set(administrators.filter(({ canSignIn }) => canSignIn).map(({ serial }) => serial));
  }

  isProtected(before: StoredUser, after: StoredUser): boolean {
    return isProtectedFrom(this.#facts, before, after);
  }

  wouldLoseLastAdministrator(before: StoredUser, after: StoredUser): boolean {
    return this.#able.has(before.serial) && !canAdminister(after) && this.#able.size <= 1;
  }

  /** Returns the role that the user loses, if any. */
  move(before: StoredUser, after: StoredUser): Role | undefined {
    const role = this.#roles.get(after.serial);
    if (role === undefined) return undefined;
    const lostRole = deactivates(before, after) ? role : undefined;
    if (lostRole !== undefined) {
      this.#roles.delete(after.serial);
      this.lost.set(after.serial, lostRole);
    }
    if (role === 'administrator' && lostRole === undefined && canAdminister(after)) {
      this.#able.add(after.serial);
    } else this.#able.delete(after.serial);
    return lostRole;
  }
}

export function noSuchEmployee(
  position: number,
  employeeID: string,
  departure: Departure | undefined,
): Failure {
  const why = departure ? `: items[${departure.position}] of this call changed it to "${departure.to}"` : '';
  return failure('USER_NOT_FOUND', sentence(position, `no user has the employee ID "${employeeID}"${why}.`));
}

function unheldNames(
  missing: readonly string[],
  names: NameHolders<TrackedUser>,
  stored: readonly StoredUser[],
): UpdatePlan['unheld'] {
  const { employeeIdTakes, usernameTakes } = names.memory;
  if (missing.length + employeeIdTakes.size + usernameTakes.size === 0)
    return { employeeIDs: [], usernames: [] };
  const storedIds = new Set(stored.map((user) => user.employeeID));
  const storedUsernames = new Set(stored.map(keyOf));
  return {
    employeeIDs: [...missing, ...employeeIdTakes.keys()].filter(
      (name) => !storedIds.has(name) && !names.byEmployeeId.has(name),
    ),
    usernames: [...usernameTakes.keys()].filter(
      (name) => !storedUsernames.has(name) && !names.byUsername.has(name),
    ),
  };
}
