/** As in `rollcall sync`: the share of active users that a file may deactivate by not containing them, unless someone decides otherwise. */
export const deactivatePercentDefault = 10;

/** How many of the active users may be deactivated. */
export function deactivationsAllowed(percent: number, active: number): number {
  return Math.floor((active * percent) / 100);
}
