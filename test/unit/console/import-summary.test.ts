import { errorFrom } from '@rollcall/client';
import { importNote, importNoteText } from '@rollcall/sheets';
import { describe, expect, test } from 'vitest';
import { switchLanguage } from '../../../console/src/copy/language.js';
import { editCell } from '../../../console/src/import/check/edit-cells.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { expectedMs, expectedShare } from '../../../console/src/import/components/use-expected-share.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import {
  passwordsHeld,
  usersChanged,
  usersToChange,
} from '../../../console/src/import/state/affected-users.js';
import { isSameWork, keptImportOf } from '../../../console/src/import/state/kept-import.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import type { Item } from '../../../console/src/import/state/service-calls.js';
import { type ImportStore, importStoreOf } from '../../../console/src/import/state/store.js';
import { isWrongIn } from '../../../console/src/import/state/verdicts.js';
import { checked, dependenciesOf, given, rowsOf } from './imports.js';

const readerOf = (store: ImportStore) => {
  const reader = store.getState().check?.reader;
  if (!reader) throw new Error('the file is not checked');
  return reader;
};

describe('users', () => {
  const file = [
    'Employee ID,New employee ID,Name,Active,Phone',
    'E1,,Ada,yes,1',
    'E1,,Ada,yes,2', // the same user again
    'E2,,Eve,no,3',
    'E3,E9,Joan,yes,4',
    'E9,,Joan,yes,5', // Joan by her new ID
    'E4,,Grace,maybe,6',
  ].join('\n');
  const seen = new Set<string>();
  const judge = ({ employeeID, newEmployeeID, isActive }: Item): ItemReport => {
    const isNew = ['E1', 'E2'].includes(employeeID) && !seen.has(employeeID);
    seen.add(employeeID);
    if (isNew) return { ok: true, effect: { kind: 'created', fields: { isActive: { after: isActive } } } };
    const fields = newEmployeeID
      ? { employeeID: { before: employeeID, after: newEmployeeID } }
      : { phone: {} };
    return { ok: true, effect: { kind: 'updated', fields } };
  };

  test('count once, before and after the run; passwords of inactive ones can only be held', async () => {
    const store = await given(file);
    const { dependencies } = dependenciesOf({ judge });
    await startCheck(store, dependencies);
    const counts = { all: 3, created: 2, renamed: 1, updated: 0, passwords: 1, leftOut: 1 };
    expect(await usersToChange(rowsOf(store), readerOf(store))).toMatchObject(counts);
    store.dispatch({ type: 'deliverChanged', deliver: 'hold' });
    seen.clear();
    await startRun(store, dependencies);
    expect(await usersChanged(rowsOf(store), readerOf(store))).toMatchObject(counts);
    expect(passwordsHeld(store.getState())).toBe(2);
    const [call] = store.getState().calls;
    store.dispatch({ type: 'callUndone', id: call?.id ?? '', undoneBy: 'u', skipped: new Set() });
    expect(passwordsHeld(store.getState())).toBe(0);
    expect(await usersChanged(rowsOf(store), readerOf(store))).toMatchObject({ all: 0 });
  });
});

describe('invalid rows that are left out', () => {
  test('are noted with the call', async () => {
    const store = await given('Employee ID,Name,Active\nE1,Ada,yes\nE2,Eve,maybe');
    store.dispatch({ type: 'noteChanged', note: 'November' });
    const notes: string[] = [];
    const { dependencies } = dependenciesOf({
      send: async (items, { note, key }) => {
        notes.push(note);
        return { reports: items.map(() => ({ ok: true, effect: undefined })), callId: key, isPlanned: false };
      },
    });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(notes).toEqual(['November – invalid-rows-left-out=1']);
  });

  test('are noted even if the note is as long as it may be, in the language of the reader', () => {
    const note = importNote('x'.repeat(200), 6, 200);
    expect(note).toHaveLength(200);
    expect(importNoteText(note, (count) => `${count} ausgelassen`)).toMatch(/x – 6 ausgelassen$/);
    expect(importNoteText(importNote('', 6, 200), (count) => `${count} omitidas`)).toBe('6 omitidas');
    expect(importNote('November', 0, 200)).toBe('November');
    expect(importNoteText('November', String)).toBe('November');
  });
});

test('rows that a run sends although their preview failed are not left out, and failed rows are told apart', async () => {
  const refusal = errorFrom({ errorCode: 10111, message: 'USER_PROTECTED', detail: 'No.', data: {} });
  const judge = (): ItemReport => ({ ok: false, error: refusal });
  const store = await checked('Employee ID,Name,Active\nE1,Ada,yes\nE2,Eve,perhaps', { judge });
  expect(await usersToChange(rowsOf(store), readerOf(store), undefined, 1)).toMatchObject({ leftOut: 2 });
  expect(await usersToChange(rowsOf(store), readerOf(store), undefined, 2)).toMatchObject({ leftOut: 1 });
  store.dispatch({ type: 'runPlanned', pending: [], leftOut: 1, importId: 'import-1' });
  const outcomes = [[0, { kind: 'rejected', message: 'No.' }]] as const;
  const options = { timing: { kind: 'now', day: '' }, deliver: 'now', undoneBy: undefined } as const;
  const call = { id: 'c', rows: [0], succeeded: 0, failed: 1, planned: 0, ...options };
  store.dispatch({ type: 'callCompleted', call, outcomes, workedMs: 1 });
  expect(await usersChanged(rowsOf(store), readerOf(store))).toMatchObject({ failed: 1, leftOut: 1 });
});

test('progress moves at once, and never arrives before the answer', () => {
  const shares = [200, 1_000, 60_000].map((elapsedMs) => expectedShare(elapsedMs, expectedMs(10_000)));
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares[0]).toBeGreaterThan(0.05);
  expect(shares.at(-1)).toBeLessThan(1);
});

test('an import is restored with its edits, options and calls, until it is finished', async () => {
  const store = await given('Employee ID,Name\nE1,Ada\nE2,Eve');
  const { dependencies } = dependenciesOf();
  await startCheck(store, dependencies);
  editCell(store, 0, 1, 'Ada King');
  store.dispatch({ type: 'noteChanged', note: 'November' });
  const kept = keptImportOf(store.getState());
  expect(isSameWork(kept, keptImportOf(store.getState()))).toBe(true);
  if (!kept) throw new Error('the import is not kept');
  const again = await given('Employee ID,Name\nE1,Ada\nE2,Eve');
  again.dispatch({ type: 'importRestored', kept: structuredClone(kept), keptAt: 1 });
  expect(rowsOf(again).cells[0]).toEqual(['E1', 'Ada King']);
  expect(again.getState()).toMatchObject({ note: 'November', restored: { keptAt: 1, edits: 1 } });
  await startCheck(again, dependencies);
  await startRun(again, dependencies);
  expect(keptImportOf(again.getState())).toBeUndefined();
});

test('another language keeps an import that a reload would lose', async () => {
  const store = importStoreOf('an owner');
  expect(switchLanguage('en')).toBe(true);
  const { source, rows, format, mapping } = (await given('Employee ID,Name\nE1,Ada')).getState();
  if (!source || !rows || !format) throw new Error('there is no file');
  store.dispatch({ type: 'fileLoaded', source, rows, format, mapping, attributes: [] });
  expect(switchLanguage('en')).toBe(false);
});

test('the cell of a name that new users need is marked', async () => {
  const data = { field: 'name', problem: 'is required.' };
  const error = errorFrom({ errorCode: 10106, message: 'USER_FIELD_REQUIRED', detail: 'No.', data });
  const store = await checked('Employee ID,Name,Phone\nE1,,1', { judge: () => ({ ok: false, error }) });
  expect(isWrongIn(rowsOf(store), 0, 1, store.getState().mapping)).toBe(true);
  expect(isWrongIn(rowsOf(store), 0, 2, store.getState().mapping)).toBe(false);
});
