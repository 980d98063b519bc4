import type { Effect } from '../../contract/changes.js';
import type { Failure, TakenBy } from '../../contract/errors.js';
import type { UserView } from '../../contract/users.js';
import type { Actor } from '../actor.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { holderSerial } from '../users/plans/user-change.js';

/**
 * Decides what a reply may reveal about users. `users:write` allows changes, not reads: without `users:read`, a reply
 * contains only serials and versions of changed users, and values from the request. Applied when a reply is written,
 * never when it is stored: a replay is subject to the token that requests it.
 */
export function mayReadUsers(actor: Actor | undefined): boolean {
  return actor?.scopes.has('users:read') ?? false;
}

/** A changed user. */
export function visibleUser(
  { user, version }: { readonly user: UserView; readonly version: number },
  mayRead: boolean,
): UserView | { serial: string; version: number } {
  return mayRead ? user : { serial: user.serial, version };
}

/** A failure about a name in the request. */
export function visibleFailure(problem: Failure, mayRead: boolean): Failure {
  const { takenBy, detail } = problem;
  if (mayRead || !takenBy || takenBy.serial === null) return problem;
  return {
    ...problem,
    detail: detail.replace(holderSerial(takenBy.serial), ''),
    takenBy: { ...takenBy, serial: null },
  };
}

/** An effect in which values may be missing. */
export interface VisibleEffect {
  readonly kind: Effect['kind'];
  readonly fields: { readonly [field: string]: { readonly before?: unknown; readonly after?: unknown } };
}

export type VisibleOutcome =
  | { readonly ok: true; readonly serial: string | null; readonly effect?: VisibleEffect }
  | { readonly ok: false; readonly failure: Failure };

/**
 * An item of a bulk report. `sentFields` are the fields whose values come with the items; those of an undo come from
 * the log.
 */
export function visibleOutcome(
  outcome: ItemOutcome,
  sentFields: ReadonlySet<string>,
  mayRead: boolean,
): VisibleOutcome {
  if (mayRead) return outcome;
  if (outcome.ok) {
    const { effect } = outcome;
    return effect ? { ...outcome, effect: visibleEffect(effect, sentFields) } : outcome;
  }
  const { error, takenBy } = outcome.failure;
  return takenBy && !sentFields.has(takenBy.field)
    ? { ok: false, failure: { error, detail: formerNameTaken(takenBy) } }
    : { ok: false, failure: visibleFailure(outcome.failure, mayRead) };
}

function visibleEffect({ kind, fields }: Effect, sentFields: ReadonlySet<string>): VisibleEffect {
  const visible = Object.entries(fields).map(([field, { after }]) => [
    field,
    sentFields.has(field) ? { after } : {},
  ]);
  return { kind, fields: Object.fromEntries(visible) };
}

function formerNameTaken({ field }: TakenBy): string {
  const name = field === 'employeeID' ? 'employee ID' : 'username';
  return `The ${name} that the undo would put back is taken by an existing user.`;
}
