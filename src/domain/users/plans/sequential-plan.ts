import type { Role } from '../../../contract/scopes.js';
import type { StoredUser } from '../../../contract/users.js';
import {
  type AttributeSet,
  attributesTooLarge,
  growsTooLarge,
  type HiddenAttributes,
  noAttributes,
  nothingHidden,
} from '../../attributes/attribute-set.js';
import type { NameHistory } from '../../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../../bulk/plan.js';
import { noQuarantine, type Quarantine } from '../../names/quarantine.js';
import type { Parsed } from '../../read-fields.js';
import { type BulkChange, givenEmployeeId } from '../user-rules.js';
import { type CreatedUser, creationProblem, newUser, noSerials, type SerialSource } from './creation.js';
import {
  type FailingManagers,
  giversOf,
  ManagerTracker,
  noReportingLines,
  type ReportingLines,
  replannedWithoutFailing,
} from './managers.js';
import { nobodyThen, noSuchEmployee } from './missing-user.js';
import { keyOf, NameHolders } from './name-holders.js';
import {
  changesAddress,
  deactivates,
  isProtectedFrom,
  noRoles,
  protectedUser,
  type RoleFacts,
} from './protected-users.js';
import { rehiredUser, rehireOf, rehiringChange } from './rehire.js';
import { type Updates, updatesOf } from './updates.js';
import { applyChange, canAdminister, contactLost, lacksContact, lastAdministrator } from './user-change.js';

export interface UpdatePlan extends Updates {
  readonly outcomes: readonly PlannedOutcome[];
  /** Users that did not exist before, once each. Their names are inserted after those of changed users are released. */
  readonly created: readonly CreatedUser[];
  /** Those of the changed users who get a new password. */
  readonly rehired: readonly CreatedUser[];
  /**
   * Names that the plan relies on being free and that no user of this plan holds at the end: missing users, and names
   * that were only held in between. No lock or index protects them, so they are checked again before the commit.
   */
  readonly assumedFree: { readonly employeeIDs: readonly string[]; readonly usernames: readonly string[] };
  readonly nameHistory: NameHistory;
}

/** A user's state as the plan processes its items. */
interface TrackedUser {
  readonly serial: string;
  /** Null for a user that the plan creates. */
  readonly original: StoredUser | null;
  current: StoredUser;
  /** Of a user whom an item rehires. */
  rehire?: GivenPassword;
}

/** The password of a created or rehired user, and the index of its item in the chunk. */
interface GivenPassword {
  readonly password: string | null;
  readonly index: number;
}

/** What a plan depends on besides the users. By default there is nothing of it. */
export interface PlanFacts {
  readonly roleFacts?: RoleFacts;
  /** Items of an update create no users, so they need no serials. */
  readonly nextSerial?: SerialSource;
  readonly quarantine?: Quarantine;
  readonly attributes?: AttributeSet;
  /** Of the users, if items say who their managers are. */
  readonly lines?: ReportingLines;
  /** Of users who are rehired. */
  readonly hidden?: HiddenAttributes;
}

/** An item whose manager cannot be found at the end fails as a whole, so the others are planned again without it. */
export function planUpdates(
  chunk: Chunk<BulkChange>,
  stored: readonly StoredUser[],
  past: NameHistory,
  facts: PlanFacts = {},
): UpdatePlan {
  return replannedWithoutFailing(chunk, (items) =>
    planOnce({ first: chunk.first, items }, stored, past, facts),
  );
}

function planOnce(
  { first, items }: Chunk<BulkChange>,
  stored: readonly StoredUser[],
  past: NameHistory,
  facts: PlanFacts,
): UpdatePlan | FailingManagers {
  const { roleFacts = noRoles, nextSerial = noSerials, quarantine = noQuarantine } = facts;
  const { attributes = noAttributes, lines = noReportingLines, hidden = nothingHidden } = facts;
  const managersMatter = items.some((item) => item.ok && item.value.change.managerEmployeeID !== undefined);
  const givers = managersMatter ? giversOf(items, givenEmployeeId) : new Map();
  const managers = new ManagerTracker(lines, givers, managersMatter);
  const names = new NameHolders<TrackedUser>(past, quarantine, attributes);
  const trackedUsers = stored.map((user): TrackedUser & { readonly original: StoredUser } => ({
    serial: user.serial,
    original: user,
    current: user,
  }));
  const created: (GivenPassword & { readonly tracked: TrackedUser })[] = [];
  const usernamesMatter = items.some((item) => item.ok && item.value.change.username !== undefined);
  for (const tracked of trackedUsers) {
    names.byEmployeeId.set(tracked.original.employeeID, tracked);
    if (usernamesMatter && tracked.original.username !== null)
      names.byUsername.set(keyOf(tracked.original), tracked);
    names.addUniqueNames(tracked.original, tracked);
  }
  const missing: string[] = [];
  let bySerial: Map<string, TrackedUser> | undefined;
  const status = { deactivated: [] as string[], activated: [] as string[] };
  const readdressed: string[] = [];
  const roles = new RoleTracker(roleFacts);

  const outcomes: PlannedOutcome[] = [];
  for (const [index, item] of items.entries()) outcomes.push(outcomeOf(item, index));

  function outcomeOf(item: Parsed<BulkChange>, index: number): PlannedOutcome {
    if (!item.ok) return item;
    const position = first + index;
    const { requires } = item.value;
    if (requires && !outcomes[requires.position - first]?.ok) return { ok: false, failure: requires.failure };
    const tracked = targetOf(item.value);
    if (tracked === undefined) return createMissing(item.value, index);
    const { serial, current: before } = tracked;
    const rehire = rehireOf(item.value, before);
    const manager = managers.meant(
      rehire ? rehiringChange(item.value.change) : item.value.change,
      index,
      (id) => names.byEmployeeId.get(id)?.serial,
    );
    const { change } = manager;
    if (manager.isMissing && manager.wanted) missing.push(manager.wanted);
    const after = rehire ? rehiredUser(before, change, hidden) : applyChange(before, change);
    const rejection =
      (rehire && creationProblem(position, after, rehire)) ??
      names.employeeIdConflict(position, after.employeeID, serial) ??
      names.usernameConflict(position, change.username, serial) ??
      names.uniqueNameConflict(position, before, after) ??
      managers.problem(position, serial, manager) ??
      (growsTooLarge(before, after) ? attributesTooLarge(position) : undefined) ??
      (lacksContact(after) ? contactLost(position) : undefined) ??
      (roles.isProtected(before, after) ? protectedUser(position, before, after) : undefined) ??
      (roles.wouldLoseLastAdministrator(before, after) ? lastAdministrator(position) : undefined);
    if (rejection) return { ok: false, failure: rejection };

    tracked.current = after;
    if (rehire) tracked.rehire = { password: rehire.password, index };
    const lostRole = roles.apply(before, after);
    if (tracked.original !== null) {
      if (before.isActive !== after.isActive)
        (after.isActive ? status.activated : status.deactivated).push(serial);
      if (changesAddress(before, after)) readdressed.push(serial);
    }
    if (after.employeeID !== before.employeeID) {
      names.releaseEmployeeId(before.employeeID, after.employeeID, tracked, position);
      names.takeEmployeeId(after.employeeID, tracked, position);
    }
    if (after.username !== before.username && keyOf(after) !== keyOf(before)) {
      names.releaseUsername(before.username, tracked, position);
      names.takeUsername(after.username, tracked, position);
    }
    names.moveUniqueNames(before, after, tracked, position);
    managers.note(after, index, manager);
    return { ok: true, serial, before, after, lostRole, ...(rehire && { rehired: true }) };
  }

  function targetOf({ targetEmployeeID, targetThen }: BulkChange): TrackedUser | undefined {
    if (!targetThen) return names.byEmployeeId.get(targetEmployeeID);
    bySerial ??= new Map(trackedUsers.map((tracked) => [tracked.serial, tracked]));
    return targetThen.serial === null ? undefined : bySerial.get(targetThen.serial);
  }

  function createMissing(item: BulkChange, index: number): PlannedOutcome {
    const { targetEmployeeID, targetThen, creation } = item;
    const position = first + index;
    if (targetThen && (targetThen.serial !== null || creation === undefined)) {
      return { ok: false, failure: nobodyThen(position, targetEmployeeID, targetThen) };
    }
    missing.push(targetEmployeeID);
    if (creation === undefined) {
      const rename = names.findRename(targetEmployeeID);
      return { ok: false, failure: noSuchEmployee(position, targetEmployeeID, { rename }) };
    }
    const serial = nextSerial();
    const manager = managers.meant(item.change, index, (id) => names.byEmployeeId.get(id)?.serial);
    const user = newUser(serial, { ...item, change: manager.change });
    if (manager.isMissing && manager.wanted) missing.push(manager.wanted);
    const rejection =
      creationProblem(position, user, creation) ??
      names.employeeIdConflict(position, targetEmployeeID, serial) ??
      names.usernameConflict(position, user.username, serial) ??
      names.uniqueNameConflict(position, null, user) ??
      managers.problem(position, serial, manager);
    if (rejection) return { ok: false, failure: rejection };
    const tracked: TrackedUser = { serial, original: null, current: user };
    created.push({ tracked, password: creation.password, index });
    names.takeEmployeeId(targetEmployeeID, tracked, position);
    names.takeUsername(user.username, tracked, position);
    names.moveUniqueNames(null, user, tracked, position);
    managers.note(user, index, manager);
    return { ok: true, serial, before: null, after: user };
  }

  const settled = managers.settle(first, (id) => names.holderOf(id));
  if (settled.failures.size > 0) return settled;
  if (settled.managers.size > 0) {
    const everyone = new Map(
      [...trackedUsers, ...created.map(({ tracked }) => tracked)].map((tracked) => [tracked.serial, tracked]),
    );
    for (const [index, managerSerial] of settled.managers) {
      const outcome = outcomes[index];
      if (!outcome?.ok || !outcome.after) continue;
      outcomes[index] = { ...outcome, after: { ...outcome.after, managerSerial } };
      const tracked = everyone.get(outcome.serial);
      if (tracked) tracked.current = { ...tracked.current, managerSerial };
    }
  }
  const transitions = trackedUsers.map(({ serial, original, current, rehire }) => ({
    before: original,
    after: current,
    lostRole: roles.lost.get(serial),
    rehired: rehire ? true : undefined,
  }));
  return {
    ...updatesOf(transitions),
    ...{ status, readdressed, outcomes },
    created: created.map(({ tracked: { current, rehire }, password, index }) => ({
      ...{ user: current, password, index },
      ...rehire,
    })),
    rehired: trackedUsers.flatMap(({ current, rehire }) => (rehire ? [{ user: current, ...rehire }] : [])),
    assumedFree: assumedFreeNames(missing, names, stored),
    nameHistory: names.history,
  };
}

/** Tracks roles, and administrators who can sign in, as the plan processes its items. */
class RoleTracker {
  readonly lost = new Map<string, Role>();
  readonly #roles: Map<string, Role>;
  readonly #facts: Pick<RoleFacts, 'roles' | 'mayChangeProtected'>;
  /** Administrators who can sign in. */
  readonly #activeAdministrators: Set<string>;

  constructor({ administrators, roles, mayChangeProtected }: RoleFacts) {
    this.#roles = new Map(roles);
    this.#facts = { roles: this.#roles, mayChangeProtected };
    this.#activeAdministrators = new Set(
      administrators.filter(({ canSignIn }) => canSignIn).map(({ serial }) => serial),
    );
  }

  isProtected(before: StoredUser, after: StoredUser): boolean {
    return isProtectedFrom(this.#facts, before, after);
  }

  wouldLoseLastAdministrator(before: StoredUser, after: StoredUser): boolean {
    return (
      this.#activeAdministrators.has(before.serial) &&
      !canAdminister(after) &&
      this.#activeAdministrators.size <= 1
    );
  }

  /** Returns the role that the user loses, if any. */
  apply(before: StoredUser, after: StoredUser): Role | undefined {
    const role = this.#roles.get(after.serial);
    if (role === undefined) return undefined;
    const lostRole = deactivates(before, after) ? role : undefined;
    if (lostRole !== undefined) {
      this.#roles.delete(after.serial);
      this.lost.set(after.serial, lostRole);
    }
    if (role === 'administrator' && lostRole === undefined && canAdminister(after)) {
      this.#activeAdministrators.add(after.serial);
    } else this.#activeAdministrators.delete(after.serial);
    return lostRole;
  }
}

function assumedFreeNames(
  missing: readonly string[],
  names: NameHolders<TrackedUser>,
  stored: readonly StoredUser[],
): UpdatePlan['assumedFree'] {
  const { employeeIdTakes, usernameTakes } = names.history;
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
