import { type Failure, failure } from '../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { referredBulkId } from '../../scim/bulk/references.js';
import { versionsIn } from '../../scim/entity-tags.js';
import { failed } from '../../scim/language/outcome.js';
import type { WantedUser } from '../../scim/user-resource.js';
import type { Executor } from '../../storage/database.js';
import { readUsers } from '../../storage/users/read-users.js';
import type { Chunk } from '../bulk/plan.js';
import type { Parsed } from '../read-fields.js';
import { isSerial, withCreatedAt } from '../serial.js';
import { rejectUnknownSerials } from '../users/known-serials.js';
import type { BulkChangeContext } from '../users/update-users-bulk.js';
import type { BulkChange, NewUser } from '../users/user-rules.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { noResource, scimFailure } from './failures.js';
import { type ProviderRequest, userResources, type VisibleSchema } from './resource-facts.js';
import { isReturnable, isVisibleTo, type Meanings, meaningsOf, staleVersion } from './user-fields.js';
import {
  changingItem,
  creatingChange,
  creatingItem,
  deletingItem,
  managerReference,
  meaningsWith,
  namesIn,
  type ReferredManager,
  referencesTo,
  returningChange,
  type UserOperation,
  wantedOf,
} from './user-operations.js';

/** What became of an operation that creates a resource. Null if it failed. */
export type CreatedIds = Map<string, string | null>;

export interface BatchRequest extends ProviderRequest {
  readonly visible: VisibleSchema;
}

/** As many operations as can be planned together. */
export interface Compiled {
  readonly chunk: Chunk<BulkChange>;
  readonly operations: readonly Parsed<UserOperation>[];
  /** The users that the changes are based on, by serial. */
  readonly read: ReadonlyMap<string, StoredUser>;
  /** Of new users. */
  readonly namesWanted: ReadonlySet<string>;
  /** Whether an operation changes by what others address or refer to its user. */
  readonly changesReferences: boolean;
}

/** An operation whose user is known. Null if it creates one. */
type Targeted = UserOperation & { readonly serial: string | null };

/** An operation, and what it makes of its user. */
interface WantedOperation {
  readonly operation: Targeted;
  readonly user: StoredUser | undefined;
  /** Undefined if the user is deleted. */
  readonly wanted: WantedUser | undefined;
}

interface PendingUser {
  readonly position: number;
  readonly employeeID: string;
}

/** Plans as many operations together as don't depend on what others of them do, other than by names. */
export class Batch {
  readonly #context: BulkChangeContext;
  readonly #request: BatchRequest;
  readonly #created: CreatedIds;
  readonly #first: number;
  readonly #askedToGiveUp: ReadonlySet<string>;
  /** Users whom a POST of the batch creates. Null if it fails. */
  readonly #pending = new Map<string, PendingUser | null>();
  readonly #names = new Set<string>();
  readonly #namesOfDeleted = new Set<string>();
  readonly #references = new Set<string>();
  readonly #returned = new Set<string>();

  constructor(
    context: BulkChangeContext,
    request: BatchRequest,
    created: CreatedIds,
    { first, askedToGiveUp }: { readonly first: number; readonly askedToGiveUp: ReadonlySet<string> },
  ) {
    this.#context = context;
    this.#request = request;
    this.#created = created;
    this.#first = first;
    this.#askedToGiveUp = askedToGiveUp;
  }

  async compile(
    tx: Executor,
    items: readonly Parsed<UserOperation>[],
  ): Promise<Compiled | { readonly giveUpNames: string }> {
    const targeted = this.#independent(items);
    const stored = await readUsers(tx, selectedBy(targeted));
    const users = new StoredUsers(stored);
    const wanted = await this.#wanted(tx, targeted, users);
    const meanings = await meaningsOf(tx, this.#outside(wanted), this.#request.provider);
    const slice = new TimeSlice();
    const compiled: Parsed<BulkChange>[] = [];
    for (const item of wanted) {
      if (slice.isOver) await slice.yield();
      const next = item.ok ? this.#itemOf(item.value, compiled.length, users, meanings) : item;
      if (next === 'later') break;
      if ('giveUpNames' in next) return next;
      compiled.push(next);
    }
    const known = await rejectUnknownSerials(this.#context, compiled, ({ change }) => change, tx);
    const operations = items.slice(0, known.length);
    const namesWanted = new Set(
      operations.flatMap((item) => (item.ok && item.value.creation ? namesOf(item.value.creation) : [])),
    );
    const changesReferences = this.#names.size + this.#references.size > 0;
    const chunk = { first: this.#first, items: known };
    return { chunk, operations, read: users.bySerial, namesWanted, changesReferences };
  }

  /** Up to the first operation on a user whom an earlier one changes or creates. */
  #independent(items: readonly Parsed<UserOperation>[]): Parsed<Targeted>[] {
    const serials = new Set<string>();
    const pending = new Set<string>();
    const targeted: Parsed<Targeted>[] = [];
    for (const item of items) {
      if (!item.ok) {
        targeted.push(item);
        continue;
      }
      const { id, method, bulkId } = item.value;
      const referred = referredBulkId(id);
      if (referred !== undefined && pending.has(referred)) break;
      const serial = referred === undefined ? (id?.toLowerCase() ?? null) : this.#created.get(referred);
      if (serial && serials.has(serial)) break;
      if (serial) serials.add(serial);
      if (method === 'POST' && bulkId !== undefined) pending.add(bulkId);
      targeted.push(
        serial === undefined || (serial === null && referred !== undefined)
          ? { ok: false, failure: unresolved(referred ?? '', serial === null) }
          : { ok: true, value: { ...item.value, serial } },
      );
    }
    return targeted;
  }

  /** What each operation makes of its user, as the user is stored. */
  async #wanted(
    tx: Executor,
    targeted: readonly Parsed<Targeted>[],
    users: StoredUsers,
  ): Promise<Parsed<WantedOperation>[]> {
    const changed = targeted.flatMap((item) => {
      if (!item.ok || (item.value.method !== 'PUT' && item.value.method !== 'PATCH')) return [];
      return users.bySerial.get(item.value.serial ?? '') ?? [];
    });
    const visible = changed.filter((user) => isVisibleTo(this.#request, user)).map(viewOf);
    const resources = await userResources(tx, visible, this.#request.visible, this.#request);
    const befores = new Map(resources.map((each) => [each.user.serial, each]));
    const slice = new TimeSlice();
    const wanted: Parsed<WantedOperation>[] = [];
    for (const item of targeted) {
      if (slice.isOver) await slice.yield();
      wanted.push(item.ok ? this.#wantedBy(item.value, users, befores) : item);
    }
    return wanted;
  }

  #wantedBy(
    operation: Targeted,
    users: StoredUsers,
    befores: ReadonlyMap<string, Awaited<ReturnType<typeof userResources>>[number]>,
  ): Parsed<WantedOperation> {
    const { serial, id = '', version, creation } = operation;
    if (creation) return { ok: true, value: { operation, user: undefined, wanted: creation.wanted } };
    const user = users.bySerial.get(serial ?? '');
    if (!user || !isVisibleTo(this.#request, user))
      return { ok: false, failure: noResource('User', serial ?? id) };
    const isKnown = versionsIn(version);
    if (isKnown && !isKnown(user.version)) return { ok: false, failure: staleVersion() };
    const before = befores.get(user.serial);
    if (!before) return { ok: true, value: { operation, user, wanted: undefined } };
    const made = wantedOf(operation, before, this.#request.visible, this.#request);
    return made.ok ? { ok: true, value: { operation, user, wanted: made.wanted } } : made;
  }

  /** With managers who exist already, by serial if another operation has created them. */
  #outside(wanted: readonly Parsed<WantedOperation>[]): Pick<WantedUser, 'organization' | 'manager'>[] {
    return wanted.flatMap((item) => {
      if (!item.ok || !item.value.wanted) return [];
      const { organization, manager } = item.value.wanted;
      const referred = referredBulkId(manager);
      return [{ organization, manager: referred === undefined ? manager : this.#created.get(referred) }];
    });
  }

  /** Later: the outcome depends on what earlier operations of the batch do. */
  #itemOf(
    { operation, user, wanted }: WantedOperation,
    index: number,
    users: StoredUsers,
    meanings: Meanings,
  ): Parsed<BulkChange> | 'later' | { readonly giveUpNames: string } {
    if (!wanted) return user ? this.#deleting(user) : 'later';
    const manager = this.#managerOf(wanted, meanings);
    if (manager === 'later') return 'later';
    if (manager && 'failure' in manager) return this.#failing(operation, manager);
    const known = meaningsWith(meanings, wanted.manager, manager);
    const requires = manager?.requires;
    if (user) {
      const item = changingItem(user, wanted, known, this.#request.visible);
      if (!item.ok) return item;
      this.#note(user, item.value);
      return { ok: true, value: { ...item.value, requires } };
    }
    const made = creatingItem(operation, known, this.#request.visible);
    if (!made.ok) return this.#failing(operation, made);
    const item = this.#creating(made.user, wanted.employeeNumber, index, users);
    if (typeof item === 'string' || 'giveUpNames' in item) return item;
    const { bulkId } = operation;
    const employeeID = item.change.employeeID ?? item.targetEmployeeID;
    if (bulkId !== undefined) this.#pending.set(bulkId, { position: this.#first + index, employeeID });
    return { ok: true, value: { ...item, requires } };
  }

  #failing({ bulkId }: Targeted, { failure }: { readonly failure: Failure }): Parsed<BulkChange> {
    if (bulkId !== undefined) this.#pending.set(bulkId, null);
    return { ok: false, failure };
  }

  #deleting(user: StoredUser): Parsed<BulkChange> {
    for (const name of namesIn(user)) this.#namesOfDeleted.add(name);
    return { ok: true, value: deletingItem(user, this.#request) };
  }

  #managerOf(
    wanted: WantedUser,
    { managers }: Meanings,
  ): ReferredManager | undefined | 'later' | { readonly failure: Failure } {
    const { manager } = wanted;
    if (manager == null) return undefined;
    const bulkId = managerReference(wanted);
    if (bulkId === undefined) {
      const meant = managers.get(manager);
      const isUncertain = this.#references.has(manager) || (meant && this.#references.has(meant.employeeID));
      return isUncertain ? 'later' : undefined;
    }
    const pending = this.#pending.get(bulkId);
    if (pending) {
      const { position, employeeID } = pending;
      return { serial: null, employeeID, requires: { position, failure: unresolved(bulkId, true) } };
    }
    const serial = pending === null ? null : this.#created.get(bulkId);
    if (serial == null) return { failure: unresolved(bulkId, serial === null) };
    const meant = managers.get(serial);
    if (!meant) return { failure: unresolved(bulkId, true) };
    return this.#references.has(meant.employeeID) ? 'later' : { ...meant, requires: undefined };
  }

  /** Or brings back a user whom a provider has deleted. */
  #creating(
    user: NewUser,
    employeeNumber: string | undefined,
    index: number,
    users: StoredUsers,
  ): BulkChange | 'later' | { readonly giveUpNames: string } {
    const names = namesIn(user);
    if (names.some((name) => this.#namesOfDeleted.has(name))) return 'later';
    const holders = names.flatMap((name) => users.byName.get(name) ?? []);
    const [holder] = holders;
    const isReturning = (user: StoredUser) => isReturnable(this.#request, user);
    if (holders.some(isReturning)) {
      const isUncertain =
        names.some((name) => this.#names.has(name)) ||
        holders.some(({ serial }) => this.#returned.has(serial));
      if (isUncertain) return 'later';
    }
    if (holder && isReturning(holder)) {
      if (employeeNumber === undefined || employeeNumber === holder.employeeID) {
        const item = returningChange(user, holder);
        this.#returned.add(holder.serial);
        this.#note(holder, item);
        return item;
      }
      if (!this.#askedToGiveUp.has(holder.serial))
        return index > 0 ? 'later' : { giveUpNames: holder.serial };
    }
    const item = creatingChange(user);
    for (const name of names) this.#names.add(name);
    for (const text of referencesTo(user, this.#request)) this.#references.add(text);
    return item;
  }

  /** What later operations may refer to, before and after. */
  #note(before: StoredUser, { change }: BulkChange): void {
    const { employeeID = before.employeeID, username, signInName, scim = before.scim } = change;
    const after = { employeeID, scim };
    const changesNames =
      employeeID !== before.employeeID || username !== undefined || signInName !== undefined;
    if (changesNames) {
      for (const name of namesIn(before)) this.#names.add(name);
      for (const name of namesIn({
        employeeID,
        username: username ?? null,
        signInName: signInName ?? null,
      })) {
        this.#names.add(name);
      }
    }
    if (employeeID === before.employeeID && scim === before.scim) return;
    const [old, recent] = [before, after].map((each) => new Set(referencesTo(each, this.#request)));
    for (const text of old ?? []) if (!recent?.has(text)) this.#references.add(text);
    for (const text of recent ?? []) if (!old?.has(text)) this.#references.add(text);
  }
}

/** Stored users by everything that operations address them with. */
class StoredUsers {
  readonly bySerial: ReadonlyMap<string, StoredUser>;
  readonly byName: ReadonlyMap<string, StoredUser>;

  constructor(stored: readonly StoredUser[]) {
    this.bySerial = new Map(stored.map((user) => [user.serial, user]));
    this.byName = new Map(stored.flatMap((user) => namesIn(user).map((name) => [name, user] as const)));
  }
}

function selectedBy(targeted: readonly Parsed<Targeted>[]) {
  const operations = targeted.flatMap((item) => (item.ok ? [item.value] : []));
  const created = operations.flatMap(({ creation }) => creation ?? []);
  return {
    serials: operations.flatMap(({ serial }) => (serial !== null && isSerial(serial) ? [serial] : [])),
    employeeIDs: [...new Set(created.map(({ employeeID }) => employeeID))],
    usernames: created.flatMap(({ wanted }) =>
      wanted.names?.username ? [usernameKey(wanted.names.username)] : [],
    ),
    signInNames: created.flatMap(({ wanted }) => wanted.names?.signInName ?? []),
  };
}

function namesOf({ wanted, employeeID }: NonNullable<UserOperation['creation']>): string[] {
  const { username = null, signInName = null } = wanted.names ?? {};
  return namesIn({ employeeID, username, signInName });
}

/** The times are shown only, and are no part of what a request can change. */
function viewOf(user: StoredUser) {
  const createdAt = withCreatedAt(user.serial).createdAt.toISOString();
  return { user: { ...user, createdAt, updatedAt: createdAt }, version: user.version };
}

/** The creator of what is referred to has failed, or there is none. */
export function unresolved(bulkId: string, hasFailed: boolean): Failure {
  const name = JSON.stringify(bulkId.slice(0, 100));
  return hasFailed
    ? failure('SCIM_REFERENCE_UNRESOLVED', `The operation with the bulkId ${name} has failed.`)
    : scimFailure(failed('invalidValue', `No POST of the request has the bulkId ${name}.`));
}
