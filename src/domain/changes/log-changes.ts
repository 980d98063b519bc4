import type { StoredUser } from '../../contract/users.js';
import { type ChangeOrigin, insertChanges } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { fieldChanges } from './field-changes.js';

/** Each is called by the transaction that makes the change, for all the users it changes. Updates log themselves. */

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
