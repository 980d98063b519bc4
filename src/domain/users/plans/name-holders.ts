import type { Failure } from '../../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../../contract/users.js';
import { emptyNameHistory, type NameHistory, type Rename } from '../../bulk/name-history.js';
import { employeeIdTaken, usernameTaken } from './user-change.js';

/** Tracks who holds which name while a plan processes its items. */
export class NameHolders<Holder extends { readonly serial: string }> {
  readonly byEmployeeId = new Map<string, Holder>();
  readonly byUsername = new Map<string, Holder>();
  readonly history = emptyNameHistory();
  readonly #past: NameHistory;

  constructor(past: NameHistory) {
    this.#past = past;
  }

  /** Why this user cannot take the employee ID; undefined if they can. */
  employeeIdConflict(position: number, employeeID: string, serial: string): Failure | undefined {
    const holder = this.byEmployeeId.get(employeeID);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.history.employeeIdTakes.get(employeeID) ?? this.#past.employeeIdTakes.get(employeeID);
    return employeeIdTaken(position, employeeID, take?.serial === holder.serial ? take : holder);
  }

  usernameConflict(
    position: number,
    username: string | null | undefined,
    serial: string,
  ): Failure | undefined {
    if (username == null) return undefined;
    const key = usernameKey(username);
    const holder = this.byUsername.get(key);
    if (holder === undefined || holder.serial === serial) return undefined;
    const take = this.history.usernameTakes.get(key) ?? this.#past.usernameTakes.get(key);
    return usernameTaken(position, username, take?.serial === holder.serial ? take : holder);
  }

  takeEmployeeId(employeeID: string, holder: Holder, position: number): void {
    this.byEmployeeId.set(employeeID, holder);
    this.history.employeeIdTakes.set(employeeID, { position, serial: holder.serial });
  }

  takeUsername(username: string | null, holder: Holder, position: number): void {
    if (username === null) return;
    this.byUsername.set(usernameKey(username), holder);
    this.history.usernameTakes.set(usernameKey(username), { position, serial: holder.serial });
  }

  releaseEmployeeId(employeeID: string, to: string, position: number): void {
    this.byEmployeeId.delete(employeeID);
    this.history.renames.set(employeeID, { position, to });
  }

  releaseUsername(username: string | null): void {
    if (username !== null) this.byUsername.delete(usernameKey(username));
  }

  findRename(employeeID: string): Rename | undefined {
    return this.history.renames.get(employeeID) ?? this.#past.renames.get(employeeID);
  }
}

/** Returns "" for no username. A username is never empty, so the key cannot collide. */
export function keyOf(user: StoredUser): string {
  return user.username === null ? '' : usernameKey(user.username);
}
