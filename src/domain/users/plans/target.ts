import type { StoredUser } from '../../../contract/users.js';
import type { BulkChange } from '../user-rules.js';

/** Finds the user that an item selects, among users as they are before the call. */
export function targetFinder(stored: readonly StoredUser[]): (item: BulkChange) => StoredUser | undefined {
  const byEmployeeId = new Map(stored.map((user) => [user.employeeID, user]));
  let bySerial: Map<string, StoredUser> | undefined;
  return ({ targetEmployeeID, targetThen }) => {
    if (!targetThen) return byEmployeeId.get(targetEmployeeID);
    bySerial ??= new Map(stored.map((user) => [user.serial, user]));
    return targetThen.serial === null ? undefined : bySerial.get(targetThen.serial);
  };
}
