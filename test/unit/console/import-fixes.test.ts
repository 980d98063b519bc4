import { describe, expect, test } from 'vitest';
import { applyFix, undoEdit } from '../../../console/src/import/check/edit-cells.js';
import { turnedName } from '../../../console/src/import/check/last-name-first.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import type { Item } from '../../../console/src/import/state/service-calls.js';
import { countChecks } from '../../../console/src/import/state/verdicts.js';
import { checked, dependenciesOf, given, rowsOf } from './imports.js';

const fixesOf = (store: Awaited<ReturnType<typeof given>>) => store.getState().check?.fixes ?? [];
const report = (kind: 'created' | 'updated' | 'unchanged', fields = {}): ItemReport => ({
  ...{ ok: true, effect: { kind, fields } },
});

describe('names with the last name first', () => {
  test('are offered to be turned around, which can be undone', async () => {
    const store = await given('Personalnr;Name\nE1;Grünwald, Jörg\nE2;Bauer, Anna\nE3;Eve Vaughn');
    const { dependencies } = dependenciesOf({ judge: () => report('created') });
    await startCheck(store, dependencies);
    const [fix] = fixesOf(store);
    expect(fix).toEqual({
      ...{ why: 'lastNameFirst', column: 1, from: 'Grünwald, Jörg' },
      texts: [
        [0, 'Jörg Grünwald'],
        [1, 'Anna Bauer'],
      ],
    });
    if (fix) applyFix(store, fix, dependencies);
    expect(rowsOf(store).cells.map(([, name]) => name)).toEqual([
      'Jörg Grünwald',
      'Anna Bauer',
      'Eve Vaughn',
    ]);
    expect(fixesOf(store)).toEqual([]);
    undoEdit(store, dependencies);
    expect(rowsOf(store).cells[0]?.[1]).toBe('Grünwald, Jörg');
  });

  test('are few, unless the heading says that all are', async () => {
    const judge = () => report('created');
    const names = 'Bauer, Anna\nE2\tEve Vaughn\nE3\tJoan Clarke\nE4\tAda King';
    expect(fixesOf(await checked(`ID\tName\nE1\t${names}`, { judge }))).toEqual([]);
    for (const heading of [
      'Nachname, Vorname',
      'Name, Vorname',
      'Last, First',
      'Apellidos, Nombre',
      'Surname / First name',
    ])
      expect(fixesOf(await checked(`ID\t${heading}\nE1\t${names}`, { judge })), heading).toHaveLength(1);
  });

  test('stay as they are where users are called so already', async () => {
    const judge = ({ name }: Item) =>
      name === 'Berg, Vojtěch'
        ? report('updated', { name: { before: 'V Berg', after: name } })
        : report('unchanged');
    const file = 'ID;Name\nE1;Bauer, Anna\nE2;King, Ada\nE3;Berg, Vojtěch';
    expect(fixesOf(await checked(file, { judge }))).toEqual([]);
  });

  test.each([
    ['van der Berg,  Anna  Lena', 'Anna Lena van der Berg'],
    ['Dr. Bauer, Anna', 'Dr. Anna Bauer'],
    ['Bauer, Dr. Anna', 'Dr. Anna Bauer'],
    ['Anna Bauer, Ph.D.', undefined],
    ['John Smith, Jr.', undefined],
    ['Bauer, Anna, Vertrieb', undefined],
    ['Bauer,', undefined],
    ['Anna Bauer', undefined],
  ])('%s → %s', (name, turned) => {
    expect(turnedName(name)).toBe(turned);
  });
});

test('spaces in employee IDs are offered to be removed, after what was found before', async () => {
  const store = await given('ID;Name\nE 20005;King, Ada\nE20006;Berg, Eve\nTotal sum;');
  const { dependencies } = dependenciesOf({ judge: () => report('created') });
  await startCheck(store, dependencies);
  const [names, ids] = fixesOf(store);
  expect(names?.why).toBe('lastNameFirst');
  expect(ids).toEqual({ why: 'spacedIDs', column: 0, texts: [[0, 'E20005']], from: 'E 20005' });
  if (names) applyFix(store, names, dependencies);
  expect(fixesOf(store)).toEqual([ids]);
  if (ids) applyFix(store, ids, dependencies);
  await expect.poll(() => countChecks(rowsOf(store))).toMatchObject({ created: 2, invalid: 1 });
});
