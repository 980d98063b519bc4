import { describe, expect, test } from 'vitest';
import { decide, type KnownUser, type SyncRow } from '../../../../sheets/src/index.js';
import { bulkUpdateFields } from '../../../../src/contract/users.js';
import { viewedUser } from '../../../support/stored-user.js';

const ada: KnownUser = viewedUser({
  serial: 's1',
  employeeID: 'E1',
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  tagSerials: ['T1', 'T2'],
});

type Row = Partial<Omit<SyncRow, 'fields'>> & { readonly fields?: Partial<SyncRow['fields']> };

/** The decision for a row, given the users of the service and the employee IDs in the file. */
function decided(
  row: Row,
  users: KnownUser[] = [ada],
  file: string[] = [],
  { rehire = false, isProtected = false } = {},
) {
  const { employeeID = 'E1', from, fields = {} } = row;
  const whole: SyncRow = { row: 2, employeeID, from, fields: { employeeID: from ?? employeeID, ...fields } };
  const ids = new Set([whole.employeeID, ...file]);
  return decide(whole, {
    rehire,
    isProtected: () => isProtected,
    user: (id) => users.find(({ employeeID }) => employeeID === id),
    inFile: (id) => ids.has(id),
  });
}

describe('existing user', () => {
  test.each([
    ['the row sets no fields', {}],
    ['all fields are equal', { name: 'Ada Lovelace', isActive: true, tagSerials: ['T1', 'T2'], phone: '' }],
    ['only leading and trailing spaces differ', { name: ' Ada Lovelace ' }],
  ])('is unchanged if %s', (_, fields) => {
    expect(decided({ fields })).toEqual({ action: 'none', serial: 's1' });
  });

  test('is unchanged if only runs of white space differ, which serials keep', () => {
    const before = { ...ada, name: 'Ada  Lovelace', organizationSerial: 'ORG  7' };
    expect(decided({ fields: { name: 'Ada Lovelace' } }, [before])).toMatchObject({ action: 'none' });
    expect(decided({ fields: { organizationSerial: 'ORG 7' } }, [before])).toMatchObject({
      changed: ['organizationSerial'],
    });
  });

  test('is updated with the changed fields only', () => {
    expect(decided({ fields: { name: 'Ada Lovelace', phone: '+44 1' } })).toEqual({
      action: 'send',
      serial: 's1',
      kind: 'updated',
      changed: ['phone'],
      item: { employeeID: 'E1', phone: '+44 1' },
    });
  });

  test('is compared in every field that a bulk update accepts, and the email address', () => {
    const others: Record<string, unknown> = {
      name: 'Ada King',
      username: 'king',
      email: 'king@example.com',
      phone: '+44 1',
      isActive: false,
      tagSerials: ['T1'],
      organizationSerial: 'O1',
      managerEmployeeID: 'E2',
    };
    const { employeeID: _selects, newEmployeeID: _renames, attributes: _, ...compared } = bulkUpdateFields;
    expect(Object.keys(others).sort()).toEqual(['email', ...Object.keys(compared)].sort());
    for (const [field, value] of Object.entries(others)) {
      expect(decided({ fields: { [field]: value } }), field).toMatchObject({ changed: [field] });
    }
  });

  test('has no attribute whose key is only the name of an inherited property', () => {
    expect(decided({ fields: { attributes: { constructor: '' } } })).toMatchObject({ action: 'none' });
  });

  test('has fields and lists cleared by empty values', () => {
    expect(decided({ fields: { username: '', tagSerials: [] } })).toMatchObject({
      changed: ['username', 'tagSerials'],
      item: { username: '', tagSerials: [] },
    });
  });

  test('is deactivated if the file says so, which counts more than a rename', () => {
    expect(decided({ fields: { isActive: false } })).toMatchObject({
      kind: 'deactivated',
      changed: ['isActive'],
    });
    expect(decided({ employeeID: 'E2', from: 'E1', fields: { isActive: false } })).toMatchObject({
      kind: 'deactivated',
      changed: ['employeeID', 'isActive'],
    });
  });

  test('never has their password changed', () => {
    expect(decided({ fields: { password: 'another one' } })).toEqual({ action: 'none', serial: 's1' });
  });
});

describe('new user', () => {
  test('is created without empty fields, and active unless the file says otherwise', () => {
    const fields = { name: 'Grace', email: 'g@example.com', phone: '', password: 'secret' };
    expect(decided({ employeeID: 'E9', fields })).toEqual({
      action: 'send',
      kind: 'created',
      item: { employeeID: 'E9', name: 'Grace', isActive: true, email: 'g@example.com', password: 'secret' },
    });
    expect(decided({ employeeID: 'E9', fields: { ...fields, isActive: false } })).toMatchObject({
      item: { isActive: false },
    });
  });

  test.each([
    [{ email: 'g@example.com' }, 'FIELD_REQUIRED', /No user has this employee ID yet.*"name" is required/],
    [{ name: 'Grace' }, 'CONTACT_REQUIRED', /"email" and "phone"/],
  ])('is refused if something is missing: %j', (fields, code, detail) => {
    expect(decided({ employeeID: 'E9', fields })).toMatchObject({
      action: 'refuse',
      problem: { code, detail: expect.stringMatching(detail) },
    });
  });
});

describe('rename', () => {
  const fields = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const renamed: KnownUser = { ...ada, employeeID: 'E2' };
  const other: KnownUser = { ...ada, serial: 's2', name: 'Other' };

  test('is sent with the current ID', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields })).toEqual({
      action: 'send',
      serial: 's1',
      kind: 'renamed',
      changed: ['employeeID'],
      item: { employeeID: 'E1', newEmployeeID: 'E2' },
    });
  });

  test('is skipped if an earlier sync has done it', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [renamed])).toMatchObject({
      action: 'none',
      serial: 's1',
    });
  });

  test('is skipped if already done, even if another user in the file now has the old ID', () => {
    const row = { employeeID: 'E2', from: 'E1', fields };
    expect(decided(row, [renamed, other], ['E1'])).toMatchObject({ action: 'none', serial: 's1' });
  });

  test('is refused if both IDs exist and the old one is not in the file', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [renamed, other])).toMatchObject({
      action: 'refuse',
      problem: { code: 'RENAME_TAKEN' },
    });
  });

  test('of an unknown user creates the user', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [])).toMatchObject({ kind: 'created' });
  });
});

describe('inactive user, with --rehire', () => {
  const left: KnownUser = { ...ada, isActive: false };
  const decidedWith = (row: Row, users = [left]) => decided(row, users, [], { rehire: true });

  test('a row that says active rehires with all its values, and nothing else', () => {
    const fields = { name: 'Ada King', email: 'king@example.com', phone: '', isActive: true };
    expect(decidedWith({ fields })).toMatchObject({
      action: 'send',
      kind: 'rehired',
      serial: left.serial,
      item: { employeeID: 'E1', name: 'Ada King', email: 'king@example.com', isActive: true },
    });
    expect(decidedWith({ fields })).not.toHaveProperty('item.phone');
  });

  test('a rename rehires, too', () => {
    const fields = { name: 'Ada King', email: 'king@example.com', isActive: true };
    const decision = decidedWith({ employeeID: 'E2', from: 'E1', fields });
    expect(decision).toMatchObject({ kind: 'rehired', item: { employeeID: 'E1', newEmployeeID: 'E2' } });
  });

  test('a row without a status, or with inactive, updates', () => {
    expect(decidedWith({ fields: { name: 'Ada King' } })).toMatchObject({ kind: 'updated' });
    expect(decidedWith({ fields: { name: 'Ada King', isActive: false } })).toMatchObject({ kind: 'updated' });
  });

  test('a row without a contact is refused', () => {
    expect(decidedWith({ fields: { name: 'Ada King', isActive: true } })).toMatchObject({
      action: 'refuse',
      problem: { detail: expect.stringMatching(/^A rehire needs a whole user\. /) },
    });
  });

  test('without --rehire, they are reactivated and keep the rest of their data', () => {
    expect(decided({ fields: { name: 'Ada King', isActive: true } }, [left])).toMatchObject({
      kind: 'reactivated',
      changed: ['name', 'isActive'],
    });
  });

  test('an active user is updated', () => {
    expect(decidedWith({ fields: { name: 'Ada King', isActive: true } }, [ada])).toMatchObject({
      kind: 'updated',
    });
  });
});

describe('user with a role, whose sign-in the caller may not change', () => {
  const fields = { name: 'Ada King', username: 'king', email: 'king@example.com', phone: '+44 1' };
  const decidedFor = (row: Row, user: KnownUser = ada, rehire = false) =>
    decided(row, [user], [], { rehire, isProtected: true });

  test('keeps the username and the email address, and gets the rest', () => {
    expect(decidedFor({ fields })).toEqual({
      action: 'send',
      serial: 's1',
      kind: 'updated',
      changed: ['name', 'phone'],
      kept: ['username', 'email'],
      item: { employeeID: 'E1', name: 'Ada King', phone: '+44 1' },
    });
    const { email } = fields;
    expect(decidedFor({ fields: { email } })).toEqual({ action: 'none', serial: 's1', kept: ['email'] });
    expect(decidedFor({ fields: { email: ada.email ?? '' } })).toEqual({ action: 'none', serial: 's1' });
  });

  test('keeps a phone number that passwords are sent to, and stays inactive', () => {
    const left = { ...ada, email: null, phone: '+44 2', isActive: false };
    for (const rehire of [false, true]) {
      expect(decidedFor({ fields: { phone: '+44 1', isActive: true } }, left, rehire)).toEqual({
        action: 'none',
        serial: 's1',
        kept: ['phone', 'isActive'],
      });
    }
  });

  test('can be deactivated, whatever else changes', () => {
    expect(decidedFor({ fields: { ...fields, isActive: false } })).toMatchObject({
      kind: 'deactivated',
      changed: ['name', 'username', 'email', 'phone', 'isActive'],
    });
  });
});
