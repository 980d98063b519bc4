import { v7 } from 'uuid';
import type { CallLabel } from '../../contract/calls.js';
import type { IfChanged } from '../../contract/enums.js';
import { type Failure, failure, retry } from '../../contract/errors.js';
import type { Limits } from '../../contract/limits.js';
import { getCall, insertWaitingCall, type RunningCall } from '../../storage/changes/calls.js';
import {
  countPlannedCalls,
  deleteUnrecordedCall,
  insertCallEvent,
  insertPlannedCall,
} from '../../storage/changes/planned-calls.js';
import {
  insertPlannedItems,
  listPlannedItems,
  type NewPlannedItem,
} from '../../storage/changes/planned-items.js';
import { letOthersGoFirst } from '../../storage/connection-share.js';
import { type Executor, transaction } from '../../storage/database.js';
import { erasedAmong, lockErasures } from '../../storage/erasure/erased-users.js';
import { OutcomeUnknown } from '../../storage/errors.js';
import { CallRejected } from '../bulk/call-errors.js';
import { findKey, type IdempotencyKey, keyInUse, takeKey } from '../bulk/idempotency.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { anyNumber } from '../bulk/safety-limit.js';
import { type Caller, callAuthor, changeOrigin } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import { type CallEffects, type NoticeContext, queueNotice } from '../notices/notices.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { countEffects } from './count-effects.js';
import { conflict } from './decide-call.js';
import type { PlannableKind } from './plannable-calls.js';
import { plannedItem } from './planned-items.js';

export interface ApprovalSettings {
  /** Whether a call beyond the safety limit waits for approval instead of being rejected. */
  readonly safetyApproval: boolean;
}

export interface PlanContext extends LimitedDatabase, ApprovalSettings, NoticeContext {
  /** Hours after which a planned call that could not run expires; 0 means never. */
  readonly plannedCallExpiryHours: number;
}

/** When a call is to run, and on which conditions. */
export interface Plan {
  /** Undefined: as soon as it is approved. */
  readonly effectiveAt: string | undefined;
  /** What the caller gave instead of the time, which is when this day ends. */
  readonly lastWorkingDay?: string | undefined;
  readonly needsApproval: boolean;
  readonly ifChanged: IfChanged;
}

/** The plan of a call that exceeds the safety limit. */
export const approvalOnly: Plan = { effectiveAt: undefined, needsApproval: true, ifChanged: 'skip' };

/** What others approve is what the preview shows. */
export function withApproval(plan: Plan): Plan {
  return { ...plan, needsApproval: true, ifChanged: plan.ifChanged === 'run' ? 'skip' : plan.ifChanged };
}

/** Whether a call that was rejected waits for approval instead. */
export function isForApproval({ safetyApproval }: ApprovalSettings, { error }: Failure): boolean {
  return safetyApproval && error === 'CALL_EXCEEDS_SAFETY_LIMIT';
}

/** Previews a call to be planned. What exceeds the safety limit needs approval, if that is how it can be allowed. */
export async function previewPlan<
  P extends { readonly ok: true } | { readonly ok: false; readonly failure: Failure },
>(
  context: ApprovalSettings,
  plan: Plan,
  /** The number of users that the caller has confirmed. */
  confirmed: number | undefined,
  preview: (confirmed: number | undefined) => Promise<P>,
): Promise<{ readonly plan: Plan; readonly preview: P }> {
  if (plan.needsApproval) return { plan, preview: await preview(anyNumber) };
  const previewed = await preview(context.safetyApproval ? undefined : confirmed);
  return !previewed.ok && isForApproval(context, previewed.failure)
    ? { plan: withApproval(plan), preview: await preview(anyNumber) }
    : { plan, preview: previewed };
}

/** A call with its preview. */
export interface CallToPlan {
  readonly kind: PlannableKind;
  readonly undoes?: string;
  readonly options: object;
  readonly items: readonly Parsed<unknown>[];
  readonly employeeIDs: readonly (string | null)[];
  readonly outcomes: readonly ItemOutcome[];
}

export type PlannedCall =
  | {
      readonly ok: true;
      readonly callId: string;
      /** The preview. */
      readonly outcomes: readonly ItemOutcome[];
      readonly needsApproval: boolean;
      readonly isReplay: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

export interface PlanRequest {
  readonly caller: Caller;
  readonly key: IdempotencyKey | undefined;
  readonly label?: CallLabel | undefined;
}

/** Limits how long one transaction lasts, and for how long a statement blocks the event loop. */
const itemsAtOnce = 250;

/**
 * Stores a call with its preview, to be run later. The items are stored first, in transactions of limited size, because
 * the embedded database does nothing else meanwhile. Nobody sees them until the call itself is recorded.
 */
export async function planCall(
  context: PlanContext,
  { kind, undoes, options, items, employeeIDs, outcomes }: CallToPlan,
  { effectiveAt, lastWorkingDay, needsApproval, ifChanged }: Plan,
  { caller, key, label }: PlanRequest,
): Promise<PlannedCall> {
  const { database, limits, plannedCallExpiryHours } = context;
  const id = v7();
  const origin = changeOrigin(caller, id);
  const call = { id, claim: 1, kind, items: items.length, undoes: undoes ?? null, origin, label };
  const effects = countEffects(outcomes);
  const record = (tx: Executor) =>
    recordCall(context, tx, { call, effectiveAt, lastWorkingDay, needsApproval, effects }, { caller, key });
  const storing = async (): Promise<PlannedCall> => {
    await rejectTooMany(database.pool, limits, caller);
    await insertPlannedCall(database.pool, {
      ...{ call, effectiveAt, needsApproval, ifChanged, effects },
      options: { ...options, lastWorkingDay },
      author: callAuthor(caller),
      expiryHours: plannedCallExpiryHours,
    });
    for (let first = 0; first < items.length; first += itemsAtOnce) {
      const stored = items.slice(first, first + itemsAtOnce).map((item, index) =>
        plannedItem(context.cipher, first + index, {
          item,
          employeeID: employeeIDs[first + index] ?? null,
          preview: outcomes[first + index] as ItemOutcome,
        }),
      );
      await transaction(database, (tx) => storeItems(tx, id, stored));
      await letOthersGoFirst(database.pool);
    }
    const earlier = await transaction(database, record);
    return earlier ?? { ok: true, callId: id, outcomes, needsApproval, isReplay: false };
  };
  const planned = await storing().catch(async (error: unknown): Promise<PlannedCall> => {
    if (error instanceof CallRejected) return { ok: false, failure: error.failure };
    if (error instanceof PlanOutdated) return { ok: false, failure: tryAgain() };
    // It may be recorded at this moment, so if it isn't, housekeeping removes the items.
    if (!(error instanceof OutcomeUnknown)) await deleteUnrecordedCall(database.pool, id).catch(() => {});
    throw error;
  });
  if (!planned.ok || planned.callId !== id) await deleteUnrecordedCall(database.pool, id);
  return planned;
}

/** Runs within a transaction. The preview may be of users who have been erased since. */
async function storeItems(tx: Executor, callId: string, items: readonly NewPlannedItem[]): Promise<void> {
  await lockErasures(tx, 'restore');
  const erased = await erasedAmong(
    tx,
    items.flatMap(({ userSerial }) => userSerial ?? []),
  );
  if (erased.size > 0) throw new PlanOutdated();
  await insertPlannedItems(tx, callId, items);
}

interface CallToRecord extends Omit<Plan, 'ifChanged'> {
  readonly call: RunningCall;
  readonly effects: CallEffects;
}

/** Returns the answer to the same request if it was planned before. */
async function recordCall(
  context: LimitedDatabase & NoticeContext,
  tx: Executor,
  { call, effectiveAt, lastWorkingDay, needsApproval, effects }: CallToRecord,
  { caller, key }: PlanRequest,
): Promise<PlannedCall | undefined> {
  const { limits } = context;
  const taken = key && (await takeKey(tx, key, caller, call.id, limits.idempotencyKeyHours));
  if (taken && 'error' in taken) return { ok: false, failure: taken };
  if (taken) return (await plannedBefore(tx, taken.callId)) ?? { ok: false, failure: keyInUse() };
  await rejectTooMany(tx, limits, caller); // and give back the key
  await insertWaitingCall(tx, call, needsApproval ? 'awaitingApproval' : 'planned');
  await insertCallEvent(tx, 'call.planned', call.origin);
  if (needsApproval) {
    const { id, kind, items } = call;
    await queueNotice(context, tx, {
      topic: 'callApproval',
      facts: { call: { id, kind, items }, effects, effectiveAt: effectiveAt ?? null, lastWorkingDay },
      except: caller.actor.kind === 'person' ? caller.actor.id : undefined,
    });
  }
  return undefined;
}

async function rejectTooMany(
  executor: Executor,
  { plannedCallsMax }: Limits,
  { actor }: Caller,
): Promise<void> {
  if ((await countPlannedCalls(executor, actor)) < plannedCallsMax) return;
  throw new CallRejected(tooManyPlanned(plannedCallsMax));
}

/** The call that was planned by the same request before, if any. */
export async function findPlannedCall(
  { database, limits }: LimitedDatabase,
  key: IdempotencyKey,
  caller: Caller,
): Promise<PlannedCall | undefined> {
  const earlier = await findKey(database.pool, key, caller, limits.idempotencyKeyHours);
  if (earlier === undefined) return undefined;
  if ('error' in earlier) return { ok: false, failure: earlier };
  return plannedBefore(database.pool, earlier.callId);
}

async function plannedBefore(executor: Executor, callId: string): Promise<PlannedCall | undefined> {
  const call = await getCall(executor, callId);
  if (!call?.plan) return undefined;
  if (call.state === 'cancelled' || call.state === 'expired') {
    const hint = 'To plan it again, send it with a new Idempotency-Key.';
    return { ok: false, failure: conflict(call.state, hint) };
  }
  const items = await listPlannedItems(executor, callId);
  const outcomes = items.map(({ preview }) => preview as ItemOutcome);
  return { ok: true, callId, outcomes, needsApproval: call.plan.needsApproval, isReplay: true };
}

function tryAgain(): Failure {
  return failure(
    'SERVICE_UNAVAILABLE',
    'A user of this call was erased while it was being planned. Nothing was planned; retry in a moment.',
    retry,
  );
}

function tooManyPlanned(limit: number): Failure {
  return failure(
    'CALL_TOO_MANY_PLANNED',
    `You have planned ${limit.toLocaleString('en')} calls, which is the limit. Cancel some of them.`,
    { limit },
  );
}
