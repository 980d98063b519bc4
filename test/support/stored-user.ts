import type { StoredUser } from '../../src/contract/users.js';

/** A user as read for a plan. */
export function storedUser(employeeID: string, fields: Partial<StoredUser> = {}): StoredUser {
  return {
    serial: `serial-of-${employeeID}`,
    version: 1,
    employeeID,
    name: 'Ada',
    username: null,
    email: 'a@b.c',
    phone: null,
    isActive: true,
    tagSerials: [],
    organizationSerial: null,
    ...fields,
  };
}
