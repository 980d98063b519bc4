import { advanceCall, type RunningCall } from '../../storage/changes/calls.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import { insertCallChunk } from '../../storage/changes/idempotency-keys.js';
import type { Executor } from '../../storage/database.js';
import { OutcomeUnknown } from '../../storage/errors.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { bulkPhase } from '../../telemetry/tracing.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { failureOf } from '../outage.js';
import type { Parsed } from '../read-fields.js';
import { isConflict, retryOnConflict } from '../retry-on-conflict.js';
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

export interface ChunkPlan {
  readonly outcomes: readonly PlannedOutcome[];
  /** Of the users, if the items don't tell. */
  readonly employeeIDs?: readonly string[] | undefined;
  readonly nameHistory: NameHistory;
  /** Users that did not exist before. */
  readonly created?: readonly { readonly user: { readonly serial: string } }[];
}

/** What the transaction of a chunk needs to know about its call. */
export interface ChunkContext {
  readonly origin: ChangeOrigin;
  readonly caller: Caller;
  readonly notify: boolean | undefined;
  /** Nothing of the call is committed yet. */
  readonly isFirst: boolean;
  /** Records the chunk, as the last statement of its transaction. */
  record(tx: Executor, plan: ChunkPlan, changes: number): Promise<void>;
}

export interface ChunkStrategies<T> {
  /** The employee ID by which an item is reported; null if there is none. */
  employeeIdOf(item: T): string | null;
  /** Runs a chunk in one transaction, after all earlier chunks. */
  sequential(chunk: Chunk<T>, past: NameHistory, context: ChunkContext): Promise<ChunkPlan>;
  /** For calls whose chunks may be independent. */
  readonly lockFree?: LockFreeStrategy<T> | undefined;
}

/** Runs chunks concurrently without locks: each is planned, then written if its users are unchanged since the read. */
export interface LockFreeStrategy<T> {
  /** How many chunks are in progress at once: one is planned while the database runs another. */
  readonly concurrency: number;
  /** Returns undefined if the chunk changes names or adds new ones, which makes chunks depend on each other. */
  plan(chunk: Chunk<T>): Promise<LockFreePlan | undefined>;
}

export interface LockFreePlan extends ChunkPlan {
  /** Fails with a conflict if a user was changed since the read. */
  write(context: ChunkContext): Promise<void>;
}

interface CallRun {
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
  readonly onChunk?: ((chunk: FinishedChunk) => void) | undefined;
  /** Awaited between two chunks that run one after the other. */
  readonly betweenChunks?: () => Promise<void>;
}

export interface ChunksResult {
  readonly outcomes: readonly ItemOutcome[];
  /** Under which they are reported, if the items don't tell. */
  readonly employeeIDs: readonly (string | null)[];
  readonly interruption?: unknown;
}

/** Runs the remaining chunks of a call. */
export async function runChunks<T>(
  { limits, metrics }: Pick<Context, 'limits' | 'metrics'>,
  run: CallRun,
  parsed: readonly Parsed<T>[],
  strategies: ChunkStrategies<T>,
): Promise<ChunksResult> {
  const runner = new ChunkRunner(run, parsed, strategies, limits, metrics);
  await runner.run();
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
    employeeIDs: employeeIdsOf(chunk, strategies),
  }));
  return { ...inItemOrder([...done, ...undone]), interruption: error };
}

class ChunkRunner<T> {
  readonly done: FinishedChunk[];
  /** In item order. */
  readonly remaining: Chunk<T>[];
  readonly errors = new Map<Chunk<T>, unknown>();
  readonly #run: CallRun;
  readonly #strategies: ChunkStrategies<T>;
  readonly #limits: Context['limits'];
  readonly #metrics: Metrics | undefined;

  constructor(
    run: CallRun,
    parsed: readonly Parsed<T>[],
    strategies: ChunkStrategies<T>,
    limits: Context['limits'],
    metrics: Metrics | undefined,
  ) {
    this.done = [...run.done];
    this.remaining = remainingChunks(parsed, run.done, run.chunkItems);
    this.#run = run;
    this.#strategies = strategies;
    this.#limits = limits;
    this.#metrics = metrics;
  }

  async run(): Promise<void> {
    const { lockFree } = this.#strategies;
    while (this.remaining.length > 0 && this.errors.size === 0) {
      if (lockFree) await this.#runLockFree(lockFree);
      const [next] = this.remaining;
      if (next && this.errors.size === 0) {
        await this.#runChunk(next, () => this.#runSequentially(next));
        if (this.remaining.length > 0) await this.#run.betweenChunks?.();
      }
    }
  }

  /**
   * Runs chunks concurrently up to the first that changes names. A chunk is written only once all earlier chunks are
   * known not to change names, because their changes could affect its outcome.
   */
  async #runLockFree({ concurrency, plan }: LockFreeStrategy<T>): Promise<void> {
    const waiting = [...this.remaining].values();
    let isClear = Promise.resolve(true);
    let end = Number.POSITIVE_INFINITY; // the first chunk that was not written
    const worker = async () => {
      for (const chunk of waiting) {
        if (chunk.first > end) break;
        const planning = plan(chunk);
        const before = isClear;
        isClear = planning.then(
          async (plan) => plan !== undefined && (await before),
          () => false,
        );
        const mayWrite = isClear;
        await this.#runChunk(chunk, async () => {
          const plan = await planning;
          return plan && (await mayWrite) && chunk.first < end ? this.#write(chunk, plan) : undefined;
        });
        if (this.remaining.includes(chunk)) end = Math.min(end, chunk.first);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  /** A chunk that lost a race may turn out to change names, so it waits for all earlier chunks. */
  async #write(chunk: Chunk<T>, plan: LockFreePlan): Promise<ChunkPlan | undefined> {
    try {
      await bulkPhase(this.#metrics, 'chunk', () => plan.write(this.#contextOf(chunk)));
      return plan;
    } catch (error) {
      if (!isConflict(error)) throw error;
      this.#metrics?.chunkRetry('lost-race');
      return undefined;
    }
  }

  /** Items that may not do anything else than expected are skipped one after the other, until the others do. */
  async #runSequentially(chunk: Chunk<T>): Promise<ChunkPlan> {
    let current = chunk;
    for (let round = 1; ; round++) {
      try {
        return await retryOnConflict(
          this.#limits.raceAttemptsMax,
          () =>
            bulkPhase(this.#metrics, 'chunk', () =>
              this.#strategies.sequential(current, this.#run.nameHistory, this.#contextOf(current)),
            ),
          () => this.#metrics?.chunkRetry('conflict'),
        );
      } catch (error) {
        if (!(error instanceof OutcomesChanged)) throw error;
        const { employeeIdOf } = this.#strategies;
        // Items that depend on each other may turn out one by one, so after some rounds all are skipped.
        const skipped = round < skippingRoundsMax ? error.positions : positionsOf(current);
        current = withoutOutdated(current, skipped, (item) =>
          item.ok ? (employeeIdOf(item.value) ?? undefined) : item.employeeID,
        );
      }
    }
  }

  async #runChunk(chunk: Chunk<T>, work: () => Promise<ChunkPlan | undefined>): Promise<void> {
    try {
      const plan = await work();
      if (!plan) return;
      extendNameHistory(this.#run.nameHistory, plan.nameHistory);
      const { outcomes, employeeIDs } = plan;
      const finished = {
        first: chunk.first,
        outcomes: toItemOutcomes(outcomes, this.#run.effects),
        employeeIDs,
      };
      this.done.push(finished);
      this.#count(finished);
      this.#run.onChunk?.(finished);
      this.remaining.splice(this.remaining.indexOf(chunk), 1);
    } catch (error) {
      this.errors.set(chunk, error);
    }
  }

  #count({ outcomes }: FinishedChunk): void {
    if (!this.#metrics) return;
    const succeeded = outcomes.filter(({ ok }) => ok).length;
    this.#metrics.bulkItems(this.#run.call.kind, { succeeded, failed: outcomes.length - succeeded });
  }

  #contextOf(chunk: Chunk<T>): ChunkContext {
    const { first } = chunk;
    const { call, caller, notify, canResume, expected, effects, nameHistory: nameHistoryBefore } = this.#run;
    return {
      origin: call.origin,
      caller,
      notify,
      isFirst: this.done.length === 0,
      record: async (tx, { outcomes, employeeIDs, nameHistory }, changes) => {
        if (expected) checkOutcomes(expected, first, outcomes);
        const succeeded = outcomes.filter(({ ok }) => ok).length;
        const progress = { succeeded, failed: outcomes.length - succeeded, changes };
        const ids = employeeIDs ?? employeeIdsOf(chunk, this.#strategies);
        const stored = storedItems(first, outcomes, ids, nameHistoryBefore);
        if (!(await advanceCall(tx, call, progress, stored, this.#limits.callLeaseMs)))
          throw new CallTakenOver();
        if (!canResume) return;
        await insertCallChunk(tx, call.id, {
          first,
          outcomes: toItemOutcomes(outcomes, effects),
          memory: serializeNameHistory(nameHistory),
          mentions: stored.mentions,
        });
      },
    };
  }
}

function employeeIdsOf<T>(
  { items }: Chunk<T>,
  { employeeIdOf }: Pick<ChunkStrategies<T>, 'employeeIdOf'>,
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
