import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAttributes, patchAttributes } from '../../src/contract/attribute-values.js';
import { takenAttributeOf, takenByOf } from '../../src/contract/errors.js';
import type { Administrator, Role } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
import { planFinalState } from '../../src/domain/users/plans/final-state-plan.js';
import { noRoles, type RoleFacts } from '../../src/domain/users/plans/protected-users.js';
import type { UpdatePlan } from '../../src/domain/users/plans/sequential-plan.js';
import { parseBulkChange } from '../../src/domain/users/user-rules.js';
import { plannedAttributes } from '../support/few-attributes.js';
import { updateToFinalState, type Verdict } from '../support/final-state.js';
import { plainRules } from '../support/reference-model.js';
import { runToEnd } from '../support/steps.js';
import { storedUser as stored } from '../support/stored-user.js';

const planWhole = runToEnd(planFinalState);

type Item = readonly [employeeID: string, fields?: Record<string, unknown>];

/** 'A→B' renames A to B, and 'A' changes nothing. */
type Short = string | Item;

function itemOf(short: Short): Item {
  if (typeof short !== 'string') return short;
  const [employeeID = '', newEmployeeID] = short.split('→');
  return newEmployeeID === undefined ? [employeeID] : [employeeID, { newEmployeeID }];
}

function parsed(list: readonly Short[]) {
  return list
    .map(itemOf)
    .map(([employeeID, fields]) =>
      parseBulkChange(
        { employeeID, name: 'Ada', isActive: true, ...fields },
        {},
        'clear',
        plannedAttributes.read,
      ),
    );
}

function plan(
  users: readonly StoredUser[],
  list: readonly Short[],
  administrators: readonly StoredUser[] = [],
): UpdatePlan {
  return planWith(parsed(list), users, {
    ...noRoles,
    administrators: administrators.map(administratorOf),
  });
}

/** With the attributes and managers of all users. */
function planWith(
  items: ReturnType<typeof parsed>,
  users: readonly StoredUser[],
  roleFacts: RoleFacts = noRoles,
): UpdatePlan {
  return planWhole(items, users, {
    roleFacts,
    attributes: plannedAttributes.definitions,
    lines: new Map(users.map((user) => [user.serial, user])),
  });
}

function administratorOf({ serial, isActive, username }: StoredUser): Administrator {
  return { serial, canSignIn: isActive && username !== null };
}

function verdicts({ outcomes }: Pick<UpdatePlan, 'outcomes'>): string[] {
  return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure.error));
}

function details({ outcomes }: Pick<UpdatePlan, 'outcomes'>): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.detail]));
}

/** All users after the call, by serial. */
function endOf(users: readonly StoredUser[], { changed }: UpdatePlan): Map<string, StoredUser> {
  const end = new Map(users.map((user) => [user.serial, user]));
  for (const { after } of changed) end.set(after.serial, after);
  return end;
}

function employeeIds(users: readonly StoredUser[], result: UpdatePlan): string {
  return [...endOf(users, result).values()].map(({ employeeID }) => employeeID).join(' ');
}

const [A, B, C, D] = [stored('A'), stored('B'), stored('C'), stored('D')];
const idTaken = 'USER_EMPLOYEE_ID_EXISTS';
const usernameTaken = 'USER_USERNAME_EXISTS';

describe('names are checked against the final state', () => {
  test('a swap succeeds, with both names released first', () => {
    const result = plan([A, B], ['A→B', 'B→A']);
    expect(result.outcomes).toMatchObject([
      { ok: true, serial: A.serial, before: A, after: { ...A, employeeID: 'B' } },
      { ok: true, serial: B.serial, before: B, after: { ...B, employeeID: 'A' } },
    ]);
    expect(result.changed).toEqual([
      { before: A, after: { ...A, employeeID: 'B' } },
      { before: B, after: { ...B, employeeID: 'A' } },
    ]);
    expect([...result.releasedNames.employeeIdsOf].sort()).toEqual([A.serial, B.serial]);
  });

  test('a cycle of three succeeds', () => {
    const result = plan([A, B, C], ['A→B', 'B→C', 'C→A']);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
    expect(employeeIds([A, B, C], result)).toBe('B C A');
  });

  test.each([
    ['in the order that also works sequentially', ['B→X', 'A→B']],
    ['in the opposite order', ['A→B', 'B→X']],
  ] as const)('a chain that ends at a free name succeeds %s', (_, list) => {
    const result = plan([A, B], list);
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(employeeIds([A, B], result)).toBe('B X');
    expect(result.releasedNames.employeeIdsOf).toEqual([B.serial]);
  });

  test('a chain that ends at a name in use fails as a whole', () => {
    const result = plan([A, B, C, D], ['A→B', 'B→C', 'C→D']);
    expect(verdicts(result)).toEqual([idTaken, idTaken, idTaken]);
    expect(result.changed).toEqual([]);
  });

  test('a user in the call who keeps their name blocks it', () => {
    const result = plan([A, B], ['A→B', ['B', { phone: '123' }]]);
    expect(verdicts(result)).toEqual([idTaken, 'ok']);
  });

  test('a rename to the current name succeeds', () => {
    expect(verdicts(plan([A], ['A→A']))).toEqual(['ok']);
  });

  test('the earlier of two claims to a name wins, and users who depend on the later one fail', () => {
    const result = plan([A, B, C], ['C→B', 'A→X', 'B→X']);
    expect(verdicts(result)).toEqual([idTaken, 'ok', idTaken]);
    expect(employeeIds([A, B, C], result)).toBe('X B C');
  });

  test('the earlier claim wins only if that user can be updated', () => {
    const result = plan(
      [A, B, stored('C', { username: 'cem' })],
      [['A', { newEmployeeID: 'X', username: 'cem' }], 'B→X'],
    );
    expect(verdicts(result)).toEqual([idTaken, 'ok']);
  });

  test('a later claim to a name in a cycle does not break the cycle', () => {
    const result = plan([A, B, C], ['A→B', 'B→A', 'C→A']);
    expect(verdicts(result)).toEqual(['ok', 'ok', idTaken]);
  });

  test('an earlier claim that depends on the cycle does not break it either', () => {
    const result = plan([A, B, C], ['A→C', 'B→A', 'C→A']);
    expect(verdicts(result)).toEqual(['ok', idTaken, 'ok']);
  });

  test('an item selects its user by the employee ID before the call', () => {
    const result = plan([A, B], ['A→B', 'B→X', ['B', { phone: '123' }]]);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
    expect(endOf([A, B], result).get(B.serial)).toMatchObject({ employeeID: 'X', phone: '123' });
  });
});

describe('unknown users', () => {
  test('are not found, even if another user takes that employee ID in the same call', () => {
    const result = plan([A], ['A→B', 'B→C']);
    expect(verdicts(result)).toEqual(['ok', 'USER_NOT_FOUND']);
    expect(details(result)).toEqual(['items[1]: no user has the employee ID "B".']);
  });

  test('are listed for a final check before the commit', () => {
    const { assumedFree } = plan([A], ['Y', 'Z→A', 'Y']);
    expect(assumedFree).toEqual({ employeeIDs: ['Y', 'Z'], usernames: [] });
  });

  test('are not listed if another user in the call takes the employee ID', () => {
    const { assumedFree } = plan([A], ['A→B', 'B']);
    expect(assumedFree).toEqual({ employeeIDs: [], usernames: [] });
  });
});

describe('items for the same user', () => {
  test('are applied in order', () => {
    const result = plan(
      [A],
      [
        ['A', { newEmployeeID: 'X', phone: '123', username: 'ada' }],
        ['A', { newEmployeeID: 'Y', phone: '456' }],
      ],
    );
    const after = { ...A, employeeID: 'Y', phone: '456', username: 'ada' };
    expect(result.outcomes).toMatchObject([
      { ok: true, before: A, after },
      { ok: true, before: A, after },
    ]);
    expect(result.changed).toEqual([{ before: A, after }]);
  });

  test('succeed or fail together, each with the error', () => {
    const result = plan([A, B], [['A', { phone: '123' }], 'A→B']);
    expect(details(result)).toEqual([
      `items[0]: the employee ID "B" is already taken by another user with the serial ${B.serial}.`,
      `items[1]: the employee ID "B" is already taken by another user with the serial ${B.serial}.`,
    ]);
    expect(result.changed).toEqual([]);
  });

  test('use the position of the first one', () => {
    const result = plan([A, B], ['B', 'A→X', 'B→X']);
    expect(details(result)).toEqual([
      'items[1]: the employee ID "X" is already taken by items[0] of this call.',
    ]);
  });

  test('may pass through a taken name and a state without contact details', () => {
    const result = plan(
      [stored('A', { email: null, phone: '123' }), B],
      [
        ['A', { newEmployeeID: 'B', phone: null }],
        ['A', { newEmployeeID: 'A', phone: '456' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
  });

  test('change nothing if they cancel each other out', () => {
    const result = plan([A], ['A→X', 'A→A']);
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(result.changed).toEqual([]);
    expect([...result.changedFields]).toEqual([]);
  });

  test('ignore an invalid item, which fails on its own', () => {
    const result = plan(
      [A],
      [
        ['A', { phone: '123' }],
        ['A', { isActive: 'yes' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'USER_FIELD_INVALID']);
  });
});

describe('usernames', () => {
  const [ada, bob] = [stored('A', { username: 'ada' }), stored('B', { username: 'bob' })];

  test('can be swapped, regardless of case', () => {
    const result = plan(
      [ada, bob],
      [
        ['A', { username: 'BOB' }],
        ['B', { username: 'Ada' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(result.changed.map(({ after }) => after.username)).toEqual(['BOB', 'Ada']);
    expect([...result.releasedNames.usernamesOf].sort()).toEqual([ada.serial, bob.serial]);
  });

  test('can be swapped together with employee IDs', () => {
    const result = plan(
      [ada, bob],
      [
        ['A', { newEmployeeID: 'B', username: 'bob' }],
        ['B', { newEmployeeID: 'A', username: 'ada' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
  });

  test('can change case without being released', () => {
    const result = plan(
      [ada, bob],
      [
        ['A', { username: 'Ada' }],
        ['B', { username: 'ADA' }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', usernameTaken]);
    expect(details(result)).toEqual([
      `items[1]: the username "ADA" is already taken by another user with the serial ${ada.serial}.`,
    ]);
    expect(result.releasedNames.usernamesOf).toEqual([]);
  });

  test('are free once cleared', () => {
    const result = plan(
      [ada, bob],
      [
        ['B', { username: 'ada' }],
        ['A', { username: null }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
    expect(result.releasedNames.usernamesOf).toEqual([ada.serial]);
  });

  test('of null never conflict', () => {
    const result = plan(
      [ada, bob, C],
      [
        ['A', { username: null }],
        ['B', { username: null }],
        ['C', { username: null }],
      ],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
  });

  test('that are taken also block the employee ID change of that user', () => {
    const result = plan([ada, bob, C], ['C→A', ['A', { newEmployeeID: 'X', username: 'bob' }]]);
    expect(verdicts(result)).toEqual([idTaken, usernameTaken]);
  });
});

describe('the first failing check decides', () => {
  const users = [
    stored('A', { username: 'ada', email: null, phone: '123' }),
    stored('B', { username: 'bob' }),
  ];
  const unseating = { phone: null, isActive: false };

  test.each([
    ['the user exists', 'Z', { newEmployeeID: 'B', username: 'bob', ...unseating }, 'USER_NOT_FOUND'],
    ['then the new employee ID', 'A', { newEmployeeID: 'B', username: 'bob', ...unseating }, idTaken],
    ['then the username', 'A', { username: 'bob', ...unseating }, usernameTaken],
    ['then the contact details', 'A', unseating, 'USER_CONTACT_REQUIRED'],
    ['then the last administrator', 'A', { isActive: false }, 'USER_LAST_ADMINISTRATOR'],
  ] as const)('%s', (_, employeeID, fields, error) => {
    const administrators = users.slice(0, 1);
    expect(verdicts(plan(users, [[employeeID, fields]], administrators))).toEqual([error]);
  });

  test('a user who would lose all contact details keeps their name and blocks others', () => {
    const result = plan(
      [stored('A', { email: null, phone: '123' }), B],
      ['B→A', ['A', { newEmployeeID: 'X', phone: null }]],
    );
    expect(verdicts(result)).toEqual([idTaken, 'USER_CONTACT_REQUIRED']);
  });

  test('a user who would lose all contact details does not take a name from others', () => {
    const result = plan(
      [stored('A', { email: null, phone: '123' }), B],
      [['A', { newEmployeeID: 'X', phone: null }], 'B→X'],
    );
    expect(details(result)).toEqual([
      'items[0]: this would leave the user with neither an email address nor a phone number. Keep at least one.',
    ]);
    expect(verdicts(result)).toEqual(['USER_CONTACT_REQUIRED', 'ok']);
  });

  test('a swap that fails because of missing contact details reports it for that user', () => {
    const result = plan(
      [stored('A', { email: null, phone: '123' }), B],
      [['A', { newEmployeeID: 'B', phone: null }], 'B→A'],
    );
    expect(verdicts(result)).toEqual(['USER_CONTACT_REQUIRED', idTaken]);
  });
});

describe('an administrator who can sign in remains', () => {
  const users = ['A', 'B', 'C'].map((id) => stored(id, { username: `user${id}` }));
  const [first, second, third] = users as [StoredUser, StoredUser, StoredUser];
  const off = { isActive: false };

  test('if all would lose access, the last in item order is kept', () => {
    const list: Short[] = [
      ['C', off],
      ['A', off],
      ['B', { username: null }],
    ];
    expect(verdicts(plan(users, list, users))).toEqual(['ok', 'ok', 'USER_LAST_ADMINISTRATOR']);
    expect(verdicts(plan(users, list.toReversed(), users))).toEqual(['ok', 'ok', 'USER_LAST_ADMINISTRATOR']);
  });

  test('a user has the position of their first item', () => {
    const list: Short[] = ['A', ['B', off], ['A', off]];
    expect(verdicts(plan(users, list, [first, second]))).toEqual(['ok', 'USER_LAST_ADMINISTRATOR', 'ok']);
  });

  test('an administrator outside the call who can sign in is enough', () => {
    expect(verdicts(plan([first], [['A', off]], [first, second]))).toEqual(['ok']);
  });

  test('an administrator outside the call who cannot sign in does not count', () => {
    const cannot = { ...second, isActive: false };
    expect(verdicts(plan([first], [['A', off]], [first, cannot]))).toEqual(['USER_LAST_ADMINISTRATOR']);
  });

  test('an administrator who can sign in thanks to the call counts', () => {
    const idle = { ...second, username: null, isActive: false };
    const list: Short[] = [
      ['A', { username: null }],
      ['B', { username: 'userA' }],
    ];
    expect(verdicts(plan([first, idle], list, [first, idle]))).toEqual(['ok', 'ok']);
  });

  test('an administrator whose update fails does not count', () => {
    const idle = { ...second, username: null };
    const list: Short[] = [
      ['A', off],
      ['B', { username: 'userC' }],
    ];
    expect(verdicts(plan([first, idle, third], list, [first, idle]))).toEqual([
      'USER_LAST_ADMINISTRATOR',
      usernameTaken,
    ]);
  });

  test('nobody is kept if nobody could sign in before', () => {
    const idle = { ...first, username: null };
    expect(verdicts(plan([idle], [['A', off]], [idle]))).toEqual(['ok']);
  });

  test('a swap of names with the kept administrator fails', () => {
    const result = plan(users, [['A', { newEmployeeID: 'B', isActive: false }], 'B→A'], [first]);
    expect(result.outcomes.map(({ ok }) => ok)).toEqual([false, false]);
    expect(result.changed).toEqual([]);
  });

  test('a swap of names between administrators succeeds if one of them stays active', () => {
    const result = plan(
      users,
      [
        ['A', { newEmployeeID: 'B', username: 'userB' }],
        ['B', { newEmployeeID: 'A', username: 'userA', isActive: false }],
      ],
      [first, second],
    );
    expect(verdicts(result)).toEqual(['ok', 'ok']);
  });

  test('a name that the kept administrator does not take is free for the next user', () => {
    const result = plan(users, [['A', { newEmployeeID: 'X', isActive: false }], 'B→X'], [first]);
    expect(verdicts(result)).toEqual(['USER_LAST_ADMINISTRATOR', 'ok']);
    expect(endOf(users, result).get(first.serial)).toEqual(first);
  });
});

describe('details name the holder', () => {
  test('an unchanged user, by serial', () => {
    const result = plan([A, B], ['A→B']);
    expect(result.outcomes).toEqual([
      {
        ok: false,
        failure: {
          error: idTaken,
          detail: `items[0]: the employee ID "B" is already taken by another user with the serial ${B.serial}.`,
          reason: `The employee ID "B" is already taken by another user with the serial ${B.serial}.`,
          data: { takenBy: { field: 'employeeID', value: 'B', position: null, serial: B.serial } },
        },
      },
    ]);
  });

  test('a user whose items failed, by serial', () => {
    const result = plan([A, B, C], ['A→B', 'B→C']);
    expect(result.outcomes[0]).toMatchObject({
      failure: { data: { takenBy: { position: null, serial: B.serial } } },
    });
  });

  test('a user who takes the name in this call, by their first item', () => {
    const result = plan(
      [A, B],
      ['A', ['B', { newEmployeeID: 'Y', username: 'ADA' }], ['A', { username: 'ada' }]],
    );
    expect(result.outcomes[1]).toEqual({
      ok: false,
      failure: {
        error: usernameTaken,
        detail: 'items[1]: the username "ADA" is already taken by items[0] of this call.',
        reason: 'The username "ADA" is already taken by items[0] of this call.',
        data: { takenBy: { field: 'username', value: 'ADA', position: 0, serial: A.serial } },
      },
    });
  });

  test('a later item, if its user gets the name', () => {
    const result = plan(
      [A, B, stored('C', { username: 'cem' })],
      [['A', { newEmployeeID: 'X', username: 'cem' }], 'B→X'],
    );
    expect(details(result)).toEqual([
      'items[0]: the employee ID "X" is already taken by items[1] of this call.',
    ]);
  });

  test('a user who is renamed but keeps this name, by serial and not by item', () => {
    const result = plan(
      [stored('A', { username: 'ada' }), B],
      [
        ['A', { newEmployeeID: 'X', username: 'Ada' }],
        ['B', { username: 'ada' }],
      ],
    );
    expect(details(result)).toEqual([
      'items[1]: the username "ada" is already taken by another user with the serial serial-of-A.',
    ]);
  });
});

describe('managers', () => {
  const managedByA = stored('B', { managerSerial: A.serial });
  const under = (employeeID: string, managerEmployeeID: string): Item => [employeeID, { managerEmployeeID }];

  test('are those who have the employee ID at the end', () => {
    const result = plan([A, B, C], [under('C', 'A'), 'A→B', 'B→A']);
    expect(verdicts(result)).toEqual(['ok', 'ok', 'ok']);
    expect(endOf([A, B, C], result).get(C.serial)?.managerSerial).toBe(B.serial);
  });

  test('of a circle, the last change fails; repeating the manager that a user has is no change', () => {
    expect(verdicts(plan([A, B], [under('A', 'B'), under('B', 'A')]))).toEqual(['ok', 'USER_MANAGER_CYCLE']);
    const repeated = plan([A, managedByA], [under('A', 'B'), under('B', 'A')]);
    expect(verdicts(repeated)).toEqual(['USER_MANAGER_CYCLE', 'ok']);
  });
});

describe('writes', () => {
  test('only users who change, and only fields that change', () => {
    const result = plan(
      [A, B, C],
      ['A', ['B', { phone: '123', newEmployeeID: 'C' }], ['A', { tagSerials: ['T1'] }]],
    );
    expect(verdicts(result)).toEqual(['ok', idTaken, 'ok']);
    expect(result.changed.map(({ after }) => after.serial)).toEqual([A.serial]);
    expect([...result.changedFields]).toEqual(['tagSerials']);
  });

  test('users who become active or inactive, unless their items fail', () => {
    const result = plan(
      [A, stored('B', { isActive: false }), C, D],
      [
        ['A', { isActive: false }],
        ['B', { isActive: true }],
        ['C', { isActive: false, newEmployeeID: 'D' }],
        ['D', { isActive: false }],
        ['D', { isActive: true, phone: '123' }],
      ],
    );
    expect(result.status).toEqual({ deactivated: [A.serial], activated: ['serial-of-B'] });
  });
});

/** Few names, so that nearly every call has collisions. */
const ids = ['A', 'B', 'C', 'D', 'E', 'F'];
const usernames = ['u', 'U', 'v', 'V', 'w', 'x'];
const badges = ['1', '2', '3'];
const [noteId = 0, badgeId = 0] = plannedAttributes.definitions.all.map(({ id }) => id);

const anyUser = fc.record({
  isThere: fc.constantFrom(true, true, true, false),
  username: fc.option(fc.constantFrom(...usernames), { freq: 3 }),
  hasEmail: fc.boolean(),
  isActive: fc.constantFrom(true, true, true, false),
  role: fc.constantFrom<Role | null>(null, null, 'viewer', 'operator', 'administrator', 'administrator'),
  badge: fc.option(fc.constantFrom(...badges), { freq: 2 }),
  note: fc.option(fc.constantFrom('old', 'new')),
  /** One of those who come before. */
  manager: fc.option(fc.nat({ max: 5 }), { freq: 2 }),
});

const population = fc.tuple(...ids.map(() => anyUser)).map((list) => {
  const taken = new Set<string>();
  const users: StoredUser[] = [];
  for (const [index, id] of ids.entries()) {
    const { isThere, username, hasEmail, isActive, ...given } = list[index] as (typeof list)[number];
    if (!isThere) continue;
    const isFree = username !== null && !taken.has(username.toLowerCase());
    if (isFree) taken.add(username.toLowerCase());
    const badge = given.badge !== null && taken.has(given.badge) ? null : given.badge;
    if (badge !== null) taken.add(badge);
    const attributes = patchAttributes(null, { [noteId]: given.note, [badgeId]: badge });
    const managerSerial = given.manager === null ? null : (users[given.manager]?.serial ?? null);
    const [email, phone] = hasEmail ? ['a@b.c', null] : [null, '123'];
    const names = { username: isFree ? username : null, attributes, managerSerial };
    users.push(stored(id, { ...names, email, phone, isActive }));
  }
  const roles = new Map(
    users.flatMap(({ serial, employeeID }) => {
      const role = list[ids.indexOf(employeeID)]?.role ?? null;
      return role === null ? [] : [[serial, role] as const];
    }),
  );
  const administrators = users.filter(({ serial }) => roles.get(serial) === 'administrator');
  return { users, roles, administrators: administrators.map(administratorOf) };
});

const sometimes = <T>(value: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value });

const item = fc
  .record({
    employeeID: fc.constantFrom(...ids),
    newEmployeeID: sometimes(fc.constantFrom(...ids, 'G'), 3),
    username: sometimes(fc.option(fc.constantFrom(...usernames), { freq: 4 }), 2),
    phone: sometimes(fc.constantFrom(null, '123', '123', '456', 'broken')),
    isActive: fc.constantFrom(true, true, true, false),
    managerEmployeeID: sometimes(fc.option(fc.constantFrom(...ids, 'G'), { freq: 6 }), 2),
    attributes: sometimes(
      fc.record(
        {
          badge: fc.option(fc.constantFrom(...badges), { freq: 6 }),
          note: fc.option(fc.constantFrom('old', 'new')),
        },
        { requiredKeys: [] },
      ),
      2,
    ),
  })
  .map(({ employeeID, ...fields }): Item => [employeeID, withoutAbsent(fields)]);

function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const call = fc.array(item, { maxLength: 12, size: 'max' });
/** Users outside the call can be administrators, too. */
const outsider = fc.option(fc.record({ serial: fc.constant('outsider'), canSignIn: fc.boolean() }), {
  freq: 2,
});
const situation = fc
  .tuple(population, call, outsider, fc.boolean())
  .map(([{ users, roles, administrators }, list, other, mayChangeProtected]) => {
    const all = other ? [...administrators, other] : administrators;
    return { users, facts: { roles, administrators: all, mayChangeProtected } satisfies RoleFacts, list };
  });
const runs = { numRuns: 150 };

function verdictOf(outcome: UpdatePlan['outcomes'][number]): Verdict {
  if (outcome.ok) return { serial: outcome.serial };
  const { error } = outcome.failure;
  const taken = takenAttributeOf(outcome.failure);
  const takenBy = taken ? { position: taken.position, serial: taken.serial } : takenByOf(outcome.failure);
  return takenBy ? { error, takenBy } : { error };
}

const sizeOf = <T>(values: readonly T[]) => new Set(values).size;

describe('any call', () => {
  test('gives the same result as the step-by-step reference', () => {
    fc.assert(
      fc.property(situation, ({ users, facts, list }) => {
        const result = planWith(parsed(list), users, facts);
        const rules = { ...plainRules, unique: plannedAttributes.unique };
        const expected = updateToFinalState(parsed(list), users, facts.administrators, facts, rules);
        expect(result.outcomes.map(verdictOf)).toEqual(expected.verdicts);
        expect(endOf(users, result)).toEqual(expected.users);
      }),
      { numRuns: 250 },
    );
  });

  test('ends with unique names, and with the state that each success reports', () => {
    fc.assert(
      fc.property(situation, ({ users, facts, list }) => {
        const result = planWith(parsed(list), users, facts);
        const ends = [...endOf(users, result).values()];
        const taken = ends.flatMap(({ username }) => username?.toLowerCase() ?? []);
        expect(sizeOf(ends.map(({ employeeID }) => employeeID))).toBe(ends.length);
        expect(sizeOf(taken)).toBe(taken.length);
        const held = ends.flatMap(({ attributes }) => parseAttributes(attributes)[badgeId] ?? []);
        expect(sizeOf(held)).toBe(held.length);
        const managerOf = new Map(ends.map(({ serial, managerSerial }) => [serial, managerSerial]));
        for (const { serial } of ends) {
          let above = managerOf.get(serial) ?? null;
          for (let level = 0; level < ends.length && above !== null; level++) {
            expect(above).not.toBe(serial);
            above = managerOf.get(above) ?? null;
          }
        }
        for (const outcome of result.outcomes) {
          if (outcome.ok) expect(endOf(users, result).get(outcome.serial)).toEqual(outcome.after);
        }
      }),
      runs,
    );
  });

  test('rejects a name only if another user ends up with it, and names that user', () => {
    fc.assert(
      fc.property(situation, ({ users, facts, list }) => {
        const items = parsed(list);
        const result = planWith(items, users, facts);
        const end = endOf(users, result);
        for (const [position, outcome] of result.outcomes.entries()) {
          if (outcome.ok || ![idTaken, usernameTaken].includes(outcome.failure.error)) continue;
          const { detail } = outcome.failure;
          const takenBy = takenByOf(outcome.failure);
          if (!takenBy) throw new Error('no holder is named');
          const { field, value, serial } = takenBy;
          const own = users.find(({ employeeID }) => employeeID === list[position]?.[0]);
          const before = users.find((user) => user.serial === serial);
          expect(end.get(own?.serial ?? '')).toEqual(own);
          expect(serial).not.toBe(own?.serial);
          expect(nameIn(end.get(serial ?? ''), field)).toBe(foldedName(field, value));
          const firstItem = items.findIndex(
            (each) => each.ok && each.value.targetEmployeeID === before?.employeeID,
          );
          const hadIt = nameIn(before, field) === foldedName(field, value);
          expect(takenBy.position).toBe(hadIt ? null : firstItem);
          const holder = hadIt
            ? `another user with the serial ${serial}`
            : `items[${takenBy.position}] of this call`;
          const noun = field === 'employeeID' ? 'employee ID' : 'username';
          expect(detail).toBe(`items[${position}]: the ${noun} "${value}" is already taken by ${holder}.`);
        }
      }),
      runs,
    );
  });

  test('rejects no user whose items would succeed on their own afterwards', () => {
    fc.assert(
      fc.property(situation, ({ users, list: all }) => {
        // Of a circle, somebody is rejected even if another one turns out to be, too.
        const list = all.map(
          ([employeeID, { managerEmployeeID: _, ...fields } = {}]): Item => [employeeID, fields],
        );
        const result = planWith(parsed(list), users);
        for (const user of users) {
          const own = list.filter(([employeeID]) => employeeID === user.employeeID);
          const isRefused = result.outcomes.some(
            (outcome, position) =>
              list[position]?.[0] === user.employeeID && !outcome.ok && parsed(list)[position]?.ok,
          );
          if (!isRefused) continue;
          const left = [...endOf(users, result).values()];
          const again = planWith(parsed(own), left);
          expect(again.changed).toEqual([]);
          expect(again.outcomes.some(({ ok }) => ok)).toBe(false);
        }
      }),
      runs,
    );
  });

  test('succeeds completely if repeated without the rejected items', () => {
    fc.assert(
      fc.property(situation, ({ users, facts, list }) => {
        const result = planWith(parsed(list), users, facts);
        const successes = list.filter((_, position) => result.outcomes[position]?.ok);
        const again = planWith(parsed(successes), users, facts);
        expect(verdicts(again)).toEqual(successes.map(() => 'ok'));
        expect(endOf(users, again)).toEqual(endOf(users, result));
      }),
      runs,
    );
  });

  test('succeeds completely if it only permutes names', () => {
    const badgeOf = (index: number) => (index % 2 ? `badge ${index}` : null);
    const crowd = ids.map((id, index) =>
      stored(id, {
        username: index % 3 ? `user${id}` : null,
        attributes: patchAttributes(null, { [badgeId]: badgeOf(index) }),
      }),
    );
    const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });
    fc.assert(
      fc.property(
        shuffled(ids),
        shuffled(crowd.map(({ username }) => username?.toUpperCase() ?? null)),
        shuffled(ids.map((_, index) => badgeOf(index))),
        shuffled(ids.map((_, index) => index)),
        (newIds, newUsernames, newBadges, order) => {
          const list = order.map((index): Item => {
            const attributes = { badge: newBadges[index] };
            const names = { newEmployeeID: newIds[index], username: newUsernames[index], attributes };
            return [ids[index] as string, names];
          });
          const result = plan(crowd, list);
          expect(verdicts(result)).toEqual(list.map(() => 'ok'));
          expect(employeeIds(crowd, result)).toBe(newIds.join(' '));
        },
      ),
      { numRuns: 250 },
    );
  });

  test('keeps an administrator who can sign in if there was one, and rejects at most one user for it', () => {
    fc.assert(
      fc.property(situation, ({ users, facts, list }) => {
        const result = planWith(parsed(list), users, facts);
        const end = endOf(users, result);
        const { administrators } = facts;
        const able = administrators.filter(({ serial, canSignIn }) => {
          const user = end.get(serial);
          return user ? administratorOf(user).canSignIn : canSignIn;
        });
        if (administrators.some(({ canSignIn }) => canSignIn)) expect(able).not.toEqual([]);
        const keptIn = list.filter((_, position) => {
          const outcome = result.outcomes[position];
          return outcome && !outcome.ok && outcome.failure.error === 'USER_LAST_ADMINISTRATOR';
        });
        expect(sizeOf(keptIn.map(([employeeID]) => employeeID))).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });
});

function foldedName(field: 'employeeID' | 'username', name: string): string {
  return field === 'username' ? name.toLowerCase() : name;
}

function nameIn(user: StoredUser | undefined, field: 'employeeID' | 'username'): string | null {
  const name = user?.[field] ?? null;
  return name === null ? null : foldedName(field, name);
}

test('attributes that would be too large together at the end fail their item', () => {
  const full = stored('A', { attributes: `{"998": ["${'x'.repeat(65_500)}"]}` });
  const { outcomes } = plan(
    [full, stored('B')],
    [
      ['A', { attributes: { badge: 'x'.repeat(40) } }],
      ['B', { phone: '+44 1' }],
    ],
  );
  expect(outcomes).toMatchObject([
    { ok: false, failure: { detail: 'items[0]: "attributes" must have at most 200 keys and 64 KB.' } },
    { ok: true },
  ]);
});
