import { v7 } from 'uuid';
import type { CallLabel } from '../../contract/calls.js';
import type { CallKind } from '../../contract/enums.js';
import type { Failure } from '../../contract/errors.js';
import {
  deleteCall,
  getCall,
  interruptCall,
  type RunningCall,
  renewCall,
  type SerialReplacement,
} from '../../storage/changes/calls.js';
import { deleteKeyOf } from '../../storage/changes/idempotency-keys.js';
import type { Database } from '../../storage/database.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import type { Parsed } from '../read-fields.js';
import { CallRejected, CallTakenOver } from './call-errors.js';
import type { ExpectedOutcomes } from './expected-outcomes.js';
import { callUndone, type IdempotencyKey, keyInUse, type StartedCall, startWithKey } from './idempotency.js';
import { emptyNameHistory } from './name-history.js';
import { type FinishedChunk, type ItemOutcome, inItemOrder } from './outcomes.js';
import { runChunks } from './run-chunks.js';
import type { ChunkPlan, LockFreeStages, Stages } from './stages.js';

/** What every bulk call needs. */
export interface BulkContext extends LimitedDatabase {
  readonly metrics?: Metrics | undefined;
  /** Counts the bulk calls that this node runs right now. */
  readonly bulkCalls: { running: number };
}

/** What all bulk calls have in common. */
export interface CallRequest {
  readonly caller: Caller;
  /** Whether outcomes include what changed. */
  readonly effects: boolean;
  readonly key?: IdempotencyKey | undefined;
  readonly label?: CallLabel | undefined;
  /** Whether users are notified of changes to their accounts; undefined leaves that to the settings. */
  readonly notify?: boolean | undefined;
  /** A planned call that this node has claimed. */
  readonly claimed?: ClaimedCall | undefined;
}

export interface ClaimedCall extends StartedCall {
  /** What its preview promised; undefined if it runs whatever has changed since. */
  readonly expected: ExpectedOutcomes | undefined;
}

export type CallResult =
  | {
      readonly ok: true;
      readonly callId: string;
      /** One outcome per item, by position. */
      readonly outcomes: readonly ItemOutcome[];
      /** Under which they are reported, if the items don't tell. */
      readonly employeeIDs: readonly (string | null)[];
      /** The answer is that of an earlier request with the same key. */
      readonly isReplay: boolean;
      /** The error that stopped the call after some chunks were committed; for the log. */
      readonly interruption?: unknown;
    }
  | { readonly ok: false; readonly failure: Failure };

/** A running call: yields the chunks that are committed, and returns the result. */
export type CallRun = AsyncGenerator<FinishedChunk, CallResult, void>;

/** Runs a call to its end. */
export async function completed(run: CallRun): Promise<CallResult> {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
  }
}

interface CallOptions extends CallRequest {
  readonly kind: CallKind;
  readonly undoes?: string;
  readonly replaces?: SerialReplacement | undefined;
  /** How many items one transaction covers. */
  readonly chunkItems: number;
}

/**
 * Runs a bulk call as transactions of limited size. The result is the same as processing all items in order: each chunk
 * sees what earlier chunks committed. If the database fails before anything is committed, the error is thrown. After
 * that, committed items are reported as such and the rest as failed.
 */
export async function* runCall<
  T,
  Facts,
  Plan extends ChunkPlan,
  Prepared,
  FreePlan extends ChunkPlan,
  Statements,
>(
  context: BulkContext,
  options: CallOptions,
  parsed: readonly Parsed<T>[],
  stages: Stages<T, Facts, Plan, Prepared>,
  lockFree?: LockFreeStages<T, FreePlan, Statements>,
): CallRun {
  const { claimed } = options;
  const started = claimed ?? (await start(context, options, parsed.length));
  if (!started.ok) return started;
  const chunkItems = claimed?.expected?.stops ? Math.max(parsed.length, 1) : options.chunkItems;
  if (started.isDone)
    return { ok: true, callId: started.call.id, ...inItemOrder(started.done), isReplay: true };
  const { pool } = context.database;
  const renewing = renewLease(context, started.call);
  context.bulkCalls.running++;
  try {
    const canResume = options.key !== undefined || claimed !== undefined;
    const state = { ...options, ...started, chunkItems, expected: claimed?.expected, canResume };
    const result = yield* runChunks(context, state, parsed, stages, lockFree);
    if (result.interruption !== undefined) await ignoreErrors(interruptCall(pool, started.call));
    return { ok: true, callId: started.call.id, isReplay: false, ...result };
  } catch (error) {
    if (error instanceof CallTakenOver && !claimed)
      return { ok: false, failure: await takenOver(context.database, started.call) };
    if (!(error instanceof CallRejected)) {
      // If another node runs it now, this changes nothing.
      await ignoreErrors(interruptCall(pool, started.call));
      throw error;
    }
    if (options.key) {
      await deleteKeyOf(pool, started.call.id);
      await deleteCall(pool, started.call);
    }
    return { ok: false, failure: error.failure };
  } finally {
    context.bulkCalls.running--;
    clearInterval(renewing);
  }
}

async function start(
  context: BulkContext,
  { kind, caller, key, undoes, label, replaces }: CallOptions,
  items: number,
): Promise<StartedCall | { readonly ok: false; readonly failure: Failure }> {
  const id = v7();
  const origin = changeOrigin(caller, id);
  const call = { id, claim: 1, kind, items, undoes: undoes ?? null, origin, label, replaces };
  if (key) return startWithKey(context, key, caller, call);
  return { ok: true, call, done: [], nameHistory: emptyNameHistory(), isDone: false };
}

/** Either another node has resumed the call, or it is being undone. */
async function takenOver(database: Database, { id }: RunningCall): Promise<Failure> {
  const call = await getCall(database.pool, id);
  return call === undefined || call.state === 'interrupted' ? callUndone() : keyInUse();
}

/** Renews the lease while this node runs the call, so that no other node takes it over. */
function renewLease({ database, limits }: BulkContext, call: RunningCall): NodeJS.Timeout {
  const renew = () => ignoreErrors(renewCall(database.pool, call, limits.callLeaseMs));
  return setInterval(renew, limits.callLeaseMs / 3).unref();
}

/** If this fails, the lease expires by itself. */
async function ignoreErrors(work: Promise<void>): Promise<void> {
  await work.catch(() => {});
}
