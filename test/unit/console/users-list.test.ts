import { RollcallError } from '@rollcall/client';
import { openTable } from '@rollcall/sheets';
import { describe, expect, it } from 'vitest';
import * as german from '../../../console/src/copy/de/index.js';
import * as english from '../../../console/src/copy/en/index.js';
import * as spanish from '../../../console/src/copy/es/index.js';
import { sheetTime } from '../../../console/src/copy/format.js';
import { dayFrom, planAction, planOptions, planText } from '../../../console/src/matching/matching-call.js';
import type { ListedUser } from '../../../console/src/users/data/user.js';
import type { VersionedUser } from '../../../console/src/users/data/user-queries.js';
import { userWithoutConflict } from '../../../console/src/users/form/field-problems.js';
import { latestChangeOf, saveFields } from '../../../console/src/users/form/save-fields.js';
import { columnWidth, longestIds } from '../../../console/src/users/list/column-widths.js';
import { columnForKey } from '../../../console/src/users/list/grid.js';
import { highlighter } from '../../../console/src/users/list/highlight.js';
import { readView, writeView, writeWholeView } from '../../../console/src/users/list/users-view.js';
import { cellsOf, encodeRows } from '../../../console/src/users/selection/export-rows.js';
import { type RunProgress, runOneByOne } from '../../../console/src/users/selection/one-by-one.js';
import {
  everyone,
  headState,
  isSelected,
  nobody,
  rowRange,
  type Selection,
  selectedMax,
  selectedUsers,
  withUsers,
} from '../../../console/src/users/selection/selection.js';
import { availabilityOf } from '../../../console/src/users/selection/selection-actions.js';
import { readLocalViews } from '../../../console/src/users/views/local-views.js';
import { groupedViews, mayChange, viewNamed } from '../../../console/src/users/views/saved-views.js';
import { parseCell } from '../../../sheets/src/cells.js';
import { viewedUser } from '../../support/stored-user.js';

const user = (number: number, fields: Partial<ListedUser> = {}): ListedUser => ({
  ...viewedUser({
    serial: `serial-${number}`,
    employeeID: `E${number}`,
    name: `Person ${number}`,
    email: `person${number}@example.com`,
  }),
  ...fields,
});
const usersUpTo = (count: number) => Array.from({ length: count }, (_, number) => user(number));

describe('selection', () => {
  const chosen = (...numbers: number[]) =>
    withUsers(
      nobody,
      numbers.map((number) => user(number)),
      true,
    ) as Selection;

  it('adds and removes users, and keeps the order in which they were ticked', () => {
    const selection = withUsers(chosen(3, 1, 2), [user(1)], false) as Selection;
    expect(selectedUsers(selection)?.map(({ employeeID }) => employeeID)).toEqual(['E3', 'E2']);
    expect(isSelected(selection, 'serial-3')).toBe(true);
    expect(isSelected(selection, 'serial-1')).toBe(false);
  });

  it('has a limit, because users are sent one by one', () => {
    expect(withUsers(nobody, usersUpTo(selectedMax), true)).not.toBe('tooMany');
    expect(withUsers(nobody, usersUpTo(selectedMax + 1), true)).toBe('tooMany');
  });

  it('of everyone includes users who are not loaded, and can only be cleared', () => {
    expect(isSelected(everyone, 'anyone')).toBe(true);
    expect(selectedUsers(everyone)).toBeUndefined();
    expect(withUsers(everyone, [user(1)], false)).toBe(everyone);
  });

  it('extends from the last tick to the row that is clicked with the shift key, in both directions', () => {
    expect(rowRange(undefined, 5)).toEqual({ first: 5, last: 5 });
    expect(rowRange(2, 5)).toEqual({ first: 2, last: 5 });
    expect(rowRange(9, 5)).toEqual({ first: 5, last: 9 });
  });

  it.each([
    [nobody, false, 'none'],
    [chosen(1), false, 'some'],
    [chosen(1, 2), true, 'all'],
    [everyone, false, 'all'],
  ] as const)('shows in the heading how many are selected', (selection, isWholeList, state) => {
    expect(headState(selection, isWholeList)).toBe(state);
  });

  it('offers what the user may do, and explains what needs a filter or single users', () => {
    const given = {
      ...{ mayWrite: true, mayAdminister: true, isEveryone: false, isFiltered: false },
      attributes: [],
    };
    expect(availabilityOf('setAttribute', given)).toBe('hidden');
    expect(availabilityOf('deactivate', given)).toBe('available');
    expect(availabilityOf('deactivate', { ...given, isEveryone: true })).toBe('needsFilter');
    expect(availabilityOf('deactivate', { ...given, isEveryone: true, isFiltered: true })).toBe('available');
    expect(availabilityOf('resetPasswords', { ...given, isEveryone: true })).toBe('oneByOneOnly');
    const reader = { ...given, mayWrite: false, mayAdminister: false };
    expect(availabilityOf('addTag', reader)).toBe('hidden');
    expect(availabilityOf('resendMessages', reader)).toBe('hidden');
    expect(availabilityOf('export', { ...reader, isEveryone: true })).toBe('available');
  });
});

describe('one by one', () => {
  const run = (act: (number: number) => Promise<void>, users = [1, 2, 3]) => {
    let last: RunProgress<number> | undefined;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const control = runOneByOne({
      users,
      act,
      explain: (error) => (error === 'session ended' ? undefined : String(error)),
      onProgress: (progress) => {
        last = progress;
        if (progress.state !== 'running') finish();
      },
    });
    return { control, finished, progress: () => last };
  };

  it('continues after failures, and says why', async () => {
    const { finished, progress } = run(async (number) => {
      if (number === 2) throw 'no address';
    });
    await finished;
    expect(progress()).toMatchObject({
      state: 'finished',
      done: 3,
      succeeded: 2,
      failed: [{ user: 2, reason: 'no address' }],
    });
  });

  it('pauses after the current user, and resumes with the next', async () => {
    const seen: number[] = [];
    const first = run(async (number) => {
      seen.push(number);
      if (number === 2) first.control.pause();
    });
    await first.finished;
    await expect.poll(() => first.progress()).toMatchObject({ state: 'paused', done: 2 });
    expect(seen).toEqual([1, 2]);
    first.control.resume();
    await expect.poll(() => first.progress()?.state).toBe('finished');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('pauses when the session ends, and repeats the user afterwards', async () => {
    let isSignedIn = false;
    const { control, finished, progress } = run(async () => {
      if (!isSignedIn) throw 'session ended';
    });
    await finished;
    expect(progress()).toMatchObject({ state: 'paused', done: 0, failed: [], isSessionEnded: true });
    isSignedIn = true;
    await expect
      .poll(() => {
        control.resume();
        return progress();
      })
      .toMatchObject({ state: 'finished', succeeded: 3, isSessionEnded: false });
  });

  it('stops, and leaves out the rest', async () => {
    const { control, finished, progress } = run(async (number) => {
      if (number === 2) control.stop();
    });
    await finished;
    await expect.poll(() => progress()).toMatchObject({ state: 'finished', done: 2, succeeded: 2 });
  });
});

describe('saved views', () => {
  const saved = (name: string, more: object = {}) => ({
    ...{ id: name, name, query: 'status=inactive', isShared: false, author: null },
    ...{ createdAt: '', updatedAt: '', ...more },
  });

  it('are in order of their names, own ones apart from shared ones', () => {
    const [one, two, shared] = [saved('Leavers'), saved('Berlin'), saved('Apprentices', { isShared: true })];
    expect(groupedViews([one, shared, two])).toEqual({ own: [two, one], shared: [shared] });
    expect(viewNamed([one, two], 'BERLIN ')).toEqual(two);
  });

  it('are changed by their author and administrators', () => {
    const view = saved('Leavers', { author: { serial: 'ada', name: 'Ada' } });
    expect(mayChange(view, { serial: 'ada', scopes: [] })).toBe(true);
    expect(mayChange(view, { serial: 'grace', scopes: ['users:read'] })).toBe(false);
    expect(mayChange(view, { serial: 'grace', scopes: ['access:admin'] })).toBe(true);
    expect(mayChange(saved('Leavers'), { serial: 'grace', scopes: [] })).toBe(false);
  });

  it('of this browser are ignored if they cannot be read', () => {
    const one = { name: 'Leavers', query: 'status=inactive' };
    expect(readLocalViews(null)).toEqual([]);
    expect(readLocalViews('{')).toEqual([]);
    expect(readLocalViews('{"name":"x"}')).toEqual([]);
    expect(readLocalViews(JSON.stringify([one, null, { name: '' }, { name: 'x' }]))).toEqual([one]);
  });

  it('contain everything, also the columns that the URL leaves out', () => {
    const whole = writeWholeView(readView('search=ada'));
    expect(whole).toBe('search=ada&columns=name%2CemployeeID%2CisActive%2Cemail%2CorganizationSerial');
    expect(readView(whole, 'name,phone').columns).toEqual(readView('').columns);
  });
});

describe('columns', () => {
  it('are remembered, unless the URL has others', () => {
    expect(readView('', 'name,phone').columns).toEqual(['name', 'phone']);
    expect(readView('columns=name,email', 'name,phone').columns).toEqual(['name', 'email']);
    expect(writeView(readView('', 'name,phone'))).toBe('columns=name%2Cphone');
  });

  it('always have room for the longest ID in sight, and never shrink', () => {
    const long = 'X'.repeat(64);
    const longest = longestIds({}, [user(1), user(2, { employeeID: long })]);
    expect(columnWidth('employeeID', longest)).toBeGreaterThan(36);
    expect(longestIds(longest, [user(1)])).toBe(longest);
    expect(columnWidth('employeeID', {})).toBe(columnWidth('employeeID', longestIds({}, [user(1)])));
  });

  it('are reached by the arrow keys', () => {
    expect(columnForKey('ArrowRight', 0, 3)).toBe(1);
    expect(columnForKey('ArrowRight', 2, 3)).toBe(2);
    expect(columnForKey('ArrowLeft', 0, 3)).toBe(0);
    expect(columnForKey('ArrowDown', 1, 3)).toBeUndefined();
  });
});

describe('highlights', () => {
  const marked = (search: string, text: string) =>
    highlighter(search)?.(text)
      .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
      .join('');

  it.each([
    ['muller', 'Zoë Müller', 'Zoë [Müller]'],
    ['mueller', 'Zoë Müller', 'Zoë [Müller]'],
    ['ZOE mull', 'Zoë Müller', '[Zoë] [Müll]er'],
    ['strasse', 'Straße', '[Straße]'],
    ['e41', 'E0041', '[E0041]'],
    ['41', 'E0041', 'E[0041]'],
    ['0041', '41', '[41]'],
    ['2079460958', '+44 20 7946 0958', '+44 [20 7946 0958]'],
    ['lova', 'Zofia Kowalska', 'Zofia Kowalska'],
    ['a.b', 'axb', '[a]x[b]'],
    ['e', 'Ze\u0301', 'Z[e\u0301]'],
  ])('%s in %s', (search, text, expected) => {
    expect(marked(search, text)).toBe(expected);
  });

  it('are left out without a search', () => {
    expect(highlighter('  ')).toBeUndefined();
    expect(highlighter('!?')).toBeUndefined();
  });
});

describe('export', () => {
  const names = { organizations: new Map([['ORG1', 'Berlin']]), tags: new Map([['T1', 'First aid']]) };
  const columns = ['name', 'employeeID', 'isActive', 'organizationSerial', 'tagSerials'] as const;
  const table = { headings: ['Name', 'ID', 'Status', 'Organization', 'Tags'], columns, sheetName: 'Users' };
  const given = user(7, {
    name: '=HYPERLINK("x")',
    employeeID: '007',
    organizationSerial: 'ORG1',
    tagSerials: ['T1', 'T2'],
  });
  async function* rows() {
    yield cellsOf(given, columns, names);
  }

  it('writes organizations and tags by name, and serials without a name', () => {
    expect(cellsOf(given, columns, names)).toEqual([
      '=HYPERLINK("x")',
      '007',
      'Active',
      'Berlin',
      'First aid, T2',
    ]);
    const none = { organizations: new Map(), tags: new Map() };
    expect(cellsOf(given, ['organizationSerial', 'tagSerials'], none)).toEqual(['ORG1', 'T1, T2']);
  });

  it.each([english, german, spanish])(
    'writes a status that the import reads in every language',
    ({ commonCopy }) => {
      expect(parseCell('isActive', commonCopy.active)).toBe(true);
      expect(parseCell('isActive', commonCopy.inactive)).toBe(false);
    },
  );

  it('never contains formulas', async () => {
    let text = '';
    for await (const part of encodeRows(rows(), 'csv', table)) text += part;
    expect(text.startsWith('\uFEFFName,ID,Status,Organization,Tags\r\n')).toBe(true);
    expect(text.split('\r\n')[1]).not.toMatch(/^"?=/);
  });

  it('can be read back as a workbook', async () => {
    const parts: Uint8Array[] = [];
    for await (const part of encodeRows(rows(), 'xlsx', table)) parts.push(part as Uint8Array);
    const opened = await openTable(new Blob(parts as BlobPart[]), { name: 'users.xlsx' } as never);
    const read: string[][] = [];
    for await (const row of opened.rows) read.push([...row.cells]);
    expect(read.at(-1)?.slice(0, 2)).toEqual(['=HYPERLINK("x")', '007']);
  });

  it('writes times so that they can be sorted', () => {
    expect(sheetTime('2026-01-05T08:03:00.000Z')).toMatch(/^2026-01-0[456] \d\d:\d3$/);
  });
});

describe('editing a cell', () => {
  const shown = user(1);
  const at = (version: number, fields: Partial<ListedUser> = {}): VersionedUser => ({
    user: { ...shown, ...fields },
    etag: `"${version}"`,
  });
  const outdated = () =>
    new RollcallError(412, {
      errorCode: 10008,
      name: 'REQUEST_PRECONDITION_FAILED',
      detail: '',
      data: {},
    } as never);
  const update = [{ field: 'email', shown: shown.email, value: 'new@example.com' }] as const;
  const service = (states: VersionedUser[], failures = 0) => {
    const sent: unknown[] = [];
    return {
      sent,
      read: async () =>
        states.length > 1 ? (states.shift() as VersionedUser) : (states[0] as VersionedUser),
      save: async ({ user: base, etag }: VersionedUser, patch: object) => {
        sent.push({ etag, patch });
        if (sent.length <= failures) throw outdated();
        return at(9, { ...base, ...patch });
      },
    };
  };

  it('sends only this field', async () => {
    const used = service([at(3)]);
    expect(await saveFields(update, used)).toMatchObject({
      saved: { user: { email: 'new@example.com' } },
    });
    expect(used.sent).toEqual([{ etag: '"3"', patch: { email: 'new@example.com' } }]);
  });

  it('keeps a change of another field that was made in the meantime', async () => {
    const used = service([at(3), at(4, { phone: '+1 202' })], 1);
    const result = await saveFields(update, used);
    expect(result).toMatchObject({ saved: { user: { email: 'new@example.com', phone: '+1 202' } } });
    expect(used.sent).toHaveLength(2);
  });

  it('asks if someone else has changed the same field', async () => {
    const theirs = at(4, { email: 'theirs@example.com' });
    const used = service([theirs]);
    expect(await saveFields(update, used)).toEqual({ conflict: theirs, fields: ['email'] });
    expect(used.sent).toEqual([]);
  });

  it('has nothing to do if they entered the same', async () => {
    const used = service([at(4, { email: 'new@example.com' })]);
    expect(await saveFields(update, used)).toHaveProperty('saved');
    expect(used.sent).toEqual([]);
  });

  it('finds who changed the field last', () => {
    const changes = [{ fields: { name: {} } }, { fields: { email: {} } }, { fields: { email: {} } }];
    expect(latestChangeOf(changes, 'email')).toBe(changes[1]);
    expect(latestChangeOf(changes, 'phone')).toBeUndefined();
  });
});

describe('a planned change', () => {
  it('has a date, needs approval, or both', () => {
    expect(planOptions({ day: '2099-12-01', needsApproval: false })).toEqual({ effectiveAt: '2099-12-01' });
    expect(planOptions({ day: '', needsApproval: true })).toEqual({ approval: 'required' });
    expect(planText({ day: '2099-12-01', needsApproval: true })).toMatch(/approved.*Dec 1, 2099|1 Dec 2099/);
    const leaving = { day: '2099-12-01', lastDay: '2099-11-30', needsApproval: false };
    expect(planText(leaving)).toMatch(/^Last working day (Nov 30, 2099|30 Nov 2099), inactive from/);
    expect(planOptions(leaving)).toEqual({ lastWorkingDay: '2099-11-30' });
    expect(planAction({ day: '2099-12-01', needsApproval: true })(3)).toBe('Request approval for 3 users');
  });

  it('is noted with the reason, as far as there is room', () => {
    const noted = (note: string) => planOptions({ day: '', needsApproval: true, note }).note;
    expect(noted(' ')).toBeUndefined();
    expect(noted(' End of season ')).toBe('End of season');
    expect(noted('🎉'.repeat(300))).toHaveLength(2 * 200);
  });

  it('starts tomorrow at the earliest', () => {
    expect(dayFrom(new Date(2026, 11, 31, 23, 59), 1)).toBe('2027-01-01');
    expect(dayFrom(new Date(2026, 11, 31, 23, 59), 0)).toBe('2026-12-31');
  });
});

describe('the other conflict of a new user', () => {
  const creation = { employeeID: 'E1', name: 'Ada', username: 'ada', password: 'secret', isActive: true };
  const taken = (name: 'USER_EMPLOYEE_ID_EXISTS' | 'USER_USERNAME_EXISTS') =>
    new RollcallError(409, { errorCode: 10101, name, detail: '', data: {} } as never);

  it('is looked for without the first one, and without the password', () => {
    const { password: _, ...known } = creation;
    expect(userWithoutConflict(creation, taken('USER_EMPLOYEE_ID_EXISTS'), 'X9')).toEqual({
      ...known,
      employeeID: 'X9',
    });
    const { username: __, ...others } = known;
    expect(userWithoutConflict(creation, taken('USER_USERNAME_EXISTS'), 'X9')).toEqual(others);
  });

  it('is not looked for if there can be none', () => {
    const { username: _, ...nameless } = creation;
    expect(userWithoutConflict(nameless, taken('USER_EMPLOYEE_ID_EXISTS'), 'X9')).toBeUndefined();
    expect(userWithoutConflict(creation, new Error('lost'), 'X9')).toBeUndefined();
  });
});
