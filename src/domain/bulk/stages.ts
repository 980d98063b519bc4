import type { ChangeOrigin } from '../../storage/changes/changes.js';
import type { ConnectionShare } from '../../storage/connection-share.js';
import { type Database, type Executor, snapshot } from '../../storage/database.js';
import type { Caller } from '../caller.js';
import type { Parsed } from '../read-fields.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { CallRejected, type Preview } from './call-errors.js';
import { emptyNameHistory, type NameHistory } from './name-history.js';
import { toItemOutcomes, type WithEmployeeIds, withoutNewSerials } from './outcomes.js';
import type { Chunk, PlannedOutcome } from './plan.js';

export interface ChunkPlan {
  /** Fewer than the chunk has items if the others depend on what these do: they become a chunk of their own. */
  readonly outcomes: readonly PlannedOutcome[];
  /** Of the users, if the items don't tell. */
  readonly employeeIDs?: readonly (string | null)[] | undefined;
  readonly nameHistory: NameHistory;
  /** Users that did not exist before. */
  readonly created?: readonly { readonly user: { readonly serial: string } }[];
}

/**
 * What one kind of bulk call does with a chunk of its items, stage by stage, in the order in which they are listed here.
 * A call runs them in a transaction (`run-chunks.ts`), and a preview without writing anything.
 */
export interface Stages<T, Facts, Plan extends ChunkPlan, Prepared = unknown> {
  /** The employee ID by which an item is reported; null if there is none. */
  employeeIdOf(item: T): string | null;
  /** Before the transaction: what takes long. */
  prepare?(chunk: Chunk<T>): Promise<Prepared>;
  /** Reads what the plan depends on. With locks, that stays as it is until the end of the transaction. */
  read(tx: Executor, chunk: Chunk<T>, reading: Reading): Promise<Facts>;
  /** Decides what happens to each item, without the database. */
  plan(chunk: Chunk<T>, facts: Facts, past: NameHistory): Plan | Promise<Plan>;
  /** Adds to the failures what only another query can tell. */
  explain?(tx: Executor, plan: Plan, chunk: Chunk<T>): Promise<Plan>;
  /** Rejects the call as a whole. Only asked about the first chunk: a resumed call has already passed. */
  check?(tx: Executor, plan: Plan): Promise<void>;
  write(tx: Executor, plan: Plan, writing: Writing<T, Facts, Prepared>): Promise<void>;
  /** How many users the plan changes. */
  changes(plan: Plan): number;
  /** After the chunk is recorded: fails if something that nothing protects is not as it was read anymore. */
  verify?(tx: Executor, plan: Plan, facts: Facts): Promise<void>;
}

export interface Reading {
  readonly caller: Caller;
  readonly locks: boolean;
}

/** Who writes, and why. */
export interface CallAuthor {
  readonly origin: ChangeOrigin;
  readonly caller: Caller;
  readonly notify: boolean | undefined;
}

export interface Writing<T, Facts, Prepared> extends CallAuthor {
  /** Nothing of the call is committed yet. */
  readonly isFirst: boolean;
  readonly chunk: Chunk<T>;
  readonly facts: Facts;
  readonly prepared: Prepared;
}

/** How chunks that don't depend on each other run concurrently, and without locks. */
export interface LockFreeStages<T, Plan extends ChunkPlan, Statements> {
  /** How many chunks are in progress at once: one is planned while the database runs another. */
  readonly concurrency: number;
  readonly connections: ConnectionShare;
  /** Undefined if the chunk changes names or adds new ones, which makes chunks depend on each other. */
  plan(chunk: Chunk<T>, author: CallAuthor): Promise<Plan | undefined>;
  /** What writes the plan. Built while the transaction is being opened. */
  statements(plan: Plan, author: CallAuthor): Promise<Statements>;
  /**
   * Sends all statements before it waits for the first result, so that what is sent next comes after them. Fails with a
   * conflict if a user was changed since the read.
   */
  send(tx: Executor, statements: Statements): Promise<void>;
  /** How many users the plan changes. */
  changes(plan: Plan): number;
}

/** Plans all items over one snapshot, without writing or locking anything. */
export function previewStages<T, Facts, Plan extends ChunkPlan>(
  database: Database,
  stages: Stages<T, Facts, Plan>,
  items: readonly Parsed<T>[],
  caller: Caller,
): Promise<WithEmployeeIds<Preview>> {
  return snapshot(database, (tx) => previewWithin(tx, stages, items, caller));
}

/** The same within a snapshot. */
export async function previewWithin<T, Facts, Plan extends ChunkPlan>(
  tx: Executor,
  stages: Stages<T, Facts, Plan>,
  items: readonly Parsed<T>[],
  caller: Caller,
): Promise<WithEmployeeIds<Preview>> {
  const chunk = { first: 0, items };
  const facts = await stages.read(tx, chunk, { caller, locks: false });
  await yieldToEventLoop();
  const planned = await stages.plan(chunk, facts, emptyNameHistory());
  const plan = (await stages.explain?.(tx, planned, chunk)) ?? planned;
  try {
    await stages.check?.(tx, plan);
  } catch (error) {
    if (error instanceof CallRejected) return { ok: false, failure: error.failure };
    throw error;
  }
  const outcomes = withoutNewSerials(toItemOutcomes(plan.outcomes, true), plan.created ?? []);
  return { ok: true, outcomes, employeeIDs: plan.employeeIDs ?? [] };
}
