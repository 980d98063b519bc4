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

type ShownUser = Omit<UserView, 'managerSerial' | 'attributes'> & {
  readonly manager: { serial: string; employeeID: string | null; name: string | null } | null;
  readonly attributes: Record<string, unknown>;
};

/** A user as a response contains it. */
export function viewedUser(
  fields: Partial<ShownUser> & Pick<UserValues, 'employeeID' | 'name'>,
): ShownUser & { tagSerials: string[] } {
  const { tagSerials = [], attributes = {}, manager = null, ...others } = fields;
  const { managerSerial: _, ...values } = valuesIn({ isActive: true, ...others });
  return {
    serial: `serial-of-${fields.employeeID}`,
    ...values,
    createdAt: '2026-11-15T08:30:00.000Z',
    updatedAt: '2026-11-15T08:30:00.000Z',
    ...others,
    tagSerials: [...tagSerials],
    manager,
    attributes,
  };
}
