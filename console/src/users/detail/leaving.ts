import { dayEndingAt } from '../../components/day-range.js';
import { plannedCopy } from '../../copy/copy.js';
import { formatDateTime, formatDay } from '../../copy/format.js';
import type { UpcomingChange } from '../data/user-queries.js';

const copy = plannedCopy.upcoming;

/** When a planned call changes the user. What happens at midnight happens after a day. */
export function whenText({ state, effectiveAt }: UpcomingChange, timeZone: string | undefined): string {
  if (effectiveAt === null) return copy.onceApproved;
  const isApproved = state !== 'awaitingApproval';
  const lastDay = dayEndingAt(effectiveAt, timeZone);
  if (lastDay !== undefined) return (isApproved ? copy.after : copy.afterApproved)(formatDay(lastDay));
  return (isApproved ? copy.on : copy.onApproved)(formatDateTime(effectiveAt));
}

/** The first deactivation that is planned. */
export function plannedDeactivation(changes: readonly UpcomingChange[]): UpcomingChange | undefined {
  return changes.find(({ effect }) => effect.fields.isActive?.after === false);
}

/** When the user leaves; undefined if that is not planned, or at no certain time. */
export function leavingText(
  changes: readonly UpcomingChange[],
  timeZone: string | undefined,
): string | undefined {
  const change = plannedDeactivation(changes);
  if (!change?.effectiveAt) return undefined;
  const lastDay = dayEndingAt(change.effectiveAt, timeZone);
  const text =
    lastDay === undefined
      ? copy.leaves(formatDateTime(change.effectiveAt))
      : copy.leavesAfter(formatDay(lastDay));
  return change.state === 'awaitingApproval' ? copy.ifApproved(text) : text;
}
