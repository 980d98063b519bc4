import { type Failure, failure } from '../contract/errors.js';
import { type StoredUser, usernameKey } from '../contract/users.js';
import {
  applyChange,
  contactLost,
  employeeIdTaken,
  isSameUser,
  lacksContact,
  usernameTaken,
} from './user-change.js';
import type { BulkChange, NewUser, Parsed } from './user-rules.js';

/**
 * The heart of the bulk calls: what each item comes to, decided over an in-memory state as if the items were sent one
 * after the other. No clock, no randomness, no IO: the same rows and items always give the same plan.
 */
export type ItemOutcome =
  | { readonly ok: true; readonly serial: string }
  | { readonly ok: false; readonly failure: Failure };

/** An item with its place in the whole call, which may be longer than what one plan covers. */
export interface PlanItem<T> {
  readonly position: number;
  readonly parsed: Parsed<T>;
}

interface NameTake {
  readonly position: number;
  readonly serial: string;
}

/** What earlier items of a call did to names, so that a later failure can be traced to the item that caused it. */
export interface CallMemory {
  readonly employeeIdTakes: Map<string, NameTake>;
  readonly usernameTakes: Map<string, NameTake>;
  /** By the employee ID that was left: which item renamed its holder, and to what. */
  readonly departures: Map<string, { readonly position: number; readonly to: string }>;
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
  /** Users who give up a name to another user of the same plan, and have to leave it before that one takes it. */
  readonly parked: { readonly employeeIdsOf: readonly string[]; readonly usernamesOf: readonly string[] };
  /** Employee IDs that an item failed for because nobody has them. The plan is right only while that is so. */
  readonly absent: readonly string[];
  readonly memory: CallMemory;
}

export interface CreatePlan {
  readonly outcomes: readonly ItemOutcome[];
  readonly created: readonly { readonly serial: string; readonly user: NewUser; readonly position: number }[];
  readonly memory: CallMemory;
}

interface Entry {
  readonly original: StoredUser;
  current: StoredUser;
}

/** Who holds which name at the present point of the walk. */
class Names {
  readonly byEmployeeId = new Map<string, { readonly serial: string }>();
  readonly byUsername = new Map<string, { readonly serial: string }>();
  readonly memory = emptyMemory();
  readonly #past: CallMemory;

  constructor(past: CallMemory) {
    this.#past = past;
  }

  /** Why the employee ID cannot be taken by the user of this serial; undefined if it can. */
  employeeIdRefusal(prefix: string, employeeID: string, serial: string): Failure | undefined {
    const holder = this.byEmployeeId.get(employeeID);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.memory.employeeIdTakes.get(employeeID) ?? this.#past.employeeIdTakes.get(employeeID);
    return employeeIdTaken(prefix, employeeID, take?.serial === holder.serial ? take.position : undefined);
  }

  usernameRefusal(prefix: string, username: string | null | undefined, serial: string): Failure | undefined {
    if (username == null) return undefined;
    const key = usernameKey(username);
    const holder = this.byUsername.get(key);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.memory.usernameTakes.get(key) ?? this.#past.usernameTakes.get(key);
    return usernameTaken(prefix, username, take?.serial === holder.serial ? take.position : undefined);
  }

  takeEmployeeId(employeeID: string, serial: string, position: number): void {
    this.byEmployeeId.set(employeeID, { serial });
    this.memory.employeeIdTakes.set(employeeID, { position, serial });
  }

  takeUsername(username: string | null, serial: string, position: number): void {
    if (username === null) return;
    this.byUsername.set(usernameKey(username), { serial });
    this.memory.usernameTakes.set(usernameKey(username), { position, serial });
  }

  leaveEmployeeId(employeeID: string, to: string, position: number): void {
    this.byEmployeeId.delete(employeeID);
    this.memory.departures.set(employeeID, { position, to });
  }

  leaveUsername(username: string | null): void {
    if (username !== null) this.byUsername.delete(usernameKey(username));
  }

  departure(employeeID: string): { position: number; to: string } | undefined {
    return this.memory.departures.get(employeeID) ?? this.#past.departures.get(employeeID);
  }
}

/** How details speak of an item. */
export function itemPrefix(position: number): string {
  return `items[${position}]: `;
}

export function planUpdates(
  items: readonly PlanItem<BulkChange>[],
  stored: readonly StoredUser[],
  past: CallMemory,
): UpdatePlan {
  const names = new Names(past);
  const entries = new Map<string, Entry>();
  for (const user of stored) {
    entries.set(user.serial, { original: user, current: user });
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(usernameKey(user.username), user);
  }
  const onceHeld = new Set(names.byEmployeeId.keys());
  const absent: string[] = [];

  const outcomes = items.map(({ position, parsed }): ItemOutcome => {
    if (!parsed.ok) return parsed;
    const { selects, change } = parsed.value;
    const prefix = itemPrefix(position);
    const holder = names.byEmployeeId.get(selects);
    const entry = holder && entries.get(holder.serial);
    if (entry === undefined) {
      if (!onceHeld.has(selects)) absent.push(selects);
      return { ok: false, failure: noSuchEmployee(prefix, selects, names.departure(selects)) };
    }
    const before = entry.current;
    const { serial } = before;
    const after = applyChange(before, change);
    const refusal =
      names.employeeIdRefusal(prefix, after.employeeID, serial) ??
      names.usernameRefusal(prefix, change.username, serial) ??
      (lacksContact(after) ? contactLost(prefix) : undefined);
    if (refusal) return { ok: false, failure: refusal };

    entry.current = after;
    if (after.employeeID !== before.employeeID) {
      names.leaveEmployeeId(before.employeeID, after.employeeID, position);
      names.takeEmployeeId(after.employeeID, serial, position);
    }
    if (keyOf(after) !== keyOf(before)) {
      names.leaveUsername(before.username);
      names.takeUsername(after.username, serial, position);
    }
    return { ok: true, serial };
  });

  const moved = [...entries.values()].filter(({ original, current }) => !isSameUser(original, current));
  return {
    outcomes,
    changed: moved.map(({ current }) => current),
    parked: parkedNames(moved),
    absent,
    memory: names.memory,
  };
}

function noSuchEmployee(
  prefix: string,
  employeeID: string,
  departure: { position: number; to: string } | undefined,
): Failure {
  const why = departure ? `: items[${departure.position}] of this call changed it to "${departure.to}"` : '';
  return failure('USER_NOT_FOUND', `${prefix}no user has the employee ID "${employeeID}"${why}.`);
}

/** Unique indexes are checked row by row, so a name that passes from one moved user to another is given up first. */
function parkedNames(moved: readonly Entry[]): UpdatePlan['parked'] {
  const employeeIdGivers = new Map<string, Entry>();
  const usernameGivers = new Map<string, Entry>();
  for (const entry of moved) {
    const { original, current } = entry;
    if (original.employeeID !== current.employeeID) employeeIdGivers.set(original.employeeID, entry);
    if (original.username !== null && keyOf(original) !== keyOf(current))
      usernameGivers.set(keyOf(original), entry);
  }
  const giversOf = (givers: Map<string, Entry>, name: (user: StoredUser) => string) =>
    moved.flatMap(({ original, current }) => {
      const giver = name(original) === name(current) ? undefined : givers.get(name(current));
      return giver ? [giver.original.serial] : [];
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
  items: readonly PlanItem<NewUser>[],
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: CallMemory,
): CreatePlan {
  const names = new Names(past);
  for (const user of stored) {
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(usernameKey(user.username), user);
  }
  const created: { serial: string; user: NewUser; position: number }[] = [];
  const outcomes = items.map(({ position, parsed }, index): ItemOutcome => {
    if (!parsed.ok) return parsed;
    const user = parsed.value;
    const serial = serials[index] as string;
    const prefix = itemPrefix(position);
    const refusal =
      names.employeeIdRefusal(prefix, user.employeeID, serial) ??
      names.usernameRefusal(prefix, user.username, serial);
    if (refusal) return { ok: false, failure: refusal };
    names.takeEmployeeId(user.employeeID, serial, position);
    names.takeUsername(user.username, serial, position);
    created.push({ serial, user, position });
    return { ok: true, serial };
  });
  return { outcomes, created, memory: names.memory };
}
