import type { CallKind } from '../../contract/enums.js';
import { type Failure, failure, takenAttributeOf, takenByOf } from '../../contract/errors.js';
import {
  type BulkMethod,
  type BulkOperation,
  patchOperationsIn,
  pathBases,
  readOperation,
} from '../../scim/bulk/operation.js';
import {
  creatorsOf,
  dataFacts,
  type LinkedOperation,
  orderOf,
  referredBulkId,
  withIds,
} from '../../scim/bulk/references.js';
import { versionsIn } from '../../scim/entity-tags.js';
import { failed } from '../../scim/language/outcome.js';
import { completed, runCall } from '../bulk/run-call.js';
import { failureOf } from '../outage.js';
import type { Parsed } from '../read-fields.js';
import type { Result } from '../result.js';
import { lockFreeChunkItems } from '../users/lock-free-updates.js';
import { attributeValueTaken, nameTaken } from '../users/plans/user-change.js';
import type { BulkChangeContext } from '../users/update-users-bulk.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { type BatchRequest, unresolved } from './batch-items.js';
import { noResource, rejected, scimFailure } from './failures.js';
import { canRunLockFree, lockFreeStages } from './lock-free-batches.js';
import { type ProviderRequest, visibleSchema } from './resource-facts.js';
import { type BulkProgress, operationsPerBatchMax, userStages, type Versions } from './user-batches.js';
import { readUserOperation, type UserOperation } from './user-operations.js';
import {
  type Addressed,
  createScimUser,
  deleteScimUser,
  patchScimUser,
  replaceScimUser,
  type ScimUserContext,
} from './users.js';

/** What a bulk request does with groups, one after the other. */
export interface GroupOperations {
  create(data: unknown, request: ProviderRequest): Promise<Result<WrittenResource>>;
  replace(addressed: Addressed, data: unknown, request: ProviderRequest): Promise<Result<WrittenResource>>;
  patch(
    addressed: Addressed,
    operations: readonly unknown[],
    request: ProviderRequest,
  ): Promise<Result<WrittenResource>>;
  remove(addressed: Addressed, request: ProviderRequest): Promise<Result<object>>;
}

export interface WrittenResource {
  readonly id: string;
  readonly version: number;
}

export interface ScimBulkContext extends BulkChangeContext, ScimUserContext {}

export interface ScimBulkOptions {
  /** Processing ends when so many operations have failed. */
  readonly failOnErrors: number | undefined;
  readonly groups: GroupOperations | undefined;
  /** Names the provider in the record of calls. */
  readonly source: string;
}

export type BulkOutcome =
  | {
      readonly ok: true;
      readonly method: BulkMethod;
      readonly resourceType: BulkOperation['resourceType'];
      readonly id: string;
      /** Absent after a DELETE. */
      readonly version: number | undefined;
    }
  | { readonly ok: false; readonly failure: Failure; readonly operation: BulkOperation | undefined };

export interface BulkResult {
  /** By position in the request. Operations that were not processed have none. */
  readonly outcomes: readonly (BulkOutcome | undefined)[];
  readonly ignored: readonly string[];
}

/**
 * Processes the operations of a bulk request as if each were sent alone, in order, except that whatever creates a resource
 * goes before those that refer to it. Consecutive operations on users are one call.
 */
export async function runScimBulk(
  context: ScimBulkContext,
  sent: AsyncIterable<Parsed<unknown>> | Iterable<Parsed<unknown>>,
  request: ProviderRequest,
  options: ScimBulkOptions,
): Promise<BulkResult> {
  const visible = await visibleSchema(context.database.pool, request.caller);
  const read = await readAll(sent, request);
  const run = new BulkRun(context, { ...request, visible }, options, read);
  await run.run();
  return { outcomes: run.outcomes, ignored: [...run.ignored] };
}

interface ReadOperations {
  /** The positions of what creates resources, by bulkId. */
  readonly creators: ReadonlyMap<string, number>;
  readonly operations: readonly (LinkedOperation | undefined)[];
  /** By position. */
  readonly failures: ReadonlyMap<number, Failure>;
}

async function readAll(
  sent: AsyncIterable<Parsed<unknown>> | Iterable<Parsed<unknown>>,
  { baseUrl }: ProviderRequest,
): Promise<ReadOperations> {
  const operations: (LinkedOperation | undefined)[] = [];
  const failures = new Map<number, Failure>();
  const bases = pathBases(baseUrl);
  const slice = new TimeSlice();
  for await (const each of sent) {
    if (slice.isOver) await slice.yield();
    const position = operations.length;
    const read = each.ok ? readOperation(each.value, bases) : undefined;
    if (!each.ok) failures.set(position, each.failure);
    else if (read && !read.ok) failures.set(position, scimFailure(read));
    operations.push(read?.ok ? linked(read.value, position) : undefined);
  }
  const creators = creatorsOf(operations);
  for (const [position, operation] of operations.entries()) {
    const { method, bulkId } = operation ?? {};
    if (method !== 'POST' || bulkId === undefined || creators.get(bulkId) === position) continue;
    failures.set(position, scimFailure(failed('invalidValue', 'Another operation has the same "bulkId".')));
  }
  return { operations, failures, creators };
}

function linked(operation: BulkOperation, position: number): LinkedOperation {
  const { bulkIds, mentionsPassword } = dataFacts(operation.data);
  const inPath = referredBulkId(operation.id);
  return {
    ...operation,
    position,
    mentionsPassword,
    bulkIds: inPath === undefined ? bulkIds : [...bulkIds, inPath],
  };
}

const circle = failure(
  'SCIM_REFERENCE_UNRESOLVED',
  'The operation refers to others that refer back to it. Send one of the references in a later request.',
);

const unreadable = scimFailure(failed('invalidSyntax', 'The operation cannot be read.'));

interface Step {
  readonly position: number;
  readonly item: Parsed<UserOperation>;
}

class BulkRun {
  readonly outcomes: (BulkOutcome | undefined)[];
  readonly ignored = new Set<string>();
  readonly #context: ScimBulkContext;
  readonly #request: BatchRequest;
  readonly #options: ScimBulkOptions;
  readonly #read: ReadOperations;
  readonly #progress: BulkProgress;

  constructor(
    context: ScimBulkContext,
    request: BatchRequest,
    options: ScimBulkOptions,
    read: ReadOperations,
  ) {
    this.#context = context;
    this.#request = request;
    this.#options = options;
    this.#read = read;
    this.#progress = {
      created: new Map(),
      failuresLeft: options.failOnErrors ?? Number.POSITIVE_INFINITY,
    };
    this.outcomes = read.operations.map(() => undefined);
  }

  async run(): Promise<void> {
    const { operations, failures } = this.#read;
    const { order, circular } = orderOf(operations);
    const slice = new TimeSlice();
    let steps: Step[] = [];
    for (const position of order) {
      if (slice.isOver) await slice.yield();
      const operation = operations[position];
      const problem = failures.get(position) ?? (circular.has(position) ? circle : undefined);
      if (operation && !problem && this.#runsAlone(operation)) {
        await this.#runUsers(steps);
        steps = [];
        if (this.#progress.failuresLeft === 0) return;
        this.#conclude(position, await this.#runAlone(operation));
        if (this.#progress.failuresLeft === 0) return;
        continue;
      }
      steps.push({ position, item: this.#itemOf(operation, problem) });
    }
    await this.#runUsers(steps);
  }

  /** Passwords, which may be those of users who come back, and erasures take transactions of their own, and groups are no users. */
  #runsAlone({ resourceType, method, mentionsPassword }: LinkedOperation): boolean {
    if (resourceType === 'Group') return true;
    if (method === 'DELETE') return this.#request.provider.onDelete === 'erase';
    return mentionsPassword;
  }

  #itemOf(operation: LinkedOperation | undefined, problem: Failure | undefined): Parsed<UserOperation> {
    const item: Parsed<UserOperation> =
      operation && !problem
        ? readUserOperation(this.#context, operation, this.#request.visible, this.#request)
        : { ok: false, failure: problem ?? unreadable };
    if (!item.ok && operation?.method === 'POST' && operation.bulkId !== undefined) this.#fails(operation);
    if (item.ok) for (const name of item.value.ignored) this.ignored.add(name);
    return item;
  }

  /** Of several operations with the same bulkId, the first counts. */
  #fails({ bulkId, position }: LinkedOperation): void {
    const { created } = this.#progress;
    if (bulkId === undefined || created.has(bulkId)) return;
    if (this.#read.creators.get(bulkId) === position) created.set(bulkId, null);
  }

  async #runUsers(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0 || this.#progress.failuresLeft === 0) return;
    const versions: Versions = new Map();
    const { caller } = this.#request;
    const stages = userStages(this.#context, this.#request, this.#progress, versions);
    const items = steps.map(({ item }) => item);
    const lockFree = canRunLockFree(items, this.#progress)
      ? lockFreeStages(this.#context, this.#request, this.#progress, versions)
      : undefined;
    const chunkItems = lockFree
      ? lockFreeChunkItems(items.length, this.#context.limits)
      : operationsPerBatchMax;
    const call = {
      ...{ caller, kind: kindOf(steps), effects: false, notify: false, chunkItems },
      label: { source: this.#options.source, note: null },
    };
    const { outcomes } = await this.#completed(
      () => runCall(this.#context, call, items, stages, lockFree),
      items,
    );
    for (const [index, outcome] of outcomes.entries()) {
      const { position } = steps[index] as Step; // one outcome per item
      if (!outcome.ok && outcome.failure.error === 'SCIM_OPERATION_SKIPPED') continue;
      this.#conclude(
        position,
        outcome.ok
          ? { ok: true, id: outcome.serial ?? '', version: versions.get(index) }
          : { ok: false, failure: asOne(outcome.failure) },
      );
    }
  }

  /** What other operations of the request have done must be reported, even if the database fails meanwhile. */
  async #completed(start: () => ReturnType<typeof runCall>, items: readonly Parsed<UserOperation>[]) {
    try {
      const result = await completed(start());
      if (result.ok) return result;
      return { outcomes: items.map(() => ({ ok: false as const, failure: result.failure })) };
    } catch (error) {
      if (this.outcomes.every((each) => !each?.ok)) throw error;
      return { outcomes: items.map(() => ({ ok: false as const, failure: failureOf(error) })) };
    }
  }

  #conclude(
    position: number,
    result: Result<{ readonly id: string; readonly version: number | undefined }>,
  ): void {
    const operation = this.#read.operations[position];
    if (!result.ok || !operation) {
      this.#progress.failuresLeft--;
      const problem = result.ok ? unreadable : result.failure;
      this.outcomes[position] = { ok: false, failure: problem, operation };
      return;
    }
    const { method, resourceType, bulkId } = operation;
    const version = method === 'DELETE' ? undefined : result.version;
    this.outcomes[position] = { ok: true, method, resourceType, id: result.id, version };
    if (method === 'POST' && bulkId !== undefined) this.#progress.created.set(bulkId, result.id);
  }

  async #runAlone(
    operation: LinkedOperation,
  ): Promise<Result<{ readonly id: string; readonly version: number | undefined }>> {
    const { created } = this.#progress;
    for (const bulkId of operation.bulkIds) {
      if (created.get(bulkId) === null) return { ok: false, failure: unresolved(bulkId, true) };
      if (!created.has(bulkId) && operation.resourceType === 'Group') {
        return { ok: false, failure: unresolved(bulkId, false) };
      }
    }
    const idOf = (bulkId: string) => created.get(bulkId) ?? undefined;
    const { method, bulkId, resourceType } = operation;
    const data = withIds(operation.data, idOf);
    const id = String(withIds(operation.id ?? '', idOf));
    const addressed = { id, ifMatch: versionsIn(operation.version) };
    const result = await this.#attempt(() =>
      resourceType === 'Group'
        ? this.#runGroup(operation, addressed, data)
        : this.#runUser(operation, addressed, data),
    );
    if (!result.ok && method === 'POST' && bulkId !== undefined) created.set(bulkId, null);
    return result;
  }

  async #attempt<T extends Result<object>>(work: () => Promise<T>) {
    try {
      return await work();
    } catch (error) {
      if (this.outcomes.every((each) => !each?.ok)) throw error;
      return { ok: false as const, failure: failureOf(error) };
    }
  }

  async #runUser({ method }: LinkedOperation, addressed: Addressed, data: unknown) {
    const [context, request] = [this.#context, this.#request];
    if (method === 'DELETE') {
      const deleted = await deleteScimUser(context, addressed, request);
      return deleted.ok ? { ok: true as const, id: addressed.id.toLowerCase(), version: undefined } : deleted;
    }
    const patch = method === 'PATCH' ? readPatch(data) : undefined;
    if (patch && !patch.ok) return patch;
    const written = await (method === 'POST'
      ? createScimUser(context, data, request)
      : patch
        ? patchScimUser(context, addressed, patch.operations, request)
        : replaceScimUser(context, addressed, data, request));
    if (!written.ok) return written;
    for (const name of written.ignored) this.ignored.add(name);
    return { ok: true as const, id: written.user.serial, version: written.user.version };
  }

  async #runGroup({ method }: LinkedOperation, addressed: Addressed, data: unknown) {
    const { groups } = this.#options;
    const request = this.#request;
    if (!groups) return { ok: false as const, failure: noResource('Group', addressed.id) };
    if (method === 'POST') return groups.create(data, request);
    if (method === 'PUT') return groups.replace(addressed, data, request);
    if (method === 'PATCH') {
      const patch = readPatch(data);
      return patch.ok ? groups.patch(addressed, patch.operations, request) : patch;
    }
    const removed = await groups.remove(addressed, request);
    return removed.ok ? { ok: true as const, id: addressed.id, version: undefined } : removed;
  }
}

function readPatch(data: unknown): Result<{ readonly operations: readonly unknown[] }> {
  const read = patchOperationsIn(data);
  return read.ok ? { ok: true, operations: read.value } : rejected(read);
}

/** By what the record of calls tells people about the operations. */
function kindOf(steps: readonly Step[]): CallKind {
  const creates = steps.filter(({ item }) => item.ok && item.value.method === 'POST').length;
  if (creates === 0) return 'update-bulk';
  return creates === steps.filter(({ item }) => item.ok).length ? 'create-bulk' : 'upsert-bulk';
}

/** Positions in the call mean nothing to a client, whose operations are known by their bulkIds. */
function asOne(problem: Failure): Failure {
  const taken = takenByOf(problem);
  if (taken && taken.position !== null) return nameTaken(undefined, { ...taken, position: null });
  const attribute = takenAttributeOf(problem);
  if (attribute && attribute.position !== null) {
    return attributeValueTaken(undefined, { ...attribute, position: null });
  }
  return problem.reason === undefined ? problem : { ...problem, detail: problem.reason };
}
