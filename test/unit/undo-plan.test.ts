import { describe, expect, test } from 'vitest';
import { takenByOf } from '../../src/contract/errors.js';
import type { Administrator } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
import { noAttributes } from '../../src/domain/attributes/attribute-set.js';
import { toItemOutcomes } from '../../src/domain/bulk/outcomes.js';
import { fieldChanges } from '../../src/domain/changes/field-changes.js';
import { noRoles } from '../../src/domain/users/plans/protected-users.js';
import {
  type LoggedChange,
  netChanges,
  planUndo,
  type UndoFacts,
  type UndoPlan,
} from '../../src/domain/users/plans/undo-plan.js';
import { runToEnd } from '../support/steps.js';
import { storedUser } from '../support/stored-user.js';

const planWhole = runToEnd(planUndo);

function user(serial: string, fields: Partial<StoredUser> = {}): StoredUser {
  return storedUser(serial.toUpperCase(), { serial, ...fields });
}

/** The change log row of a transaction for one user. */
function logged(before: StoredUser | null, after: StoredUser | null): LoggedChange {
  const { serial: userSerial, employeeID } = (after ?? before) as StoredUser;
  const kind = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  const version = before === null ? (after?.version ?? 1) : before.version + 1;
  const row = { userSerial, kind, version, employeeID, fields: fieldChanges(before, after) } as const;
  return row;
}

const updated = (before: StoredUser, after: StoredUser) => logged(before, after);
const created = (after: StoredUser) => logged(null, after);
const deleted = (before: StoredUser) => logged(before, null);

/** A user before and after a call, and the row that it logged. */
function changedBy(serial: string, before: Partial<StoredUser>, after: Partial<StoredUser>) {
  const was = user(serial, before);
  const is = { ...was, ...after, version: 2 };
  return { was, is, row: updated(was, is) };
}

function plan(
  rows: readonly LoggedChange[],
  stored: readonly StoredUser[],
  facts: Partial<UndoFacts> = {},
): UndoPlan {
  return planWhole(netChanges(rows), {
    stored,
    accountsInUse: new Set(),
    erased: new Map(),
    attributes: noAttributes,
    seesSensitive: true,
    lines: new Map(),
    ...noRoles,
    ...facts,
  });
}

/** The effect or error of each outcome. */
function told({ outcomes }: UndoPlan): string[] {
  return toItemOutcomes(outcomes, true).map((outcome) =>
    outcome.ok ? (outcome.effect?.kind ?? '') : outcome.failure.error,
  );
}

function details({ outcomes }: UndoPlan): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.detail]));
}

/** For each name conflict: the name and its holder. */
function blamed({ outcomes }: UndoPlan): unknown[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [takenByOf(outcome.failure)]));
}

const taken = (field: string, value: string, serial: string) => ({ field, value, position: null, serial });

const nothingWritten = {
  transitions: [],
  removed: [],
  restored: [],
  updates: { changed: [], changedFields: new Set() },
};

describe('netChanges', () => {
  const [before, middle, after] = [
    user('a', { name: 'One', phone: '111' }),
    user('a', { name: 'Two', phone: '111', version: 2 }),
    user('a', { name: 'Three', phone: '222', version: 3 }),
  ];

  test('merges the changes of several transactions to one user', () => {
    expect(netChanges([updated(before, middle), updated(middle, after)])).toMatchObject([
      {
        userSerial: 'a',
        existedBefore: true,
        existsAfter: true,
        version: 3,
        fields: { name: { before: 'One', after: 'Three' }, phone: { before: '111', after: '222' } },
      },
    ]);
  });

  test('keeps users separate, in order of their first change', () => {
    const rows = [updated(user('b'), user('b', { name: 'B' })), updated(before, middle)];
    const again = updated(user('b', { name: 'B', version: 2 }), user('b', { name: 'C' }));
    expect(netChanges([...rows, again]).map(({ userSerial }) => userSerial)).toEqual(['b', 'a']);
  });

  test('records who did not exist before and who does not exist after', () => {
    const rows = [created(user('new')), deleted(user('old'))];
    expect(netChanges(rows)).toMatchObject([
      { userSerial: 'new', existedBefore: false, existsAfter: true, version: 1 },
      { userSerial: 'old', existedBefore: true, existsAfter: false, version: 2 },
    ]);
  });

  test('turns a create and an update into a create with the last values', () => {
    const [first, last] = [user('a', { name: 'One' }), user('a', { name: 'Two', phone: '1', version: 2 })];
    const [net] = netChanges([created(first), updated(first, last)]);
    expect(net).toMatchObject({ existedBefore: false, existsAfter: true, version: 2 });
    expect(net?.fields.name).toEqual({ before: null, after: 'Two' });
  });

  test('returns nothing for no rows', () => {
    expect(netChanges([])).toEqual([]);
  });

  test('omits a role that a deactivation removed, because an undo does not restore it', () => {
    const inactive = { ...before, isActive: false, version: 2 };
    const off = updated(before, inactive);
    const deactivated = { ...off, fields: { ...off.fields, role: { before: 'viewer', after: null } } };
    expect(netChanges([deactivated])[0]?.fields).toEqual({ isActive: { before: true, after: false } });
    const reactivated = updated(inactive, { ...before, version: 3 });
    expect(netChanges([deactivated, reactivated]), 'what the call itself reverted').toEqual([]);
  });
});

describe('a user updated by the call', () => {
  const everything: Partial<StoredUser> = {
    employeeID: 'B',
    name: 'Bea',
    username: 'bea',
    email: null,
    phone: '123',
    isActive: false,
    tagSerials: ['T1'],
    organizationSerial: 'O1',
  };

  test('is restored in every field that the call changed', () => {
    const { was, is, row } = changedBy('a', {}, everything);
    const result = plan([row], [is]);
    expect(told(result)).toEqual(['updated']);
    expect(result.updates.changed).toEqual([{ before: is, after: { ...was, version: 2 } }]);
    expect(result.transitions).toEqual(result.updates.changed);
    expect([...result.updates.changedFields].sort()).toEqual(Object.keys(everything).sort());
    expect(result).toMatchObject({ removed: [], restored: [] });
  });

  test('is restored without affecting later changes to other fields', () => {
    const { is, row } = changedBy('a', { name: 'One' }, { name: 'Two' });
    const now = { ...is, phone: '999', tagSerials: ['T9'], version: 5 };
    const result = plan([row], [now]);
    expect(result.updates.changed).toEqual([{ before: now, after: { ...now, name: 'One' } }]);
    expect(result.updates.changedFields).toEqual(new Set(['name']));
  });

  test('is unchanged if already restored', () => {
    const { was, row } = changedBy('a', { tagSerials: ['T1'] }, { tagSerials: [], name: 'Two' });
    const result = plan([row], [{ ...was, version: 9 }]);
    expect(told(result)).toEqual(['unchanged']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is restored in the remaining fields if some are already restored', () => {
    const { is, row } = changedBy('a', { name: 'One', phone: '1' }, { name: 'Two', phone: '2' });
    const result = plan([row], [{ ...is, name: 'One' }]);
    expect(told(result)).toEqual(['updated']);
    expect(result.updates.changed[0]?.after).toMatchObject({ name: 'One', phone: '1' });
    expect(result.updates.changedFields).toEqual(new Set(['phone']));
  });

  test.each<[string, Partial<StoredUser>]>([
    ['employeeID', { employeeID: 'X' }],
    ['name', { name: 'X' }],
    ['username', { username: 'x' }],
    ['email', { email: 'x@y.z' }],
    ['phone', { phone: '999' }],
    ['organizationSerial', { organizationSerial: 'X' }],
    ['tagSerials', { tagSerials: ['T1', 'T2'] }],
  ])('is skipped entirely, with 10110, if %s has changed since', (field, since) => {
    const { is, row } = changedBy('a', {}, everything);
    const result = plan([row], [{ ...is, ...since }]);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([`Skipped: "${field}" has changed since the call.`]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is skipped if the case of the username or the order of tags has changed since', () => {
    const first = changedBy('a', {}, { username: 'bea' });
    const second = changedBy('b', {}, { tagSerials: ['T1', 'T2'] });
    const now = [
      { ...first.is, username: 'Bea' },
      { ...second.is, tagSerials: ['T2', 'T1'] },
    ];
    expect(told(plan([first.row, second.row], now))).toEqual(['USER_CHANGED_SINCE', 'USER_CHANGED_SINCE']);
  });

  test('is reported with all fields that have changed since', () => {
    const { is, row } = changedBy('a', {}, { name: 'Two', phone: '2' });
    expect(details(plan([row], [{ ...is, name: 'X', phone: '3' }]))).toEqual([
      'Skipped: "name", "phone" have changed since the call.',
    ]);
  });

  test('is reported as removed if it no longer exists', () => {
    const { row } = changedBy('a', {}, { name: 'Two' });
    const result = plan([row], []);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual(['Skipped: the user has been removed since the call.']);
  });

  test('is restored regardless of changes that the call itself reverted', () => {
    const first = user('a', { name: 'One', phone: '1' });
    const second = { ...first, name: 'Two', version: 2 };
    const third = { ...second, name: 'One', phone: '2', version: 3 };
    const now = { ...third, name: 'Since', version: 4 };
    const inTwo = plan([updated(first, second), updated(second, third)], [now]);
    const inOne = plan([updated(first, third)], [now]);
    expect(told(inOne)).toEqual(['updated']);
    expect(told(inTwo), 'where a call is cut into transactions makes no difference').toEqual(told(inOne));
    expect(inTwo.updates.changed).toEqual(inOne.updates.changed);
  });

  test('is skipped, with 10104, if neither email nor phone would remain', () => {
    const { is, row } = changedBy('a', { phone: null }, { phone: '1' });
    const result = plan([row], [{ ...is, email: null }]);
    expect(told(result)).toEqual(['USER_CONTACT_REQUIRED']);
    expect(details(result)).toEqual([
      'This would leave the user with neither an email address nor a phone number. Keep at least one.',
    ]);
  });
});

describe('a user created by the call', () => {
  const given = user('a', { tagSerials: ['T1'], isActive: false, phone: '1' });

  test('is removed if nothing has changed since', () => {
    const now = { ...given, version: 3 }; // changed and changed back
    const result = plan([created(given)], [now]);
    expect(told(result)).toEqual(['deleted']);
    expect(result.removed).toEqual([now]);
    expect(result.transitions).toEqual([{ before: now, after: null }]);
    expect(result).toMatchObject({ updates: { changed: [] }, restored: [] });
  });

  test.each<[string, Partial<StoredUser>]>([
    ['a field set by the call', { name: 'X' }],
    ['a field not set by the call', { organizationSerial: 'O1' }],
    ['a field set by the call, which is empty now', { phone: null }],
    ['the tags', { tagSerials: [] }],
    ['the status', { isActive: true }],
  ])('is skipped, with 10110, if someone has changed %s', (_, since) => {
    const result = plan([created(given)], [{ ...given, ...since }]);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([`Skipped: "${Object.keys(since)[0]}" has changed since the call.`]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is skipped, with 10110, if the account is in use', () => {
    const result = plan([created(given)], [given], { accountsInUse: new Set(['a']) });
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([
      'Skipped: the user has chosen a password or been given a role since the call.',
    ]);
  });

  test('is unchanged if already removed', () => {
    const result = plan([created(given)], []);
    expect(result).toMatchObject(nothingWritten);
    expect(told(result)).toEqual(['unchanged']);
  });
});

describe('a user removed by the call, an undo', () => {
  const gone = user('a', { username: 'ada', tagSerials: ['T1'], isActive: false, version: 4 });

  test('is restored with a new version', () => {
    const row = deleted(gone);
    const result = plan([row], []);
    expect(told(result)).toEqual(['created']);
    expect(result.restored).toEqual([{ ...gone, version: row.version + 1 }]);
    expect(result.transitions).toEqual([{ before: null, after: result.restored[0] }]);
    expect(result).toMatchObject({ updates: { changed: [] }, removed: [] });
  });

  test('is unchanged if it exists again, whatever its fields', () => {
    const result = plan([deleted(gone)], [{ ...gone, name: 'X', version: 9 }]);
    expect(told(result)).toEqual(['unchanged']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is not restored if another user now has the employee ID or username', () => {
    const other = { ...gone, serial: 'b', employeeID: 'B', username: 'bea' };
    const result = plan([deleted(gone), deleted(other)], [user('x', { employeeID: 'A', username: 'BEA' })]);
    expect(told(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS']);
    expect(blamed(result)).toEqual([taken('employeeID', 'A', 'x'), taken('username', 'bea', 'x')]);
    expect(result).toMatchObject(nothingWritten);
  });
});

describe('names are checked against the final state', () => {
  const renamed = (serial: string, from: string, to: string) =>
    changedBy(serial, { employeeID: from }, { employeeID: to });
  const rowsOf = (changes: readonly { row: LoggedChange }[]) => changes.map(({ row }) => row);
  const nowOf = (changes: readonly { is: StoredUser }[]) => changes.map(({ is }) => is);
  const idsAfter = ({ updates }: UndoPlan) => updates.changed.map(({ after }) => after.employeeID);

  test.each([
    ['a swap', ['A', 'B'], ['B', 'A']],
    ['a cycle of three', ['A', 'B', 'C'], ['B', 'C', 'A']],
    ['a chain', ['A', 'B', 'C'], ['B', 'C', 'D']],
    ['a chain in reverse order', ['C', 'B', 'A'], ['D', 'C', 'B']],
  ])('%s is undone together', (_, before, after) => {
    const changes = before.map((name, at) => renamed(`s${at}`, name, after[at] as string));
    const result = plan(rowsOf(changes), nowOf(changes));
    expect(new Set(told(result))).toEqual(new Set(['updated']));
    expect(idsAfter(result)).toEqual(before);
  });

  test('cycles of usernames are undone, too, regardless of case', () => {
    const changes = [
      changedBy('a', { username: 'ada' }, { username: 'BEA' }),
      changedBy('b', { username: 'bea' }, { username: 'ADA' }),
    ];
    expect(told(plan(rowsOf(changes), nowOf(changes)))).toEqual(['updated', 'updated']);
  });

  test('another user who has the old name blocks it, and is named', () => {
    const change = renamed('a', 'A', 'B');
    const result = plan([change.row], [change.is, user('x', { employeeID: 'A' })]);
    expect(told(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS']);
    expect(details(result)).toEqual([
      'The employee ID "A" is already taken by another user with the serial x.',
    ]);
    expect(blamed(result)).toEqual([taken('employeeID', 'A', 'x')]);
  });

  test('a blocked user keeps their name and blocks others who need it', () => {
    const changes = [renamed('a', 'A', 'B'), renamed('b', 'B', 'C'), renamed('c', 'C', 'D')];
    const result = plan(rowsOf(changes), [...nowOf(changes), user('x', { employeeID: 'A' })]);
    expect(blamed(result)).toEqual([
      taken('employeeID', 'A', 'x'),
      taken('employeeID', 'B', 'a'),
      taken('employeeID', 'C', 'b'),
    ]);
  });

  test('a skipped user blocks others, too', () => {
    const changes = [renamed('a', 'A', 'B'), renamed('b', 'B', 'C')];
    const [a, b] = nowOf(changes) as [StoredUser, StoredUser];
    // The first user has been renamed since, so the second can have B back.
    const now = [
      { ...a, employeeID: 'Z' },
      { ...b, employeeID: 'C' },
    ];
    const free = plan(rowsOf(changes), now);
    expect(told(free)).toEqual(['USER_CHANGED_SINCE', 'updated']);
    const kept = changedBy('a', { employeeID: 'A', name: 'One' }, { employeeID: 'B', name: 'Two' });
    const result = plan([kept.row, changes[1]?.row as LoggedChange], [{ ...kept.is, name: 'Three' }, b]);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE', 'USER_EMPLOYEE_ID_EXISTS']);
    expect(blamed(result)[1]).toEqual(taken('employeeID', 'B', 'a'));
  });

  test('a user blocked by one name is not partially restored', () => {
    const change = changedBy('a', { employeeID: 'A', name: 'One' }, { employeeID: 'B', name: 'Two' });
    const result = plan([change.row], [change.is, user('x', { employeeID: 'A' })]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('removing a new user frees their name', () => {
    // The undo removes the user who was created with the name, and gives it back to its former holder.
    const [moved, added] = [renamed('a', 'A', 'B'), user('n', { employeeID: 'A' })];
    const result = plan([moved.row, created(added)], [moved.is, added]);
    expect(told(result)).toEqual(['updated', 'deleted']);
  });

  test('a restored user can take the name that another user gives up', () => {
    const [back, moved] = [user('g', { employeeID: 'A' }), renamed('a', 'B', 'A')];
    const result = plan([deleted(back), moved.row], [moved.is]);
    expect(told(result)).toEqual(['created', 'updated']);
  });

  test('an employee ID and a username with the same text do not conflict', () => {
    const change = changedBy('a', { username: 'x1' }, { username: null });
    expect(told(plan([change.row], [change.is, user('x', { employeeID: 'x1' })]))).toEqual(['updated']);
  });
});

describe('last administrator', () => {
  const admin = (serial: string, canSignIn: boolean): Administrator => ({ serial, canSignIn });
  const activated = changedBy('a', { username: 'ada', isActive: false }, { isActive: true });

  test('is skipped, with 10109, instead of losing the ability to sign in', () => {
    const result = plan([activated.row], [activated.is], { administrators: [admin('a', true)] });
    expect(told(result)).toEqual(['USER_LAST_ADMINISTRATOR']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is undone if another one can sign in, before or after the undo', () => {
    const there = { administrators: [admin('a', true), admin('x', true)] };
    expect(told(plan([activated.row], [activated.is], there))).toEqual(['updated']);
    const named = changedBy('b', { username: 'bea' }, { username: null });
    const after = { administrators: [admin('a', true), admin('b', false)] };
    expect(told(plan([activated.row, named.row], [activated.is, named.is], after))).toEqual([
      'updated',
      'updated',
    ]);
  });

  test('an administrator who is blocked does not count', () => {
    const named = changedBy('b', { username: 'bea' }, { username: null });
    const stored = [activated.is, named.is, user('x', { username: 'bea' })];
    const facts = { administrators: [admin('a', true), admin('b', false)] };
    expect(told(plan([activated.row, named.row], stored, facts))).toEqual([
      'USER_LAST_ADMINISTRATOR',
      'USER_USERNAME_EXISTS',
    ]);
  });
});

describe('reported employee ID', () => {
  test('is the current one, or the last one if the user no longer exists', () => {
    const renamed = changedBy('a', { employeeID: 'A' }, { employeeID: 'B' });
    const { row: goneRow } = changedBy('g', { employeeID: 'G' }, { employeeID: 'H' });
    const rows = [renamed.row, created(user('n')), deleted(user('d', { employeeID: 'D' })), goneRow];
    const { employeeIDs } = plan(rows, [{ ...renamed.is, employeeID: 'C' }]);
    expect(employeeIDs.slice(0, 3)).toEqual(['C', 'N', 'D']);
    expect(['G', 'H']).toContain(employeeIDs[3]);
  });

  test('is known even if the call changed no names and the user no longer exists', () => {
    const { row } = changedBy('a', { employeeID: 'A', name: 'One' }, { name: 'Two' });
    expect(plan([row], []).employeeIDs).toEqual(['A']);
  });
});

test('an empty plan writes nothing', () => {
  expect(plan([], [])).toMatchObject({ outcomes: [], employeeIDs: [], ...nothingWritten });
});

test('an undo of an undo plans the opposite', () => {
  const [a, n] = [changedBy('a', { employeeID: 'A' }, { employeeID: 'B' }), user('n')];
  const first = plan([a.row, created(n)], [a.is, n]);
  const rows = [
    ...first.updates.changed.map(({ before, after }) => updated(before, after)),
    ...first.removed.map(deleted),
  ];
  const now = first.updates.changed.map(({ after }) => ({ ...after, version: after.version + 1 }));
  const second = plan(rows, now);
  expect(told(second)).toEqual(['updated', 'created']);
  expect(second.updates.changed.map(({ after }) => after.employeeID)).toEqual(['B']);
  expect(second.restored).toEqual([{ ...n, version: 3 }]);
});

test('an erased user is skipped, even if the log no longer tells a change from its opposite', () => {
  const nothing = { before: null, after: null };
  const row = {
    userSerial: 's1',
    employeeID: '',
    kind: 'updated',
    version: 2,
    fields: { name: nothing },
  } as const;
  const erased = new Map([['s1', new Date('2026-11-15T08:30:00Z')]]);
  const rows = [row, { ...row, version: 3 }];
  expect(netChanges(rows), 'without values').toEqual([]);
  const skipped = planWhole(netChanges(rows, erased), {
    stored: [],
    accountsInUse: new Set(),
    attributes: noAttributes,
    seesSensitive: true,
    lines: new Map(),
    erased,
    ...noRoles,
  });
  expect(details(skipped)).toEqual([
    'Skipped: the user was erased on 15 November 2026, which cannot be undone.',
  ]);
});
