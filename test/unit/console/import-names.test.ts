import type { NameDecision, ResolvedName } from '@rollcall/sheets';
import { describe, expect, test } from 'vitest';
import { editCell, recheck } from '../../../console/src/import/check/edit-cells.js';
import { lookUpNames } from '../../../console/src/import/check/learn-names.js';
import { isCheckCurrent, resumeCheck, startCheck } from '../../../console/src/import/check/run-check.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import { usersToChange } from '../../../console/src/import/state/affected-users.js';
import { keptImportOf } from '../../../console/src/import/state/kept-import.js';
import type { ImportCalls, Item } from '../../../console/src/import/state/service-calls.js';
import { areSpelledAlike } from '../../../console/src/import/state/similar-names.js';
import { currentStep } from '../../../console/src/import/state/state.js';
import type { ImportStore } from '../../../console/src/import/state/store.js';
import { dependenciesOf, given, noAnswer, rowsOf } from './imports.js';

const sales = { serial: 'ORG7', displayName: 'Sales' };
const directory: Record<string, Pick<ResolvedName, 'match' | 'entry'>> = {
  sales: { match: 'name', entry: sales },
  vertrieb: { match: 'formerName', entry: sales },
  'n/a': { match: 'decision', entry: null },
  t1: { match: 'serial', entry: { serial: 'T1', displayName: null } },
};

/** A service with this directory, in which users are in no organization and have no tags. */
function serviceOf(answers: Partial<ImportCalls> = {}) {
  const asked: string[] = [];
  const remembered: unknown[] = [];
  const fields = ({ organizationSerial, tagSerials }: Item) => ({
    ...(organizationSerial && { organizationSerial: { before: null, after: organizationSerial } }),
    ...(tagSerials && { tagSerials: { before: [], after: [...tagSerials] } }),
  });
  const service = dependenciesOf({
    judge: (item) => ({ ok: true, effect: { kind: 'updated', fields: fields(item) } }),
    resolveNames: async (_kind, names) => {
      asked.push(...names);
      const items = names.map((name): ResolvedName => {
        const key = name.trim().toLowerCase();
        const known = directory[key] ?? { match: 'unknown', entry: null };
        return { name, key, candidates: [], ...known };
      });
      return { items, mayCreate: true };
    },
    rememberNames: async (kind, names) => void remembered.push([kind, names]),
    ...answers,
  });
  return { ...service, asked, remembered };
}

const headings = 'Employee ID,Organization,Tags';
const namesIn = (store: ImportStore) => store.getState().names.undecided.map(({ name }) => name);

function decide(store: ImportStore, name: string, decision: NameDecision): void {
  const groups = store.getState().names.groups.filter((group) => group.name === name);
  store.dispatch({ type: 'namesDecided', groups, decision });
}

describe('the names in a file', () => {
  test('are asked about even if none of them is known', async () => {
    const store = await given(`${headings}\nE1,North,First aid\nE2,South,First aid\nE3,NORTH,`);
    await lookUpNames(store, serviceOf().dependencies);
    expect(namesIn(store)).toEqual(['North', 'South', 'First aid']);
    expect(currentStep(store.getState(), 'names')).toBe('names');
  });

  test('need no step if all of them are serials or names', async () => {
    const store = await given(`${headings}\nE1,sales,T1`);
    await lookUpNames(store, serviceOf().dependencies);
    expect(namesIn(store)).toEqual([]);
    expect(currentStep(store.getState(), 'names')).toBe('columns');
  });

  test('that were proposed and left so apply after an edit and a reload', async () => {
    const resolveNames = async (_kind: unknown, names: readonly string[]) => ({
      items: names.map((name): ResolvedName => {
        return { name, key: name, match: 'unknown', entry: null, candidates: [sales] };
      }),
      mayCreate: true,
    });
    const { dependencies, items } = serviceOf({ resolveNames });
    const store = await given(`${headings}\nE1,SALES,\nE2,Sale's,T1`);
    await lookUpNames(store, dependencies);
    await startCheck(store, dependencies);
    expect(isCheckCurrent(store.getState())).toBe(true);
    expect([...(keptImportOf(store.getState())?.decisions.values() ?? [])]).toEqual([
      { kind: 'use', entry: sales },
      { kind: 'use', entry: sales },
    ]);
    editCell(store, 1, 2, '');
    await recheck(store, 2, dependencies);
    expect(store.getState().check?.state).toBe('checked');
    await startRun(store, dependencies);
    expect(items.map(({ organizationSerial }) => organizationSerial)).toEqual(['ORG7', 'ORG7']);
  });

  test('that differ only by spelling are proposed, shown, and used unless decided otherwise', async () => {
    const entry = (serial: string, displayName: string) => ({ serial, displayName });
    const candidates = [entry('VS', 'Vertrieb Süd'), entry('V', 'Vertrieb')];
    const { dependencies } = serviceOf({
      resolveNames: async (_kind, names) => ({
        items: names.map((name) => ({ name, key: name, match: 'unknown', entry: null, candidates })),
        mayCreate: true,
      }),
    });
    const store = await given(`${headings}\nE1,Vertrieb Sued,\nE2,Nowhere,`);
    await lookUpNames(store, dependencies);
    expect(namesIn(store)).toEqual(['Nowhere']);
    expect(store.getState().names.meaningOf('organizationSerial', 'Vertrieb Sued')).toBe('VS');
    const groups = store.getState().names.groups.slice(0, 1);
    store.dispatch({ type: 'namesDecided', groups, decision: undefined });
    expect(namesIn(store)).toEqual(['Vertrieb Sued', 'Nowhere']);
  });

  test.each([
    ['Vertrieb Sued', 'Vertrieb Süd', true],
    ['LAGER & LOGISTIK', 'Lager und Logistik', true],
    ['Entwicklg. Backend', 'Entwicklung Backend', false],
    ['Entwiklung', 'Entwicklung', true],
    ['R&D', 'R & D', true],
    ['Team A', 'Team B', false],
    ['Standort 11', 'Standort 12', false],
    ['Vertrieb Nord', 'Vertrieb Süd', false],
    ['&', '-', false],
  ])('%s and %s are spelled alike: %s', (one, other, isAlike) => {
    expect(areSpelledAlike(one, other)).toBe(isAlike);
  });

  test('are sent as what they mean, counted by field, and remembered', async () => {
    const rows = ['E1,North,"T1, First aid"', 'E2,north ,', 'E3,Vertrieb,n/a', 'E4,South,First aid'];
    const store = await given([headings, ...rows].join('\n'));
    const { dependencies, items, remembered } = serviceOf();
    await lookUpNames(store, dependencies);
    decide(store, 'North', { kind: 'create' });
    decide(store, 'South', { kind: 'use', entry: sales });
    decide(store, 'First aid', { kind: 'leaveOut' });
    await startCheck(store, dependencies);
    const reader = store.getState().check?.reader;
    const counts = reader && (await usersToChange(rowsOf(store), reader));
    expect(counts).toMatchObject({
      fields: new Map([
        ['organizationSerial', 4],
        ['tagSerials', 1],
      ]),
      newEntries: { organizationSerial: ['North'], tagSerials: [] },
    });
    expect(remembered, 'nothing is decided until the import runs').toEqual([]);
    await startRun(store, dependencies);
    expect(items).toEqual([
      { employeeID: 'E1', organizationSerial: 'North', tagSerials: ['T1'] },
      { employeeID: 'E2', organizationSerial: 'North' },
      { employeeID: 'E3', organizationSerial: 'ORG7' },
      { employeeID: 'E4', organizationSerial: 'ORG7' },
    ]);
    expect(remembered).toEqual([
      ['organizations', [{ name: 'South', serial: 'ORG7' }]],
      ['tags', [{ name: 'First aid', serial: null }]],
    ]);
  });

  test('are checked again after another decision, and asked for only once', async () => {
    const store = await given(`${headings}\nE1,North,\nE2,Sales,`);
    const { dependencies, asked, items } = serviceOf();
    await lookUpNames(store, dependencies);
    decide(store, 'North', { kind: 'create' });
    await startCheck(store, dependencies);
    expect(isCheckCurrent(store.getState())).toBe(true);
    decide(store, 'North', { kind: 'use', entry: sales });
    expect(isCheckCurrent(store.getState())).toBe(false);
    await startCheck(store, dependencies);
    await startRun(store, dependencies);
    expect(items.map(({ organizationSerial }) => organizationSerial)).toEqual(['ORG7', 'ORG7']);
    expect(asked).toEqual(['North', 'Sales']);
  });

  test('that are typed into a cell are looked up; a row with an unknown one is invalid', async () => {
    const store = await given(`${headings}\nE1,Sales,\nE2,Sales,`);
    const { dependencies, items } = serviceOf();
    await startCheck(store, dependencies);
    editCell(store, 0, 1, 'Nowhere');
    editCell(store, 1, 1, 'Vertrieb');
    await recheck(store, 1, dependencies);
    expect(rowsOf(store).problems[0]?.map(({ column, text }) => [column, text])).toEqual([
      [1, expect.stringContaining('"Nowhere" is not in the directory.')],
    ]);
    expect(namesIn(store)).toEqual(['Nowhere']);
    await startRun(store, dependencies);
    expect(items).toEqual([{ employeeID: 'E2', organizationSerial: 'ORG7' }]);
  });

  test('stop the check if they cannot be looked up, which then starts over', async () => {
    const store = await given(`${headings}\nE1,Sales,`);
    const resolveNames = () => Promise.reject(noAnswer());
    await startCheck(store, serviceOf({ resolveNames }).dependencies);
    expect(store.getState().check?.state).toBe('stopped');
    await resumeCheck(store, serviceOf().dependencies);
    expect(store.getState().check?.state).toBe('checked');
    expect(rowsOf(store).problems[0]).toBeUndefined();
  });
});
