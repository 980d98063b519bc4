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
 * As a new user, with nothing from before but the serial, the employee ID, the attributes that whoever rehires the user
 * may not see, and what identity providers have set.
 */
export function rehiredUser(before: StoredUser, change: UserChange, hidden: HiddenAttributes): StoredUser {
  const { serial, version, employeeID, signInName, scim } = before;
  const blank = blankUser({ serial, version, employeeID });
  const kept = { ...blank, attributes: hidden(before.attributes), signInName, scim };
  return applyChange(kept, { ...change, isActive: true });
}

/** The same for the data of a new user. */
export function keptInRehire(
  before: StoredUser,
  given: Pick<StoredUser, 'attributes' | 'signInName' | 'scim'>,
  hidden: HiddenAttributes,
): Pick<StoredUser, 'attributes' | 'signInName' | 'scim'> {
  const isProvisioned = given.scim !== null;
  return {
    attributes: patchAttributes(hidden(before.attributes), parseAttributes(given.attributes)),
    signInName: isProvisioned ? given.signInName : before.signInName,
    scim: given.scim ?? before.scim,
  };
}
