import type { CallLabel } from '../../contract/calls.js';
import type { ItemOutcome, WithEmployeeIds } from '../bulk/outcomes.js';
import { isBeyondSafetyLimit, type SafetyLimitContext } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import { previewUndo, type UndoContext } from '../calls/undo-call.js';
import { accept } from '../read-fields.js';
import {
  type MatchingContext,
  type MatchingUpdate,
  previewMatching,
  unconfirmed,
} from '../users/update-matching.js';
import {
  type Plan,
  type PlanContext,
  type PlannedCall,
  planCall,
  previewPlan,
  withApproval,
} from './plan-call.js';

export interface PlanMatchingContext extends MatchingContext, PlanContext {}
export interface PlanUndoContext extends UndoContext, PlanContext {}

/** A planned call whose users were not listed in the request. */
export type PlannedSelection = WithEmployeeIds<PlannedCall>;

interface Request {
  readonly caller: Caller;
  readonly confirmed: number | undefined;
  readonly label?: CallLabel | undefined;
}

/** The call updates the users who match now, whoever matches when it runs. */
export async function planMatching(
  context: PlanMatchingContext,
  update: MatchingUpdate,
  plan: Plan,
  { caller, confirmed, label }: Request,
): Promise<PlannedSelection> {
  const preview = await previewMatching(context, update, caller);
  if (!preview.ok) return preview;
  const { serials, outcomes, employeeIDs } = preview;
  const { safetyApproval } = context;
  if (safetyApproval && !plan.needsApproval && (await deactivatesTooMany(context, outcomes))) {
    return planMatching(context, update, withApproval(plan), { caller, confirmed, label });
  }
  if (!plan.needsApproval && serials.length !== confirmed) {
    return { ok: false, failure: unconfirmed(serials.length) };
  }
  const options = { patch: update.patch, filter: update.filterQuery };
  const items = serials.map(accept);
  const call = { kind: 'update-matching', options, items, employeeIDs, outcomes } as const;
  const planned = await planCall(context, call, plan, { caller, key: undefined, label });
  return planned.ok ? { ...planned, employeeIDs } : planned;
}

function deactivatesTooMany(context: SafetyLimitContext, outcomes: readonly ItemOutcome[]): Promise<boolean> {
  const deactivated = outcomes.filter(
    (outcome) => outcome.ok && outcome.effect?.fields.isActive?.after === false,
  );
  return isBeyondSafetyLimit(context, deactivated.length);
}

export async function planUndo(
  context: PlanUndoContext,
  id: string,
  wanted: Plan,
  { caller, confirmed }: Request,
): Promise<PlannedSelection> {
  const { plan, preview } = await previewPlan(context, wanted, confirmed, (confirmed) =>
    previewUndo(context, id, { caller, confirmed }),
  );
  if (!preview.ok) return preview;
  const { outcomes, employeeIDs } = preview;
  // What it restores is read from the change log again when it runs.
  const items = outcomes.map(() => accept(null));
  const call = { kind: 'undo', undoes: id, options: { confirmed }, items, employeeIDs, outcomes } as const;
  const planned = await planCall(context, call, plan, { caller, key: undefined });
  return planned.ok ? { ...planned, employeeIDs } : planned;
}
