import { describe, expect, it } from 'vitest';
import { groupChanges } from '../../../console/src/components/changed-fields.js';
import {
  entryName,
  entryNamed,
  fullEntryName,
  usersPath,
} from '../../../console/src/components/entry-name.js';
import { tagChanges } from '../../../console/src/components/field-value.js';
import { employeeIDsToRead, namesIn } from '../../../console/src/components/reported-user.js';
import { verbsFor } from '../../../console/src/directories/entry-action.js';
import { countMatching, type MatchingReport } from '../../../console/src/matching/matching-call.js';
import { changeKinds, patchFor, referencedEntry } from '../../../console/src/users/selection/user-change.js';

type Success = MatchingReport['successItems'][number];
type Failure = MatchingReport['failedItems'][number];

const success = (kind: 'updated' | 'unchanged'): Success => ({
  payload: { employeeID: 'E1' },
  position: 0,
  response: { serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a' },
  effect: { kind, fields: {} },
});
const failed: Failure = {
  payload: { employeeID: 'E2' },
  position: 1,
  error: { errorCode: 10111, message: 'USER_PROTECTED', detail: 'The user has a role.' },
};

describe('the number of users to confirm', () => {
  it('includes users who stay as they are and users who cannot be changed', () => {
    const successItems = [success('updated'), success('unchanged'), success('updated')];
    expect(countMatching({ successItems, failedItems: [failed] })).toEqual({
      matched: 4,
      changed: 2,
      unchanged: 1,
      failed: 1,
    });
  });
});

describe('changes of several users', () => {
  const change = (employeeID: string, fields: object, kind = 'updated') => ({
    ...{ employeeID, kind, fields: fields as Record<string, { before: unknown; after: unknown }> },
  });
  const groupsOf = (changes: ReturnType<typeof change>[]) =>
    groupChanges(changes).map((group) => group.map(({ employeeID }) => employeeID));

  it('are together if they read the same', () => {
    const moved = (before: string) => ({ organizationSerial: { before, after: 'ORG2' } });
    const tagged = (before: string[], after: string[]) => ({ tagSerials: { before, after } });
    expect(
      groupsOf([
        change('E1', moved('ORG1')),
        change('E2', tagged(['A', 'B'], ['A', 'C'])),
        change('E3', moved('ORG3')),
        change('E4', moved('ORG1')),
        change('E5', tagged(['B'], ['C'])),
        change('E6', tagged(['B', 'C'], ['C'])),
        change('E7', tagged(['A'], ['A'])),
        change('E8', moved('ORG1'), 'rehired'),
      ]),
    ).toEqual([['E1', 'E4'], ['E2', 'E5'], ['E3'], ['E6'], ['E7'], ['E8']]);
  });
});

describe('an organization or tag', () => {
  it('is called by its name, and told apart by its serial', () => {
    expect(entryName({ serial: 'ORG7', displayName: 'Sales' })).toBe('Sales');
    expect(fullEntryName({ serial: 'ORG7', displayName: 'Sales' })).toBe('Sales (ORG7)');
    expect(entryName({ serial: 'ORG7', displayName: null })).toBe('ORG7');
    expect(fullEntryName({ serial: 'ORG7', displayName: null })).toBe('ORG7');
  });

  it('is found by its name, unless another one has that name or serial', () => {
    const sales = { serial: 'ORG7', displayName: 'Sales' };
    expect(entryNamed(' sales ', [sales])).toBe(sales);
    expect(entryNamed('sale', [sales])).toBeUndefined();
    expect(entryNamed('', [{ serial: 'ORG8', displayName: null }])).toBeUndefined();
    expect(entryNamed('Sales', [sales, { serial: 'ORG8', displayName: 'SALES' }])).toBeUndefined();
    expect(entryNamed('Sales', [sales, { serial: 'Sales', displayName: null }])).toBeUndefined();
  });

  it('links to its users, whatever its serial contains', () => {
    expect(usersPath('organizations', 'A&B')).toBe('/users?organization=A%26B');
    expect(usersPath('tags', 'T1', { isActive: true })).toBe('/users?status=active&tag=T1');
    expect(usersPath('organizations', 'A', { includeParts: true })).toBe(
      '/users?organization=A&includeParts=true',
    );
  });

  it('can be deleted only without users, and merged only with some', () => {
    expect(verbsFor({ users: { total: 0, active: 0, isExact: true } })).toEqual(['edit', 'rename', 'remove']);
    expect(verbsFor({ users: { total: 1, active: 0, isExact: true } })).toEqual(['edit', 'rename', 'merge']);
  });
});

describe('a change of all matching users', () => {
  it('is a patch of one field', () => {
    const patches = changeKinds.map((kind) => [kind, patchFor({ kind, serial: ' X1 ' })]);
    expect(Object.fromEntries(patches)).toEqual({
      addTag: { addTagSerials: ['X1'] },
      removeTag: { removeTagSerials: ['X1'] },
      setOrganization: { organizationSerial: 'X1' },
      clearOrganization: { organizationSerial: null },
      setManager: { managerEmployeeID: 'X1' },
      clearManager: { managerEmployeeID: null },
      setAttribute: undefined,
      clearAttribute: undefined,
      activate: { isActive: true },
      deactivate: { isActive: false },
    });
  });

  it('can bring in a tag or organization that does not exist yet', () => {
    expect(referencedEntry({ kind: 'addTag', serial: ' X1 ' })).toEqual({ kind: 'tags', serial: 'X1' });
    expect(referencedEntry({ kind: 'setOrganization', serial: 'X1' })?.kind).toBe('organizations');
    for (const kind of ['removeTag', 'clearOrganization', 'setManager', 'activate'] as const)
      expect(referencedEntry({ kind, serial: 'X1' })).toBeUndefined();
  });

  it('waits for the tag, organization or attribute', () => {
    expect(changeKinds.filter((kind) => patchFor({ kind, serial: ' ' }) === undefined)).toEqual([
      'addTag',
      'removeTag',
      'setOrganization',
      'setManager',
      'setAttribute',
      'clearAttribute',
    ]);
  });
});

describe('the tags of a change', () => {
  it('are those that were added or removed', () => {
    expect(tagChanges(['T1', 'T2'], ['T2', 'T3'])).toEqual({ added: ['T3'], removed: ['T1'] });
    expect(tagChanges(undefined, ['T1'])).toEqual({ added: ['T1'], removed: [] });
  });

  it('are all of them if only their order changed', () => {
    expect(tagChanges(['T1', 'T2'], ['T2', 'T1'])).toBeUndefined();
  });
});

describe('the names of users in a report', () => {
  const ada = { serial: 'S1', employeeID: 'E1', name: 'Ada' };
  const bob = { serial: 'S2', employeeID: 'E2', name: 'Bob' };

  it('are found by serial, because employee IDs may have been swapped', () => {
    const nameOf = namesIn([ada, bob]);
    expect(nameOf({ serial: 'S1', employeeID: 'E2' })).toBe('Ada');
    expect(nameOf({ employeeID: 'E2' })).toBe('Bob');
    expect(nameOf({ employeeID: 'E3' })).toBeUndefined();
  });

  it('come from the change if the user has been removed', () => {
    const fields = { name: { before: 'Cleo', after: null } };
    expect(namesIn([])({ serial: 'S3', employeeID: 'E3', fields })).toBe('Cleo');
  });

  it('are read by both employee IDs of a renamed user, 100 users at a time', () => {
    const renamed = { employeeID: 'E1', fields: { employeeID: { before: 'E1', after: 'R1' } } };
    expect(employeeIDsToRead([renamed, { employeeID: '' }])).toEqual([['E1', 'R1']]);
    const many = Array.from({ length: 101 }, (_, n) => ({ employeeID: `E${n}` }));
    expect(employeeIDsToRead(many).map(({ length }) => length)).toEqual([100, 1]);
  });
});
