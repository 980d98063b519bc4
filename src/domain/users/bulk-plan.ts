import { type Failure, failure } from '../../contract/errors.js';
import type { Administrator } from '../../contract/scopes.js';
import { type ChangeableField, type StoredUser, usernameKey } from '../../contract/users.js';
import { type Parsed, sentence } from '../read-fields.js';
import {
  applyChange,
  canAdminister,
  contactLost,
  employeeIdTaken,
  lacksContact,
  lastAdministrator,
  noteDifferences,
  usernameTaken,
} from './user-change.js';
import type { BulkChange, NewUser } from './user-rules.js';

/**
 * The heart of the bulk calls: what each item comes to, decided over an in-memory state as if the items were sent one
 * after the other. No clock, no randomness, no IO: the same rows and items always give the same plan.
 */
export type ItemOutcome =
  | { readonly ok: true; readonly serial: string }
  | { readonly ok: false; readonly failure: Failure };

/** A run of items that one plan covers, with the position of the first in the whole call. */
export interface Chunk<T> {
  readonly first: number;
  readonly items: readonly Parsed<T>[];
}

interface NameTake {
  readonly position: number;
  readonly serial: string;
}

interface Departure {
  readonly position: number;
  readonly to: string;
}

/** What earlier items of a call did to names, so that a later failure can be traced to the item that caused it. */
export interface CallMemory {
  readonly employeeIdTakes: Map<string, NameTake>;
  readonly usernameTakes: Map<string, NameTake>;
  /** By the employee ID that was left: which item renamed its holder, and to what. */
  readonly departures: Map<string, Departure>;
}

export function emptyMemory(): CallMemory {
  return { employeeIdTakes: new Map(), usernameTakes: new Map(), departures: new Map() };
}

/** To be called once a plan is committed: its memory becomes the past of the plans that follow. */
export function remember(past: CallMemory, recent: CallMemory): void {
  for (const [name, take] of recent.employeeIdTakes) past.employeeIdTakes.set(name, take);
  for (const [name, take] of recent.usernameTakes) past.usernameTakes.set(name, take);
  for (const [name, departure] of recent.departures) past.departures.set(name, departure);
}

export interface UpdatePlan {
  readonly outcomes: readonly ItemOutcome[];
  /** The final state of every user that ends up different, each once. */
  readonly changed: readonly StoredUser[];
  /** The fields in which any of them differ. */
  readonly changedFields: ReadonlySet<ChangeableField>;
  /** Users who give up a name to another user of the same plan, and have to leave it before that one takes it. */
  readonly parked: { readonly employeeIdsOf: readonly string[]; readonly usernamesOf: readonly string[] };
  /**
   * Names that an item found to be nobody's, and that nobody of this plan holds at its end: missing users, and names
   * that were only passed through. No lock and no index speaks for them, so the plan is right only while it is so.
   */
  readonly unheld: { readonly employeeIDs: readonly string[]; readonly usernames: readonly string[] };
  /** Users whom an item made inactive or active, whatever a later item made of them. */
  readonly status: StatusChanges;
  readonly memory: CallMemory;
}

export interface StatusChanges {
  readonly deactivated: readonly string[];
  readonly activated: readonly string[];
}

export interface CreatePlan {
  readonly outcomes: readonly ItemOutcome[];
  /** With the index of its item in the chunk. */
  readonly created: readonly { readonly serial: string; readonly user: NewUser; readonly index: number }[];
  readonly memory: CallMemory;
}

/** Who holds which name at the present point of the walk. */
class Names<Holder extends { readonly serial: string }> {
  readonly byEmployeeId = new Map<string, Holder>();
  readonly byUsername = new Map<string, Holder>();
  readonly memory = emptyMemory();
  readonly #past: CallMemory;

  constructor(past: CallMemory) {
    this.#past = past;
  }

  /** Why the employee ID cannot be taken by the user of this serial; undefined if it can. */
  employeeIdRefusal(position: number, employeeID: string, serial: string): Failure | undefined {
    const holder = this.byEmployeeId.get(employeeID);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.memory.employeeIdTakes.get(employeeID) ?? this.#past.employeeIdTakes.get(employeeID);
    return employeeIdTaken(position, employeeID, take?.serial === holder.serial ? take.position : undefined);
  }

  usernameRefusal(
    position: number,
    username: string | null | undefined,
    serial: string,
  ): Failure | undefined {
    if (username == null) return undefined;
    const key = usernameKey(username);
    const holder = this.byUsername.get(key);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.memory.usernameTakes.get(key) ?? this.#past.usernameTakes.get(key);
    return usernameTaken(position, username, take?.serial === holder.serial ? take.position : undefined);
  }

  takeEmployeeId(employeeID: string, holder: Holder, position: number): void {
    this.byEmployeeId.set(employeeID, holder);
    this.memory.employeeIdTakes.set(employeeID, { position, serial: holder.serial });
  }

  takeUsername(username: string | null, holder: Holder, position: number): void {
    if (username === null) return;
    this.byUsername.set(usernameKey(username), holder);
    this.memory.usernameTakes.set(usernameKey(username), { position, serial: holder.serial });
  }

  leaveEmployeeId(employeeID: string, to: string, position: number): void {
    this.byEmployeeId.delete(employeeID);
    this.memory.departures.set(employeeID, { position, to });
  }

  leaveUsername(username: string | null): void {
    if (username !== null) this.byUsername.delete(usernameKey(username));
  }

  departure(employeeID: string): Departure | undefined {
    return this.memory.departures.get(employeeID) ?? this.#past.departures.get(employeeID);
  }
}

/** A user on the way through the plan. */
interface Walker {
  readonly serial: string;
  readonly original: StoredUser;
  current: StoredUser;
}

export function planUpdates(
  { first, items }: Chunk<BulkChange>,
  stored: readonly StoredUser[],
  past: CallMemory,
  administrators: readonly Administrator[] = [],
): UpdatePlan {
  const names = new Names<Walker>(past);
  const walkers = stored.map((user): Walker => ({ serial: user.serial, original: user, current: user }));
  for (const walker of walkers) {
    names.byEmployeeId.set(walker.original.employeeID, walker);
    if (walker.original.username !== null) names.byUsername.set(keyOf(walker.original), walker);
  }
  const missing: string[] = [];
  const status = { deactivated: [] as string[], activated: [] as string[] };
  const chairs = new Chairs(administrators);

  const outcomes = items.map((item, index): ItemOutcome => {
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
      (chairs.wouldBeEmpty(before, after) ? lastAdministrator(position) : undefined);
    if (refusal) return { ok: false, failure: refusal };

    walker.current = after;
    chairs.note(after);
    if (before.isActive !== after.isActive) {
      (after.isActive ? status.activated : status.deactivated).push(serial);
    }
    if (after.employeeID !== before.employeeID) {
      names.leaveEmployeeId(before.employeeID, after.employeeID, position);
      names.takeEmployeeId(after.employeeID, walker, position);
    }
    if (after.username !== before.username && keyOf(after) !== keyOf(before)) {
      names.leaveUsername(before.username);
      names.takeUsername(after.username, walker, position);
    }
    return { ok: true, serial };
  });

  const changedFields = new Set<ChangeableField>();
  const moved: Walker[] = [];
  for (const walker of walkers) {
    if (noteDifferences(walker.original, walker.current, changedFields)) moved.push(walker);
  }
  return {
    outcomes,
    changed: moved.map(({ current }) => current),
    changedFields,
    parked: parkedNames(moved),
    unheld: unheldNames(missing, names, stored),
    status,
    memory: names.memory,
  };
}

/** Who can administer at the present point of the walk. */
class Chairs {
  readonly #administrators: ReadonlySet<string>;
  readonly #able: Set<string>;

  constructor(administrators: readonly Administrator[]) {
    this.#administrators = new Set(administrators.map(({ serial }) => serial));
    this.#able = new Set(administrators.filter(({ canSignIn }) => canSignIn).map(({ serial }) => serial));
  }

  wouldBeEmpty(before: StoredUser, after: StoredUser): boolean {
    if (!this.#administrators.has(before.serial) || !canAdminister(before) || canAdminister(after))
      return false;
    return this.#able.size <= 1;
  }

  note(user: StoredUser): void {
    if (!this.#administrators.has(user.serial)) return;
    if (canAdminister(user)) this.#able.add(user.serial);
    else this.#able.delete(user.serial);
  }
}

function noSuchEmployee(position: number, employeeID: string, departure: Departure | undefined): Failure {
  const why = departure ? `: items[${departure.position}] of this call changed it to "${departure.to}"` : '';
  return failure('USER_NOT_FOUND', sentence(position, `no user has the employee ID "${employeeID}"${why}.`));
}

function unheldNames(
  missing: readonly string[],
  names: Names<Walker>,
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

/** Unique indexes are checked row by row, so a name that passes from one moved user to another is given up first. */
function parkedNames(moved: readonly Walker[]): UpdatePlan['parked'] {
  const employeeIdGivers = new Map<string, Walker>();
  const usernameGivers = new Map<string, Walker>();
  for (const walker of moved) {
    const { original, current } = walker;
    if (original.employeeID !== current.employeeID) employeeIdGivers.set(original.employeeID, walker);
    if (original.username !== null && keyOf(original) !== keyOf(current))
      usernameGivers.set(keyOf(original), walker);
  }
  const giversOf = (givers: Map<string, Walker>, name: (user: StoredUser) => string) =>
    moved.flatMap(({ original, current }) => {
      const giver = name(original) === name(current) ? undefined : givers.get(name(current));
      return giver ? [giver.serial] : [];
    });
  return {
    employeeIdsOf: giversOf(employeeIdGivers, (user) => user.employeeID),
    usernamesOf: giversOf(usernameGivers, keyOf),
  };
}

/** "" stands for no username: no username is empty, so nobody gives it up. */
function keyOf(user: StoredUser): string {
  return user.username === null ? '' : usernameKey(user.username);
}

export function planCreates(
  { first, items }: Chunk<NewUser>,
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: CallMemory,
): CreatePlan {
  const names = new Names<{ readonly serial: string }>(past);
  for (const user of stored) {
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(keyOf(user), user);
  }
  const created: { serial: string; user: NewUser; index: number }[] = [];
  const outcomes = items.map((item, index): ItemOutcome => {
    if (!item.ok) return item;
    const user = item.value;
    const serial = serials[index] as string;
    const position = first + index;
    const refusal =
      names.employeeIdRefusal(position, user.employeeID, serial) ??
      names.usernameRefusal(position, user.username, serial);
    if (refusal) return { ok: false, failure: refusal };
    names.takeEmployeeId(user.employeeID, { serial }, position);
    names.takeUsername(user.username, { serial }, position);
    created.push({ serial, user, index });
    return { ok: true, serial };
  });
  return { outcomes, created, memory: names.memory };
}
