import type { Failure } from '../../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../../contract/users.js';
import { employeeIdTaken, usernameTaken } from './user-change.js';

interface NameTake {
  readonly position: number;
  readonly serial: string;
}

export interface Departure {
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

type MemoryEntries = { readonly [Name in keyof CallMemory]: readonly (readonly [string, never])[] };

/** A memory as JSON, and back. */
export function writeMemory({ employeeIdTakes, usernameTakes, departures }: CallMemory): unknown {
  return {
    employeeIdTakes: [...employeeIdTakes],
    usernameTakes: [...usernameTakes],
    departures: [...departures],
  };
}

export function readMemory(written: unknown): CallMemory {
  const { employeeIdTakes, usernameTakes, departures } = written as MemoryEntries;
  return {
    employeeIdTakes: new Map(employeeIdTakes),
    usernameTakes: new Map(usernameTakes),
    departures: new Map(departures),
  };
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

/** Who holds which name at the present point of the walk. */
export class Names<Holder extends { readonly serial: string }> {
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
    return employeeIdTaken(position, employeeID, take?.serial === holder.serial ? take : holder);
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
    return usernameTaken(position, username, take?.serial === holder.serial ? take : holder);
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

/** "" stands for no username: no username is empty, so nobody gives it up. */
export function keyOf(user: StoredUser): string {
  return user.username === null ? '' : usernameKey(user.username);
}
