import type { Effect } from '../../contract/changes.js';
import { type Failure, failure, quarantinedOf, takenAttributeOf, takenByOf } from '../../contract/errors.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import type { Actor } from '../caller.js';
import { managerCycle } from '../users/plans/managers.js';
import { withoutHistory } from '../users/plans/missing-user.js';
import { withoutLastHolder } from '../users/plans/quarantine.js';
import { attributeValueTaken, nameTaken } from '../users/plans/user-change.js';

/**
 * Decides what a reply may reveal about users. `users:write` allows changes, not reads: without `users:read`, a reply
 * contains only serials and versions of changed users, and values from the request. Applied when a reply is written,
 * never when it is stored: a replay is subject to the token that requests it.
 */
export function mayReadUsers(actor: Pick<Actor, 'scopes'> | undefined): boolean {
  return actor?.scopes.has('users:read') ?? false;
}

/**
 * A failure about a name that came with the request. Without users:read it says that the name is taken, not by whom, or
 * that nobody has it, not what became of it, or until when it is quarantined, not who had it.
 */
export function visibleFailure(problem: Failure, mayRead: boolean, position?: number): Failure {
  if (mayRead) return problem;
  const quarantined = quarantinedOf(problem);
  if (quarantined) return withoutLastHolder(position, quarantined);
  if (problem.error === 'USER_MANAGER_CYCLE') return managerCycle(position, []);
  const attribute = takenAttributeOf(problem);
  if (attribute) return attributeValueTaken(position, { ...attribute, serial: null });
  const takenBy = takenByOf(problem);
  if (!takenBy) return position === undefined ? problem : withoutHistory(problem, position);
  const { serial, isActive: _, ...name } = takenBy;
  return serial === null ? problem : nameTaken(position, { ...name, serial: null });
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
  position: number,
  { sentFields, mayRead }: { readonly sentFields: ReadonlySet<string>; readonly mayRead: boolean },
): VisibleOutcome {
  if (mayRead) return outcome;
  if (outcome.ok) {
    const { effect } = outcome;
    return effect ? { ...outcome, effect: visibleEffect(effect, sentFields) } : outcome;
  }
  const takenBy = takenByOf(outcome.failure);
  return {
    ok: false,
    failure:
      takenBy && !sentFields.has(takenBy.field)
        ? formerNameTaken[takenBy.field]
        : visibleFailure(outcome.failure, mayRead, position),
  };
}

function visibleEffect({ kind, fields }: Effect, sentFields: ReadonlySet<string>): VisibleEffect {
  const visible = Object.entries(fields).map(([field, { after }]) => [
    field,
    sentFields.has(field) ? { after } : {},
  ]);
  return { kind, fields: Object.fromEntries(visible) };
}

const formerNameTaken = {
  employeeID: failure(
    'USER_EMPLOYEE_ID_EXISTS',
    'The previous employee ID is already taken by another user.',
  ),
  username: failure('USER_USERNAME_EXISTS', 'The previous username is already taken by another user.'),
};
