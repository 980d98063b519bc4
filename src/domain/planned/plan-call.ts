import { v7 } from 'uuid';
import type { CallLabel } from '../../contract/calls.js';
import type { IfChanged } from '../../contract/enums.js';
import { type Failure, failure, retry } from '../../contract/errors.js';
import { getCall } from '../../storage/changes/calls.js';
import {
  countPlannedCalls,
  insertCallEvent,
  insertPlannedCall,
} from '../../storage/changes/planned-calls.js';
import { insertPlannedItems, listPlannedItems } from '../../storage/changes/planned-items.js';
import { type Executor, transaction } from '../../storage/database.js';
import { erasedAmong, lockErasures } from '../../storage/erasure/erased-users.js';
import { CallRejected } from '../bulk/call-errors.js';
import { findKey, type IdempotencyKey, takeKey } from '../bulk/idempotency.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { anyNumber } from '../bulk/safety-limit.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import type { PlannableKind } from './plannable-calls.js';
import { plannedItem } from './planned-items.js';

/** When a call is to run, and on which conditions. */
export interface Plan {
  /** Undefined: as soon as it is approved. */
  readonly effectiveAt: string | undefined;
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
export function isForApproval({ safetyApproval }: Context, { error }: Failure): boolean {
  return safetyApproval && error === 'CALL_EXCEEDS_SAFETY_LIMIT';
}

/** Previews a call to be planned. What exceeds the safety limit needs approval, if that is how it can be allowed. */
export async function previewPlan<
  P extends { readonly ok: true } | { readonly ok: false; readonly failure: Failure },
>(
  context: Context,
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

/** Limits how long one statement blocks the event loop. */
const itemsAtOnce = 500;

/** Stores a call with its preview, to be run later. */
export async function planCall(
  { database, cipher, limits, plannedCallExpiryHours }: Context,
  { kind, undoes, options, items, employeeIDs, outcomes }: CallToPlan,
  { effectiveAt, needsApproval, ifChanged }: Plan,
  { caller, key, label }: PlanRequest,
): Promise<PlannedCall> {
  const id = v7();
  const origin = changeOrigin(caller, id);
  const call = { id, claim: 1, kind, items: items.length, undoes: undoes ?? null, origin, label };
  const planning = transaction(database, async (tx): Promise<PlannedCall> => {
    const taken = key && (await takeKey(tx, key, caller, id, limits.idempotencyKeyHours));
    if (taken && 'error' in taken) return { ok: false, failure: taken };
    if (taken) {
      const { callId } = taken;
      return { ok: true, callId, outcomes: await storedPreview(tx, callId), needsApproval, isReplay: true };
    }
    if ((await countPlannedCalls(tx, caller.actor)) >= limits.plannedCallsMax) {
      throw new CallRejected(tooManyPlanned(limits.plannedCallsMax)); // and give back the key
    }
    await insertPlannedCall(tx, {
      ...{ call, effectiveAt, needsApproval, ifChanged, options },
      scopes: [...caller.actor.scopes],
      expiryHours: plannedCallExpiryHours,
    });
    // The preview may be of users who have been erased since.
    await lockErasures(tx, 'restore');
    const erased = await erasedAmong(
      tx,
      outcomes.flatMap((outcome) => (outcome.ok && outcome.serial !== null ? [outcome.serial] : [])),
    );
    if (erased.size > 0) throw new PlanOutdated();
    for (let first = 0; first < items.length; first += itemsAtOnce) {
      const stored = items.slice(first, first + itemsAtOnce).map((item, index) =>
        plannedItem(cipher, first + index, {
          item,
          employeeID: employeeIDs[first + index] ?? null,
          preview: outcomes[first + index] as ItemOutcome,
        }),
      );
      await insertPlannedItems(tx, id, stored);
    }
    await insertCallEvent(tx, 'call.planned', origin);
    return { ok: true, callId: id, outcomes, needsApproval, isReplay: false };
  });
  return planning.catch((error: unknown) => {
    if (error instanceof CallRejected) return { ok: false, failure: error.failure };
    if (error instanceof PlanOutdated) return { ok: false, failure: tryAgain() };
    throw error;
  });
}

/** The call that was planned by the same request before, if any. */
export async function findPlannedCall(
  { database, limits }: Context,
  key: IdempotencyKey,
  caller: Caller,
): Promise<PlannedCall | undefined> {
  const earlier = await findKey(database.pool, key, caller, limits.idempotencyKeyHours);
  if (earlier === undefined) return undefined;
  if ('error' in earlier) return { ok: false, failure: earlier };
  const call = await getCall(database.pool, earlier.callId);
  if (!call?.plan) return undefined;
  const outcomes = await storedPreview(database.pool, call.id);
  return { ok: true, callId: call.id, outcomes, needsApproval: call.plan.needsApproval, isReplay: true };
}

async function storedPreview(executor: Executor, callId: string): Promise<readonly ItemOutcome[]> {
  const items = await listPlannedItems(executor, callId);
  return items.map(({ preview }) => preview as ItemOutcome);
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
    `You have planned ${limit.toLocaleString('en')} calls, which is the limit. Cancel some of them, or ask the operator to raise ROLLCALL_PLANNED_CALLS_MAX.`,
    { limit },
  );
}
