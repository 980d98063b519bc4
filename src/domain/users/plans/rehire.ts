import { parseAttributes, patchAttributes } from '../../../contract/attribute-values.js';
import type { StoredUser } from '../../../contract/users.js';
import type { HiddenAttributes } from '../../attributes/attribute-set.js';
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

/**
 * As a new user, with nothing from before but the serial, the employee ID, and the attributes that whoever rehires the
 * user may not see.
 */
export function rehiredUser(before: StoredUser, change: UserChange, hidden: HiddenAttributes): StoredUser {
  const { serial, version, employeeID } = before;
  const blank = { ...blankUser({ serial, version, employeeID }), attributes: hidden(before.attributes) };
  return applyChange(blank, { ...change, isActive: true });
}

/** The attributes of a user who is rehired with those of a new one. */
export function rehiredAttributes(
  before: StoredUser,
  given: string | null,
  hidden: HiddenAttributes,
): string | null {
  return patchAttributes(hidden(before.attributes), parseAttributes(given));
}
