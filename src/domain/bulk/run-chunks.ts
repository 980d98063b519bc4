import { advanceCall, type RunningCall } from '../../storage/changes/calls.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import { insertCallChunk } from '../../storage/changes/idempotency-keys.js';
import type { Executor } from '../../storage/database.js';
import { OutcomeUnknown } from '../../storage/errors.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { failureOf } from '../outage.js';
import { isLostRace, untilRaceIsWon } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { CallTakenOver } from './call-refused.js';
import type { IdempotencyKey } from './idempotency.js';
import { extendNameHistory, type NameHistory, serializeNameHistory } from './name-history.js';
import { type FinishedChunk, type ItemOutcome, inItemOrder, toItemOutcomes } from './outcomes.js';
import type { Chunk, PlannedOutcome } from './plan.js';

export interface ChunkPlan {
  readonly outcomes: readonly PlannedOutcome[];
  readonly memory: NameHistory;
}

/** What the transaction of a part needs to know of its call. */
export interface ChunkContext {
  readonly origin: ChangeOrigin;
  readonly caller: Caller;
  /** Nothing of the call is done yet. */
  readonly isFirst: boolean;
  /** Puts the part on record, as the last thing that the transaction does. */
  record(tx: Executor, plan: ChunkPlan, changes: number): Promise<void>;
}

export interface ChunkStrategies<T> {
  /** Does a part in one transaction, after all the parts before it. */
  sequential(chunk: Chunk<T>, past: NameHistory, context: ChunkContext): Promise<ChunkPlan>;
  /** For calls whose parts may turn out not to depend on each other. */
  readonly lockFree?: LockFreeStrategy<T> | undefined;
}

/** Does a part beside others, without a lock: first it is planned, then written if everybody is still as they were. */
export interface LockFreeStrategy<T> {
  /** How many parts are at work at once: while the database is busy with one, another is planned. */
  readonly concurrency: number;
  /** Undefined if the part touches names, by which parts depend on each other. */
  plan(chunk: Chunk<T>): Promise<LockFreePlan | undefined>;
}

export interface LockFreePlan extends ChunkPlan {
  /** Loses the race if somebody was changed since. */
  write(context: ChunkContext): Promise<void>;
}

interface CallRun {
  readonly call: RunningCall;
  readonly caller: Caller;
  readonly key?: IdempotencyKey | undefined;
  readonly effects: boolean;
  readonly chunkItems: number;
  /** What is done already, in the order of the items. */
  readonly done: readonly FinishedChunk[];
  /** What the items that are done did to names. */
  readonly memory: NameHistory;
  readonly onChunk?: ((chunk: FinishedChunk) => void) | undefined;
}

export interface ChunksResult {
  readonly outcomes: readonly ItemOutcome[];
  readonly interruption?: unknown;
}

/** Does what is left of a call. */
export async function runChunks<T>(
  { limits }: Context,
  run: CallRun,
  parsed: readonly Parsed<T>[],
  strategies: ChunkStrategies<T>,
): Promise<ChunksResult> {
  const walk = new ChunkRunner(run, parsed, strategies, limits);
  await walk.run();
  const { done, left, errors } = walk;
  const [error] = errors.values();
  if (errors.size === 0) return { outcomes: inItemOrder(done) };
  const firstOf = (kind: typeof CallTakenOver | typeof OutcomeUnknown) =>
    [...errors.values()].find((each) => each instanceof kind);
  const takenOver = firstOf(CallTakenOver);
  const anythingDone = done.some(({ outcomes }) => outcomes.some(({ ok }) => ok));
  // That nothing was changed can be said only if that is known of every chunk.
  if (takenOver || !anythingDone) throw takenOver ?? firstOf(OutcomeUnknown) ?? error;
  const undone = left.map((chunk) => ({
    first: chunk.first,
    outcomes: interrupted(chunk, errors.get(chunk)),
  }));
  return { outcomes: inItemOrder([...done, ...undone]), interruption: error };
}

class ChunkRunner<T> {
  readonly done: FinishedChunk[];
  /** In the order of the items. */
  readonly left: Chunk<T>[];
  readonly errors = new Map<Chunk<T>, unknown>();
  readonly #run: CallRun;
  readonly #strategies: ChunkStrategies<T>;
  readonly #limits: Context['limits'];

  constructor(
    run: CallRun,
    parsed: readonly Parsed<T>[],
    strategies: ChunkStrategies<T>,
    limits: Context['limits'],
  ) {
    this.done = [...run.done];
    this.left = chunksLeft(parsed, run.done, run.chunkItems);
    this.#run = run;
    this.#strategies = strategies;
    this.#limits = limits;
  }

  async run(): Promise<void> {
    const { lockFree } = this.#strategies;
    while (this.left.length > 0 && this.errors.size === 0) {
      if (lockFree) await this.#runLockFree(lockFree);
      const [next] = this.left;
      if (next && this.errors.size === 0) await this.#runChunk(next, () => this.#runSequentially(next));
    }
  }

  /**
   * Does parts beside each other up to the first that touches names. A part is written only once all before it are known
   * not to, because what those do could change what it comes to.
   */
  async #runLockFree({ concurrency, plan }: LockFreeStrategy<T>): Promise<void> {
    const waiting = [...this.left].values();
    let isClear = Promise.resolve(true);
    let end = Number.POSITIVE_INFINITY; // where a chunk was left
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
        if (this.left.includes(chunk)) end = Math.min(end, chunk.first);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  /** A part that lost a race may turn out to touch names, so it waits until all before it are done. */
  async #write(chunk: Chunk<T>, plan: LockFreePlan): Promise<ChunkPlan | undefined> {
    try {
      await plan.write(this.#contextOf(chunk));
      return plan;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return undefined;
    }
  }

  #runSequentially(chunk: Chunk<T>): Promise<ChunkPlan> {
    return untilRaceIsWon(this.#limits.raceAttemptsMax, () =>
      this.#strategies.sequential(chunk, this.#run.memory, this.#contextOf(chunk)),
    );
  }

  async #runChunk(chunk: Chunk<T>, work: () => Promise<ChunkPlan | undefined>): Promise<void> {
    try {
      const plan = await work();
      if (!plan) return;
      extendNameHistory(this.#run.memory, plan.memory);
      const finished = { first: chunk.first, outcomes: toItemOutcomes(plan.outcomes, this.#run.effects) };
      this.done.push(finished);
      this.#run.onChunk?.(finished);
      this.left.splice(this.left.indexOf(chunk), 1);
    } catch (error) {
      this.errors.set(chunk, error);
    }
  }

  #contextOf({ first }: Chunk<T>): ChunkContext {
    const { call, caller, key, effects } = this.#run;
    return {
      origin: call.origin,
      caller,
      isFirst: this.done.length === 0,
      record: async (tx, { outcomes, memory }, changes) => {
        const succeeded = outcomes.filter(({ ok }) => ok).length;
        const progress = { succeeded, failed: outcomes.length - succeeded, changes };
        if (!(await advanceCall(tx, call, progress, this.#limits.callLeaseMs))) throw new CallTakenOver();
        if (!key) return;
        await insertCallChunk(tx, call.id, {
          first,
          outcomes: toItemOutcomes(outcomes, effects),
          memory: serializeNameHistory(memory),
        });
      },
    };
  }
}

/** The items that have no outcome yet, cut to size. A call without items is one part without items. */
function chunksLeft<T>(
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

/** Items that never ran keep their own mistake if they have one: sending them again would not mend it. */
function interrupted<T>({ first, items }: Chunk<T>, error: unknown): ItemOutcome[] {
  return items.map((item, index) =>
    item.ok ? { ok: false, failure: failureOf(error, first + index) } : item,
  );
}
