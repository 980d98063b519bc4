import { PassThrough } from 'node:stream';
import { advanceCall, type RunningCall } from '../../storage/changes/calls.js';
import { insertCallChunk } from '../../storage/changes/idempotency-keys.js';
import { letOthersGoFirst } from '../../storage/connection-share.js';
import { type Executor, transaction } from '../../storage/database.js';
import { OutcomeUnknown } from '../../storage/errors.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { bulkPhase } from '../../telemetry/tracing.js';
import { allDone } from '../all-done.js';
import type { Caller } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import { failureOf } from '../outage.js';
import type { Parsed } from '../read-fields.js';
import { isConflict, retryOnConflict } from '../retry-on-conflict.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { CallRejected, CallTakenOver } from './call-errors.js';
import {
  callOutdated,
  changedOutcomes,
  type ExpectedOutcomes,
  itemOutdated,
  OutcomesChanged,
} from './expected-outcomes.js';
import { extendNameHistory, type NameHistory, serializeNameHistory } from './name-history.js';
import {
  type FinishedChunk,
  type ItemOutcome,
  inItemOrder,
  storedItems,
  toItemOutcomes,
} from './outcomes.js';
import type { Chunk, PlannedOutcome } from './plan.js';
import type { CallAuthor, ChunkPlan, LockFreeStages, Stages } from './stages.js';
import { statusCountsOf } from './status-counts.js';

interface ChunkNeeds extends LimitedDatabase {
  readonly metrics?: Metrics | undefined;
}

/** A call, and what is already done of it. */
interface CallState {
  readonly call: RunningCall;
  readonly caller: Caller;
  readonly notify?: boolean | undefined;
  /** Whether its chunks are kept so that another node can go on with the call. */
  readonly canResume: boolean;
  readonly expected?: ExpectedOutcomes | undefined;
  readonly effects: boolean;
  readonly chunkItems: number;
  /** Finished chunks, in item order. */
  readonly done: readonly FinishedChunk[];
  /** What the finished items did to names. */
  readonly nameHistory: NameHistory;
}

export interface ChunksResult {
  readonly outcomes: readonly ItemOutcome[];
  /** Under which they are reported, if the items don't tell. */
  readonly employeeIDs: readonly (string | null)[];
  readonly interruption?: unknown;
}

/** Runs the remaining chunks of a call. Yields those that are committed. */
export async function* runChunks<
  T,
  Facts,
  Plan extends ChunkPlan,
  Prepared,
  FreePlan extends ChunkPlan,
  Statements,
>(
  context: ChunkNeeds,
  state: CallState,
  parsed: readonly Parsed<T>[],
  stages: Stages<T, Facts, Plan, Prepared>,
  lockFree?: LockFreeStages<T, FreePlan, Statements>,
): AsyncGenerator<FinishedChunk, ChunksResult, void> {
  const runner = new ChunkRunner(context, state, parsed, stages, lockFree);
  yield* runner.run();
  const { done, remaining, errors } = runner;
  const [error] = errors.values();
  if (errors.size === 0) return inItemOrder(done);
  const firstOf = (kind: typeof CallTakenOver | typeof OutcomeUnknown) =>
    [...errors.values()].find((each) => each instanceof kind);
  const takenOver = firstOf(CallTakenOver);
  const anythingDone = done.some(({ outcomes }) => outcomes.some(({ ok }) => ok));
  // "Nothing was changed" may only be reported if it is certain for every chunk.
  if (takenOver || !anythingDone) throw takenOver ?? firstOf(OutcomeUnknown) ?? error;
  const undone = remaining.map((chunk) => ({
    first: chunk.first,
    outcomes: interrupted(chunk, errors.get(chunk)),
    employeeIDs: employeeIdsOf(chunk, stages),
  }));
  return { ...inItemOrder([...done, ...undone]), interruption: error };
}

class ChunkRunner<T, Facts, Plan extends ChunkPlan, Prepared, FreePlan extends ChunkPlan, Statements> {
  readonly done: FinishedChunk[];
  /** In item order. */
  readonly remaining: Chunk<T>[];
  readonly errors = new Map<Chunk<T>, unknown>();
  readonly #context: ChunkNeeds;
  readonly #state: CallState;
  readonly #stages: Stages<T, Facts, Plan, Prepared>;
  readonly #lockFree: LockFreeStages<T, FreePlan, Statements> | undefined;
  /** Committed chunks, for the caller. */
  readonly #committed = new PassThrough({ objectMode: true });

  constructor(
    context: ChunkNeeds,
    state: CallState,
    parsed: readonly Parsed<T>[],
    stages: Stages<T, Facts, Plan, Prepared>,
    lockFree: LockFreeStages<T, FreePlan, Statements> | undefined,
  ) {
    this.done = [...state.done];
    this.remaining = remainingChunks(parsed, state.done, state.chunkItems);
    this.#context = context;
    this.#state = state;
    this.#stages = stages;
    this.#lockFree = lockFree;
  }

  async *run(): AsyncGenerator<FinishedChunk, void, void> {
    const running = this.#runAll().finally(() => this.#committed.end());
    yield* this.#committed as AsyncIterable<FinishedChunk>;
    await running;
  }

  async #runAll(): Promise<void> {
    while (this.remaining.length > 0 && this.errors.size === 0) {
      if (this.#lockFree) await this.#runLockFree(this.#lockFree);
      const [next] = this.remaining;
      if (next && this.errors.size === 0) {
        await this.#runChunk(next, () => this.#runSequentially(next));
        if (this.remaining.length > 0) await letOthersGoFirst(this.#context.database.pool);
      }
    }
  }

  /**
   * Runs chunks concurrently up to the first that changes names. A chunk is written only once all earlier chunks are
   * known not to change names, because their changes could affect its outcome.
   */
  async #runLockFree(lockFree: LockFreeStages<T, FreePlan, Statements>): Promise<void> {
    const waiting = [...this.remaining].values();
    let isClear = Promise.resolve(true);
    let end = Number.POSITIVE_INFINITY; // the first chunk that was not written
    const worker = async () => {
      for (const chunk of waiting) {
        if (chunk.first > end) break;
        const planning = lockFree.plan(chunk, this.#author);
        const before = isClear;
        isClear = planning.then(
          async (plan) => plan !== undefined && (await before),
          () => false,
        );
        const mayWrite = isClear;
        await this.#runChunk(chunk, async () => {
          const plan = await planning;
          return plan && (await mayWrite) && chunk.first < end
            ? this.#writeLockFree(lockFree, chunk, plan)
            : undefined;
        });
        if (this.remaining.includes(chunk)) end = Math.min(end, chunk.first);
      }
    };
    await Promise.all(Array.from({ length: lockFree.concurrency }, worker));
  }

  /** A chunk that lost a race may turn out to change names, so it waits for all earlier chunks. */
  async #writeLockFree(
    lockFree: LockFreeStages<T, FreePlan, Statements>,
    chunk: Chunk<T>,
    plan: FreePlan,
  ): Promise<FreePlan | undefined> {
    const { database, metrics } = this.#context;
    const write = async (tx: Executor) => {
      const statements = await lockFree.statements(plan, this.#author);
      await allDone([lockFree.send(tx, statements), this.#record(tx, chunk, plan, lockFree.changes(plan))]);
    };
    try {
      await bulkPhase(metrics, 'chunk', () =>
        lockFree.connections.run('write', () => transaction(database, write)),
      );
      return plan;
    } catch (error) {
      if (!isConflict(error)) throw error;
      metrics?.chunkRetry('lost-race');
      return undefined;
    }
  }

  /** Items that may not do anything else than expected are skipped one after the other, until the others do. */
  async #runSequentially(chunk: Chunk<T>): Promise<Plan> {
    const { limits, metrics } = this.#context;
    let current = chunk;
    for (let round = 1; ; round++) {
      try {
        return await retryOnConflict(
          limits.raceAttemptsMax,
          () => bulkPhase(metrics, 'chunk', () => this.#runStages(current)),
          () => metrics?.chunkRetry('conflict'),
        );
      } catch (error) {
        if (!(error instanceof OutcomesChanged)) throw error;
        const { employeeIdOf } = this.#stages;
        // Items that depend on each other may turn out one by one, so after some rounds all are skipped.
        const skipped = round < skippingRoundsMax ? error.positions : positionsOf(current);
        current = withoutOutdated(current, skipped, (item) =>
          item.ok ? (employeeIdOf(item.value) ?? undefined) : item.employeeID,
        );
      }
    }
  }

  /** Runs the stages in one transaction. */
  async #runStages(chunk: Chunk<T>): Promise<Plan> {
    const { database, metrics } = this.#context;
    const stages = this.#stages;
    const author = this.#author;
    const isFirst = this.done.length === 0;
    const prepared = (await stages.prepare?.(chunk)) as Prepared;
    return transaction(database, async (tx) => {
      const facts = await stages.read(tx, chunk, { caller: author.caller, locks: true });
      await yieldToEventLoop();
      const planned = await bulkPhase(metrics, 'plan', async () =>
        stages.plan(chunk, facts, this.#state.nameHistory),
      );
      const plan = (await stages.explain?.(tx, planned, chunk)) ?? planned;
      await yieldToEventLoop();
      if (isFirst) await stages.check?.(tx, plan);
      await stages.write(tx, plan, { ...author, isFirst, chunk, facts, prepared });
      await this.#record(tx, chunk, plan, stages.changes(plan));
      await stages.verify?.(tx, plan, facts);
      return plan;
    });
  }

  /** Records the chunk, as the last statement that writes. */
  async #record(tx: Executor, chunk: Chunk<T>, plan: ChunkPlan, changes: number): Promise<void> {
    const { call, canResume, expected, effects, nameHistory: nameHistoryBefore } = this.#state;
    const { first } = chunk;
    const { outcomes, employeeIDs, nameHistory } = plan;
    if (expected) checkOutcomes(expected, first, outcomes);
    const succeeded = outcomes.filter(({ ok }) => ok).length;
    const statuses = statusCountsOf(outcomes);
    const progress = { succeeded, failed: outcomes.length - succeeded, changes, statuses };
    const ids = employeeIDs ?? employeeIdsOf(chunk, this.#stages);
    const stored = storedItems(first, outcomes, ids, nameHistoryBefore);
    const advanced = await advanceCall(tx, call, progress, stored, this.#context.limits.callLeaseMs);
    if (!advanced) throw new CallTakenOver();
    if (!canResume) return;
    await insertCallChunk(tx, call.id, {
      first,
      outcomes: toItemOutcomes(outcomes, effects),
      memory: serializeNameHistory(nameHistory),
      mentions: stored.mentions,
    });
  }

  async #runChunk(chunk: Chunk<T>, work: () => Promise<ChunkPlan | undefined>): Promise<void> {
    try {
      const plan = await work();
      if (!plan) return;
      extendNameHistory(this.#state.nameHistory, plan.nameHistory);
      const { outcomes, employeeIDs } = plan;
      if (outcomes.length === 0 && chunk.items.length > 0) throw new Error('a plan covers at least one item');
      const finished = {
        first: chunk.first,
        outcomes: toItemOutcomes(outcomes, this.#state.effects),
        employeeIDs,
      };
      this.done.push(finished);
      this.#count(finished);
      this.#committed.write(finished);
      this.remaining.splice(this.remaining.indexOf(chunk), 1, ...restOf(chunk, outcomes.length));
    } catch (error) {
      this.errors.set(chunk, error);
    }
  }

  #count({ outcomes }: FinishedChunk): void {
    const { metrics } = this.#context;
    if (!metrics) return;
    const succeeded = outcomes.filter(({ ok }) => ok).length;
    metrics.bulkItems(this.#state.call.kind, { succeeded, failed: outcomes.length - succeeded });
  }

  get #author(): CallAuthor {
    const { call, caller, notify } = this.#state;
    return { origin: call.origin, caller, notify };
  }
}

function employeeIdsOf<T>(
  { items }: Chunk<T>,
  { employeeIdOf }: { employeeIdOf(item: T): string | null },
): (string | null)[] {
  return items.map((item) => (item.ok ? employeeIdOf(item.value) : (item.employeeID ?? null)));
}

function checkOutcomes(expected: ExpectedOutcomes, first: number, outcomes: readonly PlannedOutcome[]): void {
  const changed = changedOutcomes(expected, first, toItemOutcomes(outcomes, true));
  if (changed.length === 0) return;
  throw expected.stops ? new CallRejected(callOutdated(changed)) : new OutcomesChanged(changed);
}

const skippingRoundsMax = 10;

function positionsOf<T>({ first, items }: Chunk<T>): number[] {
  return items.flatMap((item, index) => (item.ok ? [first + index] : []));
}

function withoutOutdated<T>(
  { first, items }: Chunk<T>,
  outdated: readonly number[],
  employeeIdOf: (item: Parsed<T>) => string | undefined,
): Chunk<T> {
  const skipped = new Set(outdated);
  return {
    first,
    items: items.map((item, index) =>
      skipped.has(first + index)
        ? { ok: false, failure: itemOutdated(first + index), employeeID: employeeIdOf(item) }
        : item,
    ),
  };
}

/** What a plan has left for another chunk. */
function restOf<T>({ first, items }: Chunk<T>, planned: number): Chunk<T>[] {
  return planned < items.length ? [{ first: first + planned, items: items.slice(planned) }] : [];
}

/** The items without an outcome, split into chunks. A call without items is one empty chunk. */
function remainingChunks<T>(
  parsed: readonly Parsed<T>[],
  done: readonly FinishedChunk[],
  chunkItems: number,
): Chunk<T>[] {
  const chunks: Chunk<T>[] = [];
  let first = 0;
  for (const finished of [...done, { first: parsed.length, outcomes: [] }]) {
    for (; first < finished.first; first = Math.min(first + chunkItems, finished.first)) {
      chunks.push({ first, items: parsed.slice(first, Math.min(first + chunkItems, finished.first)) });
    }
    first = finished.first + finished.outcomes.length;
  }
  return parsed.length === 0 && done.length === 0 ? [{ first: 0, items: [] }] : chunks;
}

/** Items that never ran keep their own validation error, if any: sending them again would not fix it. */
function interrupted<T>({ first, items }: Chunk<T>, error: unknown): ItemOutcome[] {
  return items.map((item, index) =>
    item.ok ? { ok: false, failure: failureOf(error, first + index) } : item,
  );
}
