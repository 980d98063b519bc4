import { type Database, type Executor, snapshot, transaction } from '../../storage/database.js';
import { bulkPhase } from '../../telemetry/tracing.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { CallRejected, type Preview } from './call-errors.js';
import { emptyNameHistory, type NameHistory } from './name-history.js';
import { toItemOutcomes, type WithEmployeeIds, withoutNewSerials } from './outcomes.js';
import type { Chunk } from './plan.js';
import type { ChunkContext, ChunkPlan } from './run-chunks.js';

/**
 * What one kind of bulk call does with a chunk of its items, stage by stage. The functions below run the stages in the
 * order in which they are listed here, either in a transaction or, for a preview, without writing anything.
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

export interface Writing<T, Facts, Prepared> extends ChunkContext {
  readonly chunk: Chunk<T>;
  readonly facts: Facts;
  readonly prepared: Prepared;
}

/** Runs the stages in one transaction. */
export async function runStages<T, Facts, Plan extends ChunkPlan, Prepared>(
  { database, metrics }: Pick<Context, 'database' | 'metrics'>,
  stages: Stages<T, Facts, Plan, Prepared>,
  chunk: Chunk<T>,
  past: NameHistory,
  chunkContext: ChunkContext,
): Promise<Plan> {
  const prepared = (await stages.prepare?.(chunk)) as Prepared;
  return transaction(database, async (tx) => {
    const facts = await stages.read(tx, chunk, { caller: chunkContext.caller, locks: true });
    await yieldToEventLoop();
    const planned = await bulkPhase(metrics, 'plan', async () => stages.plan(chunk, facts, past));
    const plan = (await stages.explain?.(tx, planned, chunk)) ?? planned;
    await yieldToEventLoop();
    if (chunkContext.isFirst) await stages.check?.(tx, plan);
    await stages.write(tx, plan, { ...chunkContext, chunk, facts, prepared });
    await chunkContext.record(tx, plan, stages.changes(plan));
    await stages.verify?.(tx, plan, facts);
    return plan;
  });
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
