import { describe, expect, test } from 'vitest';
import type { StoredUser } from '../../src/contract/users.js';
import { emptyNameHistory, extendNameHistory } from '../../src/domain/bulk/name-history.js';
import { planCreates } from '../../src/domain/users/plans/create-plan.js';
import { planUpdates, type UpdatePlan } from '../../src/domain/users/plans/sequential-plan.js';
import { parseBulkChange, parseNewUser, parseUpsert } from '../../src/domain/users/user-rules.js';
import { storedUser as stored } from '../support/stored-user.js';

/** 'A→B' renames A to B, and 'A' changes nothing. */
type Item = string | readonly [employeeID: string, fields?: Record<string, unknown>];

function fieldsOf(item: Item): readonly [employeeID: string, fields?: Record<string, unknown>] {
  if (typeof item !== 'string') return item;
  const [employeeID = '', newEmployeeID] = item.split('→');
  return newEmployeeID === undefined ? [employeeID] : [employeeID, { newEmployeeID }];
}

function items(list: readonly Item[], first = 0) {
  const parsed = list
    .map(fieldsOf)
    .map(([employeeID, fields]) =>
      parseBulkChange({ employeeID, name: 'Ada', isActive: true, ...fields }, {}, 'clear'),
    );
  return { first, items: parsed };
}

function plan(users: readonly StoredUser[], list: readonly Item[]): UpdatePlan {
  return planUpdates(items(list), users, emptyNameHistory());
}

function verdicts({ outcomes }: Pick<UpdatePlan, 'outcomes'>): string[] {
  return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure.error));
}

function details({ outcomes }: Pick<UpdatePlan, 'outcomes'>): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.detail]));
}

const to = (newEmployeeID: string) => ({ newEmployeeID });
const [A, B, C] = [stored('A'), stored('B'), stored('C')];

describe('names pass from item to item', () => {
  test('[A→B, C→A] succeeds twice, and A is released before C takes it', () => {
    const result = plan([A, C], ['A→B', 'C→A']);
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(result.releasedNames.employeeIdsOf).toEqual([A.serial]);
  });

  test('[A→B, B→C] renames one user twice and releases no names', () => {
    const result = plan([A], ['A→B', 'B→C']);
    const [asB, asC] = [
      { ...A, employeeID: 'B' },
      { ...A, employeeID: 'C' },
    ];
    expect(result.outcomes).toEqual([
      { ok: true, serial: A.serial, before: A, after: asB },
      { ok: true, serial: A.serial, before: asB, after: asC },
    ]);
    expect(result.changed).toEqual([{ before: A, after: asC }]);
    expect(result.releasedNames.employeeIdsOf).toEqual([]);
  });

  test('a swap [A→B, B→A] fails twice', () => {
    const result = plan([A, B], ['A→B', 'B→A']);
    expect(verdicts(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS', 'USER_EMPLOYEE_ID_EXISTS']);
    expect(result.changed).toEqual([]);
  });

  test('a swap through a third name succeeds, with the names of both released first', () => {
    const result = plan([A, B], ['A→X', 'B→A', 'X→B']);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
    expect([...result.releasedNames.employeeIdsOf].sort()).toEqual([A.serial, B.serial]);
  });

  test('a rename and its reversal change nothing', () => {
    expect(plan([A], ['A→B', 'B→A']).changed).toEqual([]);
  });

  test('a username that passes to another user is released first', () => {
    const [one, two] = [stored('A', { username: 'ada' }), stored('B')];
    const result = plan(
      [one, two],
      [
        ['A', { username: null }],
        ['B', { username: 'ADA' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(result.releasedNames.usernamesOf).toEqual([one.serial]);
  });

  test('a username can change its case without being released', () => {
    const result = plan([stored('A', { username: 'ada' })], [['A', { username: 'Ada' }]]);
    expect(verdicts(result)).toEqual(['ok']);
    expect(result.changed[0]?.after.username).toBe('Ada');
    expect(result.releasedNames.usernamesOf).toEqual([]);
  });

  test('an ID means its holder at that item: nobody before and after a rename, and then the next one', () => {
    const result = plan(
      [A, B],
      [
        ['X', {}],
        ['A', to('X')],
        ['A', {}],
        ['B', to('A')],
        ['A', { phone: '123' }],
        ['X', { phone: '456' }],
      ],
    );
    expect(verdicts(result)).toEqual(['USER_NOT_FOUND', 'ok', 'USER_NOT_FOUND', 'ok', 'ok', 'ok']);
    expect(result.changed.map(({ after }) => [after.serial, after.employeeID, after.phone])).toEqual([
      [A.serial, 'X', '456'],
      [B.serial, 'A', '123'],
    ]);
  });

  test('the first of two users gets a free name, and a change of case frees the former employee ID', () => {
    const result = plan(
      [A, B, C],
      [
        ['A', to('X')],
        ['B', to('X')],
        ['A', {}],
        ['C', to('c')],
        ['B', to('C')],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'USER_EMPLOYEE_ID_EXISTS', 'USER_NOT_FOUND', 'ok', 'ok']);
  });

  test('an only contact that an earlier item changed cannot be cleared', () => {
    const result = plan(
      [stored('A', { email: null, phone: '111' })],
      [
        ['A', { phone: '222' }],
        ['A', { phone: null }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'USER_CONTACT_REQUIRED']);
    expect(result.changed[0]?.after.phone).toBe('222');
  });

  test('a failed item does not affect later ones', () => {
    const result = plan(
      [A, B, C],
      [
        ['A', { newEmployeeID: 'B', username: 'ada' }],
        ['C', { username: 'ada' }],
      ],
    );
    expect(verdicts(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS', 'ok']);
  });
});

describe('the first failing check decides', () => {
  const users = [stored('A', { email: null, phone: '123' }), stored('B', { username: 'bob' })];
  const everythingWrong = { newEmployeeID: 'B', username: 'bob', phone: null };

  test.each([
    ['the user exists', 'Z', everythingWrong, 'USER_NOT_FOUND'],
    ['then the new employee ID', 'A', everythingWrong, 'USER_EMPLOYEE_ID_EXISTS'],
    ['then the username', 'A', { username: 'bob', phone: null }, 'USER_USERNAME_EXISTS'],
    ['then the contact details', 'A', { phone: null }, 'USER_CONTACT_REQUIRED'],
  ] as const)('%s', (_, employeeID, fields, error) => {
    expect(verdicts(plan(users, [[employeeID, fields]]))).toEqual([error]);
  });
});

describe('details name the holder', () => {
  test('an earlier item of the call', () => {
    const result = plan(
      [A, B],
      [['A', { newEmployeeID: 'X', username: 'ada' }], 'B→X', ['B', { username: 'ADA' }]],
    );
    expect(details(result)).toEqual([
      'items[1]: the employee ID "X" is already taken by items[0] of this call.',
      'items[2]: the username "ADA" is already taken by items[0] of this call.',
    ]);
  });

  test('an existing user', () => {
    expect(details(plan([A, B], ['A→B']))).toEqual([
      'items[0]: the employee ID "B" is already taken by another user with the serial serial-of-B.',
    ]);
  });

  test('the last of several items that took the name', () => {
    const result = plan(
      [A, B, C],
      [
        ['A', to('X')],
        ['X', to('Y')],
        ['B', to('X')],
        ['C', to('X')],
      ],
    );
    expect(details(result)).toEqual([
      'items[3]: the employee ID "X" is already taken by items[2] of this call.',
    ]);
  });

  test('an existing user, even if earlier items failed to take the name, or changed something else of the user', () => {
    const holder = stored('B', { username: 'bob' });
    const result = plan(
      [A, holder, C],
      [
        ['A', to('B')],
        ['B', { newEmployeeID: 'B', username: 'BOB', phone: '123' }],
        ['C', to('B')],
        ['C', { username: 'bob' }],
      ],
    );
    expect(details(result)).toEqual(
      ['items[0]: the employee ID "B"', 'items[2]: the employee ID "B"', 'items[3]: the username "bob"'].map(
        (name) => `${name} is already taken by another user with the serial serial-of-B.`,
      ),
    );
  });

  test('the item that renamed a user who is no longer found', () => {
    const result = plan([A], ['A→B', 'A']);
    expect(details(result)).toEqual([
      'items[1]: no user has the employee ID "A". items[0] of this call changed it to "B".',
    ]);
  });

  test('an item of an earlier transaction of the call, if its user still has the name', () => {
    const past = emptyNameHistory();
    extendNameHistory(past, planUpdates(items(['A→X']), [A], past).nameHistory);
    const later = (holder: StoredUser) => planUpdates(items(['B→X'], 1), [holder, B], past);
    expect(details(later({ ...A, employeeID: 'X' }))).toEqual([
      'items[1]: the employee ID "X" is already taken by items[0] of this call.',
    ]);
    expect(details(later({ ...C, employeeID: 'X' }))).toEqual([
      'items[1]: the employee ID "X" is already taken by another user with the serial serial-of-C.',
    ]);
  });
});

describe('assumptions and writes', () => {
  test('names that were free and are not taken at the end are listed for a final check before the commit', () => {
    const { assumedFree } = plan(
      [A, stored('B', { username: 'bob' })],
      [
        'Missing',
        ['A', { newEmployeeID: 'Passed', username: 'passed' }],
        ['Passed', { newEmployeeID: 'Kept', username: 'kept' }],
        'A',
        ['B', { username: null }],
      ],
    );
    expect(assumedFree).toEqual({ employeeIDs: ['Missing', 'Passed'], usernames: ['passed'] });
  });

  test('only fields that change for any user are written', () => {
    const result = plan(
      [A, B],
      [
        ['A', { phone: '123' }],
        ['B', { tagSerials: ['T1'] }],
      ],
    );
    expect([...result.changedFields].sort()).toEqual(['phone', 'tagSerials']);
  });

  test('unchanged users are not written', () => {
    const result = plan([A, B], ['A', ['B', { phone: '123' }]]);
    expect(result.changed.map(({ after }) => after.serial)).toEqual([B.serial]);
  });
});

describe('creates', () => {
  const create = (list: readonly Record<string, unknown>[], users: readonly StoredUser[] = []) =>
    planCreates(
      {
        first: 0,
        items: list.map((user) => parseNewUser({ name: 'Ada', email: 'a@b.c', isActive: true, ...user }, {})),
      },
      users,
      list.map((_, index) => `new-${index}`),
      emptyNameHistory(),
    );

  test('an employee ID taken by an earlier item fails, and names that item', () => {
    const result = create([{ employeeID: 'A' }, { employeeID: 'A' }]);
    expect(verdicts(result)).toEqual(['ok', 'USER_EMPLOYEE_ID_EXISTS']);
    expect(details(result)[0]).toContain('by items[0] of this call');
  });

  test('a failed earlier item takes no names', () => {
    const users = [stored('Z', { username: 'bob' })];
    const result = create([{ employeeID: 'A', username: 'bob' }, { employeeID: 'A' }], users);
    expect(verdicts(result)).toEqual(['USER_USERNAME_EXISTS', 'ok']);
    expect(result.created.map(({ user }) => user.serial)).toEqual(['new-1']);
  });
});

describe('upserts', () => {
  const upsert = (list: readonly Item[], users: readonly StoredUser[] = []) =>
    planUpdates(
      {
        first: 0,
        items: list
          .map(fieldsOf)
          .map(([employeeID, fields]) =>
            parseUpsert({ employeeID, name: 'Ada', email: 'a@b.c', isActive: true, ...fields }, {}),
          ),
      },
      users,
      emptyNameHistory(),
      undefined,
      () => 'new-0',
    );

  test('a user that is created, renamed and changed is created once, as it ends up', () => {
    const result = upsert([['X', { password: 'given' }], 'X→Y', ['Y', { phone: '123' }]]);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
    expect(result.created).toMatchObject([
      { user: { serial: 'new-0', employeeID: 'Y', phone: '123' }, password: 'given', index: 0 },
    ]);
    expect(result.changed).toEqual([]);
  });

  test('names that a new user held only in between, and IDs that were not created, have to be free at the commit', () => {
    const result = upsert([
      ['X', { username: 'u' }],
      ['X', { ...to('Y'), username: '' }],
      ['Z', { email: '' }],
    ]);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'USER_CONTACT_REQUIRED']);
    expect(new Set(result.assumedFree.employeeIDs)).toEqual(new Set(['X', 'Z']));
    expect(result.assumedFree.usernames).toEqual(['u']);
  });

  test('consequences for existing users do not extend to new ones, whose message follows from how they end up', () => {
    const result = upsert(
      [
        ['X', { isActive: false }],
        ['X', { email: 'd@e.f' }],
        ['A', { isActive: false }],
      ],
      [A],
    );
    expect(result.status).toEqual({ activated: [], deactivated: [A.serial] });
    expect(result.readdressed).not.toContain('new-0');
  });
});
