import { failure } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../bulk/plan.js';
import type { Stages } from '../bulk/stages.js';
import type { NoticeContext } from '../notices/notices.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { deactivates } from '../users/plans/protected-users.js';
import type { UpdatePlan } from '../users/plans/sequential-plan.js';
import { updatesOf } from '../users/plans/updates.js';
import { type UpdateUserContext, updateUser } from '../users/update-user.js';
import { type BulkChangeContext, type ChangeFacts, changeStages } from '../users/update-users-bulk.js';
import type { BulkChange } from '../users/user-rules.js';
import { Batch, type BatchRequest, type Compiled, type CreatedIds } from './batch-items.js';
import { deactivationFacts, recordDeactivations } from './deactivation-limit.js';
import type { ProviderRequest } from './resource-facts.js';
import { isDeleted } from './user-fields.js';
import { namesIn, type UserOperation } from './user-operations.js';

/** So many operations are read and planned at once. */
export const operationsPerBatchMax = 1_000;

/** The progress of a bulk request. */
export interface BulkProgress {
  readonly created: CreatedIds;
  /** How many more operations may fail before the rest is skipped. */
  failuresLeft: number;
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
  context: BulkChangeContext & UpdateUserContext & NoticeContext,
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
    const isLimited = progress.failuresLeft !== Number.POSITIVE_INFINITY;
    return isLimited ? (failuresLeft.get(position) ?? 0) : Number.POSITIVE_INFINITY;
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
    noteVersions(versions, outcomes, first);
    let left = leftAt(first);
    for (const [index, outcome] of outcomes.entries()) {
      const operation = operations[index];
      if (!outcome.ok) left--;
      const { method, bulkId } = operation?.ok ? operation.value : {};
      if (method === 'POST' && bulkId !== undefined) {
        progress.created.set(bulkId, outcome.ok ? outcome.serial : null);
      }
    }
    failuresLeft.set(first + outcomes.length, left);
  }
}

export function noteVersions(versions: Versions, outcomes: readonly PlannedOutcome[], first: number): void {
  for (const [index, outcome] of outcomes.entries()) {
    if (!outcome.ok) continue;
    const { before, after, lostRole } = outcome;
    const isChanged = before === null || before !== after || lostRole !== undefined;
    versions.set(first + index, before === null ? 1 : before.version + (isChanged ? 1 : 0));
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

/** Under which the operations are recorded. */
export function employeeIdsOf({ chunk, operations }: Compiled): (string | null)[] {
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
  context: UpdateUserContext,
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
