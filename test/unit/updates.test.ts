import { describe, expect, test } from 'vitest';
import { changeableFields, fieldRows } from '../../src/contract/user-values.js';
import { updatesOf } from '../../src/domain/users/plans/updates.js';
import { consequencesOf } from '../../src/domain/users/update-consequences.js';
import { exampleUser } from '../../src/http/routes/users/examples.js';
import { storedUser } from '../support/stored-user.js';

const other = {
  ...{ ...exampleUser, isActive: false },
  managerSerial: fieldRows.managerSerial.example,
  attributes: '{"1": "Sales"}',
  signInName: fieldRows.signInName.example,
  scim: '{"deleted": true}',
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

describe('notices', () => {
  const [ada, grace, admin] = [storedUser('A'), storedUser('B'), storedUser('C')];
  const updates = updatesOf([
    { before: ada, after: { ...ada, username: 'king' } },
    { before: grace, after: { ...grace, name: 'Grace Hopper' } },
    { before: admin, after: { ...admin, isActive: false }, lostRole: 'administrator' },
  ]);
  const notified = (
    { bulk = false, all = true }: { bulk?: boolean; all?: boolean },
    callId: string | null,
    notify?: boolean,
  ) => {
    const actor = { kind: 'client', id: 'hr', scopes: new Set<never>() } as const;
    const author = {
      origin: { actor, requestId: 'r', callId },
      caller: { actor, requestId: 'r', address: '' },
      notify,
    };
    const settings = { changeNotices: all, bulkChangeNotices: bulk };
    return consequencesOf(settings, updates, author).notices.map(({ userSerial, changed }) =>
      [userSerial, ...changed].join(' '),
    );
  };
  const [ofUsername, ofRole] = [`${ada.serial} username`, `${admin.serial} role`];

  test.each([
    ['a change of one user sends them', {}, null, undefined, [ofUsername, ofRole]],
    ['a change of one user leaves them out on request, except for roles', {}, null, false, [ofRole]],
    ['a bulk call sends only those about roles', {}, 'call', undefined, [ofRole]],
    ['a bulk call sends them on request', {}, 'call', true, [ofUsername, ofRole]],
    ['a bulk call sends them if it is set', { bulk: true }, 'call', undefined, [ofUsername, ofRole]],
    ['a bulk call leaves them out on request', { bulk: true }, 'call', false, [ofRole]],
    ['nobody sends any if they are off', { bulk: true, all: false }, 'call', true, []],
  ])('%s', (_, settings, callId, notify, expected) => {
    expect(notified(settings, callId, notify)).toEqual(expected);
  });
});
