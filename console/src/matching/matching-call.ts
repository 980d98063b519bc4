import { isRollcallError, limits, type Schemas } from '@rollcall/client';
import { lastDayText } from '../components/calls.js';
import { plannedCopy, usersListCopy } from '../copy/copy.js';
import { formatDay } from '../copy/format.js';

export type MatchingReport = Schemas['MatchingUpdateReport']['data'];

interface MatchingOptions {
  readonly dryRun?: true;
  readonly effects?: true;
  readonly confirm?: number;
  /** A day. */
  readonly effectiveAt?: string;
  /** The day before it, instead of it. */
  readonly lastWorkingDay?: string;
  readonly approval?: 'required';
  /** Kept with the call. */
  readonly note?: string;
  readonly signal?: AbortSignal;
}

export interface MatchingResult {
  readonly report: MatchingReport;
  /** Null for a preview. */
  readonly callId: string | null;
  /** The call awaits its time or approval: the report is a preview. */
  readonly isPlanned: boolean;
}

/** A bulk call that finds its users itself. */
export type MatchingCall = (options: MatchingOptions) => Promise<MatchingResult>;

interface Reply {
  readonly status: number;
  readonly body: { readonly data: MatchingReport };
  readonly headers: Headers;
}

export function matchingResult({ status, body, headers }: Reply): MatchingResult {
  return { report: body.data, callId: headers.get('x-call-id'), isPlanned: status === 202 };
}

interface MatchingCounts {
  /** How many users to confirm: all who match, whatever happens to them. */
  readonly matched: number;
  readonly changed: number;
  /** Users who already are as they should be. */
  readonly unchanged: number;
  readonly failed: number;
}

export function countMatching({ successItems, failedItems }: MatchingReport): MatchingCounts {
  const unchanged = successItems.filter(({ effect }) => effect?.kind === 'unchanged').length;
  return {
    matched: successItems.length + failedItems.length,
    changed: successItems.length - unchanged,
    unchanged,
    failed: failedItems.length,
  };
}

/** The number of users who match has changed since it was confirmed. */
export function isUnconfirmed(error: unknown): boolean {
  return isRollcallError(error, 'CALL_CONFIRMATION_REQUIRED');
}

/** What to preview and confirm. */
export interface MatchingRequest {
  /** Identifies the request, for the cache. */
  readonly key: readonly unknown[];
  readonly call: MatchingCall;
  /** In a sentence. */
  readonly summary: string;
  /** Which users it is about, in words. */
  readonly filters?: readonly string[];
  /** The same for users who were not found by filters. */
  readonly who?: string;
  /** What to know before. */
  readonly warning?: string | undefined;
  readonly confirm: (count: number) => string;
  /** What will be and was done, if there is a better word than “change”. */
  readonly willChange?: (count: number) => string;
  readonly changed?: (count: number) => string;
  /** Undefined to make the change now. */
  readonly plan?: MatchingPlan | undefined;
  /** The number must be typed. */
  readonly isTyped?: boolean;
  /** What was done if there were no users. Without it, there is nothing to do then. */
  readonly doneWithoutUsers?: string;
  /** What to know afterwards. */
  readonly doneNote?: string;
}

const planCopy = usersListCopy.plan;

/** When to make a change, and whether someone else has to agree. */
export interface MatchingPlan {
  /** Empty for now. */
  readonly day: string;
  readonly needsApproval: boolean;
  /** The last working day before it, if it is a deactivation. */
  readonly lastDay?: string;
  /** For whoever approves it or looks at it later. */
  readonly note?: string;
}

export function planOptions({ day, lastDay, needsApproval, note: typed }: MatchingPlan): MatchingOptions {
  const note = noteOf(typed);
  return {
    ...(lastDay === undefined ? day !== '' && { effectiveAt: day } : { lastWorkingDay: lastDay }),
    ...(needsApproval && { approval: 'required' }),
    ...(note !== '' && { note }),
  };
}

/** Why the change is to be made. The service keeps a limited number of characters. */
function noteOf(typed = ''): string {
  return [...typed.trim()].slice(0, limits.labelMaxLength).join('').trim();
}

/** What the button says that plans the change. */
export function planAction({ needsApproval }: MatchingPlan): (count: number) => string {
  return needsApproval ? planCopy.request : planCopy.confirm;
}

/** What happens next. */
export function planText({ day, lastDay, needsApproval }: MatchingPlan): string {
  if (day === '') return planCopy.requested;
  if (lastDay !== undefined) {
    return needsApproval ? `${lastDayText(lastDay)} ${plannedCopy.approvalFirst}` : lastDayText(lastDay);
  }
  return (needsApproval ? planCopy.plannedWithApproval : planCopy.planned)(formatDay(day));
}

/** The first day that can be planned is tomorrow; the last day at work can be today. */
export function dayFrom(now: Date, days: 0 | 1): string {
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const parts = [next.getFullYear(), next.getMonth() + 1, next.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
