import type { AttributePatch } from '../../contract/attribute-values.js';
import { type CallState, isWaiting } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { getCall as readCall } from '../../storage/changes/calls.js';
import {
  approvePlannedCall,
  cancelPlannedCall,
  insertCallEvent,
  type LockedCall,
  lockPlannedCall,
  takeOverPlannedCall,
} from '../../storage/changes/planned-calls.js';
import { listPlannedItems } from '../../storage/changes/planned-items.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { type Caller, callAuthor, changeOrigin, scopeProblem } from '../caller.js';
import { type FoundCall, noSuchCall } from '../calls/get-call.js';
import { type NoticeContext, queueNotice } from '../notices/notices.js';
import { isSerial } from '../serial.js';

export interface DecisionContext extends NoticeContext {
  readonly database: Database;
}

/** Someone other than the author lets the call run. */
export function approveCall(context: DecisionContext, id: string, caller: Caller): Promise<FoundCall> {
  return decide(context.database, id, async (tx, call) => {
    if (call.state !== 'awaitingApproval') return conflict(call.state, 'It does not await approval.');
    if (call.needsTakeover) return conflict(call.state, 'But first, someone has to take it over.');
    if (isAuthor(call, caller)) return approvalByAuthor();
    const denied = await hiddenFrom(tx, caller, id);
    if (denied) return denied;
    const { kind, id: approver } = caller.actor;
    await approvePlannedCall(tx, id, { kind, id: approver });
    await insertCallEvent(tx, 'call.approved', changeOrigin(caller, id));
    await tellAuthor(context, tx, call, true);
    return undefined;
  });
}

/** Nobody approves what they may not see. */
async function hiddenFrom(tx: Executor, { actor }: Caller, id: string): Promise<Failure | undefined> {
  const problem = scopeProblem(actor, 'attributes:sensitive');
  const patches = problem ? await attributesPlanned(tx, id) : [];
  if (patches.length === 0) return undefined;
  const definitions = await loadAttributes(tx);
  return patches.some((patch) => definitions.changesSensitive(patch)) ? problem : undefined;
}

async function attributesPlanned(tx: Executor, id: string): Promise<AttributePatch[]> {
  const previews = (await listPlannedItems(tx, id)).map(({ preview }) => preview as ItemOutcome);
  return previews.flatMap((outcome) => {
    const { before, after } = (outcome.ok && outcome.effect?.fields.attributes) || {};
    return before || after ? [{ ...(before as AttributePatch), ...(after as AttributePatch) }] : [];
  });
}

/** If someone other than the author does this while the call awaits approval, it is rejected. */
export function cancelCall(
  context: DecisionContext,
  id: string,
  caller: Caller,
  reason: string | null,
): Promise<FoundCall> {
  return decide(context.database, id, async (tx, call) => {
    if (!isWaiting(call.state)) return conflict(call.state, cancelHint(call.state));
    const isRejection = call.state === 'awaitingApproval' && !isAuthor(call, caller);
    const { kind, id: canceller } = caller.actor;
    await cancelPlannedCall(tx, id, { actor: { kind, id: canceller }, reason, isRejection });
    await insertCallEvent(tx, 'call.cancelled', changeOrigin(caller, id));
    if (isRejection) await tellAuthor(context, tx, call, false);
    return undefined;
  });
}

function isAuthor({ author, requestedBy }: LockedCall, { actor }: Caller): boolean {
  return [author, requestedBy].some((each) => each.kind === actor.kind && each.id === actor.id);
}

/** Clients and feeds see it in the state of the call. */
async function tellAuthor(
  context: NoticeContext,
  tx: Executor,
  { id, kind, items, author, effects, effectiveAt, lastWorkingDay }: LockedCall,
  isApproved: boolean,
): Promise<void> {
  if (author.kind !== 'person') return;
  await queueNotice(context, tx, {
    topic: 'callDecided',
    facts: {
      ...{ call: { id, kind, items }, isApproved, effectiveAt: effectiveAt?.toISOString() ?? null },
      ...(effects === null ? {} : { effects }),
      ...(lastWorkingDay === null ? {} : { lastWorkingDay }),
    },
    to: [author.id],
  });
}

/** From now on, the caller answers for the call, which runs with the caller's permissions. */
export function takeOverCall(database: Database, id: string, caller: Caller): Promise<FoundCall> {
  return decide(database, id, async (tx, call) => {
    const hasStopped = call.state === 'interrupted' && call.needsTakeover;
    if (!isWaiting(call.state) && !hasStopped) {
      return conflict(call.state, 'Only a call that has not run yet can be taken over.');
    }
    await takeOverPlannedCall(tx, call, callAuthor(caller));
    await insertCallEvent(tx, 'call.takenOver', changeOrigin(caller, id));
    return undefined;
  });
}

async function decide(
  database: Database,
  id: string,
  change: (tx: Executor, call: LockedCall) => Promise<Failure | undefined>,
): Promise<FoundCall> {
  if (!isSerial(id)) return { ok: false, failure: noSuchCall() };
  return transaction(database, async (tx): Promise<FoundCall> => {
    const planned = await lockPlannedCall(tx, id);
    const problem = planned && (await change(tx, planned));
    if (problem) return { ok: false, failure: problem };
    const call = await readCall(tx, id);
    if (!call) return { ok: false, failure: noSuchCall() };
    return planned ? { ok: true, call } : { ok: false, failure: conflict(call.state, 'It was not planned.') };
  });
}

const stateTexts: Record<CallState, string> = {
  planned: 'is planned',
  awaitingApproval: 'awaits approval',
  running: 'is running',
  done: 'is done',
  interrupted: 'is interrupted and will be resumed',
  cancelled: 'was cancelled',
  expired: 'has expired',
};

function cancelHint(state: CallState): string {
  if (state === 'running' || state === 'interrupted') return 'Wait until it is done, then undo it.';
  return state === 'done' ? 'To reverse it, undo it.' : 'It will not run.';
}

export function conflict(state: CallState, hint: string): Failure {
  return failure('CALL_STATE_CONFLICT', `The call ${stateTexts[state]}. ${hint}`, { state });
}

function approvalByAuthor(): Failure {
  return failure(
    'CALL_APPROVAL_BY_AUTHOR',
    'You planned this call, so someone else, with users:read and users:write, has to approve it.',
  );
}
