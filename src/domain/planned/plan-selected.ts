import type { Failure } from '../../contract/errors.js';
import { anyNumber } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import { previewUndo } from '../calls/undo-call.js';
import type { Context } from '../context.js';
import { accept } from '../read-fields.js';
import { type MatchingUpdate, previewMatching, unconfirmed } from '../users/update-matching.js';
import { type Plan, planCall } from './plan-call.js';

/** A planned call whose users were not listed in the request. */
export type PlannedSelection =
  | {
      readonly ok: true;
      readonly callId: string;
      readonly outcomes: Extract<Awaited<ReturnType<typeof planCall>>, { ok: true }>['outcomes'];
      readonly employeeIDs: readonly string[];
      readonly isReplay: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

interface Request {
  readonly caller: Caller;
  readonly confirmed: number | undefined;
}

/** The call updates the users who match now, whoever matches when it runs. */
export async function planMatching(
  context: Context,
  update: MatchingUpdate,
  plan: Plan,
  { caller, confirmed }: Request,
): Promise<PlannedSelection> {
  const preview = await previewMatching(context, update, caller);
  if (!preview.ok) return preview;
  const { serials, outcomes, employeeIDs } = preview;
  if (!plan.needsApproval && serials.length !== confirmed) {
    return { ok: false, failure: unconfirmed(serials.length) };
  }
  const options = { patch: update.patch };
  const items = serials.map(accept);
  const call = { kind: 'update-matching', options, items, employeeIDs, outcomes } as const;
  const planned = await planCall(context, call, plan, { caller, key: undefined });
  return planned.ok ? { ...planned, employeeIDs } : planned;
}

export async function planUndo(
  context: Context,
  id: string,
  plan: Plan,
  { caller, confirmed }: Request,
): Promise<PlannedSelection> {
  const preview = await previewUndo(context, id, {
    caller,
    confirmed: plan.needsApproval ? anyNumber : confirmed,
  });
  if (!preview.ok) return preview;
  const { outcomes, employeeIDs } = preview;
  // What it restores is read from the change log again when it runs.
  const items = outcomes.map(() => accept(null));
  const call = { kind: 'undo', undoes: id, options: { confirmed }, items, employeeIDs, outcomes } as const;
  const planned = await planCall(context, call, plan, { caller, key: undefined });
  return planned.ok ? { ...planned, employeeIDs } : planned;
}
