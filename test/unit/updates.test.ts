import { describe, expect, test } from 'vitest';
import { changeableFields } from '../../src/contract/enums.js';
import type { ChangeableField, StoredUser } from '../../src/contract/users.js';
import { updatesOf } from '../../src/domain/users/plans/updates.js';
import { storedUser } from '../support/stored-user.js';

const other: { readonly [Field in ChangeableField]: StoredUser[Field] } = {
  employeeID: 'B',
  name: 'Grace',
  username: 'grace',
  email: null,
  phone: '+1 555 0100',
  isActive: false,
  organizationSerial: 'O1',
  tagSerials: ['T1'],
};

describe('writes', () => {
  const before = storedUser('A');

  test.each(changeableFields)('a user who differs only in %s', (field) => {
    const after = { ...before, [field]: other[field] };
    const updates = updatesOf([{ before, after }]);
    expect(updates.changed).toEqual([{ before, after }]);
    expect(updates.changedFields).toEqual(new Set([field]));
  });

  test('no user who is equal, even if it is another object', () => {
    const updates = updatesOf([{ before, after: { ...before, tagSerials: [...before.tagSerials] } }]);
    expect(updates).toMatchObject({ changed: [], changedFields: new Set() });
  });

  test('tags in a different order', () => {
    const tagged = { ...before, tagSerials: ['T1', 'T2'] };
    const updates = updatesOf([{ before: tagged, after: { ...tagged, tagSerials: ['T2', 'T1'] } }]);
    expect(updates.changedFields).toEqual(new Set(['tagSerials']));
  });

  test('deactivated and activated users are listed separately', () => {
    const off = storedUser('B', { isActive: false });
    const updates = updatesOf([
      { before, after: { ...before, isActive: false } },
      { before: off, after: { ...off, isActive: true } },
    ]);
    expect(updates.status).toEqual({ deactivated: [before.serial], activated: [off.serial] });
  });
});
