import { errorFrom } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draftFor, settingsOf } from '../../../console/src/components/attribute-draft.js';
import { rememberAttributes } from '../../../console/src/components/attribute-value.js';
import { editCell, recheck } from '../../../console/src/import/check/edit-cells.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { changeIn } from '../../../console/src/import/components/file-columns.js';
import { invalidTable } from '../../../console/src/import/components/invalid-rows.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import { usersToChange } from '../../../console/src/import/state/affected-users.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import type { Item } from '../../../console/src/import/state/service-calls.js';
import { countChecks, failureReason, isWrongIn } from '../../../console/src/import/state/verdicts.js';
import { inChunks } from '../sheets/tables.js';
import { column, formatStyles, workbook } from '../sheets/workbooks.js';
import { defined, dependenciesOf, given, rowsOf } from './imports.js';

const hired = defined({ key: 'hired', type: 'date', labels: { en: 'Hire date', de: 'Eintritt' } });
const site = defined({ key: 'site', type: 'choice', choices: ['Berlin', 'Lyon'], synonyms: ['Office'] });
const hours = defined({ key: 'hours', type: 'number' });
const attributes = [hired, site, hours];

beforeEach(() => rememberAttributes(attributes));
afterEach(() => rememberAttributes([]));

const failed = (errorCode: number, message: string, data: object): ItemReport => ({
  ok: false,
  error: errorFrom({ errorCode, message, detail: 'No.', data }),
});

describe('columns of attributes', () => {
  test('are recognized, sent as values, and corrected by edits', async () => {
    const store = await given('ID,Eintritt,Office\nE1,31.12.2026,lyon\nE2,someday,Paris', { attributes });
    expect(store.getState().mapping).toEqual({
      ...{ employeeID: [0], [attributeField('hired')]: [1], [attributeField('site')]: [2] },
    });
    const { dependencies, items } = dependenciesOf();
    await startCheck(store, dependencies);
    expect(failureReason(rowsOf(store), 1)).toBe(
      'Hire date: Enter a date. site: Choose one of these: Berlin, Lyon.',
    );
    expect([1, 2].map((at) => isWrongIn(rowsOf(store), 1, at, store.getState().mapping))).toEqual([
      true,
      true,
    ]);
    editCell(store, 1, 1, '2027-01-01');
    editCell(store, 1, 2, 'Berlin');
    await recheck(store, 2, dependencies);
    expect(countChecks(rowsOf(store))).toMatchObject({ all: 2, updated: 2, invalid: 0 });
    await startRun(store, dependencies);
    expect(items.map((item) => item.attributes)).toEqual([
      { hired: '2026-12-31', site: 'Lyon' },
      { hired: '2027-01-01', site: 'Berlin' },
    ]);
  });

  test('show what they change, and how many users each of them changes', async () => {
    const store = await given('ID,Eintritt,hours\nE1,2026-12-31,1234.5', { attributes });
    const effect = {
      kind: 'updated',
      fields: { attributes: { before: { hours: 1 }, after: { hours: 1234.5, hired: '2026-12-31' } } },
    } as const;
    await startCheck(store, dependenciesOf({ judge: () => ({ ok: true, effect }) }).dependencies);
    const { check } = store.getState();
    const changeOf = (attribute: typeof hours) =>
      changeIn(rowsOf(store), 0, { field: attributeField(attribute.key), attribute });
    expect(changeOf(hours)).toEqual({ before: '1', after: '1234.5' });
    expect(changeOf(hired)).toEqual({ before: '', after: expect.stringContaining('2026') });
    const users = check && (await usersToChange(rowsOf(store), check.reader, check.survey));
    expect([...(users?.fields ?? [])]).toEqual([
      ['attributes.hours', 1],
      ['attributes.hired', 1],
    ]);
  });

  test('mark the cell whose value another user has', async () => {
    const store = await given('ID,hours\nE1,1', { attributes });
    const taken = failed(10113, 'USER_ATTRIBUTE_EXISTS', { attribute: 'hours', position: null });
    await startCheck(store, dependenciesOf({ judge: () => taken }).dependencies);
    expect(isWrongIn(rowsOf(store), 0, 1, store.getState().mapping)).toBe(true);
    expect(failureReason(rowsOf(store), 0)).toMatch(/^hours: /);
  });

  test('of a workbook are downloaded as dates and numbers that can be imported again', async () => {
    const styles = formatStyles('d/m/yy', '0" h"');
    const cells = column('<c r="A2" s="0"><v>46387</v></c>', '<c r="A3" s="1"><v>7</v></c>');
    const store = await given(inChunks(workbook({ sheetData: cells, styles }), 65_536), { attributes });
    const invalidAs = async (type: 'hired' | 'hours') => {
      store.dispatch({ type: 'mappingChanged', mapping: { [attributeField(type)]: [0] } });
      const judge = () => failed(10102, 'USER_NOT_FOUND', {});
      await startCheck(store, dependenciesOf({ judge }).dependencies);
      const { format } = store.getState();
      const [, ...rows] = format
        ? invalidTable(rowsOf(store), format, store.getState().mapping, attributes)
        : [];
      return rows.map(([cell]) => cell);
    };
    expect(await invalidAs('hired')).toEqual(['2026-12-31', '7 h']);
    expect(await invalidAs('hours')).toEqual(['#VALUE!', '7']);
  });
});

test('a column becomes an attribute with the values as choices, and is mapped to it', async () => {
  const store = await given('ID,Kostenstelle\nE1,0815\nE2, 0815\nE3,4711\nE4,', { attributes });
  const cells = rowsOf(store).cells.map((row) => row[1] ?? '');
  const draft = draftFor('Kostenstelle', cells, ['kostenstelle']);
  expect(draft).toMatchObject({
    ...{ key: 'kostenstelle2', type: 'text', labels: { en: 'Kostenstelle' }, choices: ['0815', '4711'] },
  });
  expect(settingsOf({ ...draft, type: 'choice' })).toMatchObject({ choices: ['0815', '4711'], synonyms: [] });
  expect(settingsOf({ ...draft, labels: { en: 'Cost center' } })).toMatchObject({
    ...{ labels: { en: 'Cost center' }, synonyms: ['Kostenstelle'] },
  });
  store.dispatch({ type: 'attributeDefined', attribute: defined({ key: 'kostenstelle2' }), column: 1 });
  expect(store.getState().mapping).toEqual({ employeeID: [0], 'attributes.kostenstelle2': [1] });
  const { dependencies, items } = dependenciesOf();
  await startCheck(store, dependencies);
  await startRun(store, dependencies);
  expect(items[0]).toEqual({ employeeID: 'E1', attributes: { kostenstelle2: '0815' } });
});

describe('managers', () => {
  const file = 'ID,Name,Manager\nE1,Ada,E3\nE2,Grace,E9\nE3,Joan,';
  const known = new Set(['E9']);

  /** Previews each call on its own; a manager has to exist, or come from the same call. */
  const preview = async (items: readonly Item[]): Promise<ItemReport[]> => {
    const ids = new Set([...known, ...items.map(({ employeeID }) => employeeID)]);
    return items.map(({ managerEmployeeID }) =>
      managerEmployeeID && !ids.has(managerEmployeeID)
        ? failed(10114, 'USER_MANAGER_NOT_FOUND', { managerEmployeeID })
        : {
            ...{ ok: true },
            effect: managerEmployeeID
              ? { kind: 'updated', fields: { managerSerial: { before: 's1', after: 's2' } } }
              : { kind: 'unchanged', fields: {} },
          },
    );
  };

  test('are sent before their reports, and shown by their employee IDs', async () => {
    const store = await given(file);
    const users = async () => new Map([['s1', { serial: 's1', employeeID: 'E8', name: 'Joan' }]]);
    const { dependencies, sent } = dependenciesOf({ preview, users });
    await startCheck(store, dependencies);
    const change = changeIn(rowsOf(store), 0, { field: 'managerEmployeeID', attribute: undefined });
    expect(change).toEqual({ before: 'E8', after: 'E3' });
    await startRun(store, dependencies);
    expect(sent.flatMap(({ ids }) => ids)).toEqual(['E1', 'E2']);
  });

  test('are entered by employee ID, not by name', async () => {
    const store = await given(`${file}\nE4,Eve,Grace Hopper`);
    await startCheck(store, dependenciesOf({ preview }).dependencies);
    expect(failureReason(rowsOf(store), 3)).toBe('Manager: The column must contain employee IDs, not names.');
  });

  test('from another part of the file count as known, and others as missing', async () => {
    const store = await given(`${file}\nE4,Eve,E7`, { itemsPerCall: 1 });
    await startCheck(store, dependenciesOf({ preview }).dependencies);
    expect(countChecks(rowsOf(store))).toMatchObject({ updated: 2, unchanged: 1, invalid: 1 });
    expect(isWrongIn(rowsOf(store), 3, 2, store.getState().mapping)).toBe(true);
    const change = changeIn(rowsOf(store), 0, { field: 'managerEmployeeID', attribute: undefined });
    expect(change).toEqual({ before: '', after: 'E3' });
  });
});
