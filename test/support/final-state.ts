import type { Failure, TakenBy } from '../../src/contract/errors.js';
import type { Administrator, Role } from '../../src/contract/scopes.js';
import { valuesIn } from '../../src/contract/user-values.js';
import type { StoredUser } from '../../src/contract/users.js';
import type { Parsed } from '../../src/domain/read-fields.js';
import { applyChange } from '../../src/domain/users/plans/user-change.js';
import type { BulkChange, UserChange } from '../../src/domain/users/user-rules.js';
import { plainRules, type Rules, type Taken } from './reference-model.js';

/** A user with a name before the call, after it or both; null means that they don't exist then. */
export interface User {
  readonly serial: string;
  /** Null for users that the call does not change. */
  readonly position: number | null;
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  readonly isRehired?: boolean;
  /** Whose manager is the user who has this employee ID at the end. */
  readonly managerEmployeeID?: string | undefined;
}

/** Stands for the serial of a user that the call creates. */
export function newSerialOf(employeeID: string): string {
  return `new ${employeeID}`;
}

export type Verdict =
  | { readonly serial: string }
  | { readonly error: Failure['error']; readonly takenBy?: TakenBy | Taken };

export interface FinalState {
  readonly verdicts: readonly Verdict[];
  /** All users at the end, by serial. */
  readonly users: ReadonlyMap<string, StoredUser>;
  /** The serials of those who are rehired. */
  readonly rehired: ReadonlySet<string>;
}

/** The roles by serial, and whether the caller may change protected users. */
export interface Protection {
  readonly roles: ReadonlyMap<string, Role>;
  readonly mayChangeProtected: boolean;
}

/**
 * A literal implementation of final-state mode that ignores performance: everything is checked again after every step,
 * and each user is compared with all others. The engine must produce the same report and the same final state.
 */
export function updateToFinalState(
  items: readonly Parsed<BulkChange>[],
  stored: readonly StoredUser[],
  administrators: readonly Administrator[],
  protection: Protection,
  rules = plainRules,
): FinalState {
  const wished = [...stored.map((user) => wishOf(user, items, rules)), ...newUsers(items, stored)];
  // A user without a name or contact details can't be created or rehired, whoever holds the names.
  const impossible = ({ before, after, isRehired }: User): Failure['error'] | undefined => {
    if (before && !isRehired) return undefined;
    if (!after?.name) return 'USER_FIELD_REQUIRED';
    return after.email || after.phone ? undefined : 'USER_CONTACT_REQUIRED';
  };
  const possible = wished.flatMap((user) => {
    if (!impossible(user)) return [user];
    return user.before ? [{ ...user, position: null, after: user.before }] : [];
  });
  const refused = new Map(
    possible.flatMap((user) => {
      const error = ownError(user, protection);
      return error ? [[user, error] as const] : [];
    }),
  );
  const movedByNameAlone = whoMoves(possible, new Set(), rules);
  let moved: Set<User>;
  let unseated: User | undefined;
  for (;;) {
    moved = whoMoves(possible, new Set(refused.keys()), rules);
    unseated = lastUnseated(possible, moved, administrators);
    if (unseated) moved = whoMoves(possible, new Set([...refused.keys(), unseated]), rules);
    const failing = managerErrors(possible, moved);
    if (failing.size === 0) break;
    for (const [user, error] of failing) refused.set(user, error);
  }

  const verdicts = items.map((item): Verdict => {
    if (!item.ok) return { error: item.failure.error };
    const { targetEmployeeID, creation } = item.value;
    const user = wished.find(({ serial, before }) =>
      before ? before.employeeID === targetEmployeeID : creation && serial === newSerialOf(targetEmployeeID),
    );
    if (!user) return { error: 'USER_NOT_FOUND' };
    const problem = impossible(user);
    if (problem) return { error: problem };
    if (moved.has(user)) return { serial: user.serial };
    if (user === unseated) return { error: 'USER_LAST_ADMINISTRATOR' };
    const error = refused.get(user);
    if (error && movedByNameAlone.has(user)) return { error };
    return nameVerdict(user, possible, moved, rules) ?? { error: error ?? 'SERVICE_INTERNAL_ERROR' };
  });
  const users = new Map<string, StoredUser>();
  for (const user of possible) {
    const end = endOf(user, moved);
    if (end) users.set(user.serial, { ...end, managerSerial: managerAtEnd(user, possible, moved) });
  }
  const rehired = new Set([...moved].flatMap(({ serial, isRehired }) => (isRehired ? [serial] : [])));
  return { verdicts, users, rehired };
}

/** Why a user is rejected independently of all others. */
function ownError(
  { serial, position, before, after }: User,
  { roles, mayChangeProtected }: Protection,
): Failure['error'] | undefined {
  if (position === null || !before || !after) return undefined;
  if (after.email === null && after.phone === null) return 'USER_CONTACT_REQUIRED';
  if (mayChangeProtected || !roles.has(serial) || (before.isActive && !after.isActive)) return undefined;
  const address = ({ email, phone }: StoredUser) => (email === null ? `phone ${phone}` : `email ${email}`);
  const isReactivated = !before.isActive && after.isActive;
  const isGuarded =
    isReactivated ||
    before.username?.toLowerCase() !== after.username?.toLowerCase() ||
    address(before) !== address(after);
  return isGuarded ? 'USER_PROTECTED' : undefined;
}

function wishOf(user: StoredUser, items: readonly Parsed<BulkChange>[], { rehire }: Rules): User {
  const { serial, version, employeeID } = user;
  let asNew: StoredUser = { serial, version, ...valuesIn({ employeeID, name: '', isActive: true }) };
  let after = user;
  let first: number | null = null;
  for (const [position, item] of items.entries()) {
    if (!item.ok || item.value.targetEmployeeID !== employeeID) continue;
    after = applied(after, item.value.change);
    asNew = applied(asNew, item.value.change);
    first ??= position;
  }
  const isRehired = rehire && first !== null && !user.isActive && after.isActive;
  const managerEmployeeID = lastManager(employeeID, items);
  return {
    ...{ serial, position: first, before: user },
    ...{ after: isRehired ? asNew : after, isRehired, managerEmployeeID },
  };
}

/** Except for a manager who is given by employee ID. */
function applied(user: StoredUser, change: UserChange): StoredUser {
  const after = applyChange(user, change);
  return change.managerEmployeeID === null ? { ...after, managerSerial: null } : after;
}

/** What the last item says about the manager, if any does. */
function lastManager(employeeID: string, items: readonly Parsed<BulkChange>[]): string | undefined {
  const said = items.flatMap((item) => {
    if (!item.ok || item.value.targetEmployeeID !== employeeID) return [];
    const { managerEmployeeID } = item.value.change;
    return managerEmployeeID === undefined ? [] : [managerEmployeeID];
  });
  return said.at(-1) ?? undefined;
}

/** The users that items would create: one for each missing employee ID. */
function newUsers(items: readonly Parsed<BulkChange>[], stored: readonly StoredUser[]): User[] {
  const users = new Map<string, User & { after: StoredUser }>();
  for (const [position, item] of items.entries()) {
    if (!item.ok || !item.value.creation) continue;
    const { targetEmployeeID: employeeID, change } = item.value;
    if (stored.some((user) => user.employeeID === employeeID)) continue;
    const serial = newSerialOf(employeeID);
    const earlier = users.get(employeeID);
    const blank = { serial, version: 1, ...valuesIn({ employeeID, name: '', isActive: true }) };
    const after = applied(earlier?.after ?? blank, change);
    const managerEmployeeID = lastManager(
      employeeID,
      items.filter((each) => each.ok && each.value.creation),
    );
    users.set(employeeID, {
      ...{ serial, position: earlier?.position ?? position },
      ...{ before: null, after, managerEmployeeID },
    });
  }
  return [...users.values()];
}

/** The last of those who would stop being administrators, if that would leave none. */
function lastUnseated(
  users: readonly User[],
  moved: ReadonlySet<User>,
  administrators: readonly Administrator[],
): User | undefined {
  const unseated: User[] = [];
  for (const { serial, canSignIn } of administrators) {
    const user = users.find((each) => each.serial === serial);
    const end = user && moved.has(user) ? endOf(user, moved) : undefined;
    if (end ? end.isActive && end.username !== null : canSignIn) return undefined;
    if (user && end && canSignIn) unseated.push(user);
  }
  return inOrder(unseated).at(-1);
}

function managerAtEnd(user: User, users: readonly User[], moved: ReadonlySet<User>): string | null {
  const { managerEmployeeID } = user;
  if (managerEmployeeID === undefined || !moved.has(user)) return endOf(user, moved)?.managerSerial ?? null;
  return users.find((other) => endOf(other, moved)?.employeeID === managerEmployeeID)?.serial ?? null;
}

/**
 * Whose managers nobody is, given who moves. If there are none: of each circle, the last one whose manager changes.
 */
function managerErrors(users: readonly User[], moved: ReadonlySet<User>): Map<User, Failure['error']> {
  const managerOf = (user: User) => managerAtEnd(user, users, moved);
  const lost = [...moved].filter((user) => user.managerEmployeeID !== undefined && managerOf(user) === null);
  if (lost.length > 0) return new Map(lost.map((user) => [user, 'USER_MANAGER_NOT_FOUND']));
  const closing = users.flatMap((user) => {
    const circle = [user];
    for (;;) {
      const above = managerOf(circle.at(-1) as User);
      const next = users.find(({ serial }) => serial === above);
      if (next === user) break;
      if (!next || circle.includes(next)) return [];
      circle.push(next);
    }
    const changed = circle.filter(
      (each) => moved.has(each) && managerOf(each) !== (each.before?.managerSerial ?? null),
    );
    return inOrder(changed).slice(-1);
  });
  return new Map(closing.map((user) => [user, 'USER_MANAGER_CYCLE']));
}

/**
 * Who can change names. First, users stop if they want a name that someone keeps, until there are none left. Then, in
 * order, users stop if an earlier user is about to take the name they want; after each of them, the first step is
 * repeated. Finally, users who turn out to be able to move are moved, one at a time, always the earliest.
 */
export function whoMoves(users: readonly User[], stay: ReadonlySet<User>, rules = plainRules): Set<User> {
  const movers = inOrder(users.filter((user) => user.position !== null && !stay.has(user)));
  let moved = new Set(movers);

  const stopWhoMeetsKeepers = () => {
    for (;;) {
      const stopped = [...moved].find((user) => users.some((other) => keepsFrom(user, other, moved, rules)));
      if (!stopped) return;
      moved = new Set([...moved].filter((user) => user !== stopped));
    }
  };

  stopWhoMeetsKeepers();
  for (const user of movers) {
    if (!moved.has(user)) continue;
    const isRival = (other: User) =>
      movers.indexOf(other) < movers.indexOf(user) && wantSame(user, other, rules);
    const isLate = () => [...moved].some(isRival);
    if (!isLate()) continue;
    // An earlier user who waits for this very user can never get the name that both want.
    const waiting = whoWaitsFor(user, moved, rules);
    moved = new Set([...moved].filter((other) => !(waiting.has(other) && isRival(other))));
    stopWhoMeetsKeepers();
    if (!moved.has(user) || !isLate()) continue;
    moved = new Set([...moved].filter((other) => other !== user));
    stopWhoMeetsKeepers();
  }
  for (;;) {
    const returning = movers.find((user) => !moved.has(user) && !nameVerdict(user, users, moved, rules));
    if (!returning) return moved;
    moved = new Set([...moved, returning]);
  }
}

type NameField = 'employeeID' | 'username' | { readonly attribute: string };

/** Values of unique attributes are names, too. */
function nameFields({ unique = [] }: Rules): NameField[] {
  return ['employeeID', 'username', ...unique.map((attribute) => ({ attribute }))];
}

/** Usernames are compared case-insensitively. */
function nameIn(user: StoredUser | null | undefined, field: NameField): string | null {
  if (typeof field === 'object') return JSON.parse(user?.attributes ?? '{}')[field.attribute] ?? null;
  const name = user?.[field] ?? null;
  return field === 'username' ? (name?.toLowerCase() ?? null) : name;
}

/** The name that a user would newly take. */
function newName({ before, after }: User, field: NameField): string | null {
  return nameIn(before, field) === nameIn(after, field) ? null : nameIn(after, field);
}

/** The final state of a user, given who moves. */
export function endOf(user: User, moved: ReadonlySet<User>): StoredUser | null {
  return moved.has(user) ? user.after : user.before;
}

/** With a quarantine, a name that a user has is kept from all others, even if the user gives it up. */
function keepsFrom(user: User, other: User, moved: ReadonlySet<User>, rules: Rules): boolean {
  if (other === user) return false;
  return nameFields(rules).some((field) => {
    const wanted = newName(user, field);
    if (wanted === null || wanted !== nameIn(other.before, field)) return false;
    return isQuarantined(field, rules) || !moved.has(other) || wanted === nameIn(other.after, field);
  });
}

function isQuarantined(field: NameField, { quarantine }: Rules): boolean {
  return quarantine && typeof field === 'string';
}

function wantSame(user: User, other: User, rules: Rules): boolean {
  return nameFields(rules).some((field) => {
    const wanted = newName(user, field);
    return wanted !== null && wanted === newName(other, field);
  });
}

/** All users who can move only if this one does, because they want the name it leaves or one left as a consequence. */
function whoWaitsFor(user: User, moved: ReadonlySet<User>, rules: Rules): Set<User> {
  const waiting = new Set([user]);
  for (;;) {
    const next = [...moved].find(
      (other) => !waiting.has(other) && [...waiting].some((each) => wantsWhatIsLeft(other, each, rules)),
    );
    if (!next) break;
    waiting.add(next);
  }
  waiting.delete(user);
  return waiting;
}

function wantsWhatIsLeft(user: User, leaving: User, rules: Rules): boolean {
  return nameFields(rules).some((field) => {
    const wanted = newName(user, field);
    return (
      wanted !== null && wanted === nameIn(leaving.before, field) && wanted !== nameIn(leaving.after, field)
    );
  });
}

/** Which other user has a name that this one wants, given who moves. */
export function nameVerdict(
  user: User,
  users: readonly User[],
  moved: ReadonlySet<User>,
  rules = plainRules,
): { error: Failure['error']; takenBy?: TakenBy | Taken } | undefined {
  for (const field of nameFields(rules)) {
    const wanted = nameIn(user.after, field);
    if (wanted === null) continue;
    const error = errorOf(field);
    for (const other of users) {
      if (other === user || nameIn(endOf(other, moved), field) !== wanted) continue;
      const tookIt = moved.has(other) && newName(other, field) === wanted;
      const taken = { position: tookIt ? other.position : null, serial: other.serial };
      if (typeof field === 'object') return { error, takenBy: taken };
      return { error, takenBy: { field, value: user.after?.[field] ?? '', ...taken } };
    }
    const isLeft = users.some((other) => other !== user && nameIn(other.before, field) === wanted);
    if (isQuarantined(field, rules) && isLeft && newName(user, field) === wanted) return { error };
  }
  return undefined;
}

function errorOf(field: NameField): Failure['error'] {
  if (typeof field === 'object') return 'USER_ATTRIBUTE_EXISTS';
  return field === 'username' ? 'USER_USERNAME_EXISTS' : 'USER_EMPLOYEE_ID_EXISTS';
}

function inOrder(users: readonly User[]): User[] {
  return users.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
}
