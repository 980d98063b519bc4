import { type ErrorData, type Failure, failure } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import type { Database, Executor } from '../../storage/database.js';
import { countUsers, hasUsers } from '../../storage/users/read-users.js';
import { CallRejected } from './call-errors.js';
import type { Transition } from './plan.js';

export interface SafetyLimitContext {
  readonly database: Database;
  /** The share of all users that one bulk call may deactivate or rename; 0 means no limit. */
  readonly safetyLimitPercent: number;
}

/** Stops a call that would deactivate, rename or clear the names or contacts of more than the allowed share of users. */
export interface SafetyLimit {
  /** Runs within the transaction before anything is written, over all users that the call changes. */
  check(tx: Executor, transitions: readonly Transition[]): Promise<void>;
}

/** Instead of the number that the caller confirmed: any number is allowed. */
export const anyNumber = Number.POSITIVE_INFINITY;

/** The percentage is of all users. A number that the caller confirmed is always allowed. */
export function createSafetyLimit(percent: number, confirmed: number | undefined): SafetyLimit {
  return {
    check: async (tx, transitions) => {
      // A removed user counts whether active or not.
      const gone = transitions.filter(
        ({ before, after }) => before && (after === null || (before.isActive && !after.isActive)),
      );
      const renamed = transitions.filter(
        ({ before, after }) => before && after && before.employeeID !== after.employeeID,
      );
      const cleared = transitions.filter(
        ({ before, after, rehired }) => before && after && !rehired && clearsField(before, after),
      );
      const affected = new Set([...gone, ...renamed, ...cleared]).size;
      if (affected === 0 || affected === confirmed || confirmed === anyNumber) return;
      if (await isWithin(tx, affected, percent)) return;
      const total = await countUsers(tx);
      const removed = gone.filter(({ after }) => after === null).length;
      const counts = {
        removed,
        deactivated: gone.length - removed,
        renamed: renamed.length,
        cleared: cleared.length,
      };
      throw new CallRejected(exceeded({ confirm: affected, ...counts, total, limitPercent: percent }));
    },
  };
}

/** Usernames and contacts that are gone lock users out, whoever they are. */
function clearsField(before: StoredUser, after: StoredUser): boolean {
  return (
    (before.username !== null && after.username === null) ||
    (before.email !== null && after.email === null) ||
    (before.phone !== null && after.phone === null)
  );
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

function exceeded(
  data: ErrorData<'CALL_EXCEEDS_SAFETY_LIMIT'>,
  hint = `To proceed, resend with ?confirm=${data.confirm}.`,
): Failure {
  const { confirm, removed, deactivated, renamed, cleared, total, limitPercent } = data;
  const verbs = {
    remove: removed,
    deactivate: deactivated,
    rename: renamed,
    'clear the username, email or phone of': cleared,
  };
  const parts = Object.entries(verbs).flatMap(([verb, count]) => (count > 0 ? [`${verb} ${count}`] : []));
  const share = ((confirm / total) * 100).toFixed(1);
  return failure(
    'CALL_EXCEEDS_SAFETY_LIMIT',
    `The call would ${listed.format(parts)} of ${total} users (${share}%), which exceeds the safety limit of ${limitPercent}%. Nothing was changed. ${hint}`,
    data,
  );
}

/** Returns undefined if a call that affects at most this many users cannot reach the limit. */
export async function safetyLimitFor(
  { database, safetyLimitPercent }: SafetyLimitContext,
  affectedMax: number,
  confirmed: number | undefined,
): Promise<SafetyLimit | undefined> {
  if (safetyLimitPercent === 0 || affectedMax === 0 || confirmed === anyNumber) return undefined;
  return (await isWithin(database.pool, affectedMax, safetyLimitPercent))
    ? undefined
    : createSafetyLimit(safetyLimitPercent, confirmed);
}

/** Why a call may not remove so many users, if they are more than the allowed share. */
export async function removalProblem(
  context: SafetyLimitContext,
  removed: number,
  confirm: number,
  hint?: string,
): Promise<Failure | undefined> {
  const counts = { confirm, removed, deactivated: 0, renamed: 0, cleared: 0 };
  return affectedProblem(context, removed, counts, hint);
}

/** Why calls may not affect so many users, if they are more than the allowed share. */
export async function affectedProblem(
  context: SafetyLimitContext,
  affected: number,
  counts: Omit<ErrorData<'CALL_EXCEEDS_SAFETY_LIMIT'>, 'total' | 'limitPercent'>,
  hint?: string,
): Promise<Failure | undefined> {
  if (!(await isBeyondSafetyLimit(context, affected))) return undefined;
  const total = await countUsers(context.database.pool);
  return exceeded({ ...counts, total, limitPercent: context.safetyLimitPercent }, hint);
}

/** Whether one call may not affect so many users without confirmation. */
export async function isBeyondSafetyLimit(
  { database, safetyLimitPercent }: SafetyLimitContext,
  affected: number,
): Promise<boolean> {
  if (safetyLimitPercent === 0 || affected === 0) return false;
  return !(await isWithin(database.pool, affected, safetyLimitPercent));
}

/** Whether so many users are at most the percentage of all users. Counts only as many as that takes. */
function isWithin(executor: Executor, affected: number, percent: number): Promise<boolean> {
  return hasUsers(executor, Math.ceil((affected * 100) / percent));
}
