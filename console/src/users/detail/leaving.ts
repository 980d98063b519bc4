import { lastDayText } from '../../components/calls.js';
import { plannedCopy } from '../../copy/copy.js';
import { formatDay, formatStart } from '../../copy/format.js';
import type { UpcomingChange } from '../data/user-queries.js';

const copy = plannedCopy.upcoming;

/** When a planned call changes the user, and how: `On 1 Dec 2026: change`. */
export function upcomingText(change: UpcomingChange): string {
  const { state, effectiveAt, lastWorkingDay } = change;
  const needsApproval = state === 'awaitingApproval';
  if (lastWorkingDay !== null && isDeactivation(change)) {
    return needsApproval
      ? `${lastDayText(lastWorkingDay)} ${plannedCopy.approvalFirst}`
      : lastDayText(lastWorkingDay);
  }
  if (effectiveAt === null) return copy.what(copy.onceApproved, whatText(change));
  return copy.what((needsApproval ? copy.onApproved : copy.on)(formatStart(effectiveAt)), whatText(change));
}

function whatText({ effect }: UpcomingChange): string {
  const after = effect.fields.isActive?.after;
  if (after === undefined) return copy.change;
  return after === false ? copy.deactivate : copy.reactivate;
}

function isDeactivation({ effect }: UpcomingChange): boolean {
  return effect.fields.isActive?.after === false;
}

/** The first deactivation that is planned. */
export function plannedDeactivation(changes: readonly UpcomingChange[]): UpcomingChange | undefined {
  return changes.find(isDeactivation);
}

/** When the user leaves; undefined if that is not planned, or at no certain time. */
export function leavingText(changes: readonly UpcomingChange[]): string | undefined {
  const change = plannedDeactivation(changes);
  if (!change?.effectiveAt) return undefined;
  const { effectiveAt, lastWorkingDay, state } = change;
  const text =
    lastWorkingDay === null ? copy.leaves(formatStart(effectiveAt)) : copy.lastDay(formatDay(lastWorkingDay));
  return state === 'awaitingApproval' ? copy.ifApproved(text) : text;
}
