import { v7 } from 'uuid';
import type { CallKind } from '../../contract/calls.js';
import type { Failure } from '../../contract/errors.js';
import {
  advanceCall,
  deleteCall,
  getCall,
  interruptCall,
  type RunningCall,
  renewCall,
} from '../../storage/calls.js';
import type { ChangeOrigin } from '../../storage/changes.js';
import type { Executor } from '../../storage/database.js';
import { deleteKeyOf, insertCallPart } from '../../storage/idempotency-keys.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { Context } from '../context.js';
import { untilRaceIsWon } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { failureOf } from '../trouble.js';
import type { Chunk, PlannedOutcome } from '../users/bulk-plan.js';
import { type CallMemory, emptyMemory, remember, writeMemory } from '../users/call-names.js';
import { CallRefused, CallTakenOver } from './call-refused.js';
import { type BegunCall, beginWithKey, type IdempotencyKey, keyInUse, undone } from './idempotency.js';
import { type ItemOutcome, reported } from './outcomes.js';

/** What every bulk call is asked with. */
export interface CallRequest {
  readonly caller: Caller;
  /** Whether the outcomes tell what changed. */
  readonly effects: boolean;
  readonly key?: IdempotencyKey | undefined;
}

export type CallResult =
  | {
      readonly ok: true;
      readonly callId: string;
      /** One outcome per item, by position. */
      readonly outcomes: readonly ItemOutcome[];
      /** The call was answered before. */
      readonly isReplay: boolean;
      /** What stopped the call after a part of it was committed already; for the log. */
      readonly interruption?: unknown;
    }
  | { readonly ok: false; readonly failure: Failure };

interface CallOptions extends CallRequest {
  readonly kind: CallKind;
  readonly undoes?: string;
  /** How many items one transaction covers. */
  readonly chunkItems: number;
}

export interface PartPlan {
  readonly outcomes: readonly PlannedOutcome[];
  readonly memory: CallMemory;
}

/** What the transaction of a part needs to know of its call. */
export interface Part {
  readonly origin: ChangeOrigin;
  /** Puts the part on record, within the transaction that does it. */
  record(tx: Executor, plan: PartPlan, changes: number): Promise<void>;
}

/** Does one part of a call in one transaction. */
export type RunPart<T> = (chunk: Chunk<T>, past: CallMemory, part: Part) => Promise<PartPlan>;

/**
 * Runs a bulk call as consecutive transactions of a bounded size. Each sees what the ones before it committed, so the
 * meaning is that of one long walk over the items. When the database fails before anything was committed the error is
 * thrown; after that, what is committed is reported as such and the rest as failed.
 */
export async function runCall<T>(
  context: Context,
  options: CallOptions,
  parsed: readonly Parsed<T>[],
  runPart: RunPart<T>,
): Promise<CallResult> {
  const begun = await begin(context, options, parsed.length);
  if (!begun.ok) return begun;
  if (begun.isDone) return { ok: true, callId: begun.call.id, outcomes: begun.outcomes, isReplay: true };
  const { pool } = context.database;
  const renewing = keepClaimed(context, begun.call);
  try {
    const result = await runParts(context, options, begun, parsed, runPart);
    if (result.interruption !== undefined) await quietly(interruptCall(pool, begun.call));
    return { ok: true, callId: begun.call.id, isReplay: false, ...result };
  } catch (error) {
    if (error instanceof CallTakenOver) return { ok: false, failure: await takenOver(context, begun.call) };
    if (!(error instanceof CallRefused)) {
      await quietly(interruptCall(pool, begun.call));
      throw error;
    }
    if (options.key) {
      await deleteKeyOf(pool, begun.call.id);
      await deleteCall(pool, begun.call);
    }
    return { ok: false, failure: error.failure };
  } finally {
    clearInterval(renewing);
  }
}

async function begin(
  context: Context,
  { kind, caller, key, undoes }: CallOptions,
  items: number,
): Promise<BegunCall | { readonly ok: false; readonly failure: Failure }> {
  const id = v7();
  const call = { id, claim: 1, kind, items, undoes: undoes ?? null, origin: changeOrigin(caller, id) };
  if (key) return beginWithKey(context, key, caller, call);
  return { ok: true, call, outcomes: [], memory: emptyMemory(), isDone: false };
}

async function runParts<T>(
  { limits }: Context,
  options: CallOptions,
  { call, outcomes: earlier, memory: past }: BegunCall,
  parsed: readonly Parsed<T>[],
  runPart: RunPart<T>,
): Promise<{ outcomes: readonly ItemOutcome[]; interruption?: unknown }> {
  let outcomes = [...earlier];
  do {
    const first = outcomes.length;
    const chunk = { first, items: parsed.slice(first, first + options.chunkItems) };
    const isLast = first + chunk.items.length === parsed.length;
    const part = partOf(call, options, { first, isLast }, limits.callLeaseMs);
    try {
      const plan = await untilRaceIsWon(limits.raceAttemptsMax, () => runPart(chunk, past, part));
      remember(past, plan.memory);
      outcomes = outcomes.concat(reported(plan.outcomes, options.effects));
    } catch (error) {
      if (error instanceof CallTakenOver || !outcomes.some((outcome) => outcome.ok)) throw error;
      const next = first + chunk.items.length;
      const unreached = { first: next, items: parsed.slice(next) };
      return {
        outcomes: outcomes.concat(interrupted(chunk, error), interrupted(unreached)),
        interruption: error,
      };
    }
  } while (outcomes.length < parsed.length);
  return { outcomes };
}

function partOf(
  call: RunningCall,
  { key, effects }: CallOptions,
  { first, isLast }: { readonly first: number; readonly isLast: boolean },
  leaseMs: number,
): Part {
  return {
    origin: call.origin,
    record: async (tx, { outcomes, memory }, changes) => {
      const succeeded = outcomes.filter(({ ok }) => ok).length;
      const progress = { succeeded, failed: outcomes.length - succeeded, changes, isLast };
      if (!(await advanceCall(tx, call, progress, leaseMs))) throw new CallTakenOver();
      if (!key) return;
      await insertCallPart(tx, call.id, {
        first,
        outcomes: reported(outcomes, effects),
        memory: writeMemory(memory),
      });
    },
  };
}

/** Items that never ran keep their own mistake if they have one: sending them again would not mend it. */
function interrupted<T>({ first, items }: Chunk<T>, error?: unknown): ItemOutcome[] {
  return items.map((item, index) =>
    item.ok ? { ok: false, failure: failureOf(error, first + index) } : item,
  );
}

/** Either another node goes on with it, or it is being undone. */
async function takenOver({ database }: Context, { id }: RunningCall): Promise<Failure> {
  const call = await getCall(database.pool, id);
  return call?.state === 'running' ? keyInUse() : undone();
}

/** As long as this node is at the call, nobody else takes it for left. */
function keepClaimed({ database, limits }: Context, call: RunningCall): NodeJS.Timeout {
  const renew = () => quietly(renewCall(database.pool, call, limits.callLeaseMs));
  return setInterval(renew, limits.callLeaseMs / 3).unref();
}

/** Without it the claim ends by itself. */
async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => {});
}
