import type { Failure } from '../../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../../contract/users.js';
import { type AttributeSet, noAttributes } from '../../attributes/attribute-set.js';
import { emptyNameHistory, type NameHistory, type Rename } from '../../bulk/name-history.js';
import { noQuarantine, type Quarantine } from '../../names/quarantine.js';
import { releasedBefore, releasedWithin, type WantedName } from './quarantine.js';
import { mayDifferInUniqueNames, uniqueNamesOf } from './unique-names.js';
import { employeeIdTaken, usernameTaken } from './user-change.js';

interface NameHolder {
  readonly serial: string;
  /** Known if the failure of a create should mention it. */
  readonly isActive?: boolean;
}

/** Tracks who holds which name while a plan processes its items. */
export class NameHolders<Holder extends NameHolder> {
  readonly byEmployeeId = new Map<string, Holder>();
  readonly byUsername = new Map<string, Holder>();
  readonly byUniqueName = new Map<string, Holder>();
  readonly history = emptyNameHistory();
  readonly #past: NameHistory;
  readonly #quarantine: Quarantine;
  readonly #attributes: AttributeSet;

  constructor(
    past: NameHistory,
    quarantine: Quarantine = noQuarantine,
    attributes: AttributeSet = noAttributes,
  ) {
    this.#past = past;
    this.#quarantine = quarantine;
    this.#attributes = attributes;
  }

  /** Those of a user from before the plan. */
  addUniqueNames(user: StoredUser, holder: Holder): void {
    for (const { name } of uniqueNamesOf(user, this.#attributes)) this.byUniqueName.set(name, holder);
  }

  /** Why this user cannot take the employee ID; undefined if they can. */
  employeeIdConflict(position: number, employeeID: string, serial: string): Failure | undefined {
    const holder = this.byEmployeeId.get(employeeID);
    if (holder === undefined) {
      const wanted = { field: 'employeeID', value: employeeID, key: employeeID, serial } as const;
      return this.#quarantined(position, wanted, 'employeeIdReleases');
    }
    if (holder.serial === serial) return undefined;
    const take = this.history.employeeIdTakes.get(employeeID) ?? this.#past.employeeIdTakes.get(employeeID);
    const { isActive } = holder;
    return employeeIdTaken(position, employeeID, {
      ...(take?.serial === holder.serial ? take : { serial: holder.serial }),
      isActive,
    });
  }

  /** Who has the employee ID now, and the item of this plan that gave it to them, if any. */
  holderOf(
    employeeID: string,
  ): { readonly serial: string; readonly takenAt: number | undefined } | undefined {
    const serial = this.byEmployeeId.get(employeeID)?.serial;
    const take = this.history.employeeIdTakes.get(employeeID);
    return serial === undefined
      ? undefined
      : { serial, takenAt: take?.serial === serial ? take.position : undefined };
  }

  usernameConflict(
    position: number,
    username: string | null | undefined,
    serial: string,
  ): Failure | undefined {
    if (username == null) return undefined;
    const key = usernameKey(username);
    const holder = this.byUsername.get(key);
    if (holder === undefined) {
      const wanted = { field: 'username', value: username, key, serial } as const;
      return this.#quarantined(position, wanted, 'usernameReleases');
    }
    if (holder.serial === serial) return undefined;
    const take = this.history.usernameTakes.get(key) ?? this.#past.usernameTakes.get(key);
    return usernameTaken(position, username, take?.serial === holder.serial ? take : holder);
  }

  /** A name that nobody has may have been released recently, before the call or by one of its items. */
  #quarantined(
    position: number,
    wanted: WantedName,
    releases: 'employeeIdReleases' | 'usernameReleases',
  ): Failure | undefined {
    const within = this.history[releases].get(wanted.key) ?? this.#past[releases].get(wanted.key);
    return within
      ? releasedWithin(this.#quarantine, position, wanted, within)
      : releasedBefore(this.#quarantine, position, wanted);
  }

  /** Why a user cannot become this one. */
  uniqueNameConflict(position: number, before: StoredUser | null, after: StoredUser): Failure | undefined {
    if (!mayDifferInUniqueNames(before, after, this.#attributes)) return undefined;
    for (const { name, taken } of uniqueNamesOf(after, this.#attributes)) {
      const holder = this.byUniqueName.get(name);
      if (holder === undefined || holder.serial === after.serial) continue;
      const take = this.history.uniqueNameTakes.get(name) ?? this.#past.uniqueNameTakes.get(name);
      return taken(position, take?.serial === holder.serial ? take : holder);
    }
    return undefined;
  }

  /** From what a user had, if anything, to what the user gets. */
  moveUniqueNames(before: StoredUser | null, after: StoredUser, holder: Holder, position: number): void {
    if (!mayDifferInUniqueNames(before, after, this.#attributes)) return;
    const namesOf = (user: StoredUser) => uniqueNamesOf(user, this.#attributes).map(({ name }) => name);
    const had = new Set(before === null ? [] : namesOf(before));
    for (const name of had) this.byUniqueName.delete(name);
    for (const name of namesOf(after)) {
      this.byUniqueName.set(name, holder);
      if (!had.has(name)) this.history.uniqueNameTakes.set(name, { position, serial: holder.serial });
    }
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

  releaseEmployeeId(employeeID: string, to: string, { serial }: NameHolder, position: number): void {
    this.byEmployeeId.delete(employeeID);
    this.history.renames.set(employeeID, { position, to });
    if (this.#quarantine.days.employeeID > 0)
      this.history.employeeIdReleases.set(employeeID, { position, serial });
  }

  releaseUsername(username: string | null, { serial }: NameHolder, position: number): void {
    if (username === null) return;
    this.byUsername.delete(usernameKey(username));
    if (this.#quarantine.days.username > 0)
      this.history.usernameReleases.set(usernameKey(username), { position, serial });
  }

  findRename(employeeID: string): Rename | undefined {
    return this.history.renames.get(employeeID) ?? this.#past.renames.get(employeeID);
  }
}

/** Returns "" for no username. A username is never empty, so the key cannot collide. */
export function keyOf(user: Pick<StoredUser, 'username'>): string {
  return user.username === null ? '' : usernameKey(user.username);
}
