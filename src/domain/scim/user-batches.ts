import { type Failure, failure } from '../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { referredBulkId } from '../../scim/bulk/references.js';
import { versionsIn } from '../../scim/entity-tags.js';
import { failed } from '../../scim/language/outcome.js';
import type { WantedUser } from '../../scim/user-resource.js';
import type { Executor } from '../../storage/database.js';
import { readUsers } from '../../storage/users/read-users.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import type { Chunk } from '../bulk/plan.js';
import type { Stages } from '../bulk/stages.js';
import type { NoticeContext } from '../notices/notices.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { isSerial, withCreatedAt } from '../serial.js';
import { rejectUnknownSerials } from '../users/known-serials.js';
import { deactivates } from '../users/plans/protected-users.js';
import type { UpdatePlan } from '../users/plans/sequential-plan.js';
import { updatesOf } from '../users/plans/updates.js';
import { updateUser } from '../users/update-user.js';
import { type BulkChangeContext, type ChangeFacts, changeStages } from '../users/update-users-bulk.js';
import type { BulkChange, NewUser } from '../users/user-rules.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { deactivationFacts, recordDeactivations } from './deactivation-limit.js';
import { noResource, scimFailure } from './failures.js';
import { type ProviderRequest, userResources, type VisibleSchema } from './resource-facts.js';
import {
  isDeleted,
  isReturnable,
  isVisibleTo,
  type Meanings,
  meaningsOf,
  staleVersion,
} from './user-fields.js';
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

/** So many operations are read and planned at once. */
export const operationsPerBatchMax = 1_000;

/** What became of an operation that creates a resource. Null if it failed. */
export type CreatedIds = Map<string, string | null>;

/** The progress of a bulk request. */
export interface BulkProgress {
  readonly created: CreatedIds;
  /** How many more operations may fail before the rest is skipped. */
  failuresLeft: number;
}

export interface BatchRequest extends ProviderRequest {
  readonly visible: VisibleSchema;
}

/** As many operations as can be planned together. */
interface Compiled {
  readonly chunk: Chunk<BulkChange>;
  readonly operations: readonly Parsed<UserOperation>[];
  /** The users that the changes are based on, by serial. */
  readonly read: ReadonlyMap<string, StoredUser>;
  /** Of new users. */
  readonly namesWanted: ReadonlySet<string>;
}

interface BatchFacts extends Compiled {
  readonly facts: ChangeFacts;
}

type BatchPlan = UpdatePlan & {
  readonly past: NameHistory;
  readonly facts: BatchFacts | undefined;
  readonly employeeIDs: readonly (string | null)[];
};

/** The version that a user has after an operation, by the position of its item. */
export type Versions = Map<number, number>;

/**
 * Runs operations on users as items of a bulk update. A chunk ends before an operation that depends on what an earlier one
 * of the chunk does, other than by names, which the plan follows: the same user, a reference to a user who may fail to be
 * created, a manager who is renamed.
 */
export function userStages(
  context: BulkChangeContext & NoticeContext,
  request: BatchRequest,
  progress: BulkProgress,
  versions: Versions,
): Stages<UserOperation, BatchFacts | undefined, BatchPlan, ReadonlyMap<number, string>> {
  const inner = changeStages(context, { mode: 'oneByOne', hold: false, safetyLimit: undefined });
  const hashes = new Map<number, string>();
  /** By the position of the first item of a chunk: a chunk that is planned again starts with the same number. */
  const failuresLeft = new Map<number, number>([[0, progress.failuresLeft]]);
  let giveUpNames: string | undefined;
  const askedToGiveUp = new Set<string>();

  return {
    employeeIdOf: ({ creation }) => creation?.employeeID ?? null,
    prepare: async ({ first, items }) => {
      if (giveUpNames !== undefined) {
        askedToGiveUp.add(giveUpNames);
        await releaseNames(context, giveUpNames, request);
      }
      giveUpNames = undefined;
      return hashesFor(first, items);
    },
    read: async (tx, chunk, reading) => {
      if (leftAt(chunk.first) === 0) return undefined;
      const batch = await compiled(tx, chunk);
      const facts = await inner.read(tx, batch.chunk, reading);
      checkVersions(batch, facts.stored);
      return { ...batch, facts };
    },
    plan: async (chunk, facts, past) => {
      if (!facts) return skippedPlan(chunk);
      const plan = await inner.plan(facts.chunk, facts.facts, past);
      return { ...plan, facts, past, employeeIDs: employeeIdsOf(facts) };
    },
    explain: async (tx, plan, chunk) => (plan.facts ? limited(tx, plan, plan.facts, chunk.first) : plan),
    write: async (tx, plan, { facts, ...writing }) => {
      if (!facts) return;
      await inner.write(tx, plan, { ...writing, chunk: facts.chunk, facts: facts.facts });
    },
    changes: inner.changes,
    verify: async (tx, plan, facts) => {
      if (facts) await inner.verify?.(tx, plan, facts.facts);
    },
  };

  function leftAt(position: number): number {
    return failuresLeft.get(position) ?? 0;
  }

  /** Hashing is slow by design, so no password is hashed twice. */
  async function hashesFor(first: number, items: readonly Parsed<UserOperation>[]) {
    const given = items.flatMap((item, index) => {
      const password = item.ok ? item.value.creation?.wanted.password : undefined;
      return password === undefined ? [] : [{ index, password }];
    });
    const missing = given.filter(({ index }) => !hashes.has(first + index));
    const made = await context.passwords.hashAll(missing.map(({ password }) => password));
    for (const [at, { index }] of missing.entries()) hashes.set(first + index, made[at] as string);
    return new Map(given.map(({ index }) => [index, hashes.get(first + index) as string]));
  }

  async function compiled(tx: Executor, { first, items }: Chunk<UserOperation>): Promise<Compiled> {
    const batch = new Batch(context, request, progress.created, { first, askedToGiveUp });
    const compiled = await batch.compile(tx, items);
    if ('giveUpNames' in compiled) {
      giveUpNames = compiled.giveUpNames;
      throw new PlanOutdated();
    }
    return compiled;
  }

  /** Fails what exceeds the limit of deactivations, and ends the batch with the last failure that is allowed. */
  async function limited(
    tx: Executor,
    plan: BatchPlan,
    facts: BatchFacts,
    first: number,
  ): Promise<BatchPlan> {
    let current = plan;
    let { chunk } = facts;
    const limit =
      deactivationsIn(current).length === 0
        ? undefined
        : await deactivationFacts(tx, request.provider.clientId);
    for (;;) {
      const allowed = limit ? Math.max(limit.limit - limit.deactivated, 0) : Number.POSITIVE_INFINITY;
      const deactivating = deactivationsIn(current);
      const excess = new Set(deactivating.slice(allowed));
      if (excess.size > 0 && limit) {
        const problem = limit.exceeded(1, allowed);
        chunk = {
          first,
          items: chunk.items.map((item, at) => (excess.has(at) ? { ok: false, failure: problem } : item)),
        };
        current = await replanned(current, chunk, facts);
        continue;
      }
      const end = endOf(current, leftAt(first));
      if (end < chunk.items.length) {
        chunk = { first, items: chunk.items.slice(0, end) };
        current = await replanned(current, chunk, facts);
        continue;
      }
      if (limit && deactivating.length > 0) {
        await recordDeactivations(context, tx, request.provider.clientId, deactivating.length, limit);
      }
      note(current, facts, first);
      return current;
    }
  }

  async function replanned(
    { past }: BatchPlan,
    chunk: Chunk<BulkChange>,
    facts: BatchFacts,
  ): Promise<BatchPlan> {
    const plan = await inner.plan(chunk, facts.facts, past);
    return { ...plan, facts, past, employeeIDs: employeeIdsOf(facts).slice(0, chunk.items.length) };
  }

  /** What later operations and the response need to know. A plan that fails to be written is noted again. */
  function note({ outcomes }: BatchPlan, { operations }: BatchFacts, first: number): void {
    let left = leftAt(first);
    for (const [index, outcome] of outcomes.entries()) {
      const operation = operations[index];
      if (!outcome.ok) left--;
      else {
        const { before, after, lostRole } = outcome;
        const isChanged = before === null || before !== after || lostRole !== undefined;
        versions.set(first + index, before === null ? 1 : before.version + (isChanged ? 1 : 0));
      }
      const { method, bulkId } = operation?.ok ? operation.value : {};
      if (method === 'POST' && bulkId !== undefined) {
        progress.created.set(bulkId, outcome.ok ? outcome.serial : null);
      }
    }
    failuresLeft.set(first + outcomes.length, left);
  }
}

function deactivationsIn({ outcomes }: BatchPlan): number[] {
  return outcomes.flatMap((outcome, index) => {
    if (!outcome.ok || !outcome.before || !outcome.after) return [];
    return deactivates(outcome.before, outcome.after) ? [index] : [];
  });
}

/** After the last failure that is allowed. */
function endOf({ outcomes }: BatchPlan, failuresMax: number): number {
  let failures = 0;
  const last = outcomes.findIndex(({ ok }) => !ok && ++failures === failuresMax);
  return last === -1 ? outcomes.length : last + 1;
}

function employeeIdsOf({ chunk, operations }: Compiled): (string | null)[] {
  return chunk.items.map((item, index) => {
    if (item.ok) return item.value.targetEmployeeID;
    const operation = operations[index];
    return operation?.ok ? (operation.value.creation?.employeeID ?? null) : null;
  });
}

/** The operations were read without locks. */
function checkVersions({ read, namesWanted, chunk }: Compiled, locked: readonly StoredUser[]): void {
  const current = new Map(locked.map((user) => [user.serial, user]));
  for (const item of chunk.items) {
    const serial = item.ok ? item.value.targetThen?.serial : undefined;
    if (serial && current.get(serial)?.version !== read.get(serial)?.version) throw new PlanOutdated();
  }
  for (const user of locked) {
    const known = read.get(user.serial);
    const isWanted = namesIn(user).some((name) => namesWanted.has(name));
    if (isWanted && known?.version !== user.version && isDeleted(user)) throw new PlanOutdated();
  }
}

/** Whoever was deleted does not keep a name from others. */
async function releaseNames(
  context: BulkChangeContext,
  serial: string,
  { caller }: ProviderRequest,
): Promise<void> {
  const change = { username: null, signInName: null };
  await updateUser(context, serial, change, { versionIsKnown: () => true, caller, notify: false });
}

function skippedPlan({ items }: Chunk<UserOperation>): BatchPlan {
  const skipped = failure(
    'SCIM_OPERATION_SKIPPED',
    'The operation was not processed, because as many operations as "failOnErrors" allows had failed.',
  );
  return {
    ...updatesOf([]),
    ...{ created: [], rehired: [], assumedFree: { employeeIDs: [], usernames: [] } },
    ...{ nameHistory: emptyNameHistory(), past: emptyNameHistory(), facts: undefined },
    outcomes: items.map(() => ({ ok: false, failure: skipped })),
    employeeIDs: items.map((item) => (item.ok ? (item.value.creation?.employeeID ?? null) : null)),
  };
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

class Batch {
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
    return { chunk: { first: this.#first, items: known }, operations, read: users.bySerial, namesWanted };
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
function viewOf({ version, ...user }: StoredUser) {
  const createdAt = withCreatedAt(user.serial).createdAt.toISOString();
  return { user: { ...user, createdAt, updatedAt: createdAt }, version };
}

/** The creator of what is referred to has failed, or there is none. */
export function unresolved(bulkId: string, hasFailed: boolean): Failure {
  const name = JSON.stringify(bulkId.slice(0, 100));
  return hasFailed
    ? failure('SCIM_REFERENCE_UNRESOLVED', `The operation with the bulkId ${name} has failed.`)
    : scimFailure(failed('invalidValue', `No POST of the request has the bulkId ${name}.`));
}
