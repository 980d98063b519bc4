import { describe, expect, test } from 'vitest';
import { decide, type User } from '../../../../src/cli/sync/decide.js';
import type { SyncRow } from '../../../../src/cli/sync/file/rows.js';

const ada: User = {
  serial: 's1',
  employeeID: 'E1',
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  phone: null,
  isActive: true,
  tagSerials: ['T1', 'T2'],
  organizationSerial: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

type Row = Partial<Omit<SyncRow, 'fields'>> & { readonly fields?: Partial<SyncRow['fields']> };

/** What is to be done for a row, among people that the service has and employee IDs that the file has. */
function decided(row: Row, users: User[] = [ada], file: string[] = []) {
  const { employeeID = 'E1', from, fields = {} } = row;
  const whole: SyncRow = { row: 2, employeeID, from, fields: { employeeID: from ?? employeeID, ...fields } };
  const ids = new Set([whole.employeeID, ...file]);
  return decide(whole, {
    user: (id) => users.find(({ employeeID }) => employeeID === id),
    inFile: (id) => ids.has(id),
  });
}

describe('a known person', () => {
  test.each([
    ['nothing is said', {}],
    ['all is as it is', { name: 'Ada Lovelace', isActive: true, tagSerials: ['T1', 'T2'], phone: null }],
    ['only spaces and the writing of accents differ', { name: ' Ada Lovelace ' }],
  ])('is left alone where %s', (_, fields) => {
    expect(decided({ fields })).toEqual({ action: 'none', serial: 's1' });
  });

  test('is sent with what changes, and with the name and status that an item must have', () => {
    expect(decided({ fields: { name: 'Ada Lovelace', phone: '+44 1' } })).toEqual({
      action: 'update',
      serial: 's1',
      kind: 'updated',
      changed: ['phone'],
      item: { employeeID: 'E1', name: 'Ada Lovelace', isActive: true, phone: '+44 1' },
    });
  });

  test('has a field cleared by null, and a list by an empty one', () => {
    expect(decided({ fields: { username: null, tagSerials: null } })).toMatchObject({
      changed: ['username', 'tagSerials'],
      item: { username: null, tagSerials: null },
    });
  });

  test('is deactivated by the file', () => {
    expect(decided({ fields: { isActive: false } })).toMatchObject({
      kind: 'deactivated',
      changed: ['isActive'],
    });
  });

  test('goes alone when the email changes, with everything else that does', () => {
    expect(decided({ fields: { email: 'king@example.com', name: 'Ada King' } })).toEqual({
      action: 'patch',
      serial: 's1',
      kind: 'updated',
      changed: ['name', 'email'],
      patch: { name: 'Ada King', email: 'king@example.com' },
    });
    expect(decided({ employeeID: 'E2', from: 'E1', fields: { email: 'king@example.com' } })).toMatchObject({
      action: 'patch',
      kind: 'renamed',
      patch: { employeeID: 'E2', email: 'king@example.com' },
    });
  });

  test('never has a password changed', () => {
    expect(decided({ fields: { password: 'another one' } })).toEqual({ action: 'none', serial: 's1' });
  });
});

describe('somebody new', () => {
  test('is created, active unless the file says otherwise, without what is null', () => {
    const fields = { name: 'Grace', email: 'g@example.com', phone: null, password: 'secret' };
    expect(decided({ employeeID: 'E9', fields })).toEqual({
      action: 'create',
      item: { employeeID: 'E9', name: 'Grace', isActive: true, email: 'g@example.com', password: 'secret' },
    });
    expect(decided({ employeeID: 'E9', fields: { ...fields, isActive: false } })).toMatchObject({
      item: { isActive: false },
    });
  });

  test.each([
    [{ email: 'g@example.com' }, 'FIELD_REQUIRED', /No user has this employee ID yet.*"name" is required/],
    [{ name: 'Grace' }, 'CONTACT_REQUIRED', /"email" and "phone"/],
  ])('is refused where something is missing: %j', (fields, code, detail) => {
    expect(decided({ employeeID: 'E9', fields })).toMatchObject({
      action: 'refuse',
      problem: { code, detail: expect.stringMatching(detail) },
    });
  });
});

describe('a rename', () => {
  const fields = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const renamed: User = { ...ada, employeeID: 'E2' };
  const other: User = { ...ada, serial: 's2', name: 'Other' };

  test('is sent to the ID until now', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields })).toEqual({
      action: 'update',
      serial: 's1',
      kind: 'renamed',
      changed: ['employeeID'],
      item: { employeeID: 'E1', newEmployeeID: 'E2', name: 'Ada Lovelace', isActive: true },
    });
  });

  test('that was done on another night is none', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [renamed])).toMatchObject({
      action: 'none',
      serial: 's1',
    });
  });

  test('that was done is none, even if somebody else in the file has the old ID by now', () => {
    const row = { employeeID: 'E2', from: 'E1', fields };
    expect(decided(row, [renamed, other], ['E1'])).toMatchObject({ action: 'none', serial: 's1' });
  });

  test('is refused where both IDs are there and the file does not know the old one', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [renamed, other])).toMatchObject({
      action: 'refuse',
      problem: { code: 'RENAME_TAKEN' },
    });
  });

  test('of somebody unknown is a create', () => {
    expect(decided({ employeeID: 'E2', from: 'E1', fields }, [])).toMatchObject({ action: 'create' });
  });
});
