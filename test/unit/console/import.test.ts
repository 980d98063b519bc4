import { errorFrom, RollcallError } from '@rollcall/client';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../../../console/src/components/error-message.js';
import {
  countUndo,
  employeeIDOf,
  previewUndo,
  type UndoCall,
  undoCalls,
} from '../../../console/src/components/undo-calls.js';
import { editCell } from '../../../console/src/import/check/edit-cells.js';
import { recheckRow, resumeCheck, startCheck } from '../../../console/src/import/check/run-check.js';
import { csvFile, csvFormatOf, invalidTable } from '../../../console/src/import/components/invalid-rows.js';
import { confirmSafetyLimit, resumeRun, startRun } from '../../../console/src/import/run/send-calls.js';
import { displayText, fieldOf, withField } from '../../../console/src/import/state/mapping.js';
import { type ItemReport, safetyLimitOf } from '../../../console/src/import/state/report.js';
import { rowMessages } from '../../../console/src/import/state/row-messages.js';
import { noRows, openRows } from '../../../console/src/import/state/rows.js';
import type { ImportCalls, Item } from '../../../console/src/import/state/service-calls.js';
import { estimateBytes, splitIntoCalls } from '../../../console/src/import/state/split-into-calls.js';
import { callsToUndo, currentStep } from '../../../console/src/import/state/state.js';
import { type ImportStore, importStoreOf } from '../../../console/src/import/state/store.js';
import {
  countChecks,
  countResults,
  countToReview,
  filterChecks,
} from '../../../console/src/import/state/verdicts.js';
import { forgetUser } from '../../../console/src/session/signed-out.js';
import { workbook } from '../sheets/workbooks.js';
import { dependenciesOf, given, noAnswer, overLimit, Refusal, rowsOf, succeeded } from './imports.js';

const users = (count: number) =>
  ['Employee ID,Name,Active', ...Array.from({ length: count }, (_, n) => `E${n},Ada ${n},yes`)].join('\n');
const failuresOf = async (store: ImportStore): Promise<string> => {
  const { rows = noRows, format, mapping, attributes } = store.getState();
  if (!format) throw new Error('there is no file');
  return (await csvFile(invalidTable(rows, format, mapping, attributes), csvFormatOf(format))).text();
};

const failed = (errorCode: number, message: string, reason: string, data?: unknown): ItemReport => ({
  ok: false,
  error: errorFrom({ errorCode, message, detail: `items[3]: ${reason}`, data }),
});

describe('service error', () => {
  const rows = { ...noRows, numbers: [10, 11, 12] };
  const messageOf = (report: ItemReport) => (report.ok ? '' : rowMessages(rows, [2, 1])(report));
  const takenBy = (position: number | null) => ({
    takenBy: { field: 'employeeID', value: 'items[7]', position, serial: 'a serial' },
  });

  test('names rows instead of positions', () => {
    expect(messageOf(failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Taken.', takenBy(0)))).toBe(
      'The employee ID "items[7]" is already taken by row 12.',
    );
    const quarantined = { field: 'employeeID', value: 'E1', position: 1, serial: 'a serial' };
    expect(messageOf(failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Kept.', { quarantined }))).toBe(
      'The employee ID "E1" is released by row 11. For now, only its last holder can have it again.',
    );
    const renamedBy = { position: 1, newEmployeeID: 'E2' };
    expect(messageOf(failed(10102, 'USER_NOT_FOUND', 'Gone.', { employeeID: 'E1', renamedBy }))).toBe(
      'No user has the employee ID "E1", because row 11 changes it to "E2".',
    );
  });

  test('uses display names of fields, and shows no serials', () => {
    const data = { field: 'isActive', problem: 'is required.' };
    expect(messageOf(failed(10106, 'USER_FIELD_REQUIRED', '"isActive" is required.', data))).toBe(
      'Status: This field is required.',
    );
    expect(messageOf(failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Taken.', takenBy(null)))).toBe(
      'The employee ID "items[7]" is already taken by another user.',
    );
  });

  test('has a text of the console if it has no data', () => {
    const error = errorFrom({ errorCode: 10101, message: 'USER_EMPLOYEE_ID_EXISTS', detail: 'Taken.' });
    expect(errorMessage(error)).toBe('This employee ID is already taken.');
    expect(messageOf(failed(10110, 'USER_CHANGED_SINCE', 'No.', { fields: ['isActive'] }))).toBe(
      'Left as is, because this has been changed since then: Status.',
    );
  });

  test('contains the number to confirm', () => {
    const data = { confirm: 5, removed: 0, deactivated: 1, renamed: 4, total: 8, limitPercent: 20 };
    const error = errorFrom({ errorCode: 10304, message: 'CALL_EXCEEDS_SAFETY_LIMIT', detail: 'No.', data });
    expect(safetyLimitOf(new RollcallError(409, error))).toEqual({
      confirm: 5,
      message:
        'This would deactivate 1 and change the employee ID of 4 of 8 users (62.5%), which exceeds the safety limit of 20%.',
    });
    expect(safetyLimitOf(new Error('Something else.'))).toBeUndefined();
  });
});

describe('splitting rows into calls', () => {
  test('by number', () => {
    const calls = splitIntoCalls([4, 5, 6, 7, 8], { itemsPerCall: 2, bytesOf: () => 1 });
    expect(calls).toEqual([[4, 5], [6, 7], [8]]);
  });

  test('by size, with an oversized row on its own', () => {
    const sizes = [1, 20_000_000, 6_000_000, 5_000_000, 2_000_000];
    const calls = splitIntoCalls([0, 1, 2, 3, 4], { itemsPerCall: 10, bytesOf: (row) => sizes[row] ?? 0 });
    expect(calls).toEqual([[0], [1], [2, 3], [4]]);
    expect(estimateBytes(['äöü', ''])).toBeGreaterThanOrEqual(Buffer.byteLength('äöü'));
  });
});

describe('mapping', () => {
  test('assigns a column to one field, and allows a field to have two columns', () => {
    const mapping = withField({ name: [0], phone: [1] }, 1, 'name');
    expect(mapping).toEqual({ name: [0, 1] });
    expect(withField(mapping, 0, undefined)).toEqual({ name: [1] });
    expect(fieldOf(mapping, 1)).toBe('name');
  });

  test('hides secret columns', () => {
    expect(displayText({ password: [0], name: [1] }, 0, 'hunter2')).not.toContain('hunter2');
    expect(displayText({ password: [0], name: [1] }, 1, 'Ada')).toBe('Ada');
  });
});

describe('check', () => {
  const csv = 'Employee ID,Name,Active\nE1,Ada,yes\nE1,Ada,no\nE2,Eve,maybe\nE3,Grace,yes\nE4,Linus,yes';
  const judge = ({ employeeID }: Item): ItemReport =>
    employeeID === 'E4'
      ? failed(10102, 'USER_NOT_FOUND', 'No user has the employee ID "E4".', { employeeID: 'E4' })
      : {
          ok: true,
          effect: { kind: employeeID === 'E3' ? 'unchanged' : 'updated', fields: {} },
        };

  test('finds invalid rows locally, and previews the others', async () => {
    const store = await given(csv);
    await startCheck(store, dependenciesOf({ judge }).dependencies);
    const rows = rowsOf(store);
    expect(countChecks(rows)).toMatchObject({
      ...{ all: 5, changes: 2, updated: 2, created: 0, unchanged: 1, invalid: 2, waiting: 0, warnings: 2 },
    });
    expect(rows.problems[1]).toMatchObject([{ column: 0, isWarning: true }]);
    expect(rows.previews[4]).toMatchObject({
      kind: 'rejected',
      message: 'No user has the employee ID "E4".',
    });
    expect(filterChecks(rows, openRows(rows), 'invalid', new Set())).toEqual([2, 4]);
    expect(filterChecks(rows, openRows(rows), 'invalid', new Set([0]))).toEqual([0, 2, 4]);
    expect(filterChecks(rows, openRows(rows), 'updated', new Set())).toEqual([0, 1]);
    expect(filterChecks(rows, openRows(rows), 'warnings', new Set())).toEqual([0, 1]);
    expect(filterChecks(rows, openRows(rows), 'toReview', new Set())).toEqual([0, 1, 2, 4]);
    const counts = countChecks(rows);
    expect(countToReview(counts), 'less than half are unchanged').toBe(0);
    expect(countToReview({ ...counts, unchanged: 3 })).toBe(2);
  });

  test('is repeated for an edited row, and for rows that shared its employee ID', async () => {
    const store = await given(csv);
    const { dependencies } = dependenciesOf({ judge });
    await startCheck(store, dependencies);
    expect(editCell(store, 0, 0, 'E9')).toBe(true);
    expect(editCell(store, 0, 0, 'E9')).toBe(false);
    expect(rowsOf(store).problems[1]).toBeUndefined();
    expect(editCell(store, 2, 0, 'E9')).toBe(true);
    expect(rowsOf(store).problems[2]?.map(({ isWarning }) => isWarning)).toEqual([false, true]);
    editCell(store, 2, 1, 'Ada');
    editCell(store, 2, 2, 'yes');
    expect(rowsOf(store).previews[2]).toBeUndefined();
    await resumeCheck(store, dependencies);
    expect(rowsOf(store).previews[2]).toMatchObject({ change: 'updated' });
    expect(store.getState().check?.state).toBe('checked');
  });

  test('does not mutate the state before an edit', async () => {
    const store = await given(csv);
    await startCheck(store, dependenciesOf({ judge }).dependencies);
    const before = rowsOf(store);
    const copy = structuredClone(before);
    editCell(store, 0, 0, 'E9');
    expect(before).toEqual(copy);
    expect(rowsOf(store)).not.toEqual(copy);
  });

  test('ignores the preview of a row that was edited in the meantime', async () => {
    const store = await given(users(2));
    const preview: ImportCalls['preview'] = async (items) => {
      if (items.length === 2 && items[0]?.name === 'Ada 0') editCell(store, 0, 1, 'Grace');
      return items.map(judge);
    };
    const previewed: string[][] = [];
    await startCheck(
      store,
      dependenciesOf({
        preview: (items, options) => {
          previewed.push(items.map(({ name }) => name ?? ''));
          return preview(items, options);
        },
      }).dependencies,
    );
    expect(previewed).toEqual([
      ['Ada 0', 'Ada 1'],
      ['Grace', 'Ada 1'],
    ]);
    expect(rowsOf(store).previews[0]).toMatchObject({ change: 'updated' });
  });

  test('is repeated for a row whose name was quarantined and has been released', async () => {
    const quarantined = { field: 'employeeID', value: 'E0', position: null, quarantinedUntil: '2026-12-01' };
    let isReleased = false;
    const { dependencies } = dependenciesOf({
      judge: (item) =>
        item.employeeID !== 'E0' || isReleased
          ? { ok: true, effect: { kind: 'created', fields: {} } }
          : failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Kept.', { quarantined }),
    });
    const store = await given(users(2));
    await startCheck(store, dependencies);
    expect(rowsOf(store).previews[0]).toMatchObject({ kind: 'rejected', quarantined: { value: 'E0' } });
    isReleased = true;
    await recheckRow(store, 0, dependencies);
    expect(rowsOf(store).previews[0]).toMatchObject({ kind: 'accepted', change: 'created' });
    expect(store.getState().check?.state).toBe('checked');
  });

  test('uses smaller calls if the service accepts fewer items', async () => {
    const store = await given(users(5));
    const asked: number[] = [];
    const preview: ImportCalls['preview'] = async (items) => {
      asked.push(items.length);
      if (items.length > 2) throw new Refusal({ kind: 'tooLarge' });
      return items.map(judge);
    };
    await startCheck(store, dependenciesOf({ preview }).dependencies);
    expect(asked).toEqual([5, 3, 2, 2, 1]);
    expect(store.getState().itemsPerCall).toBe(2);
  });

  test('previews calls that exceed the safety limit, and reports it', async () => {
    const store = await given(users(2));
    const preview: ImportCalls['preview'] = async (items, { confirm }) => {
      if (confirm !== 2) throw overLimit();
      return items.map(judge);
    };
    await startCheck(store, dependenciesOf({ preview }).dependencies);
    const { check } = store.getState();
    expect(check?.chunks.map(({ safetyLimit }) => safetyLimit)).toEqual(['It would rename 2.']);
    expect(check?.state).toBe('checked');
  });

  test('resumes where it stopped', async () => {
    const store = await given(users(4), { itemsPerCall: 2 });
    let asked = 0;
    const preview: ImportCalls['preview'] = async (items) => {
      if (++asked === 2) throw new Refusal({ kind: 'other' });
      return items.map(judge);
    };
    const { dependencies } = dependenciesOf({ preview });
    await startCheck(store, dependencies);
    expect(store.getState().check?.state).toBe('stopped');
    await resumeCheck(store, dependencies);
    expect([asked, store.getState().check?.state]).toEqual([3, 'checked']);
  });
});

describe('run', () => {
  test('sends valid rows that are not done yet, each call with its own key', async () => {
    const csv = 'Employee ID,Name,Active\nE1,Ada,yes\nE2,Bob,maybe\nE3,Grace,yes\nE4,Linus,no';
    const store = await given(csv, { itemsPerCall: 2 });
    const { dependencies, sent } = dependenciesOf();
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(sent.map(({ ids }) => ids)).toEqual([['E1', 'E3'], ['E4']]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(countResults(rowsOf(store))).toMatchObject({ done: 3, updated: 3, invalid: 1 });
    expect(currentStep(store.getState(), 'run')).toBe('result');

    editCell(store, 1, 2, 'yes');
    await resumeCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(sent.at(-1)?.ids).toEqual(['E2']);
    expect(countResults(rowsOf(store))).toMatchObject({ done: 4, invalid: 0 });
  });

  test('ends with the session of its user, and leaves nothing for the next one', async () => {
    const store = await given(users(3), { itemsPerCall: 1, store: importStoreOf('ada') });
    const sent: string[] = [];
    const { dependencies, announced } = dependenciesOf({
      send: async (items) => {
        sent.push(...items.map(({ employeeID }) => employeeID));
        forgetUser(); // the user signs out while the call runs
        return { reports: succeeded(items), callId: 'call-1', isPlanned: false };
      },
    });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(sent).toEqual(['E0']);
    expect(announced).toEqual([]);
    expect(importStoreOf('ada')).not.toBe(store);
    for (const left of [store, importStoreOf('ada')]) {
      expect(left.getState()).toMatchObject({ source: undefined, rows: undefined, check: undefined });
    }
  });

  test('resends a call without a response with the same key', async () => {
    const store = await given(users(3), { itemsPerCall: 2 });
    const keys: string[] = [];
    const send: ImportCalls['send'] = async (items, { key }) => {
      keys.push(key);
      if (keys.length === 1) throw noAnswer();
      return { reports: succeeded(items), callId: key, isPlanned: false };
    };
    const { dependencies } = dependenciesOf({ send });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    const { run } = store.getState();
    expect([run?.state, run?.pause?.why, currentStep(store.getState(), 'file')]).toEqual([
      'paused',
      'failed',
      'run',
    ]);
    await resumeRun(store, dependencies);
    expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
    expect(store.getState().run?.state).toBe('ended');
  });

  test('reports rows as unknown if it ends without a response', async () => {
    const store = await given(users(3), { itemsPerCall: 2 });
    const { dependencies } = dependenciesOf({ send: () => Promise.reject(noAnswer()) });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    store.dispatch({ type: 'runEnded' });
    expect(countResults(rowsOf(store))).toMatchObject({ unknown: 2, notSent: 1 });
  });

  test('continues past the safety limit with the confirmed number and a new key', async () => {
    const store = await given(users(2));
    const sent: (number | undefined)[] = [];
    const keys = new Set<string>();
    const send: ImportCalls['send'] = async (items, { key, confirm }) => {
      sent.push(confirm);
      keys.add(key);
      if (confirm !== 2) throw overLimit();
      return { reports: succeeded(items), callId: key, isPlanned: false };
    };
    const { dependencies } = dependenciesOf({ send });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(store.getState().run?.pause).toEqual({
      why: 'safetyLimit',
      confirm: 2,
      message: 'It would rename 2.',
    });
    await confirmSafetyLimit(store, dependencies);
    expect([sent, keys.size, store.getState().run?.state]).toEqual([[undefined, 2], 2, 'ended']);
  });

  test('finishes the current call when stopped, and leaves the others unsent', async () => {
    const store = await given(users(4), { itemsPerCall: 2 });
    const send: ImportCalls['send'] = async (items, { key }) => {
      store.dispatch({ type: 'stopRequested' });
      return { reports: succeeded(items), callId: key, isPlanned: false };
    };
    const { dependencies } = dependenciesOf({ send });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(store.getState().run?.pause).toEqual({ why: 'stopped' });
    expect(countResults(rowsOf(store))).toMatchObject({ done: 2, notSent: 2 });
  });

  test('neither repeats nor undoes rows that await approval', async () => {
    const store = await given(users(2));
    const lost = failed(10102, 'USER_NOT_FOUND', 'No user has this employee ID.');
    const send: ImportCalls['send'] = async (items) => ({
      reports: [...succeeded(items.slice(1)), lost],
      callId: 'c',
      isPlanned: true,
    });
    const { dependencies } = dependenciesOf({ send });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(countResults(rowsOf(store))).toMatchObject({ planned: 1, invalid: 1, done: 0 });
    expect(store.getState().calls).toMatchObject([{ id: 'c', succeeded: 0, failed: 1, planned: 1 }]);
    expect(store.getState().run).toMatchObject({ state: 'ended', succeeded: 0, failed: 1, planned: 1 });
    expect(callsToUndo(store.getState())).toEqual([]);
    expect(openRows(rowsOf(store))).toHaveLength(1);
  });

  test('pauses if the service fails in the middle of a call', async () => {
    const store = await given(users(2));
    const broken = failed(10901, 'SERVICE_UNAVAILABLE', 'It stopped.');
    const send: ImportCalls['send'] = async () => ({
      reports: [broken, broken],
      callId: 'c',
      isPlanned: false,
    });
    const { dependencies } = dependenciesOf({ send });
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(store.getState().run?.pause).toMatchObject({
      why: 'interrupted',
      error: { name: 'SERVICE_UNAVAILABLE' },
    });
    expect(store.getState().calls).toEqual([]);
  });
});

describe('undo', () => {
  const reportOf = (restored: number, skipped: readonly string[]) => ({
    successItems: Array.from({ length: restored }, () => ({ payload: {}, effect: undefined }) as never),
    failedItems: skipped.map((employeeID) => ({ payload: { employeeID }, error: {} }) as never),
  });

  async function ran() {
    const store = await given(users(3), { itemsPerCall: 2 });
    const { dependencies } = dependenciesOf();
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    return { store, ids: callsToUndo(store.getState()).map(({ id }) => id) };
  }

  function undoIn(store: ImportStore, undoCall: UndoCall, ids: readonly string[]) {
    return undoCalls(undoCall, ids, new Map(), (id, { report, callId }) => {
      const skipped = new Set(report.failedItems.map(employeeIDOf));
      store.dispatch({ type: 'callUndone', id, undoneBy: callId ?? '', skipped });
    });
  }

  test('starts with the last call, and reports skipped users', async () => {
    const { store, ids } = await ran();
    const asked: string[] = [];
    const undoCall: UndoCall = async (id, { dryRun }) => {
      asked.push(`${dryRun ? 'preview' : 'undo'} ${id}`);
      return {
        report: reportOf(1, id === 'call-key-1' ? ['E0'] : []),
        callId: `undo of ${id}`,
        isPlanned: false,
      };
    };
    const preview = await previewUndo(undoCall, ids, new AbortController().signal);
    expect(countUndo(preview.report)).toEqual({ restored: 2, removed: 0, skipped: 1 });
    const undone = await undoIn(store, undoCall, ids);
    expect(countUndo(undone.report)).toEqual({ restored: 2, removed: 0, skipped: 1 });
    expect(asked).toEqual(['preview call-key-2', 'preview call-key-1', 'undo call-key-2', 'undo call-key-1']);
    expect(countResults(rowsOf(store))).toMatchObject({ done: 1, undone: 2 });
    expect(callsToUndo(store.getState())).toEqual([]);
  });

  test('stops at a call whose undo awaits approval', async () => {
    const { store, ids } = await ran();
    const asked: string[] = [];
    const undoCall: UndoCall = async (id) => {
      asked.push(id);
      return { report: reportOf(1, []), callId: `undo of ${id}`, isPlanned: true };
    };
    const undone = await undoIn(store, undoCall, ids);
    expect(undone).toMatchObject({ isPlanned: true, callId: 'undo of call-key-2' });
    expect(asked).toEqual(['call-key-2']);
    expect(countResults(rowsOf(store))).toMatchObject({ done: 3, undone: 0 });
  });

  test('does not undo a call twice after failing midway', async () => {
    const { store, ids } = await ran();
    const undoCall: UndoCall = async (id) => {
      if (id === 'call-key-1') throw new Error('no connection');
      return { report: reportOf(1, []), callId: `undo of ${id}`, isPlanned: false };
    };
    await expect(undoIn(store, undoCall, ids)).rejects.toThrow('no connection');
    expect(callsToUndo(store.getState()).map(({ id }) => id)).toEqual(['call-key-1']);
    expect(countResults(rowsOf(store))).toMatchObject({ done: 2, undone: 1 });
  });
});

describe('failed rows', () => {
  test('round-trip through their CSV file, with formulas escaped', async () => {
    const store = await given('Employee ID;Name;Active;Phone\n007;=1+1;maybe;+49 40 123\nE2;Grace;yes;030 1');
    const { dependencies } = dependenciesOf();
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    const csv = await failuresOf(store);
    expect(csv).toContain(";'=1+1;");
    const again = await given(csv);
    expect(again.getState().format?.headings.map(({ name }) => name)).toEqual([
      'Employee ID',
      'Name',
      'Active',
      'Phone',
      'Problem',
    ]);
    expect(rowsOf(again).cells).toEqual([
      ['007', '=1+1', 'maybe', '+49 40 123', expect.stringContaining('Status')],
    ]);
    await startCheck(again, dependencies);
    await startRun(again, dependencies);
    expect(await failuresOf(again)).toBe(csv);
  });
});

describe('workbook with cells whose values are not stored', () => {
  const text = (reference: string, value: string) => `<c r="${reference}" t="str"><v>${value}</v></c>`;
  const headings = ['Employee ID', 'Name', 'Active', 'Phone'].map((name, at) => text(`${'ABCD'[at]}1`, name));
  const sheetData = [
    `<row r="1">${headings.join('')}</row>`,
    `<row r="2"><c r="A2"><v>1234567890123456</v></c>${text('B2', 'Ada')}${text('C2', 'no')}</row>`,
    `<row r="3">${text('A3', 'E3')}${text('B3', 'Grace')}${text('C3', 'yes')}<c r="D3"><f>A1</f></c></row>`,
    `<row r="4">${text('A4', 'E4')}${text('B4', 'Edith')}${text('C4', 'yes')}</row>`,
  ].join('');
  const file = () => new Blob([new Uint8Array(workbook({ sheetData }))]);

  async function checked() {
    const store = await given(file(), { emptyCells: 'clears' });
    const { dependencies, sent } = dependenciesOf();
    await startCheck(store, dependencies);
    return { store, dependencies, sent };
  }

  test('skips these rows, and says what to do', async () => {
    const { store, dependencies, sent } = await checked();
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E4']);
    expect(rowsOf(store).problems.map((problems) => problems?.[0]?.text)).toEqual([
      expect.stringContaining('Format the column as text'),
      expect.stringContaining('Open the file in Excel and save it so formulas are calculated'),
      undefined,
    ]);
  });

  test('sends a row once its cell is retyped', async () => {
    const { store, dependencies, sent } = await checked();
    editCell(store, 0, 0, '1234567890123457');
    editCell(store, 1, 3, '030 123');
    await resumeCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['1234567890123457', 'E3', 'E4']);
  });

  test('exports the failed rows so that they fail again', async () => {
    const { store, dependencies } = await checked();
    await startRun(store, dependencies);
    const again = await given(await failuresOf(store), { emptyCells: 'clears' });
    const { dependencies: others, sent } = dependenciesOf();
    await startCheck(again, others);
    await startRun(again, others);
    expect(sent).toEqual([]);
    expect(countResults(rowsOf(again)).invalid).toBe(2);
  });
});
