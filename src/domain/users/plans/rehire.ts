import type { StoredUser } from '../../../contract/users.js';
import type { BulkChange, Creation, UserChange } from '../user-rules.js';
import { blankUser } from './creation.js';
import { applyChange } from './user-change.js';

/** What an item brings for a user whom it rehires: one who is inactive and whom it makes active. */
export function rehireOf({ rehire, change }: BulkChange, user: StoredUser): Creation | undefined {
  return user.isActive || change.isActive !== true ? undefined : rehire;
}

/** Without a manager, unless the item names one: not even one for whom an earlier item still waits. */
export function rehiringChange(change: UserChange): UserChange {
  return { ...change, managerEmployeeID: change.managerEmployeeID ?? null };
}

/** As a new user, with nothing from before but the serial and the employee ID. */
export function rehiredUser({ serial, version, employeeID }: StoredUser, change: UserChange): StoredUser {
  return applyChange(blankUser({ serial, version, employeeID }), { ...change, isActive: true });
}
