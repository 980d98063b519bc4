import type { AttributePatch } from '../../src/contract/attribute-values.js';
import { type Failure, takenAttributeOf, takenByOf } from '../../src/contract/errors.js';
import type { Role } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
import { type AttributeReader, withoutAttributes } from '../../src/domain/attributes/attribute-set.js';
import {
  type BulkChange,
  type NewUser,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import { requester } from './few-users.js';
import type { UserRow } from './log-replay.js';

/** Who has a name already, and the item that gave it to them, if any. */
export interface Taken {
  readonly serial: string | null;
  readonly position: number | null;
}

export type ReferenceOutcome =
  | { readonly serial: string }
  | { readonly error: Failure['error']; readonly taken?: Taken };

export function takenOf(failure: Failure): Taken | undefined {
  const taken = takenByOf(failure) ?? takenAttributeOf(failure);
  return taken && { serial: taken.serial, position: taken.position };
}

/** What a call or the service can turn on. */
export interface Rules {
  readonly rehire: boolean;
  readonly quarantine: boolean;
  /** The IDs of unique attributes. */
  readonly unique?: readonly string[];
  /** Reads the attributes of items. */
  readonly read?: AttributeReader;
}

export const plainRules: Rules = { rehire: false, quarantine: false };

/** A client, and whether it has access:admin. */
export interface ReferenceCaller {
  readonly id: string;
  readonly isAdmin: boolean;
}

export type Step = 'create' | 'update' | 'upsert';

interface KnownUser {
  readonly serial: string;
  readonly user: Omit<StoredUser, 'serial' | 'version'> & { readonly role: Role | null };
  readonly session: boolean;
  readonly message: string | null;
  /** Who requested the message. */
  readonly requester: string | null;
  readonly password: boolean;
}

/** An item of the call. */
interface Place {
  readonly position: number;
  readonly isGivenLater: (employeeID: string) => boolean;
}

/** An item whose manager is to be found at the end of the call. */
interface Deferred {
  readonly position: number;
  readonly serial: string;
  readonly managerEmployeeID: string;
}

/**
 * A literal implementation of bulk calls that ignores performance and the database: one item at a time, with a search
 * through all users for each check. The engine must produce the same report and the same rows.
 */
export class ReferenceModel {
  readonly #start: readonly KnownUser[];
  readonly #caller: ReferenceCaller;
  readonly #rules: Rules;
  readonly #read: AttributeReader;
  #users: KnownUser[] = [];
  /** Who gave up a name last. */
  #lastHolders = new Map<string, string>();
  /** The item that gave a name to somebody last. */
  #takes = new Map<string, Taken>();
  #deferred: Deferred[] = [];
  /** The last item that decides about the manager of a user. */
  #lastWord = new Map<string, number>();
  #created = 0;

  constructor(rows: readonly UserRow[], caller: ReferenceCaller, rules = plainRules) {
    this.#start = rows.map(({ serial, user, session, message, password }) => {
      const known = user as KnownUser['user'];
      return { serial, user: known, session, message, password, requester: known.username && requester };
    });
    this.#caller = caller;
    this.#rules = rules;
    this.#read = rules.read ?? withoutAttributes;
  }

  /** All users, ordered by employee ID. */
  get rows(): Pick<UserRow, 'serial' | 'user' | 'session' | 'message' | 'password'>[] {
    return this.#users
      .toSorted((a, b) => (a.user.employeeID < b.user.employeeID ? -1 : 1))
      .map(({ requester: _, ...row }) => row);
  }

  /** Repeats the call without the items whose managers turn out to be missing, until there are none. */
  run(step: Step, items: readonly unknown[]): ReferenceOutcome[] {
    const failed = new Map<number, ReferenceOutcome>();
    for (;;) {
      this.#users = [...this.#start];
      this.#lastHolders = new Map();
      this.#takes = new Map();
      this.#deferred = [];
      this.#lastWord = new Map();
      this.#created = 0;
      const outcomes = items.map((item, position) => {
        const isGivenLater = (employeeID: string) =>
          items.some(
            (later, at) => at > position && !failed.has(at) && this.#givenBy(step, later) === employeeID,
          );
        return failed.get(position) ?? this.#apply(step, item, { position, isGivenLater });
      });
      const failing = this.#settleManagers();
      if (failing.size === 0) return outcomes;
      for (const [position, error] of failing) failed.set(position, { error });
    }
  }

  #apply(step: Step, item: unknown, place: Place): ReferenceOutcome {
    if (step === 'create') return this.#createOrRehire(item, place);
    if (step === 'upsert') return this.#upsert(item, place);
    const parsed = parseBulkChange(item, {}, 'keep', this.#read);
    return parsed.ok ? this.#change(parsed.value, place) : { error: parsed.failure.error };
  }

  /** A create if no user has the employee ID, and else an update. */
  #upsert(item: unknown, place: Place): ReferenceOutcome {
    const parsed = parseUpsert(item, {}, {}, undefined, this.#read);
    if (!parsed.ok) return { error: parsed.failure.error };
    const { targetEmployeeID, change } = parsed.value;
    const { newEmployeeID: _, ...given } = item as Record<string, unknown>;
    const fields = { ...given, isActive: given.isActive ?? true };
    const known = this.#holderOf(idKey(targetEmployeeID));
    if (known && this.#rules.rehire && !known.user.isActive && change.isActive === true)
      return this.#rehire(known, fields, change.employeeID ?? targetEmployeeID, place);
    if (known) return this.#change(parsed.value, place);
    if ((change.employeeID ?? targetEmployeeID) !== targetEmployeeID) return { error: 'USER_NOT_FOUND' };
    return this.#create(fields, place);
  }

  #createOrRehire(item: unknown, place: Place): ReferenceOutcome {
    const parsed = this.#parseNew(item);
    if (!this.#rules.rehire || !parsed.ok || !parsed.value.isActive) return this.#create(item, place);
    const known = this.#holderOf(idKey(parsed.value.employeeID));
    return known && !known.user.isActive
      ? this.#rehire(known, item, parsed.value.employeeID, place)
      : this.#create(item, place);
  }

  #change({ targetEmployeeID, change }: BulkChange, place: Place): ReferenceOutcome {
    const known = this.#holderOf(idKey(targetEmployeeID));
    if (!known) return { error: 'USER_NOT_FOUND' };
    const { serial, user } = known;
    const { managerEmployeeID, attributes, ...fields } = change;
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const values = withValues(user.attributes, attributes ?? {});
    const after: KnownUser['user'] = { ...user, ...given, attributes: values };
    const isDeactivated = user.isActive && !after.isActive;
    const isReactivated = !user.isActive && after.isActive;
    const changesAddress = after.email !== user.email || (after.email === null && after.phone !== user.phone);

    const problem =
      this.#nameProblem(serial, after) ?? this.#managerProblem(serial, managerEmployeeID, place);
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
    const managerSerial =
      managerEmployeeID === undefined
        ? user.managerSerial
        : this.#managerOf(serial, managerEmployeeID, user.managerSerial, place);
    this.#store(known, place, {
      ...known,
      message,
      user: { ...after, managerSerial, role: isDeactivated ? null : user.role },
      session: known.session && !isDeactivated,
    });
    return { serial };
  }

  /** Reactivates a user as if it were a new one, except for the serial. */
  #rehire(known: KnownUser, item: unknown, employeeID: string, place: Place): ReferenceOutcome {
    const parsed = this.#parseNew(item);
    if (!parsed.ok) return { error: parsed.failure.error };
    const { serial, user: before } = known;
    const after = { ...parsed.value, employeeID };
    const problem =
      this.#nameProblem(serial, after) ?? this.#managerProblem(serial, after.managerEmployeeID, place);
    if (problem) return problem;
    if (before.role !== null && !this.#caller.isAdmin) return { error: 'USER_PROTECTED' };
    this.#store(known, place, this.#newcomer(serial, after, before.role, place));
    return { serial };
  }

  #create(item: unknown, place: Place): ReferenceOutcome {
    const parsed = this.#parseNew(item);
    if (!parsed.ok) return { error: parsed.failure.error };
    const serial = `created ${++this.#created}`;
    const problem =
      this.#nameProblem(serial, parsed.value) ??
      this.#managerProblem(serial, parsed.value.managerEmployeeID, place);
    if (problem) return problem;
    this.#store(undefined, place, this.#newcomer(serial, parsed.value, null, place));
    return { serial };
  }

  #parseNew(item: unknown) {
    return parseNewUser(item, {}, undefined, this.#read);
  }

  #newcomer(serial: string, given: NewUser, role: Role | null, place: Place): KnownUser {
    const { password, managerEmployeeID = null, ...user } = given;
    return {
      serial,
      user: { ...user, managerSerial: this.#managerOf(serial, managerEmployeeID, null, place), role },
      session: false,
      message: given.isActive ? 'waiting' : 'dormant',
      requester: this.#caller.id,
      password: password !== null,
    };
  }

  /** Which of the names a user cannot have. */
  #nameProblem(serial: string, wanted: Names): ReferenceOutcome | undefined {
    for (const { key, error } of this.#namesOf(wanted)) {
      const holder = this.#holderOf(key)?.serial;
      const take = this.#takes.get(key);
      if (holder !== undefined && holder !== serial)
        return { error, taken: { serial: holder, position: take?.serial === holder ? take.position : null } };
      const last = this.#rules.quarantine ? this.#lastHolders.get(key) : undefined;
      if ((holder ?? last ?? serial) !== serial) return { error };
    }
    return undefined;
  }

  /** Employee IDs are case-sensitive; usernames are not. Nobody else may have the value of a unique attribute. */
  #namesOf({ employeeID, username, attributes }: Names): HeldName[] {
    const names: HeldName[] = [{ key: idKey(employeeID), error: 'USER_EMPLOYEE_ID_EXISTS' }];
    if (username !== null)
      names.push({ key: `username ${username.toLowerCase()}`, error: 'USER_USERNAME_EXISTS' });
    const values = JSON.parse(attributes ?? '{}');
    for (const id of this.#rules.unique ?? []) {
      if (id in values) names.push({ key: `attribute ${id} ${values[id]}`, error: 'USER_ATTRIBUTE_EXISTS' });
    }
    return names;
  }

  #holderOf(key: string): KnownUser | undefined {
    return this.#users.find(({ user }) => this.#namesOf(user).some((name) => name.key === key));
  }

  #managerProblem(
    serial: string,
    managerEmployeeID: string | null | undefined,
    { isGivenLater }: Place,
  ): ReferenceOutcome | undefined {
    if (managerEmployeeID == null) return undefined;
    const manager = this.#holderOf(idKey(managerEmployeeID));
    if (manager) return this.#reportsTo(manager.serial, serial) ? { error: 'USER_MANAGER_CYCLE' } : undefined;
    return isGivenLater(managerEmployeeID) ? undefined : { error: 'USER_MANAGER_NOT_FOUND' };
  }

  /** Whether a user is another one, or reports to them, directly or through others. */
  #reportsTo(serial: string, other: string): boolean {
    let at: string | null = serial;
    while (at !== null && at !== other) {
      const current: string = at;
      at = this.#users.find((each) => each.serial === current)?.user.managerSerial ?? null;
    }
    return at === other;
  }

  /** The manager that an item gives to a user, who keeps the current one until a missing one is found. */
  #managerOf(
    serial: string,
    managerEmployeeID: string | null,
    current: string | null,
    { position }: Place,
  ): string | null {
    this.#lastWord.set(serial, position);
    if (managerEmployeeID === null) return null;
    const manager = this.#holderOf(idKey(managerEmployeeID));
    if (!manager) this.#deferred.push({ position, serial, managerEmployeeID });
    return manager ? manager.serial : current;
  }

  /** The employee ID that an item is to give to somebody. */
  #givenBy(step: Step, item: unknown): string | undefined {
    if (step === 'create') {
      const parsed = this.#parseNew(item);
      return parsed.ok ? parsed.value.employeeID : undefined;
    }
    const parsed =
      step === 'upsert'
        ? parseUpsert(item, {}, {}, undefined, this.#read)
        : parseBulkChange(item, {}, 'keep', this.#read);
    if (!parsed.ok) return undefined;
    const { change, targetEmployeeID } = parsed.value;
    return change.employeeID ?? (step === 'upsert' ? targetEmployeeID : undefined);
  }

  /** Finds the managers that were missing, in the order of the items. Returns the items that fail. */
  #settleManagers(): Map<number, Failure['error']> {
    const failing = new Map<number, Failure['error']>();
    for (const { position, serial, managerEmployeeID } of this.#deferred) {
      const manager = this.#holderOf(idKey(managerEmployeeID));
      if (!manager) {
        failing.set(position, 'USER_MANAGER_NOT_FOUND');
        continue;
      }
      if (this.#lastWord.get(serial) !== position) continue;
      if (this.#reportsTo(manager.serial, serial)) failing.set(position, 'USER_MANAGER_CYCLE');
      else this.#setManager(serial, manager.serial);
    }
    for (;;) {
      // An item that fails gives nobody an employee ID.
      const next = this.#deferred.find(
        ({ position, managerEmployeeID }) =>
          failing.get(position) !== 'USER_MANAGER_NOT_FOUND' &&
          failing.has(this.#takes.get(idKey(managerEmployeeID))?.position ?? -1),
      );
      if (!next) return failing;
      failing.set(next.position, 'USER_MANAGER_NOT_FOUND');
    }
  }

  #setManager(serial: string, managerSerial: string): void {
    this.#users = this.#users.map((known) =>
      known.serial === serial ? { ...known, user: { ...known.user, managerSerial } } : known,
    );
  }

  /** Those who can sign in. */
  #administrators(): string[] {
    return this.#users
      .filter(({ user }) => user.role === 'administrator' && user.isActive && user.username !== null)
      .map(({ serial }) => serial);
  }

  #store(before: KnownUser | undefined, { position }: Place, after: KnownUser): void {
    const { serial } = after;
    const keys = (known: KnownUser | undefined) =>
      known ? this.#namesOf(known.user).map(({ key }) => key) : [];
    const [had, has] = [keys(before), keys(after)];
    for (const key of had)
      if (!has.includes(key) && !key.startsWith('attribute ')) this.#lastHolders.set(key, serial);
    for (const key of has) if (!had.includes(key)) this.#takes.set(key, { serial, position });
    this.#users = before
      ? this.#users.map((each) => (each.serial === serial ? after : each))
      : [...this.#users, after];
  }
}

type Names = Pick<StoredUser, 'employeeID' | 'username' | 'attributes'>;

interface HeldName {
  readonly key: string;
  readonly error: Failure['error'];
}

function idKey(employeeID: string): string {
  return `employeeID ${employeeID}`;
}

/** As PostgreSQL prints them. */
function withValues(stored: string | null, patch: AttributePatch): string | null {
  const values = Object.entries({ ...JSON.parse(stored ?? '{}'), ...patch }).filter(
    ([, value]) => value !== null,
  );
  const texts = values.map(([id, value]) => `"${id}": ${JSON.stringify(value)}`);
  return texts.length === 0 ? null : `{${texts.join(', ')}}`;
}
