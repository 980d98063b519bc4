import type { Failure } from '../../src/contract/errors.js';
import type { Role } from '../../src/contract/scopes.js';
import { valuesIn } from '../../src/contract/user-values.js';
import type { StoredUser } from '../../src/contract/users.js';
import {
  type BulkChange,
  type NewUser,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import { requester } from './few-users.js';
import type { UserRow } from './log-replay.js';

export type ReferenceOutcome = { serial: string } | { error: Failure['error'] };

/** What a call or the service can turn on. */
export interface Rules {
  readonly rehire: boolean;
  readonly quarantine: boolean;
}

export const plainRules: Rules = { rehire: false, quarantine: false };

/** A client, and whether it has access:admin. */
export interface ReferenceCaller {
  readonly id: string;
  readonly isAdmin: boolean;
}

interface KnownUser {
  readonly serial: string;
  readonly user: Omit<StoredUser, 'serial' | 'version'> & { readonly role: Role | null };
  readonly session: boolean;
  readonly message: string | null;
  /** Who requested the message. */
  readonly requester: string | null;
  readonly password: boolean;
}

/**
 * A literal implementation of bulk calls that ignores performance and the database: one item at a time, with a search
 * through all users for each check. The engine must produce the same report and the same rows.
 */
export class ReferenceModel {
  #users: KnownUser[];
  /** Who gave up a name last. */
  readonly #lastHolders = new Map<string, string>();
  readonly #caller: ReferenceCaller;
  readonly #rules: Rules;
  #created = 0;

  constructor(rows: readonly UserRow[], caller: ReferenceCaller, rules = plainRules) {
    this.#users = rows.map(({ serial, user, session, message, password }) => {
      const known = user as KnownUser['user'];
      return { serial, user: known, session, message, password, requester: known.username && requester };
    });
    this.#caller = caller;
    this.#rules = rules;
  }

  /** All users, ordered by employee ID. */
  get rows(): Pick<UserRow, 'serial' | 'user' | 'session' | 'message' | 'password'>[] {
    return this.#users
      .toSorted((a, b) => (a.user.employeeID < b.user.employeeID ? -1 : 1))
      .map(({ requester: _, ...row }) => row);
  }

  update(item: unknown): ReferenceOutcome {
    const parsed = parseBulkChange(item, {});
    return parsed.ok ? this.#change(parsed.value) : { error: parsed.failure.error };
  }

  /** A create if no user has the employee ID, and else an update. */
  upsert(item: unknown): ReferenceOutcome {
    const parsed = parseUpsert(item, {});
    if (!parsed.ok) return { error: parsed.failure.error };
    const { targetEmployeeID, change } = parsed.value;
    const { newEmployeeID: _, ...given } = item as Record<string, unknown>;
    const fields = { ...given, isActive: given.isActive ?? true };
    const known = this.#holderOf('employeeID', targetEmployeeID);
    if (known && this.#rules.rehire && !known.user.isActive && change.isActive !== false)
      return this.#rehire(known, fields, change.employeeID ?? targetEmployeeID);
    if (known) return this.#change(parsed.value);
    if ((change.employeeID ?? targetEmployeeID) !== targetEmployeeID) return { error: 'USER_NOT_FOUND' };
    return this.#create(fields);
  }

  create(item: unknown): ReferenceOutcome {
    const parsed = parseNewUser(item, {});
    if (!this.#rules.rehire || !parsed.ok || !parsed.value.isActive) return this.#create(item);
    const known = this.#holderOf('employeeID', parsed.value.employeeID);
    return known && !known.user.isActive
      ? this.#rehire(known, item, parsed.value.employeeID)
      : this.#create(item);
  }

  #change({ targetEmployeeID, change }: BulkChange): ReferenceOutcome {
    const known = this.#holderOf('employeeID', targetEmployeeID);
    if (!known) return { error: 'USER_NOT_FOUND' };
    const { serial, user } = known;
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after: KnownUser['user'] = { ...user, ...given };
    const isDeactivated = user.isActive && !after.isActive;
    const isReactivated = !user.isActive && after.isActive;
    const changesAddress = after.email !== user.email || (after.email === null && after.phone !== user.phone);

    const problem = this.#nameProblem(serial, change);
    if (problem) return problem;
    if (after.email === null && after.phone === null) return { error: 'USER_CONTACT_REQUIRED' };
    const isSameName = after.username?.toLowerCase() === user.username?.toLowerCase();
    const isGuarded = !isSameName || changesAddress || isReactivated;
    if (user.role !== null && !this.#caller.isAdmin && isGuarded && !isDeactivated)
      return { error: 'USER_PROTECTED' };
    const isUnseated = change.isActive === false || change.username === null;
    if (isUnseated && this.#administrators().join() === serial) return { error: 'USER_LAST_ADMINISTRATOR' };
    let { message } = known;
    const isHeld = changesAddress && !this.#caller.isAdmin && known.requester !== this.#caller.id;
    if (isHeld && message !== null) message = 'held';
    if (isReactivated && message === 'dormant') message = 'waiting';
    this.#release('employeeID', user.employeeID, change.employeeID, serial);
    this.#release('username', user.username, change.username, serial);
    this.#replace({
      ...known,
      message,
      user: { ...after, role: isDeactivated ? null : user.role },
      session: known.session && !isDeactivated,
    });
    return { serial };
  }

  /** Reactivates a user as if it were a new one, except for the serial. */
  #rehire(known: KnownUser, item: unknown, employeeID: string): ReferenceOutcome {
    const parsed = parseNewUser(item, {});
    if (!parsed.ok) return { error: parsed.failure.error };
    const { serial, user: before } = known;
    const problem = this.#nameProblem(serial, { employeeID, username: parsed.value.username });
    if (problem) return problem;
    if (before.role !== null && !this.#caller.isAdmin) return { error: 'USER_PROTECTED' };
    this.#release('employeeID', before.employeeID, employeeID, serial);
    this.#release('username', before.username, parsed.value.username, serial);
    this.#replace(this.#newcomer(serial, { ...parsed.value, employeeID }, before.role));
    return { serial };
  }

  #create(item: unknown): ReferenceOutcome {
    const parsed = parseNewUser(item, {});
    if (!parsed.ok) return { error: parsed.failure.error };
    const serial = `created ${++this.#created}`;
    const problem = this.#nameProblem(serial, parsed.value);
    if (problem) return problem;
    this.#users.push(this.#newcomer(serial, parsed.value, null));
    return { serial };
  }

  #newcomer(serial: string, { password, ...given }: NewUser, role: Role | null): KnownUser {
    return {
      serial,
      user: { ...valuesIn({ ...given }), role },
      session: false,
      message: given.isActive ? 'waiting' : 'dormant',
      requester: this.#caller.id,
      password: password !== null,
    };
  }

  /** Which of the names a user cannot have. */
  #nameProblem(
    serial: string,
    wanted: { employeeID?: string | undefined; username?: string | null | undefined },
  ): ReferenceOutcome | undefined {
    for (const [field, error] of [
      ['employeeID', 'USER_EMPLOYEE_ID_EXISTS'],
      ['username', 'USER_USERNAME_EXISTS'],
    ] as const) {
      const name = wanted[field];
      if (name == null) continue;
      const holder = this.#holderOf(field, name)?.serial;
      const last = this.#rules.quarantine ? this.#lastHolders.get(keyOf(field, name)) : undefined;
      if ((holder ?? last ?? serial) !== serial) return { error };
    }
    return undefined;
  }

  #release(field: Name, before: string | null, after: string | null | undefined, serial: string): void {
    if (before === null || after === undefined) return;
    if (after === null || keyOf(field, after) !== keyOf(field, before))
      this.#lastHolders.set(keyOf(field, before), serial);
  }

  #holderOf(field: Name, name: string): KnownUser | undefined {
    return this.#users.find(({ user }) => {
      const held = user[field];
      return held !== null && keyOf(field, held) === keyOf(field, name);
    });
  }

  /** Those who can sign in. */
  #administrators(): string[] {
    return this.#users
      .filter(({ user }) => user.role === 'administrator' && user.isActive && user.username !== null)
      .map(({ serial }) => serial);
  }

  #replace(known: KnownUser): void {
    this.#users = this.#users.map((each) => (each.serial === known.serial ? known : each));
  }
}

type Name = 'employeeID' | 'username';

/** Employee IDs are case-sensitive; usernames are not. */
function keyOf(field: Name, name: string): string {
  return `${field} ${field === 'username' ? name.toLowerCase() : name}`;
}
