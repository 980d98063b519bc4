import { describe, expect, test } from 'vitest';
import { takenByOf } from '../../src/contract/errors.js';
import type { Administrator } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
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

/** The row that a transaction leaves of one user. */
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

/** A user whom a call changed, as before, and the row that it left. */
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
  return planWhole(netChanges(rows), { stored, accountsInUse: new Set(), ...noRoles, ...facts });
}

/** What the report tells of each: the effect, or the error. */
function told({ outcomes }: UndoPlan): string[] {
  return toItemOutcomes(outcomes, true).map((outcome) =>
    outcome.ok ? (outcome.effect?.kind ?? '') : outcome.failure.error,
  );
}

function details({ outcomes }: UndoPlan): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.detail]));
}

/** Of each failure over a name: which one, and who has it. */
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

  test('joins what several transactions of a call did to one user, from first to last', () => {
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

  test('keeps users apart, in the order in which the call met them', () => {
    const rows = [updated(user('b'), user('b', { name: 'B' })), updated(before, middle)];
    const again = updated(user('b', { name: 'B', version: 2 }), user('b', { name: 'C' }));
    expect(netChanges([...rows, again]).map(({ userSerial }) => userSerial)).toEqual(['b', 'a']);
  });

  test('knows who was not there before, and who is not there after', () => {
    const rows = [created(user('new')), deleted(user('old'))];
    expect(netChanges(rows)).toMatchObject([
      { userSerial: 'new', existedBefore: false, existsAfter: true, version: 1 },
      { userSerial: 'old', existedBefore: true, existsAfter: false, version: 2 },
    ]);
  });

  test('of somebody created and changed since is a create with the last values', () => {
    const [first, last] = [user('a', { name: 'One' }), user('a', { name: 'Two', phone: '1', version: 2 })];
    const [net] = netChanges([created(first), updated(first, last)]);
    expect(net).toMatchObject({ existedBefore: false, existsAfter: true, version: 2 });
    expect(net?.fields.name).toEqual({ before: null, after: 'Two' });
  });

  test('of nothing is nothing', () => {
    expect(netChanges([])).toEqual([]);
  });
});

describe('a user whom the call updated', () => {
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

  test('is restored in every field that it touched', () => {
    const { was, is, row } = changedBy('a', {}, everything);
    const result = plan([row], [is]);
    expect(told(result)).toEqual(['updated']);
    expect(result.updates.changed).toEqual([{ before: is, after: { ...was, version: 2 } }]);
    expect(result.transitions).toEqual(result.updates.changed);
    expect([...result.updates.changedFields].sort()).toEqual(Object.keys(everything).sort());
    expect(result).toMatchObject({ removed: [], restored: [] });
  });

  test('is restored beside what somebody changed since in other fields', () => {
    const { is, row } = changedBy('a', { name: 'One' }, { name: 'Two' });
    const now = { ...is, phone: '999', tagSerials: ['T9'], version: 5 };
    const result = plan([row], [now]);
    expect(result.updates.changed).toEqual([{ before: now, after: { ...now, name: 'One' } }]);
    expect(result.updates.changedFields).toEqual(new Set(['name']));
  });

  test('is unchanged if it is as before already', () => {
    const { was, row } = changedBy('a', { tagSerials: ['T1'] }, { tagSerials: [], name: 'Two' });
    const result = plan([row], [{ ...was, version: 9 }]);
    expect(told(result)).toEqual(['unchanged']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is restored in the field that is not yet as before, if another is', () => {
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
  ])('is kept whole, with 10110, if %s has yet another value', (field, since) => {
    const { is, row } = changedBy('a', {}, everything);
    const result = plan([row], [{ ...is, ...since }]);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([`Skipped: "${field}" has changed since the call.`]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is kept if the case of a username or the order of tags is another now', () => {
    const first = changedBy('a', {}, { username: 'bea' });
    const second = changedBy('b', {}, { tagSerials: ['T1', 'T2'] });
    const now = [
      { ...first.is, username: 'Bea' },
      { ...second.is, tagSerials: ['T2', 'T1'] },
    ];
    expect(told(plan([first.row, second.row], now))).toEqual(['USER_CHANGED_SINCE', 'USER_CHANGED_SINCE']);
  });

  test('is told with all the fields that changed', () => {
    const { is, row } = changedBy('a', {}, { name: 'Two', phone: '2' });
    expect(details(plan([row], [{ ...is, name: 'X', phone: '3' }]))).toEqual([
      'Skipped: "name", "phone" have changed since the call.',
    ]);
  });

  test('is told as removed if it is not there any more', () => {
    const { row } = changedBy('a', {}, { name: 'Two' });
    const result = plan([row], []);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual(['Skipped: the user has been removed since the call.']);
  });

  test('is restored whatever the call did to a field in between and took back itself', () => {
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

  test('that would be left with neither email nor phone stays, with 10104', () => {
    const { is, row } = changedBy('a', { phone: null }, { phone: '1' });
    const result = plan([row], [{ ...is, email: null }]);
    expect(told(result)).toEqual(['USER_CONTACT_REQUIRED']);
    expect(details(result)).toEqual([
      'This would leave the user with neither an email address nor a phone number. Keep at least one.',
    ]);
  });
});

describe('a user whom the call created', () => {
  const given = user('a', { tagSerials: ['T1'], isActive: false, phone: '1' });

  test('is removed, as long as nothing about it changed', () => {
    const now = { ...given, version: 3 }; // changed, and changed back
    const result = plan([created(given)], [now]);
    expect(told(result)).toEqual(['deleted']);
    expect(result.removed).toEqual([now]);
    expect(result.transitions).toEqual([{ before: now, after: null }]);
    expect(result).toMatchObject({ updates: { changed: [] }, restored: [] });
  });

  test.each<[string, Partial<StoredUser>]>([
    ['a field that was given', { name: 'X' }],
    ['a field that was not given', { organizationSerial: 'O1' }],
    ['a field that was given and is empty now', { phone: null }],
    ['the tags', { tagSerials: [] }],
    ['the status', { isActive: true }],
  ])('is kept, with 10110, if somebody changed %s', (_, since) => {
    const result = plan([created(given)], [{ ...given, ...since }]);
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([`Skipped: "${Object.keys(since)[0]}" has changed since the call.`]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('is kept, with 10110, if it has settled in', () => {
    const result = plan([created(given)], [given], { accountsInUse: new Set(['a']) });
    expect(told(result)).toEqual(['USER_CHANGED_SINCE']);
    expect(details(result)).toEqual([
      'Skipped: the user has chosen a password or been given a role since the call.',
    ]);
  });

  test('is unchanged, and nobody is created, if it is gone already', () => {
    const result = plan([created(given)], []);
    expect(result).toMatchObject(nothingWritten);
    expect(told(result)).toEqual(['unchanged']);
  });
});

describe('a user whom the call, an undo, removed', () => {
  const gone = user('a', { username: 'ada', tagSerials: ['T1'], isActive: false, version: 4 });

  test('comes back as it was, with a version that nobody has seen', () => {
    const row = deleted(gone);
    const result = plan([row], []);
    expect(told(result)).toEqual(['created']);
    expect(result.restored).toEqual([{ ...gone, version: row.version + 1 }]);
    expect(result.transitions).toEqual([{ before: null, after: result.restored[0] }]);
    expect(result).toMatchObject({ updates: { changed: [] }, removed: [] });
  });

  test('is unchanged if it is there again, whatever it is like', () => {
    const result = plan([deleted(gone)], [{ ...gone, name: 'X', version: 9 }]);
    expect(told(result)).toEqual(['unchanged']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('stays away if somebody has the employee ID or the username by now', () => {
    const other = { ...gone, serial: 'b', employeeID: 'B', username: 'bea' };
    const result = plan([deleted(gone), deleted(other)], [user('x', { employeeID: 'A', username: 'BEA' })]);
    expect(told(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS']);
    expect(blamed(result)).toEqual([taken('employeeID', 'A', 'x'), taken('username', 'bea', 'x')]);
    expect(result).toMatchObject(nothingWritten);
  });
});

describe('names are judged by where everyone ends up', () => {
  const renamed = (serial: string, from: string, to: string) =>
    changedBy(serial, { employeeID: from }, { employeeID: to });
  const rowsOf = (changes: readonly { row: LoggedChange }[]) => changes.map(({ row }) => row);
  const nowOf = (changes: readonly { is: StoredUser }[]) => changes.map(({ is }) => is);
  const idsAfter = ({ updates }: UndoPlan) => updates.changed.map(({ after }) => after.employeeID);

  test.each([
    ['a swap', ['A', 'B'], ['B', 'A']],
    ['a circle of three', ['A', 'B', 'C'], ['B', 'C', 'A']],
    ['a chain', ['A', 'B', 'C'], ['B', 'C', 'D']],
    ['a chain that is told from its end', ['C', 'B', 'A'], ['D', 'C', 'B']],
  ])('%s goes back together', (_, before, after) => {
    const changes = before.map((name, at) => renamed(`s${at}`, name, after[at] as string));
    const result = plan(rowsOf(changes), nowOf(changes));
    expect(new Set(told(result))).toEqual(new Set(['updated']));
    expect(idsAfter(result)).toEqual(before);
  });

  test('usernames go back in circles too, whatever their case', () => {
    const changes = [
      changedBy('a', { username: 'ada' }, { username: 'BEA' }),
      changedBy('b', { username: 'bea' }, { username: 'ADA' }),
    ];
    expect(told(plan(rowsOf(changes), nowOf(changes)))).toEqual(['updated', 'updated']);
  });

  test('somebody else who has the old name blocks it, and is named', () => {
    const change = renamed('a', 'A', 'B');
    const result = plan([change.row], [change.is, user('x', { employeeID: 'A' })]);
    expect(told(result)).toEqual(['USER_EMPLOYEE_ID_EXISTS']);
    expect(details(result)).toEqual([
      'The employee ID "A" is already taken by another user with the serial x.',
    ]);
    expect(blamed(result)).toEqual([taken('employeeID', 'A', 'x')]);
  });

  test('who is blocked keeps a name, and so blocks those who would have it back', () => {
    const changes = [renamed('a', 'A', 'B'), renamed('b', 'B', 'C'), renamed('c', 'C', 'D')];
    const result = plan(rowsOf(changes), [...nowOf(changes), user('x', { employeeID: 'A' })]);
    expect(blamed(result)).toEqual([
      taken('employeeID', 'A', 'x'),
      taken('employeeID', 'B', 'a'),
      taken('employeeID', 'C', 'b'),
    ]);
  });

  test('who is kept blocks as well', () => {
    const changes = [renamed('a', 'A', 'B'), renamed('b', 'B', 'C')];
    const [a, b] = nowOf(changes) as [StoredUser, StoredUser];
    // Somebody gave the first one yet another name, which the second had before.
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

  test('who is blocked by one name is not restored in part', () => {
    const change = changedBy('a', { employeeID: 'A', name: 'One' }, { employeeID: 'B', name: 'Two' });
    const result = plan([change.row], [change.is, user('x', { employeeID: 'A' })]);
    expect(result).toMatchObject(nothingWritten);
  });

  test('a name that was put on a new user is free again once that one is removed', () => {
    // An undo of a create that brought the name: whoever had it before gets it back.
    const [moved, added] = [renamed('a', 'A', 'B'), user('n', { employeeID: 'A' })];
    const result = plan([moved.row, created(added)], [moved.is, added]);
    expect(told(result)).toEqual(['updated', 'deleted']);
  });

  test('who comes back and who moves make room for each other', () => {
    const [back, moved] = [user('g', { employeeID: 'A' }), renamed('a', 'B', 'A')];
    const result = plan([deleted(back), moved.row], [moved.is]);
    expect(told(result)).toEqual(['created', 'updated']);
  });

  test('an employee ID and a username that read alike are two names', () => {
    const change = changedBy('a', { username: 'x1' }, { username: null });
    expect(told(plan([change.row], [change.is, user('x', { employeeID: 'x1' })]))).toEqual(['updated']);
  });
});

describe('the last administrator', () => {
  const admin = (serial: string, canSignIn: boolean): Administrator => ({ serial, canSignIn });
  const activated = changedBy('a', { username: 'ada', isActive: false }, { isActive: true });

  test('is not made unable to sign in, with 10109', () => {
    const result = plan([activated.row], [activated.is], { administrators: [admin('a', true)] });
    expect(told(result)).toEqual(['USER_LAST_ADMINISTRATOR']);
    expect(result).toMatchObject(nothingWritten);
  });

  test('may go if another one can sign in, there or after the undo', () => {
    const there = { administrators: [admin('a', true), admin('x', true)] };
    expect(told(plan([activated.row], [activated.is], there))).toEqual(['updated']);
    const named = changedBy('b', { username: 'bea' }, { username: null });
    const after = { administrators: [admin('a', true), admin('b', false)] };
    expect(told(plan([activated.row, named.row], [activated.is, named.is], after))).toEqual([
      'updated',
      'updated',
    ]);
  });

  test('is not counted on if it is blocked itself', () => {
    const named = changedBy('b', { username: 'bea' }, { username: null });
    const stored = [activated.is, named.is, user('x', { username: 'bea' })];
    const facts = { administrators: [admin('a', true), admin('b', false)] };
    expect(told(plan([activated.row, named.row], stored, facts))).toEqual([
      'USER_LAST_ADMINISTRATOR',
      'USER_USERNAME_EXISTS',
    ]);
  });
});

describe('the employee ID by which a user is told', () => {
  test('is the present one; of somebody who is not there, the one they had', () => {
    const renamed = changedBy('a', { employeeID: 'A' }, { employeeID: 'B' });
    const { row: goneRow } = changedBy('g', { employeeID: 'G' }, { employeeID: 'H' });
    const rows = [renamed.row, created(user('n')), deleted(user('d', { employeeID: 'D' })), goneRow];
    const { employeeIDs } = plan(rows, [{ ...renamed.is, employeeID: 'C' }]);
    expect(employeeIDs.slice(0, 3)).toEqual(['C', 'N', 'D']);
    expect(['G', 'H']).toContain(employeeIDs[3]);
  });

  test('is told also where the call changed no name, and the user is gone', () => {
    const { row } = changedBy('a', { employeeID: 'A', name: 'One' }, { name: 'Two' });
    expect(plan([row], []).employeeIDs).toEqual(['A']);
  });
});

test('a plan of nothing is nothing', () => {
  expect(plan([], [])).toMatchObject({ outcomes: [], employeeIDs: [], ...nothingWritten });
});

test('an undo of an undo plans the opposite of it', () => {
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
