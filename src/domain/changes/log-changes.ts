import type { StoredUser } from '../../contract/users.js';
import { type ChangeOrigin, insertChanges } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { fieldChanges } from './field-changes.js';

/** Called by the transaction that makes the change, for all users it changes. Updates write their own log rows. */

export function logCreated(tx: Executor, users: readonly StoredUser[], origin: ChangeOrigin): Promise<void> {
  const changes = users.map((user) => ({
    userSerial: user.serial,
    version: user.version,
    employeeID: user.employeeID,
    fields: fieldChanges(null, user),
  }));
  return insertChanges(tx, 'created', changes, origin);
}

export function logDeleted(tx: Executor, users: readonly StoredUser[], origin: ChangeOrigin): Promise<void> {
  const changes = users.map((user) => ({
    userSerial: user.serial,
    version: user.version + 1,
    employeeID: user.employeeID,
    fields: fieldChanges(user, null),
  }));
  return insertChanges(tx, 'deleted', changes, origin);
}
