import type { SyncItem } from '../items.js';
import type { Survey } from './survey.js';

export interface MissingRules<User> {
  /** Whether the file mentions the user, or there is another reason to leave the user alone. */
  isPresent(user: User): boolean;
  hasRole(user: User): boolean;
  /** Whether users with a role are deactivated, too. */
  readonly includesRoles: boolean;
}

/** Whether an active user is missing from a file that lists everyone. The first administrator is in nobody's HR file. */
export function presenceOf<User>(user: User, rules: MissingRules<User>): 'present' | 'spared' | 'missing' {
  if (rules.isPresent(user)) return 'present';
  return rules.hasRole(user) && !rules.includesRoles ? 'spared' : 'missing';
}

/** A file mentions a user by the employee ID after the sync, or by the one before it if the user could not be renamed. */
export function isMentioned({ ids, renamedFrom }: Survey, employeeID: string): boolean {
  return ids.has(employeeID) || renamedFrom.has(employeeID);
}

/** Without a name, it can't create the user, should somebody have renamed them meanwhile. */
export function deactivation(employeeID: string): SyncItem {
  return { employeeID, isActive: false };
}

/** How many users a file may deactivate by not containing them: a number, or a percentage of the active users. */
export type DeactivateMax = { readonly users: number } | { readonly percent: number };

/** Unless someone decides otherwise. */
export const deactivatePercentDefault = 10;

export function mayDeactivate(missing: number, active: number, max: DeactivateMax): boolean {
  return missing <= ('users' in max ? max.users : Math.floor((active * max.percent) / 100));
}

/** The lowest whole percentage that allows to deactivate that many of the active users. */
export function percentNeeded(missing: number, active: number): number {
  let percent = Math.floor((100 * missing) / active);
  while (!mayDeactivate(missing, active, { percent })) percent++;
  return percent;
}
