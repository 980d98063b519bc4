import { limits } from '@rollcall/client';
import { usersListCopy } from '../copy/copy.js';
import { formatDay } from '../copy/format.js';
import type { MatchingOptions } from './matching-call.js';

const copy = usersListCopy.plan;

/** When to make a change, and whether someone else has to agree. */
export interface MatchingPlan {
  /** Empty for now. */
  readonly day: string;
  readonly needsApproval: boolean;
  /** For whoever approves it or looks at it later. */
  readonly note?: string;
}

export function planOptions({ day, needsApproval }: MatchingPlan): MatchingOptions {
  return { ...(day !== '' && { effectiveAt: day }), ...(needsApproval && { approval: 'required' }) };
}

/** What the change is, and why. The service keeps a limited number of characters. */
export function noteOf(summary: string, typed = ''): string {
  const note = [summary, typed.trim()].filter((part) => part !== '').join(' ');
  return [...note].slice(0, limits.labelMaxLength).join('').trim();
}

/** What the button says that plans the change. */
export function planAction({ day }: MatchingPlan): (count: number) => string {
  return day === '' ? copy.request : copy.confirm;
}

/** What happens next. */
export function planText({ day, needsApproval }: MatchingPlan): string {
  if (day === '') return copy.requested;
  return (needsApproval ? copy.plannedWithApproval : copy.planned)(formatDay(day));
}

/** The first day that can be planned. */
export function tomorrow(now: Date): string {
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const parts = [next.getFullYear(), next.getMonth() + 1, next.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
