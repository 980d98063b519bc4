import type { FastifyReply } from 'fastify';
import { ifChangedChoices } from '../contract/enums.js';
import type { ErrorName } from '../contract/errors.js';
import { readTime, timePattern } from '../contract/times.js';
import type { ApprovalSettings, Plan } from '../domain/planned/plan-call.js';
import { startOfDay } from '../domain/start-of-day.js';
import { markReplay } from './idempotency-key.js';
import {
  choiceParameter,
  dayParameter,
  type GivenQuery,
  invalidParameter,
  textParameter,
  valuesOf,
} from './query.js';

export interface PlanSettings extends ApprovalSettings {
  /** In which a date without a time begins. */
  readonly timeZone: string;
}

/** The query parameters that plan a bulk call instead of running it. */
export const planParameters = {
  effectiveAt: textParameter(
    'Plans the call for this time: a time with an offset, or a date, which begins at midnight in ROLLCALL_TIME_ZONE. The reply is 202 with a preview.',
    '2099-12-31T00:00:00+01:00',
    { pattern: timePattern.replace('T', '(T').replace('$', ')?$') }, // read below: a date needs a time zone
  ),
  lastWorkingDay: dayParameter(
    'Plans a deactivation for the end of this day, instead of effectiveAt for the day after it. The day is kept with the plan, so that people see the one that they entered.',
    '2099-12-31',
  ),
  approval: choiceParameter(
    ['required'],
    undefined,
    'Holds the call until someone else, with users:read and users:write, approves it. Not with ifChanged=run.',
  ),
  ifChanged: choiceParameter(
    ifChangedChoices,
    'skip',
    'What a planned call does with items whose outcome is no longer the one of the preview: skip skips and reports them, run runs them anyway, stop changes nothing at all. With ROLLCALL_SAFETY_APPROVAL=required, run is not allowed.',
  ),
};

export const planErrors: readonly ErrorName[] = ['CALL_TOO_MANY_PLANNED'];

/** The reply to a call that was planned, for its description. */
export const plannedReply = {
  description:
    'The call is planned. Every item is reported as the preview of the call: nothing has changed yet.',
  headers: {
    'X-Call-Id': 'The ID of the call, to read, approve or cancel it.',
    Location: 'The path of the call.',
  },
};

/** Undefined if the call is to run now. */
export function readPlan(given: GivenQuery, { timeZone, safetyApproval }: PlanSettings): Plan | undefined {
  const { approval, ifChanged, effectiveAt: at, lastWorkingDay } = valuesOf(given, planParameters);
  if (at !== undefined && lastWorkingDay !== undefined) {
    throw invalidParameter('lastWorkingDay', 'must not be combined with effectiveAt.');
  }
  const effectiveAt =
    at === undefined ? lastWorkingDay && endOf(lastWorkingDay, timeZone) : readEffectiveAt(at, timeZone);
  if (effectiveAt === undefined && approval === undefined) return undefined;
  if (approval === 'required' && ifChanged === 'run') {
    throw invalidParameter(
      'ifChanged',
      'must be skip or stop for a call that has to be approved as previewed.',
    );
  }
  if (safetyApproval && ifChanged === 'run') {
    throw invalidParameter(
      'ifChanged',
      'must be skip or stop, because calls beyond the safety limit have to be approved as previewed.',
    );
  }
  return { effectiveAt, lastWorkingDay, needsApproval: approval === 'required', ifChanged };
}

/** Dates beyond the year 9999, where the call would expire, have no place in JSON. */
const yearsAheadMax = 100;
const dayMs = 86_400_000;

function readEffectiveAt(text: string, timeZone: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = readTime(isDate ? `${text}T00:00:00Z` : text);
  if (time === undefined) {
    throw invalidParameter(
      'effectiveAt',
      'must be a date such as 2026-12-31, or a time with an offset such as 2026-12-31T18:00:00+01:00.',
    );
  }
  const at = isDate ? startOfDay(text, timeZone) : new Date(time);
  if (at <= new Date()) {
    throw invalidParameter('effectiveAt', 'must be in the future. To run the call now, omit it.');
  }
  return requireNear('effectiveAt', at).toISOString();
}

function endOf(lastWorkingDay: string, timeZone: string): string {
  const next = requireNear('lastWorkingDay', new Date(Date.parse(lastWorkingDay) + dayMs));
  const end = startOfDay(next.toISOString().slice(0, 10), timeZone);
  if (end <= new Date()) {
    throw invalidParameter('lastWorkingDay', 'must not be in the past. To run the call now, omit it.');
  }
  return end.toISOString();
}

function requireNear(parameter: string, at: Date): Date {
  if (at.getUTCFullYear() > new Date().getUTCFullYear() + yearsAheadMax) {
    throw invalidParameter(parameter, `must be within the next ${yearsAheadMax} years.`);
  }
  return at;
}

/** Prepares the reply to a call that was planned. */
export function acceptCall(
  reply: FastifyReply,
  { callId, isReplay }: { readonly callId: string; readonly isReplay: boolean },
): void {
  markReplay(reply, isReplay);
  reply.code(202).header('x-call-id', callId).header('location', `/service/calls/${callId}`);
}

/** For callers who did not ask for approval, but need it. */
export function plannedMessage({ needsApproval }: { readonly needsApproval: boolean }): string {
  return needsApproval
    ? 'Bulk call planned. Nothing changes until someone else approves it.'
    : 'Bulk call planned.';
}
