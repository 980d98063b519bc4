import { describe, expect, it } from 'vitest';
import type { Attribute } from '../../../console/src/components/attribute-value.js';
import type { User } from '../../../console/src/users/data/user.js';
import { isRestorable, restoredFields } from '../../../console/src/users/restore/restoration.js';

const user = {
  serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
  employeeID: 'E2',
  name: 'Ada Byron',
  username: null,
  email: 'ada@example.com',
  phone: null,
  isActive: true,
  tagSerials: ['T1'],
  organizationSerial: 'ORG7',
  manager: { serial: 'm2', employeeID: 'E9', name: 'Grace Hopper' },
  attributes: { site: 'Lyon' },
} as unknown as User;
const state = { user, attributes: [{ key: 'site', isRetired: false }] as unknown as Attribute[] };

const change = (fields: Record<string, [before: unknown, after: unknown]>) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([field, [before, after]]) => [field, { before, after }]),
  ),
});
const first = change({ name: ['Ada Lovelace', 'Ada King'], phone: ['+1 202', null] });
const second = change({ name: ['Ada King', 'Ada Byron'], managerSerial: ['m1', 'm2'] });

describe('undoing one change', () => {
  it('brings back its fields alone, and says which of them have changed again', () => {
    expect(restoredFields(state, first, [second], 'change')).toMatchObject([
      { field: 'name', now: 'Ada Byron', earlier: 'Ada Lovelace', lost: second },
      { field: 'phone', now: null, earlier: '+1 202', lost: undefined },
    ]);
  });

  it('leaves out what is as before already', () => {
    const back = change({ email: ['ada@example.com', 'new@example.com'], employeeID: ['E1', 'E2'] });
    expect(restoredFields(state, back, [], 'change').map(({ field }) => field)).toEqual(['employeeID']);
  });

  it('takes attributes one by one, and those that are no longer in use not at all', () => {
    const moved = change({ attributes: [{ site: 'Berlin', gone: 'x' }, { site: 'Lyon' }] });
    expect(restoredFields(state, moved, [], 'change')).toMatchObject([
      { field: 'attributes.site', now: 'Lyon', earlier: 'Berlin', isRetired: false },
      { field: 'attributes.gone', now: null, earlier: 'x', isRetired: true },
    ]);
  });

  it('is for what people enter', () => {
    expect(isRestorable(change({ role: ['viewer', null], signInName: ['a', 'b'] }))).toBe(false);
    expect(isRestorable(change({ role: ['viewer', null], isActive: [true, false] }))).toBe(true);
  });
});

describe('restoring a version', () => {
  it('brings back every field that has changed since, as it was then', () => {
    expect(restoredFields(state, change({}), [second, first], 'version')).toMatchObject([
      { field: 'name', earlier: 'Ada Lovelace', lost: second },
      { field: 'managerEmployeeID', now: 'm2', earlier: 'm1', lost: second },
      { field: 'phone', earlier: '+1 202', lost: first },
    ]);
  });

  it('changes nothing if nothing has happened since', () => {
    expect(restoredFields(state, first, [], 'version')).toEqual([]);
  });
});
