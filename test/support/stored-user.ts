import { type UserValues, valuesIn } from '../../src/contract/user-values.js';
import type { StoredUser, UserView } from '../../src/contract/users.js';

/** A user as read for a plan. */
export function storedUser(employeeID: string, fields: Partial<StoredUser> = {}): StoredUser {
  return {
    serial: `serial-of-${employeeID}`,
    version: 1,
    ...valuesIn({ employeeID, name: 'Ada', email: 'a@b.c', isActive: true }),
    ...fields,
  };
}

/** A user as a response contains it. */
export function viewedUser(
  fields: Partial<UserView> & Pick<UserValues, 'employeeID' | 'name'>,
): UserView & { tagSerials: string[] } {
  const { tagSerials = [], ...others } = fields;
  return {
    serial: `serial-of-${fields.employeeID}`,
    ...valuesIn({ isActive: true, ...others }),
    createdAt: '2026-11-15T08:30:00.000Z',
    updatedAt: '2026-11-15T08:30:00.000Z',
    ...others,
    tagSerials: [...tagSerials],
  };
}
