import { advanceCall, type RunningCall } from '../../storage/changes/calls.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { OutcomeUnknown } from '../../storage/errors.js';
import { insertCallPart } from '../../storage/changes/idempotency-keys.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { isLostRace, untilRaceIsWon } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { failureOf } from '../outage.js';
import type { Chunk, PlannedOutcome } from '../users/plans/sequential-plan.js';
import { type CallMemory, remember, writeMemory } from '../users/plans/name-holders.js';
import { CallTakenOver } from './call-refused.js';
import type { IdempotencyKey } from './idempotency.js';
import { type DonePart, type ItemOutcome, inOrder, reported } from './outcomes.js';

export interface PartPlan {
  readonly outcomes: readonly PlannedOutcome[];
  readonly memory: CallMemory;
}

/** What the transaction of a part needs to know of its call. */
export interface Part {
  readonly origin: ChangeOrigin;
  readonly caller: Caller;
  /** Nothing of the call is done yet. */
  readonly isFirst: boolean;
  /** Puts the part on record, as the last thing that the transaction does. */
  record(tx: Executor, plan: PartPlan, changes: number): Promise<void>;
}

export interface WaysToRun<T> {
  /** Does a part in one transaction, after all the parts before it. */
  inTurn(chunk: Chunk<T>, past: CallMemory, part: Part): Promise<PartPlan>;
  /** For calls whose parts may turn out not to depend on each other. */
  readonly aside?: Aside<T> | undefined;
}

/** Does a part beside others, without a lock: first it is planned, then written if everybody is still as they were. */
export interface Aside<T> {
  /** How many parts are at work at once: while the database is busy with one, another is planned. */
  readonly atOnce: number;
  /** Undefined if the part touches names, by which parts depend on each other. */
  plan(chunk: Chunk<T>): Promise<AsidePlan | undefined>;
}

export interface AsidePlan extends PartPlan {
  /** Loses the race if somebody was changed since. */
  write(part: Part): Promise<void>;
}

interface CallRun {
  readonly call: RunningCall;
  readonly caller: Caller;
  readonly key?: IdempotencyKey | undefined;
  readonly effects: boolean;
  readonly chunkItems: number;
  /** What is done already, in the order of the items. */
  readonly done: readonly DonePart[];
  /** What the items that are done did to names. */
  readonly memory: CallMemory;
  readonly onPart?: ((part: DonePart) => void) | undefined;
}

export interface PartsResult {
  readonly outcomes: readonly ItemOutcome[];
  readonly interruption?: unknown;
}

/** Does what is left of a call. */
export async function runParts<T>(
  { limits }: Context,
  run: CallRun,
  parsed: readonly Parsed<T>[],
  ways: WaysToRun<T>,
): Promise<PartsResult> {
  const walk = new Walk(run, parsed, ways, limits);
  await walk.run();
  const { done, left, errors } = walk;
  const [error] = errors.values();
  if (errors.size === 0) return { outcomes: inOrder(done) };
  const firstOf = (kind: typeof CallTakenOver | typeof OutcomeUnknown) =>
    [...errors.values()].find((each) => each instanceof kind);
  const takenOver = firstOf(CallTakenOver);
  const anythingDone = done.some(({ outcomes }) => outcomes.some(({ ok }) => ok));
  // That nothing was changed can be said only if that is known of every part.
  if (takenOver || !anythingDone) throw takenOver ?? firstOf(OutcomeUnknown) ?? error;
  const undone = left.map((chunk) => ({
    first: chunk.first,
    outcomes: interrupted(chunk, errors.get(chunk)),
  }));
  return { outcomes: inOrder([...done, ...undone]), interruption: error };
}

class Walk<T> {
  readonly done: DonePart[];
  /** In the order of the items. */
  readonly left: Chunk<T>[];
  readonly errors = new Map<Chunk<T>, unknown>();
  readonly #run: CallRun;
  readonly #ways: WaysToRun<T>;
  readonly #limits: Context['limits'];

  constructor(run: CallRun, parsed: readonly Parsed<T>[], ways: WaysToRun<T>, limits: Context['limits']) {
    this.done = [...run.done];
    this.left = chunksLeft(parsed, run.done, run.chunkItems);
    this.#run = run;
    this.#ways = ways;
    this.#limits = limits;
  }

  async run(): Promise<void> {
    const { aside } = this.#ways;
    while (this.left.length > 0 && this.errors.size === 0) {
      if (aside) await this.#runAside(aside);
      const [next] = this.left;
      if (next && this.errors.size === 0) await this.#do(next, () => this.#inTurn(next));
    }
  }

  /**
   * Does parts beside each other up to the first that touches names. A part is written only once all before it are known
   * not to, because what those do could change what it comes to.
   */
  async #runAside({ atOnce, plan }: Aside<T>): Promise<void> {
    const waiting = [...this.left].values();
    let isClear = Promise.resolve(true);
    let end = Number.POSITIVE_INFINITY; // where a part was left
    const lane = async () => {
      for (const chunk of waiting) {
        if (chunk.first > end) break;
        const planning = plan(chunk);
        const before = isClear;
        isClear = planning.then(
          async (plan) => plan !== undefined && (await before),
          () => false,
        );
        const mayWrite = isClear;
        await this.#do(chunk, async () => {
          const plan = await planning;
          return plan && (await mayWrite) && chunk.first < end ? this.#write(chunk, plan) : undefined;
        });
        if (this.left.includes(chunk)) end = Math.min(end, chunk.first);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** A part that lost a race may turn out to touch names, so it waits until all before it are done. */
  async #write(chunk: Chunk<T>, plan: AsidePlan): Promise<PartPlan | undefined> {
    try {
      await plan.write(this.#partOf(chunk));
      return plan;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return undefined;
    }
  }

  #inTurn(chunk: Chunk<T>): Promise<PartPlan> {
    return untilRaceIsWon(this.#limits.raceAttemptsMax, () =>
      this.#ways.inTurn(chunk, this.#run.memory, this.#partOf(chunk)),
    );
  }

  async #do(chunk: Chunk<T>, work: () => Promise<PartPlan | undefined>): Promise<void> {
    try {
      const plan = await work();
      if (!plan) return;
      remember(this.#run.memory, plan.memory);
      const part = { first: chunk.first, outcomes: reported(plan.outcomes, this.#run.effects) };
      this.done.push(part);
      this.#run.onPart?.(part);
      this.left.splice(this.left.indexOf(chunk), 1);
    } catch (error) {
      this.errors.set(chunk, error);
    }
  }

  #partOf({ first }: Chunk<T>): Part {
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
        await insertCallPart(tx, call.id, {
          first,
          outcomes: reported(outcomes, effects),
          memory: writeMemory(memory),
        });
      },
    };
  }
}

/** The items that have no outcome yet, cut to size. A call without items is one part without items. */
function chunksLeft<T>(
  parsed: readonly Parsed<T>[],
  done: readonly DonePart[],
  chunkItems: number,
): Chunk<T>[] {
  const chunks: Chunk<T>[] = [];
  let first = 0;
  for (const part of [...done, { first: parsed.length, outcomes: [] }]) {
    for (; first < part.first; first = Math.min(first + chunkItems, part.first)) {
      chunks.push({ first, items: parsed.slice(first, Math.min(first + chunkItems, part.first)) });
    }
    first = part.first + part.outcomes.length;
  }
  return parsed.length === 0 && done.length === 0 ? [{ first: 0, items: [] }] : chunks;
}

/** Items that never ran keep their own mistake if they have one: sending them again would not mend it. */
function interrupted<T>({ first, items }: Chunk<T>, error: unknown): ItemOutcome[] {
  return items.map((item, index) =>
    item.ok ? { ok: false, failure: failureOf(error, first + index) } : item,
  );
}
