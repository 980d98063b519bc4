import { errorFrom } from '@rollcall/client';
import { describe, expect, test } from 'vitest';
import {
  applyFix,
  editCell,
  editColumn,
  leaveOutRow,
  type Replacement,
  replacedTexts,
  takeBackRows,
  undoEdit,
} from '../../../console/src/import/check/edit-cells.js';
import { missingGuard } from '../../../console/src/import/check/missing-users.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { cellAfterKey, clamped } from '../../../console/src/import/components/grid-keys.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import { countChecks, isWrongIn, problemColumns } from '../../../console/src/import/state/verdicts.js';
import { checked, dependenciesOf, given, rowsOf } from './imports.js';

describe('keys in a grid', () => {
  // Four columns, and row 1 has a note.
  const size = { rows: 100, page: 10, columnsOf: (index: number) => (index === 1 ? 5 : 4) };
  const reached = (key: string, index: number, column: number, ctrlKey = false) => {
    const to = cellAfterKey({ key, ctrlKey, metaKey: false }, { index, column }, size);
    return to && [to.index, to.column];
  };

  test.each([
    ['ArrowRight', [3, 3], [3, 3]],
    ['ArrowRight', [1, 3], [1, 4]],
    ['ArrowLeft', [3, 0], [3, 0]],
    ['ArrowDown', [1, 4], [2, 3]],
    ['ArrowDown', [99, 2], [99, 2]],
    ['ArrowUp', [0, 2], [-1, 2]],
    ['ArrowUp', [-1, 2], [-1, 2]],
    ['PageDown', [95, 1], [99, 1]],
    ['PageUp', [4, 1], [0, 1]],
    ['PageUp', [-1, 1], [-1, 1]],
    ['Home', [5, 2], [5, 0]],
    ['End', [5, 0], [5, 3]],
  ] as const)('%s leads from %j to %j', (key, [index, column], to) => {
    expect(reached(key, index, column)).toEqual(to);
  });

  test('with Ctrl lead to the corners, and other keys nowhere', () => {
    expect(reached('Home', 50, 2, true)).toEqual([0, 0]);
    expect(reached('End', 50, 2, true)).toEqual([99, 3]);
    expect(reached('a', 50, 2)).toBeUndefined();
  });

  test('stay within an empty grid', () => {
    expect(clamped({ index: 3, column: 9 }, { ...size, rows: 0 })).toEqual({ index: -1, column: 3 });
  });
});

describe('an edit', () => {
  const file = 'Employee ID,Name,Active\nE1,Ada,aktiv?\nE2,Eve,aktiv?\nE3,Joan,yes';

  test('of a wrong text is offered for all like it, and undone as a whole', async () => {
    const store = await given(file);
    const { dependencies } = dependenciesOf();
    await startCheck(store, dependencies);
    expect(countChecks(rowsOf(store))).toMatchObject({ invalid: 2, updated: 1 });
    expect([...problemColumns(rowsOf(store), [0, 1, 2], store.getState().mapping)]).toEqual([2]);
    editCell(store, 0, 2, 'yes');
    const fix = store.getState().check?.fixes[0];
    expect(fix).toMatchObject({ why: 'sameText', from: 'aktiv?', texts: [[1, 'yes']] });
    if (fix) applyFix(store, fix, dependencies);
    await expect.poll(() => countChecks(rowsOf(store)).updated).toBe(3);

    undoEdit(store, dependencies);
    expect(rowsOf(store).cells.map((cells) => cells[2])).toEqual(['yes', 'aktiv?', 'yes']);
    undoEdit(store, dependencies);
    await expect.poll(() => countChecks(rowsOf(store))).toMatchObject({ invalid: 2, updated: 1 });
    expect(store.getState().edits).toEqual([]);
    undoEdit(store, dependencies); // there is nothing left
  });

  test('replaces texts in a column, but not where nothing is asked for', async () => {
    const store = await checked('Employee ID,Name\nE1,a.a\nE2,a\nE3,\nE4,b');
    const replaced = (replacement: Partial<Replacement>) =>
      replacedTexts(rowsOf(store), 1, { find: 'a', replaceWith: '$&x', isWholeCell: false, ...replacement });
    expect(replaced({})).toEqual([
      [0, '$&x.$&x'],
      [1, '$&x'],
    ]);
    expect(replaced({ isWholeCell: true })).toEqual([[1, '$&x']]);
    expect(replaced({ find: '', isWholeCell: true })).toEqual([[2, '$&x']]);
    expect(replaced({ find: '' })).toEqual([]);
    expect(replaced({ replaceWith: 'a' })).toEqual([]);
    editColumn(store, 1, replaced({}), dependenciesOf().dependencies);
    expect(rowsOf(store).cells.map((cells) => cells[1])).toEqual(['$&x.$&x', '$&x', '', 'b']);
  });
});

describe('a former employee ID', () => {
  const ada = { serial: 's1', employeeID: 'E91', name: 'Ada Lovelace' };
  const eve = { serial: 's2', employeeID: 'E92', name: 'Eve' };
  const formerHolders = async (ids: readonly string[]) =>
    new Map(
      [ada, eve]
        .map((user) => [user.employeeID.replace('9', ''), user] as const)
        .filter(([id]) => ids.includes(id)),
    );
  const judge = ({ employeeID }: { employeeID: string }) => ({
    ...{ ok: true as const },
    effect: { kind: employeeID.length === 2 ? ('created' as const) : ('updated' as const), fields: {} },
  });

  test('is recognized, names its last holder, and is replaced by the current one', async () => {
    const store = await given('Employee ID,Name\nE1,Ada\nE2,Eve\nE3,Joan');
    const { dependencies } = dependenciesOf({ judge, formerHolders });
    await startCheck(store, dependencies);
    expect(rowsOf(store).findings.get(0)).toMatchObject([{ isWarning: true, user: ada, suggestion: 'E91' }]);
    expect(rowsOf(store).findings.has(2)).toBe(false);
    const fix = store.getState().check?.fixes[0];
    expect(fix).toMatchObject({
      why: 'formerIDs',
      texts: [
        [0, 'E91'],
        [1, 'E92'],
      ],
    });
    if (fix) applyFix(store, fix, dependencies);
    await expect
      .poll(() => countChecks(rowsOf(store)))
      .toMatchObject({ updated: 2, created: 1, warnings: 0 });
  });
});

test('a taken username names its user, and marks its cell', async () => {
  const takenBy = { field: 'username', value: 'ada', position: null, serial: 's1' };
  const data = { takenBy };
  const error = errorFrom({ errorCode: 10104, message: 'USER_USERNAME_EXISTS', detail: 'No.', data });
  const user = { serial: 's1', employeeID: 'E17', name: 'Ada Lovelace' };
  const store = await checked('Employee ID,Name,Username\nE1,Ada,adaking', {
    judge: () => ({ ok: false, error }),
    users: async (serials) => new Map(serials.map((serial) => [serial, user])),
  });
  expect(rowsOf(store).previews[0]).toMatchObject({ kind: 'rejected', user });
  expect(isWrongIn(rowsOf(store), 0, 2, store.getState().mapping)).toBe(true);
});

describe('a row that is left out', () => {
  test('is neither shown nor sent, and no longer in the way of others, until it is taken back', async () => {
    const store = await given('Employee ID,Name\nE1,Ada\nE1,Eve\nE2,Joan');
    const { dependencies, sent } = dependenciesOf();
    await startCheck(store, dependencies);
    expect(countChecks(rowsOf(store))).toMatchObject({ all: 3, invalid: 2 });
    leaveOutRow(store, 1, dependencies);
    await expect.poll(() => countChecks(rowsOf(store))).toMatchObject({ all: 2, updated: 2, warnings: 0 });
    await startRun(store, dependencies);
    expect(sent.map(({ ids }) => ids)).toEqual([['E1', 'E2']]);
    takeBackRows(store, dependencies);
    await expect.poll(() => countChecks(rowsOf(store))).toMatchObject({ all: 1, waiting: 0 });
  });

  test('keeps its user active if those who are missing are deactivated; a total counts for nobody', async () => {
    const store = await given('Employee ID,Name\nE1,Ada\nE2,Eve\nTotal sum,2');
    store.dispatch({ type: 'missingChanged', missing: { isOn: true, percentMax: 100 } });
    const users = ['E1', 'E2', 'E3'].map((employeeID) => ({ employeeID, name: employeeID }));
    const { dependencies } = dependenciesOf({
      activeUsers: async function* () {
        yield users;
      },
    });
    await startCheck(store, dependencies);
    expect(missingGuard(store.getState()).kind).toBe('unreadable');
    leaveOutRow(store, 1, dependencies);
    leaveOutRow(store, 2, dependencies);
    await expect.poll(() => store.getState().check?.state).toBe('checked');
    expect(rowsOf(store).missing.map(({ employeeID }) => employeeID)).toEqual(['E3']);
  });
});
