import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredUser } from '../../src/contract/users.js';
import { emptyNameHistory, extendNameHistory } from '../../src/domain/bulk/name-history.js';
import { planCreates } from '../../src/domain/users/plans/create-plan.js';
import { planUpdates, type UpdatePlan } from '../../src/domain/users/plans/sequential-plan.js';
import { parseBulkChange, parseNewUser, parseUpsert } from '../../src/domain/users/user-rules.js';
import { plannedAttributes } from '../support/few-attributes.js';
import type { UserRow } from '../support/log-replay.js';
import { plainRules, ReferenceModel, type Step, takenOf } from '../support/reference-model.js';
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
      parseBulkChange(
        { employeeID, name: 'Ada', isActive: true, ...fields },
        {},
        'clear',
        plannedAttributes.read,
      ),
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
      { nextSerial: () => 'new-0' },
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

const { definitions, read, unique } = plannedAttributes;
const badgeId = unique[0] as string;

test('attributes that would be too large together fail the item that adds to them, but may shrink', () => {
  const full = stored('A', { attributes: `{"998": ["${'x'.repeat(65_500)}"]}` });
  const overfull = stored('B', { attributes: `{"998": ["${'x'.repeat(70_000)}"], "${badgeId}": "12345"}` });
  const result = plan(
    [full, overfull],
    [
      ['A', { attributes: { badge: 'é'.repeat(20) } }],
      ['A', { attributes: { badge: '1' } }],
      ['A', { phone: '+44 1' }],
      ['B', { phone: '+44 1' }],
      ['B', { attributes: { badge: '1234' } }],
      ['B', { attributes: { badge: '1234567' } }],
    ],
  );
  expect(details(result)).toEqual([
    'items[0]: "attributes" must have at most 200 keys and 64 KB.',
    'items[5]: "attributes" must have at most 200 keys and 64 KB.',
  ]);
});

describe('unique attributes', () => {
  const holding = (id: string, badge: string) => stored(id, { attributes: `{"${badgeId}": "${badge}"}` });
  const given = (attributes: Record<string, unknown>) => ({ attributes });
  const planned = (users: readonly StoredUser[], list: readonly Item[]) =>
    planUpdates(items(list), users, emptyNameHistory(), { attributes: definitions });

  test('a value passes from item to item, but is not swapped', () => {
    const result = planned(
      [holding('A', '1'), holding('B', '2')],
      [
        ['A', given({ badge: '2' })],
        ['A', given({ badge: '3' })],
        ['B', given({ badge: '1' })],
      ],
    );
    expect(verdicts(result)).toEqual(['USER_ATTRIBUTE_EXISTS', 'ok', 'ok']);
  });

  test('whoever changes something else of an attribute has not taken the value in this call', () => {
    const result = planned(
      [holding('A', '1'), B],
      [
        ['A', given({ badge: '1', note: 'new' })],
        ['B', given({ badge: '1' })],
      ],
    );
    expect(details(result)).toEqual([
      'items[1]: the value of the unique attribute "badge" is already taken by another user with the serial serial-of-A.',
    ]);
  });
});

describe('managers who come later', () => {
  test('are forgotten if a later item rehires the user without a manager', () => {
    const person = (employeeID: string, fields: object = {}) => ({
      ...{ employeeID, name: 'Ada', email: 'a@b.c', isActive: true },
      ...fields,
    });
    const sent = [person('A', { isActive: false, managerEmployeeID: 'X' }), person('A'), person('X')];
    const serials = ['new-a', 'none', 'new-x'];
    const created = planCreates(
      { first: 0, items: sent.map((user) => parseNewUser(user, {})) },
      [],
      serials,
      emptyNameHistory(),
      { rehire: true },
    );
    expect(verdicts(created)).toEqual(['ok', 'ok', 'ok']);
    expect(created.created[0]?.user).toMatchObject({ employeeID: 'A', managerSerial: null });
    const upserted = planUpdates(
      { first: 0, items: sent.map((user) => parseUpsert(user, {}, { rehire: true })) },
      [],
      emptyNameHistory(),
      { nextSerial: () => serials.shift() as string },
    );
    expect(upserted.created[0]?.user).toMatchObject({ employeeID: 'A', managerSerial: null });
  });
});

/** So few names that nearly every item depends on others. */
const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const badges = ['1', '2', '3'];

const someUsers = fc
  .array(
    fc.record({
      isActive: fc.constantFrom(true, true, false),
      badge: fc.constantFrom(null, ...badges),
      manager: fc.option(fc.nat({ max: 4 })),
    }),
    { maxLength: 5, size: 'max' },
  )
  .map((list) => {
    const users: StoredUser[] = [];
    const taken = new Set<string | null>();
    for (const [index, { isActive, badge, manager }] of list.entries()) {
      users.push(
        stored(ids[index] as string, {
          isActive,
          attributes: badge === null || taken.has(badge) ? null : `{"${badgeId}": "${badge}"}`,
          managerSerial: manager === null ? null : (users[manager]?.serial ?? null),
        }),
      );
      taken.add(badge);
    }
    return users;
  });

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), value);
const someItem = fc
  .record({
    employeeID: fc.constantFrom(...ids),
    newEmployeeID: sometimes(fc.constantFrom(...ids)),
    managerEmployeeID: fc.oneof(fc.constant(undefined), fc.constantFrom('', ...ids), fc.constantFrom(...ids)),
    attributes: sometimes(fc.record({ badge: fc.constantFrom('', ...badges) })),
    isActive: fc.constantFrom(true, true, true, false),
  })
  .map((fields) => {
    const sent = Object.entries({ name: 'Ada', email: 'a@b.c', ...fields });
    return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
  });

/** Runs an operation as one chunk. */
function planned(step: Step, sent: readonly unknown[], users: readonly StoredUser[], rehire: boolean) {
  let created = 0;
  const nextSerial = () => `new-${created++}`;
  const facts = { attributes: definitions, lines: new Map(users.map((user) => [user.serial, user])) };
  if (step === 'create') {
    const parsed = sent.map((item) => parseNewUser(item, {}, undefined, read));
    const chunk = { first: 0, items: parsed };
    return planCreates(chunk, users, sent.map(nextSerial), emptyNameHistory(), { ...facts, rehire });
  }
  const parsed = sent.map((item) =>
    step === 'update'
      ? parseBulkChange(item, {}, 'keep', read)
      : parseUpsert(item, {}, { rehire }, undefined, read),
  );
  return planUpdates({ first: 0, items: parsed }, users, emptyNameHistory(), { ...facts, nextSerial });
}

/** New users get other serials in a plan and in the reference, so they are numbered as they appear. */
function numbered(users: readonly StoredUser[]): (serial: string | null) => string | null {
  const names = new Map(users.map(({ serial }) => [serial, serial]));
  return (serial) => {
    if (serial === null) return null;
    if (!names.has(serial)) names.set(serial, `number ${names.size}`);
    return names.get(serial) as string;
  };
}

test.each<Step>(['create', 'update', 'upsert'])(
  'any %s gives the same result as the reference, which looks at one item at a time',
  (step) => {
    const calls = fc.array(someItem, { maxLength: 10, size: 'max' });
    fc.assert(
      fc.property(someUsers, calls, fc.boolean(), (users, list, rehires) => {
        const rehire = rehires && step !== 'update';
        const unfit = { create: 'newEmployeeID', update: 'email', upsert: '' }[step];
        const sent = list.map(({ [unfit]: _, ...item }) => item);
        const rows = users.map(({ serial, version: _, ...user }) => ({
          ...{ serial, user: { ...user, role: null } },
          ...{ session: false, message: null, password: false, version: 1, updatedAt: '' },
        }));
        const reference = new ReferenceModel(
          rows as UserRow[],
          { id: 'client', isAdmin: true },
          {
            ...plainRules,
            ...{ rehire, read, unique },
          },
        );
        const plan = planned(step, sent, users, rehire);
        const [inPlan, inReference] = [numbered(users), numbered(users)];
        expect(
          plan.outcomes.map((each) => {
            if (each.ok) return { serial: inPlan(each.serial) };
            const taken = takenOf(each.failure);
            const { error } = each.failure;
            return taken ? { error, taken: { ...taken, serial: inPlan(taken.serial) } } : { error };
          }),
        ).toEqual(
          reference.run(step, sent).map((each) => {
            if ('serial' in each) return { serial: inReference(each.serial) };
            const { error, taken } = each;
            return taken ? { error, taken: { ...taken, serial: inReference(taken.serial) } } : { error };
          }),
        );
        const end = new Map(users.map((user) => [user.serial, user]));
        const { changed } = 'updates' in plan ? plan.updates : plan;
        for (const { after } of changed) end.set(after.serial, after);
        for (const { user } of plan.created) end.set(user.serial, user);
        const essence = (
          { employeeID, isActive, attributes, managerSerial }: StoredUser,
          nameOf: typeof inPlan,
        ) => ({
          ...{ employeeID, isActive, attributes, managerSerial: nameOf(managerSerial) },
        });
        expect(
          [...end.values()]
            .map((user) => essence(user, inPlan))
            .sort((a, b) => (a.employeeID < b.employeeID ? -1 : 1)),
        ).toEqual(reference.rows.map(({ user }) => essence(user as unknown as StoredUser, inReference)));
      }),
      { numRuns: 250 },
    );
  },
);
