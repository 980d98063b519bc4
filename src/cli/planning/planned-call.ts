import { isRollcallError, type Rollcall, type Schemas } from '#client';
import { printMessage } from '../output.js';
import { formatLongTime } from '../terminal/format-time.js';
import { err } from '../terminal/style.js';

type Call = Schemas['Call'];
type Plan = NonNullable<Call['plan']>;

/** A call that was planned instead of run. */
export interface PlannedCall {
  readonly id: string;
  /** Null if the caller may not read it. */
  readonly plan: Plan | null;
}

/** The planned call that a reply is about; undefined if the call has run. */
export async function plannedCallOf(
  rollcall: Rollcall,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): Promise<PlannedCall | undefined> {
  const id = headers.get('x-call-id');
  if (status !== 202 || id === null) return undefined;
  return { id, plan: await readPlan(rollcall, id) };
}

async function readPlan(rollcall: Rollcall, id: string): Promise<Plan | null> {
  try {
    return (await rollcall.call('getCall', { path: { id } })).body.data.plan;
  } catch (error) {
    if (isRollcallError(error, 'ACCESS_SCOPE_MISSING')) return null;
    throw error;
  }
}

/** When the call runs, and how to look at it, approve it or cancel it. */
export function printPlanned(call: PlannedCall): void {
  printMessage(plannedText(call));
  printMessage(err.dim(`To review: rollcall calls items ${call.id}`));
  if (call.plan && isUnapproved(call.plan)) {
    printMessage(err.dim(`To approve, as someone else: rollcall calls approve ${call.id}`));
  }
  printMessage(err.dim(`To cancel: rollcall calls cancel ${call.id}`));
}

/** "Planned for 31 December 2026 at 00:00 UTC, call 0198…. Nothing has changed yet." */
export function plannedText({ id, plan }: PlannedCall): string {
  return `${plan ? waitingText(plan) : 'Planned'}, call ${id}. Nothing has changed yet.`;
}

/** What the call waits for. */
export function waitingText(plan: Plan): string {
  const { effectiveAt } = plan;
  const time = effectiveAt === null ? undefined : formatLongTime(effectiveAt);
  if (!isUnapproved(plan)) return time === undefined ? 'Approved' : `Planned for ${time}`;
  return time === undefined ? 'Awaits approval' : `Awaits approval, planned for ${time}`;
}

export function isUnapproved({ needsApproval, approvedAt }: Plan): boolean {
  return needsApproval && approvedAt === null;
}
