import { describe, expect, test } from 'vitest';
import { applyFix, editCell, recheck } from '../../../console/src/import/check/edit-cells.js';
import { usualDigits } from '../../../console/src/import/check/lost-zeros.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { findingsOf } from '../../../console/src/import/state/findings.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import { noRows, problemsIn } from '../../../console/src/import/state/rows.js';
import { countChecks } from '../../../console/src/import/state/verdicts.js';
import { checked, dependenciesOf, given, rowsOf } from './imports.js';

const created: ItemReport = { ok: true, effect: { kind: 'created', fields: { isActive: { after: true } } } };
const unchanged: ItemReport = { ok: true, effect: { kind: 'unchanged', fields: {} } };
const textsIn = (store: Awaited<ReturnType<typeof given>>, row: number) =>
  problemsIn(rowsOf(store), row).map(({ text }) => text);
const countsOf = (store: Awaited<ReturnType<typeof given>>) => countChecks(rowsOf(store));

describe('two rows with the same employee ID', () => {
  test('are both invalid if the names differ, until one is corrected', async () => {
    const store = await given('Employee ID,Name\nE1,Ursula Kühn\nE1,Vojtěch Berg\nE2,Eve');
    const { dependencies } = dependenciesOf();
    await startCheck(store, dependencies);
    expect(countsOf(store)).toMatchObject({ invalid: 2, updated: 1, warnings: 0 });
    expect(textsIn(store, 0)).toEqual([
      'Row 3 has the same employee ID but another name. Correct one of them, or leave one out.',
    ]);
    editCell(store, 1, 0, 'E3');
    await recheck(store, 0, dependencies);
    expect(countsOf(store)).toMatchObject({ invalid: 0, updated: 3, waiting: 0 });
  });

  test('have a warning each if they mean the same user', async () => {
    const store = await checked('Employee ID,Name,Phone\nE1,Ada  King,1\nE1,ada king,2\nE1,,3');
    expect(countsOf(store)).toMatchObject({ invalid: 0, warnings: 3 });
    expect(textsIn(store, 0)).toEqual(['This employee ID also appears in row 3.']);
  });

  test('may name two users if the first one gets another ID', async () => {
    const store = await checked('Employee ID,New employee ID,Name\nE1,E2,Ada\nE1,,Bob');
    expect(countsOf(store)).toMatchObject({ invalid: 0, warnings: 2 });
  });
});

test('a row is compared with few others, even if all have the same employee ID and email address', async () => {
  let looks = 0;
  const facts = Array.from({ length: 1_000 }, (_, row) => ({
    row,
    newID: '',
    phone: '',
    get id() {
      looks++;
      return 'E1';
    },
    get name() {
      looks++;
      return 'Ada';
    },
    get email() {
      looks++;
      return 'ada@example.com';
    },
  }));
  const accepted = { kind: 'accepted', change: 'created', fields: {} } as const;
  const rows = { ...noRows, previews: facts.map(() => accepted) };
  const columns = { id: 0, name: 1, email: 2, phone: undefined };
  const findings = await findingsOf(facts, rows, columns, {
    ...{ emailOwners: new Map(), formerHolders: new Map() },
  });
  expect(findings.size).toBe(1); // the others have their warning from when they were read
  expect(looks).toBeLessThan(facts.length * 50);
});

describe('a name', () => {
  test.each(['?ukasz', 'Mü?erref', 'Nguy?n Anh', 'J\uFFFDrgen'])('%s has lost letters', async (name) => {
    const store = await checked(`Employee ID,Name\nE1,${name}`, { judge: () => created });
    expect(countsOf(store)).toMatchObject({ created: 1, warnings: 1 });
  });

  test.each(['Łukasz', 'Anna ? Berg'])('%s has not', async (name) => {
    expect(countsOf(await checked(`Employee ID,Name\nE1,${name}`))).toMatchObject({ warnings: 0 });
  });
});

describe('an email address that somebody else has is pointed out', () => {
  const owner = { serial: 's7', employeeID: 'E7', name: 'Anna Müller' };
  const emailOwner = async (email: string) => (email === 'a@example.com' ? owner : undefined);

  test('with the name of the user', async () => {
    const store = await checked('Employee ID,Name,Email\nE1,Ada,A@example.com\nE2,Eve,e@example.com', {
      judge: () => created,
      emailOwner,
    });
    expect(rowsOf(store).findings.get(0)).toMatchObject([
      { text: 'Another user has this email address:', user: owner },
    ]);
    expect(textsIn(store, 1)).toEqual([]);
  });

  test('unless the file gives that user another one, or the row sets none', async () => {
    const moved = 'Employee ID,Name,Email\nE1,Ada,a@example.com\nE7,Anna Müller,anna@example.com';
    expect(textsIn(await checked(moved, { judge: () => created, emailOwner }), 0)).toEqual([]);
    const unchanged = await checked('Employee ID,Name,Email\nE1,Ada,a@example.com', { emailOwner });
    expect(textsIn(unchanged, 0)).toEqual([]);
  });
});

test('an email address without the end of its domain has a warning, if it is new', async () => {
  const file = 'Employee ID,Email\nE1,ada@nordwind\nE2,ada@nordwind.example\nE3,eve@nordwind';
  const judge = ({ employeeID }: { employeeID: string }) => (employeeID === 'E3' ? unchanged : created);
  const store = await checked(file, { judge });
  expect([0, 1, 2].map((row) => textsIn(store, row).length)).toEqual([1, 0, 0]);
  expect(countsOf(store)).toMatchObject({ created: 2, unchanged: 1, invalid: 0, warnings: 1 });
});

test('a phone number without digits has a warning, if it is new', async () => {
  const file = 'Employee ID,Phone\nE1,abc\nE2,ext. 27\nE3,none';
  const judge = ({ employeeID }: { employeeID: string }) => (employeeID === 'E3' ? unchanged : created);
  const store = await checked(file, { judge });
  expect([0, 1, 2].map((row) => textsIn(store, row))).toEqual([['This phone number has no digits.'], [], []]);
});

describe('employee IDs of the usual length', () => {
  const ids = Array.from({ length: 40 }, (_, n) => String(n + 1).padStart(6, '0'));

  test('are restored for new users, too; what stays different has a warning', async () => {
    const store = await checked('Employee ID,Name\n11,Ada\n000021,Eve\n1234567,Joan', {
      judge: () => created,
      someIDs: async () => ['admin', ...ids],
    });
    expect(store.getState().check?.fixes[0]).toMatchObject({ digits: 6, from: '11', texts: [[0, '000011']] });
    expect(textsIn(store, 0)).toEqual(['This employee ID has 2 digits. Employee IDs usually have 6.']);
    expect(textsIn(store, 1)).toEqual([]);
    expect(textsIn(store, 2)).toEqual(['This employee ID has 7 digits. Employee IDs usually have 6.']);
  });

  test('are known from the users or from the file, but not from numbers that are counted up', () => {
    expect(usualDigits(ids)).toBe(6);
    expect(usualDigits(ids.slice(0, 5))).toBeUndefined();
    expect(usualDigits(Array.from({ length: 1_000 }, (_, n) => String(n + 1)))).toBeUndefined();
    expect(usualDigits(ids.map((id) => `E${id}`))).toBeUndefined();
  });
});

describe('a column that makes nearly all rows invalid', () => {
  const file = 'Employee ID,Name,Username\nE1,Ada,a.k\nE2,Eve,e.v\nE3,Joan,j.c';

  test('can be skipped', async () => {
    const store = await given(file);
    const { dependencies } = dependenciesOf();
    await startCheck(store, dependencies);
    const fix = store.getState().check?.fixes[0];
    expect(fix).toEqual({ why: 'skipColumn', column: 2, count: 3 });
    if (fix) applyFix(store, fix, dependencies);
    await expect.poll(() => countsOf(store)).toMatchObject({ updated: 3, invalid: 0 });
  });

  test('is needed if there is no other', async () => {
    const store = await checked('Employee ID,Username\nE1,a.k\nE2,e.v\nE3,j.c');
    expect(store.getState().check?.fixes[0]).toBeUndefined();
  });
});

test('an email address that two users of the file would have is pointed out on both rows', async () => {
  const file = 'Employee ID,Name,Email\nE1,Ada,a@example.com\nE2,Eve,A@example.com\nE3,Joan,j@example.com';
  const store = await checked(file, { judge: () => created });
  expect(countsOf(store)).toMatchObject({ created: 3, warnings: 2 });
  expect(textsIn(store, 0)).toEqual(['Eve in row 3 has the same email address.']);
});
