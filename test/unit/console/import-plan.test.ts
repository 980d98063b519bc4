import { errorFrom } from '@rollcall/client';
import { describe, expect, test } from 'vitest';
import { isUndoable } from '../../../console/src/components/undo-calls.js';
import { applyFix, editCell, recheck } from '../../../console/src/import/check/edit-cells.js';
import { likelyLength, paddedIDs } from '../../../console/src/import/check/lost-zeros.js';
import { missingGuard } from '../../../console/src/import/check/missing-users.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { columnProblems, columnWarnings } from '../../../console/src/import/columns/column-messages.js';
import { suggestedField } from '../../../console/src/import/columns/suggest-field.js';
import {
  changeIn,
  entriesIn,
  fileColumns,
  leadingColumns,
  textIn,
  widthOf,
} from '../../../console/src/import/components/file-columns.js';
import { csvFile, invalidTable } from '../../../console/src/import/components/invalid-rows.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import { usersChanged } from '../../../console/src/import/state/affected-users.js';
import { editedAtOnceMax } from '../../../console/src/import/state/check-reducer.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import { noRows } from '../../../console/src/import/state/rows.js';
import type { Item } from '../../../console/src/import/state/service-calls.js';
import { currentStep } from '../../../console/src/import/state/state.js';
import { countChecks, countResults, invalidRows } from '../../../console/src/import/state/verdicts.js';
import { checked, dependenciesOf, given, rowsOf } from './imports.js';

const effect = (kind: 'created' | 'updated' | 'unchanged', fields = {}): ItemReport => ({
  ok: true,
  effect: { kind, fields },
});
const countsOf = (store: Awaited<ReturnType<typeof given>>) => countChecks(rowsOf(store));

describe('a row', () => {
  test('counts as the same before and after a run; unchanged rows are not sent', async () => {
    const judge = ({ employeeID }: Item): ItemReport =>
      employeeID === 'E1' ? effect('created') : effect(employeeID === 'E2' ? 'unchanged' : 'updated');
    const store = await given('Employee ID,Phone\nE1,1\nE2,2\nE3,3\n,4');
    const { dependencies, sent } = dependenciesOf({ judge });
    await startCheck(store, dependencies);
    const kinds = { created: 1, updated: 1, unchanged: 1, invalid: 1 };
    expect(countsOf(store)).toMatchObject({ all: 4, changes: 2, ...kinds });
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E1', 'E3']);
    expect(countResults(rowsOf(store))).toMatchObject({ all: 4, done: 2, ...kinds });
  });
});

describe('rows that pass on an employee ID', () => {
  const file = 'Employee ID,New employee ID,Name\nE1,E2,Ada\nE9,,Eve\nE2,E3,Joan\nE3,E4,Grace';

  test('follow the row that gives it up, wherever the file has them', async () => {
    const store = await given(file);
    const previewed: string[] = [];
    const { dependencies, sent } = dependenciesOf({
      judge: ({ employeeID }) => {
        previewed.push(employeeID);
        return effect('updated', { employeeID: {} });
      },
    });
    await startCheck(store, dependencies);
    expect(previewed).toEqual(['E9', 'E3', 'E2', 'E1']);
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E9', 'E3', 'E2', 'E1']);
    const { check } = store.getState();
    const users = check && (await usersChanged(rowsOf(store), check.reader, check.survey));
    expect(users, 'they are different users').toMatchObject({ all: 4 });
  });

  test('are ordered again when one of the employee IDs is edited', async () => {
    const store = await given('Employee ID,New employee ID,Name\nE1,E2,Ada\nE8,E3,Joan');
    const { dependencies, sent } = dependenciesOf();
    await startCheck(store, dependencies);
    editCell(store, 1, 0, 'E2');
    await recheck(store, 0, dependencies);
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E2', 'E1']);
  });
});

describe('users who are not in the file', () => {
  const active = ['E1', 'E2', 'E3', 'E4', 'E5'].map((employeeID) => ({
    employeeID,
    name: `Ada ${employeeID}`,
  }));
  const judge = ({ isActive }: Item): ItemReport =>
    effect('updated', isActive === false ? { isActive: { before: true, after: false } } : { name: {} });
  const activeUsers = async function* () {
    yield active.slice(0, 3);
    yield active.slice(3);
  };

  async function withMissing(csv: string, percentMax = 100, roleHolders: readonly string[] = []) {
    const store = await given(csv);
    store.dispatch({ type: 'missingChanged', missing: { isOn: true, percentMax } });
    const answers = dependenciesOf({ judge, activeUsers, roleHolders: async () => new Set(roleHolders) });
    await startCheck(store, answers.dependencies);
    return { store, ...answers };
  }

  test('are rows of the plan, and are deactivated by the same run', async () => {
    const { store, dependencies, sent, items } = await withMissing(
      'Employee ID,New employee ID,Name\nE1,,Ada\nE9,E2,Eve',
    );
    expect(countsOf(store)).toMatchObject({ all: 5, updated: 2, deactivated: 3, missing: 3 });
    expect(rowsOf(store).missing.map(({ employeeID }) => employeeID)).toEqual(['E3', 'E4', 'E5']);
    await startRun(store, dependencies);
    expect(sent.map(({ ids }) => ids)).toEqual([['E1', 'E9', 'E3', 'E4', 'E5']]);
    expect(items.slice(2)).toEqual(['E3', 'E4', 'E5'].map((employeeID) => ({ employeeID, isActive: false })));
    expect(items[0]).toEqual({ employeeID: 'E1', name: 'Ada', isActive: true }); // the file has no column for it
    expect(countResults(rowsOf(store))).toMatchObject({ deactivated: 3, updated: 2 });
  });

  test('are refused beyond a percentage that can be raised', async () => {
    const { store } = await withMissing('Employee ID,Name\nE1,Ada\nE2,Eve\nE3,Joan', 30);
    const facts = { missing: 2, active: 5, percentMax: 30, percentNeeded: 40 };
    expect(missingGuard(store.getState())).toEqual({ kind: 'tooMany', ...facts });
    store.dispatch({ type: 'missingChanged', missing: { percentMax: 40 } });
    expect(missingGuard(store.getState())).toEqual({ kind: 'allowed', ...facts, percentMax: 40 });
  });

  test('stay active if they have a role, unless that is asked for', async () => {
    const csv = 'Employee ID,Name\nE1,Ada\nE2,Eve\nE3,Joan';
    const { store, dependencies } = await withMissing(csv, 100, ['E3', 'E4']);
    expect(rowsOf(store).missing.map(({ employeeID }) => employeeID)).toEqual(['E5']);
    expect(store.getState().check?.active?.spared).toBe(1);
    store.dispatch({ type: 'missingChanged', missing: { includesRoles: true } });
    await startCheck(store, dependencies);
    expect(rowsOf(store).missing.map(({ employeeID }) => employeeID)).toEqual(['E4', 'E5']);
    expect(store.getState().check?.active?.spared).toBe(0);
  });

  test('can be kept one by one', async () => {
    const { store } = await withMissing('Employee ID,Name\nE1,Ada\nE2,Eve\nE3,Joan');
    store.dispatch({ type: 'missingUserKept', row: 3 });
    expect(missingGuard(store.getState())).toMatchObject({ missing: 1 });
    expect(countsOf(store)).toMatchObject({ all: 4, deactivated: 1 });
  });

  test('cannot be told if an employee ID is not readable', async () => {
    const { store } = await withMissing('Employee ID,Name\nE1,Ada\nE 2,Eve');
    expect(missingGuard(store.getState())).toEqual({ kind: 'unreadable', rows: 1 });
    expect(rowsOf(store).missing).toEqual([]);
  });

  test('are determined again when an employee ID is edited', async () => {
    const { store, dependencies } = await withMissing('Employee ID,Name\nE1,Ada\nE2,Eve\nE3,Joan');
    editCell(store, 2, 0, 'E4');
    await recheck(store, 0, dependencies);
    expect(rowsOf(store).missing.map(({ employeeID }) => employeeID)).toEqual(['E3', 'E5']);
  });
});

describe('a correction for several rows', () => {
  test('restores the zeros that a spreadsheet removed, where users have them', async () => {
    const users = new Set(['000261', '000262']);
    const store = await given('Employee ID,Phone\n261,1\n262,2\n999,3\nE1,4');
    const { dependencies } = dependenciesOf({
      judge: ({ employeeID }) =>
        users.has(employeeID) || employeeID === 'E1' ? effect('updated') : effect('created'),
      existing: async (ids) => ids.filter((id) => users.has(id)),
    });
    await startCheck(store, dependencies);
    const fix = store.getState().check?.fixes[0];
    expect(fix).toEqual({
      ...{ why: 'lostZeros', column: 0, from: '261' },
      texts: [
        [0, '000261'],
        [1, '000262'],
      ],
    });
    if (fix) applyFix(store, fix, dependencies);
    await expect.poll(() => countsOf(store)).toMatchObject({ created: 1, updated: 3, waiting: 0 });
    expect(store.getState().check?.fixes[0]).toBeUndefined();
    expect(store.getState().unsentEdits).toEqual(new Set([0, 1]));
  });

  test('tries every length up to twelve, and takes the most frequent', () => {
    expect(paddedIDs('1234567890')).toEqual(['01234567890', '001234567890']);
    expect(likelyLength(['0001', '0002', '00001'])).toBe(4);
    expect(likelyLength([])).toBeUndefined();
  });

  test('replaces the same invalid text in the same column', async () => {
    const store = await checked('Employee ID,Active\nE1,perhaps\nE2,yes\nE3,perhaps\nE4,sure');
    editCell(store, 0, 1, 'yes');
    expect(store.getState().check?.fixes[0]).toEqual({
      why: 'sameText',
      column: 1,
      texts: [[2, 'yes']],
      from: 'perhaps',
    });
    editCell(store, 3, 1, 'no');
    expect(store.getState().check?.fixes[0]).toBeUndefined();
  });

  test('checks the whole file again if it concerns many rows', async () => {
    const rows = Array.from({ length: editedAtOnceMax + 2 }, (_, n) => `E${n},perhaps`);
    const { dependencies } = dependenciesOf();
    const store = await given(['Employee ID,Active', ...rows].join('\n'));
    await startCheck(store, dependencies);
    editCell(store, 0, 1, 'yes');
    const fix = store.getState().check?.fixes[0];
    expect(fix?.why === 'sameText' && fix.texts).toHaveLength(editedAtOnceMax + 1);
    if (fix) applyFix(store, fix, dependencies);
    await expect.poll(() => countsOf(store)).toMatchObject({ updated: rows.length, invalid: 0, waiting: 0 });
  });
});

describe('invalid rows', () => {
  test('can be downloaded before a run, even if there is no other row', async () => {
    const rejected = {
      ok: false,
      error: errorFrom({ errorCode: 10101, message: 'USER_EMPLOYEE_ID_EXISTS', detail: 'Taken.' }),
    } as const;
    const store = await checked('Employee ID;Name;Active\nE1;Jürgen;vielleicht\nE2;Eve;ja', {
      judge: () => rejected,
    });
    const { rows = noRows, format, mapping } = store.getState();
    expect(invalidRows(rows)).toEqual([0, 1]);
    if (!format) throw new Error('there is no file');
    expect([...invalidTable(rows, format, mapping, [])]).toEqual([
      ['Employee ID', 'Name', 'Active', 'Problem'],
      ['E1', 'Jürgen', 'vielleicht', expect.stringMatching(/^Status: Enter yes or no/)],
      ['E2', 'Eve', 'ja', expect.stringMatching(/taken/)],
    ]);
  });

  describe('are written with the separator and the encoding of the original', () => {
    test('or in UTF-8, if it lacks a character', async () => {
      const format = { separator: ';', encoding: 'windows-1252' } as const;
      const bytes = await (await csvFile([['ä', 'b']], format)).arrayBuffer();
      expect([...new Uint8Array(bytes)]).toEqual([0xe4, 0x3b, 0x62, 0x0d, 0x0a]);
      expect(await (await csvFile([['Łukasz']], format)).text()).toBe('Łukasz\r\n');
    });

    test('with one byte order mark, however many there are', async () => {
      const table = Array.from({ length: 5 }, (_, row) => [String(row), 'ü'.repeat(20_000)]);
      const file = await csvFile(table, { separator: ',', encoding: 'utf-16le' });
      const text = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(await file.arrayBuffer());
      expect(text).toBe(`\uFEFF${table.map((cells) => `${cells.join(',')}\r\n`).join('')}`);
    });
  });
});

describe('columns', () => {
  test('warnings name the column, follow the mapping and do not repeat', async () => {
    const store = await given('Employee ID,Name,Remark\nE1,Ada,x');
    const { format, mapping } = store.getState();
    if (!format) throw new Error('there is no file');
    const warning = { code: 'LONG_NUMBER', column: 1, row: 3 } as const;
    const withWarnings = { ...format, warnings: [warning, warning, { ...warning, column: 2 }] };
    expect(columnWarnings(mapping, withWarnings)).toEqual([
      expect.stringMatching(/^Column B "Name" contains/),
    ]);
    expect(columnWarnings({ employeeID: [0] }, withWarnings)).toEqual([]);
  });

  test.each([
    [['+49 451 1', '0451/222', ''], 'phone'],
    [['0451 22 33 44', '(0451) 223344'], 'phone'],
    [['ada@example.com', 'eve@example.com'], 'email'],
    [['01.03.2020', '2020-03-01'], undefined],
    [['4711', '4712'], undefined],
    [['123456', '123457'], undefined],
    [['', ''], undefined],
  ])('with the values %j are suggested for %s, unless another has it', (values, field) => {
    expect(suggestedField(values, { employeeID: [0] })).toBe(field);
    expect(suggestedField(values, { email: [1], phone: [2] })).toBeUndefined();
  });

  test('an employee ID and one more column are enough', async () => {
    const { headings = [] } = (await given('Employee ID,Phone\nE1,1')).getState().format ?? {};
    expect(columnProblems({ employeeID: [0], phone: [1] }, headings, [])).toEqual([]);
    expect(columnProblems({ employeeID: [0] }, headings, [])).toHaveLength(1);
  });

  test('a combined name is compared under its own heading; it and the ID come first and stay in view if they fit', async () => {
    const fields = { name: { before: 'Ada Byron', after: 'Ada King' } };
    const store = await checked('First name,Last name,Employee ID,Manager\nAda,King,E1,E9', {
      judge: () => effect('updated', fields),
    });
    const rows = rowsOf(store);
    const { format, mapping } = store.getState();
    const columns = fileColumns(mapping, format?.headings ?? [], [0, 1, 2, 3], []);
    expect(columns.map(({ heading }) => heading)).toEqual([
      ...['Employee ID', 'Name', 'Manager'],
      ...['First name', 'Last name'],
    ]);
    expect(columns.map((column) => changeIn(rows, 0, column))).toEqual([
      undefined,
      { before: 'Ada Byron', after: 'Ada King' },
      undefined,
      undefined,
      undefined,
    ]);
    expect(columns.map((column) => textIn(rows, 0, column))).toEqual(['E1', 'Ada King', 'E9', 'Ada', 'King']);
    const [id, name, , first] = columns.map((column) => widthOf(rows, column));
    expect(name).toBeGreaterThan(first ?? 0);
    expect(leadingColumns(columns, [100, 200, 90, 90])).toEqual({ count: 2, sticky: ['id', 'name'] });
    expect(leadingColumns(columns, [100, 400, 90, 90]).sticky).toEqual(['id']);
    expect(leadingColumns(columns, [400, 100, 90, 90]).sticky).toEqual([]);
    expect(id).toBeGreaterThan(0);
  });

  test('a reference is shown as what it stands for, before and after', async () => {
    const store = await checked('Employee ID,Name,Organization\nE1,Ada,ORG7\nE2,Eve,ORG7\nE3,Bob,', {
      judge: ({ employeeID }) =>
        effect(
          'updated',
          employeeID === 'E1' ? { organizationSerial: { before: 'ORG1', after: 'ORG7' } } : {},
        ),
    });
    const { check, format, mapping } = store.getState();
    const reader = check?.reader ?? { itemOf: () => undefined };
    const columns = fileColumns(mapping, format?.headings ?? [], [0, 1, 2], []);
    const [, name, organization] = columns;
    const shown = (row: number, column = organization) =>
      column && entriesIn(rowsOf(store), row, column, reader);
    expect(shown(0)).toEqual({ kind: 'organizations', before: ['ORG1'], after: ['ORG7'] });
    expect(shown(1)).toEqual({ kind: 'organizations', before: undefined, after: ['ORG7'] });
    expect(shown(2)).toBeUndefined();
    expect(shown(0, name)).toBeUndefined();
  });
});

describe('steps', () => {
  test('return to where the user left off', async () => {
    const store = await given('Employee ID,Name\nE1,Ada');
    const { dependencies, announced } = dependenciesOf();
    expect(currentStep(store.getState(), null)).toBe('columns');
    await startCheck(store, dependencies);
    expect(currentStep(store.getState(), null)).toBe('check');
    await startRun(store, dependencies);
    expect(currentStep(store.getState(), null)).toBe('result');
    expect(currentStep(store.getState(), 'file')).toBe('file');
    expect(announced).toEqual(['Import finished: users.csv']);
  });
});

test('a call that was undone cannot be undone again', () => {
  const call = { state: 'done', changes: 3, undoneBy: null } as const;
  expect(isUndoable(call)).toBe(true);
  expect(isUndoable({ ...call, undoneBy: 'an undo' })).toBe(false);
  expect(isUndoable({ ...call, changes: 0 })).toBe(false);
});
