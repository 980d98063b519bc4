import { errorFrom, RollcallError } from '@rollcall/client';
import { guessMapping, openTable, type TableSource } from '@rollcall/sheets';
import { describe, expect, test } from 'vitest';
import { goOnChecking, mend, newChecker, startCheck } from '../../../console/src/bulk/check/check.js';
import { failuresCsv } from '../../../console/src/bulk/result/failures-csv.js';
import { callsToUndo, lookAtUndo, undoAll } from '../../../console/src/bulk/result/undo.js';
import { confirmBrake, endRun, goOn, planRun, stopAfterThisCall } from '../../../console/src/bulk/run/run.js';
import type { Tools, Trouble } from '../../../console/src/bulk/state/dependencies.js';
import { fieldOf, shownText, withField } from '../../../console/src/bulk/state/mapping.js';
import { createNews } from '../../../console/src/bulk/state/news.js';
import { type ItemReport, safetyLimitOf } from '../../../console/src/bulk/state/report.js';
import { rowMessages } from '../../../console/src/bulk/state/row-messages.js';
import {
  countChecks,
  countEndings,
  emptyRows,
  filterChecks,
  openRows,
} from '../../../console/src/bulk/state/rows.js';
import type { BulkCalls, Item } from '../../../console/src/bulk/state/service-calls.js';
import { bytesOfCells, cutIntoCalls } from '../../../console/src/bulk/state/split-into-calls.js';
import { createWizard, stepOf, type Wizard } from '../../../console/src/bulk/state/wizard.js';
import { errorMessage } from '../../../console/src/components/error-message.js';
import { workbook } from '../sheets/workbooks.js';

/** A wizard that has taken a file. */
async function given(file: TableSource, kind: 'update' | 'create' = 'update'): Promise<Wizard> {
  const table = await openTable(file);
  const rows = emptyRows();
  for await (const { number, cells, notes } of table.rows) {
    if (notes) rows.notes.set(rows.cells.length, notes);
    rows.numbers.push(number);
    rows.cells.push([...cells]);
  }
  const { format, encoding, separator, sheet, sheets, headingRow, headings, warnings } = table;
  const wizard = createWizard(
    kind,
    'somebody',
    createNews((tell) => tell()),
  );
  wizard.rows = rows;
  wizard.format = { format, encoding, separator, sheet, sheets, headingRow, headings, warnings };
  wizard.mapping = guessMapping(headings, kind).mapping;
  return wizard;
}

const rowsOf = (wizard: Wizard) => wizard.rows ?? emptyRows();
const people = (count: number) =>
  ['Employee ID,Name,Active', ...Array.from({ length: count }, (_, n) => `E${n},Ada ${n},yes`)].join('\n');

class Refusal extends Error {
  readonly detail: string;
  readonly trouble: Trouble;
  readonly outcomeUnknown: boolean;

  constructor(trouble: Trouble, detail = '', outcomeUnknown = false) {
    super(detail);
    this.trouble = trouble;
    this.detail = detail;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** A service that does what it is told to; what it was sent is kept. */
function toolsOf(answers: Partial<BulkCalls> & { judge?: (item: Item) => ItemReport } = {}) {
  const sent: { key: string; ids: string[]; confirm: number | undefined }[] = [];
  const { judge = () => ({ ok: true, serial: 's', effect: { kind: 'updated', fields: {} } }), ...calls } =
    answers;
  let keys = 0;
  const tools: Tools = {
    calls: {
      preview: async (_kind, items) => items.map(judge),
      send: async (_kind, items, { key, confirm }) => {
        sent.push({ key, confirm, ids: items.map(({ employeeID }) => employeeID) });
        return { reports: items.map(judge), callId: `call-${key}` };
      },
      undo: async (callId) => ({ restored: 1, left: [], callId: `undo-${callId}` }),
      ...calls,
    },
    newKey: () => `key-${++keys}`,
    troubleOf: (error) => (error instanceof Refusal ? error.trouble : 'other'),
    now: () => 0,
  };
  return { tools, sent };
}

async function check(wizard: Wizard, tools: Tools): Promise<void> {
  const checker = newChecker(wizard);
  if (!checker) throw new Error('there is no file');
  await startCheck(wizard, checker, tools);
}

async function run(wizard: Wizard, tools: Tools): Promise<void> {
  planRun(wizard, tools.newKey);
  await goOn(wizard, tools);
}

/** A call that the safety limit holds up, as the service says it. */
const exceedsSafetyLimit = (renamed: number) =>
  new RollcallError(409, {
    name: 'CALL_EXCEEDS_SAFETY_LIMIT',
    code: 10304,
    detail: 'Too many.',
    data: { confirm: renamed, removed: 0, deactivated: 0, renamed, total: 8, limitPercent: 20 },
  });

const failed = (errorCode: number, message: string, reason: string, data?: unknown): ItemReport => ({
  ok: false,
  error: errorFrom({ errorCode, message, detail: `items[3]: ${reason}`, data }),
  reason,
});

describe('an error of the service', () => {
  const rows = { ...emptyRows(), numbers: [10, 11, 12] };
  const messageOf = (report: ItemReport) => (report.ok ? '' : rowMessages(rows, [2, 1])(report));
  const takenBy = (position: number | null) => ({
    takenBy: { field: 'employeeID', value: 'items[7]', position, serial: 'a serial' },
  });

  test('names rows in place of positions', () => {
    expect(messageOf(failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Taken.', takenBy(0)))).toBe(
      'The employee ID "items[7]" is already taken by row 12.',
    );
    const renamedBy = { position: 1, newEmployeeID: 'E2' };
    expect(messageOf(failed(10102, 'USER_NOT_FOUND', 'Gone.', { employeeID: 'E1', renamedBy }))).toBe(
      'No user has the employee ID "E1", because row 11 changes it to "E2".',
    );
  });

  test('calls fields by the names that users know, and users not by serials', () => {
    const data = { field: 'isActive', problem: 'is required.' };
    expect(messageOf(failed(10106, 'USER_FIELD_REQUIRED', '"isActive" is required.', data))).toBe(
      'Active is required.',
    );
    expect(messageOf(failed(10101, 'USER_EMPLOYEE_ID_EXISTS', 'Taken.', takenBy(null)))).toBe(
      'The employee ID "items[7]" is already taken by another user.',
    );
  });

  test('is what the service says where it has no data', () => {
    const error = errorFrom({ errorCode: 10101, message: 'USER_EMPLOYEE_ID_EXISTS', detail: 'Taken.' });
    expect(errorMessage(error, 'Taken.')).toBe('Taken.');
    expect(messageOf(failed(10109, 'USER_LAST_ADMINISTRATOR', 'No other.'))).toBe('No other.');
  });

  test('has the number to confirm', () => {
    expect(safetyLimitOf(exceedsSafetyLimit(4))).toEqual({
      confirm: 4,
      sentence: 'This would rename 4 of 8 users (50.0%), which exceeds the safety limit of 20%.',
    });
    expect(safetyLimitOf(new Error('Something else.'))).toBeUndefined();
  });
});

describe('rows are cut into calls', () => {
  test('by number', () => {
    const parts = cutIntoCalls([4, 5, 6, 7, 8], { itemsPerCall: 2, bytesOf: () => 1 });
    expect(parts).toEqual([[4, 5], [6, 7], [8]]);
  });

  test('and by size, a row that is too large alone', () => {
    const sizes = [1, 20_000_000, 6_000_000, 5_000_000, 2_000_000];
    const parts = cutIntoCalls([0, 1, 2, 3, 4], { itemsPerCall: 10, bytesOf: (row) => sizes[row] ?? 0 });
    expect(parts).toEqual([[0], [1], [2, 3], [4]]);
    expect(bytesOfCells(['äöü', ''])).toBeGreaterThanOrEqual(Buffer.byteLength('äöü'));
  });
});

describe('a mapping', () => {
  test('gives a column to one field, and a field may get a second column', () => {
    const mapping = withField({ name: [0], phone: [1] }, 1, 'name');
    expect(mapping).toEqual({ name: [0, 1] });
    expect(withField(mapping, 0, undefined)).toEqual({ name: [1] });
    expect(fieldOf(mapping, 1)).toBe('name');
  });

  test('tells which column is a secret', () => {
    expect(shownText({ password: [0], name: [1] }, 0, 'hunter2')).not.toContain('hunter2');
    expect(shownText({ password: [0], name: [1] }, 1, 'Ada')).toBe('Ada');
  });
});

describe('a check', () => {
  const csv = 'Employee ID,Name,Active\nE1,Ada,yes\nE1,Ada,no\nE2,,yes\nE3,Grace,yes\nE4,Linus,yes';
  const judge = ({ employeeID }: Item): ItemReport =>
    employeeID === 'E4'
      ? failed(10102, 'USER_NOT_FOUND', 'No user has the employee ID "E4".', { employeeID: 'E4' })
      : {
          ok: true,
          serial: 's',
          effect: { kind: employeeID === 'E3' ? 'unchanged' : 'updated', fields: {} },
        };

  test('tells what is wrong with a row by itself, and what the service says of the others', async () => {
    const wizard = await given(csv);
    await check(wizard, toolsOf({ judge }).tools);
    const rows = rowsOf(wizard);
    expect(countChecks(rows, openRows(rows))).toMatchObject({
      all: 5,
      changes: 2,
      unchanged: 1,
      wrong: 2,
      fit: 4,
    });
    expect(rows.problems[1]).toMatchObject([{ column: 0, isWarning: true }]);
    expect(rows.previews[4]).toEqual({ kind: 'refused', detail: 'No user has the employee ID "E4".' });
    expect(filterChecks(rows, openRows(rows), 'problems', new Set())).toEqual([1, 2, 4]);
    expect(filterChecks(rows, openRows(rows), 'problems', new Set([0]))).toEqual([0, 1, 2, 4]);
    expect(filterChecks(rows, openRows(rows), 'changes', new Set())).toEqual([0, 1]);
  });

  test('is made again for a row that was mended, and for whoever had its employee ID', async () => {
    const wizard = await given(csv);
    const { tools } = toolsOf({ judge });
    await check(wizard, tools);
    const rows = rowsOf(wizard);
    expect(mend(wizard, 0, 0, 'E9')).toBe(true);
    expect(mend(wizard, 0, 0, 'E9')).toBe(false);
    expect(rows.problems[1]).toBeUndefined();
    expect(mend(wizard, 2, 0, 'E9')).toBe(true);
    expect(rows.problems[2]?.map(({ isWarning }) => isWarning)).toEqual([false, true]);
    mend(wizard, 2, 1, 'Grace');
    expect(rows.previews[2]).toBeUndefined();
    await goOnChecking(wizard, tools);
    expect(rows.previews[2]).toMatchObject({ kind: 'updated' });
    expect(wizard.check?.state).toBe('checked');
  });

  test('asks in smaller calls where the service takes fewer items', async () => {
    const wizard = await given(people(5));
    const asked: number[] = [];
    const preview: BulkCalls['preview'] = async (_kind, items) => {
      asked.push(items.length);
      if (items.length > 2) throw new Refusal('tooLarge');
      return items.map(judge);
    };
    await check(wizard, toolsOf({ preview }).tools);
    expect(asked).toEqual([5, 3, 2, 2, 1]);
    expect(wizard.itemsPerCall).toBe(2);
  });

  test('looks past the brake, and tells of it', async () => {
    const wizard = await given(people(2));
    const preview: BulkCalls['preview'] = async (_kind, items, { confirm }) => {
      if (confirm !== 2) throw exceedsSafetyLimit(2);
      return items.map(judge);
    };
    await check(wizard, toolsOf({ preview }).tools);
    expect(wizard.check?.parts.map(({ brake }) => brake)).toEqual([
      'This would rename 2 of 8 users (25.0%), which exceeds the safety limit of 20%.',
    ]);
    expect(wizard.check?.state).toBe('checked');
  });

  test('that stopped goes on where it was', async () => {
    const wizard = await given(people(4));
    wizard.itemsPerCall = 2;
    let asked = 0;
    const preview: BulkCalls['preview'] = async (_kind, items) => {
      if (++asked === 2) throw new Refusal('other');
      return items.map(judge);
    };
    const { tools } = toolsOf({ preview });
    await check(wizard, tools);
    expect(wizard.check?.state).toBe('stopped');
    await goOnChecking(wizard, tools);
    expect([asked, wizard.check?.state]).toEqual([3, 'checked']);
  });
});

describe('a run', () => {
  test('sends what is fit and not done yet, each call with a key of its own', async () => {
    const wizard = await given('Employee ID,Name,Active\nE1,Ada,yes\nE2,,yes\nE3,Grace,yes\nE4,Linus,no');
    wizard.itemsPerCall = 2;
    const { tools, sent } = toolsOf();
    await check(wizard, tools);
    await run(wizard, tools);
    expect(sent.map(({ ids }) => ids)).toEqual([['E1', 'E3'], ['E4']]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(countEndings(rowsOf(wizard))).toMatchObject({ done: 3, failed: 1 });
    expect(stepOf(wizard, 'run')).toBe('result');

    mend(wizard, 1, 1, 'Bob');
    await run(wizard, tools);
    expect(sent.at(-1)?.ids).toEqual(['E2']);
    expect(countEndings(rowsOf(wizard))).toMatchObject({ done: 4, failed: 0 });
  });

  test('sends a call that got no answer again with its key', async () => {
    const wizard = await given(people(3));
    wizard.itemsPerCall = 2;
    const keys: string[] = [];
    const send: BulkCalls['send'] = async (_kind, items, { key }) => {
      keys.push(key);
      if (keys.length === 1) throw new Refusal('other', '', true);
      return { reports: items.map(() => ({ ok: true, serial: 's', effect: undefined })), callId: key };
    };
    const { tools } = toolsOf({ send });
    await check(wizard, tools);
    await run(wizard, tools);
    expect([wizard.run?.state, wizard.run?.pause?.why, stepOf(wizard, 'file')]).toEqual([
      'paused',
      'failed',
      'run',
    ]);
    await goOn(wizard, tools);
    expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
    expect(wizard.run?.state).toBe('ended');
  });

  test('that is ended without an answer does not say that nothing was done', async () => {
    const wizard = await given(people(3));
    wizard.itemsPerCall = 2;
    const { tools } = toolsOf({ send: () => Promise.reject(new Refusal('other', '', true)) });
    await check(wizard, tools);
    await run(wizard, tools);
    endRun(wizard);
    expect(countEndings(rowsOf(wizard))).toMatchObject({ unknown: 2, notSent: 1 });
  });

  test('goes on after a brake with the number and another key', async () => {
    const wizard = await given(people(2));
    const sent: (number | undefined)[] = [];
    const keys = new Set<string>();
    const send: BulkCalls['send'] = async (_kind, items, { key, confirm }) => {
      sent.push(confirm);
      keys.add(key);
      if (confirm !== 2) throw exceedsSafetyLimit(2);
      return { reports: items.map(() => ({ ok: true, serial: 's', effect: undefined })), callId: key };
    };
    const { tools } = toolsOf({ send });
    await check(wizard, tools);
    await run(wizard, tools);
    expect(wizard.run?.pause).toMatchObject({
      why: 'braked',
      confirm: 2,
      sentence: expect.stringContaining('rename 2 of 8'),
    });
    confirmBrake(wizard, tools.newKey);
    await goOn(wizard, tools);
    expect([sent, keys.size, wizard.run?.state]).toEqual([[undefined, 2], 2, 'ended']);
  });

  test('that somebody stops ends the call under way, and leaves the others', async () => {
    const wizard = await given(people(4));
    wizard.itemsPerCall = 2;
    const send: BulkCalls['send'] = async (_kind, items, { key }) => {
      stopAfterThisCall(wizard);
      return { reports: items.map(() => ({ ok: true, serial: 's', effect: undefined })), callId: key };
    };
    const { tools } = toolsOf({ send });
    await check(wizard, tools);
    await run(wizard, tools);
    expect(wizard.run?.pause).toEqual({ why: 'cancelled' });
    expect(countEndings(rowsOf(wizard))).toMatchObject({ done: 2, notSent: 2 });
  });

  test('is not done where the service broke off in the middle of a call', async () => {
    const wizard = await given(people(2));
    const broken = failed(10901, 'SERVICE_UNAVAILABLE', 'It stopped.');
    const { tools } = toolsOf({ send: async () => ({ reports: [broken, broken], callId: 'c' }) });
    await check(wizard, tools);
    await run(wizard, tools);
    expect(wizard.run?.pause).toEqual({ why: 'brokeOff', detail: 'It stopped.' });
    expect(wizard.calls).toEqual([]);
  });
});

describe('an undo', () => {
  test('begins with the last call, and tells who is left as they are', async () => {
    const wizard = await given(people(3));
    wizard.itemsPerCall = 2;
    const asked: string[] = [];
    const undo: BulkCalls['undo'] = async (callId, { dryRun }) => {
      asked.push(`${dryRun ? 'look' : 'undo'} ${callId}`);
      const left = callId === 'call-key-1' ? [{ employeeID: 'E0', message: 'It was changed since.' }] : [];
      return { restored: 1, left, callId: `undo of ${callId}` };
    };
    const { tools } = toolsOf({ undo });
    await check(wizard, tools);
    await run(wizard, tools);
    await lookAtUndo(wizard, tools);
    expect(wizard.undo).toMatchObject({ state: 'asking', restored: 2, left: [{ employeeID: 'E0' }] });
    await undoAll(wizard, tools);
    expect(asked).toEqual(['look call-key-2', 'look call-key-1', 'undo call-key-2', 'undo call-key-1']);
    expect(countEndings(rowsOf(wizard))).toMatchObject({ done: 1, undone: 2 });
    expect(callsToUndo(wizard)).toEqual([]);
  });
});

describe('the rows that failed', () => {
  test('come back from their file as they were, formulas disarmed', async () => {
    const wizard = await given(
      'Employee ID;Name;Active;Phone\n007;=1+1;maybe;+49 40 123\nE2;Grace;yes;030 1',
    );
    const { tools } = toolsOf();
    await check(wizard, tools);
    await run(wizard, tools);
    if (!wizard.format) throw new Error('there is no file');
    const csv = failuresCsv(rowsOf(wizard), wizard.format, wizard.mapping);
    expect(csv).toContain(";'=1+1;");
    const again = await given(csv);
    expect(again.format?.headings.map(({ name }) => name)).toEqual([
      'Employee ID',
      'Name',
      'Active',
      'Phone',
      'Problem',
    ]);
    expect(rowsOf(again).cells).toEqual([
      ['007', '=1+1', 'maybe', '+49 40 123', expect.stringContaining('Active')],
    ]);
    await check(again, tools);
    await run(again, tools);
    if (!again.format) throw new Error('there is no file');
    expect(failuresCsv(rowsOf(again), again.format, again.mapping)).toBe(csv);
  });
});

describe('a workbook that does not hold the values of its cells', () => {
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
    const wizard = await given(file());
    wizard.emptyMeans = 'clears';
    const { tools, sent } = toolsOf();
    await check(wizard, tools);
    return { wizard, tools, sent };
  }

  test('sends none of these rows, and says what to do', async () => {
    const { wizard, tools, sent } = await checked();
    await run(wizard, tools);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E4']);
    expect(rowsOf(wizard).problems.map((problems) => problems?.[0]?.text)).toEqual([
      expect.stringContaining('Format the column as text'),
      expect.stringContaining('Open the file in Excel and save it so formulas are calculated'),
      undefined,
    ]);
  });

  test('sends a row once its cell was typed anew', async () => {
    const { wizard, tools, sent } = await checked();
    mend(wizard, 0, 0, '1234567890123457');
    mend(wizard, 1, 3, '030 123');
    await goOnChecking(wizard, tools);
    await run(wizard, tools);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['1234567890123457', 'E3', 'E4']);
  });

  test('gives back the rows that failed so that they fail again', async () => {
    const { wizard, tools } = await checked();
    await run(wizard, tools);
    if (!wizard.format) throw new Error('there is no file');
    const again = await given(failuresCsv(rowsOf(wizard), wizard.format, wizard.mapping));
    again.emptyMeans = 'clears';
    const { tools: others, sent } = toolsOf();
    await check(again, others);
    await run(again, others);
    expect(sent).toEqual([]);
    expect(countEndings(rowsOf(again)).failed).toBe(2);
  });
});
