import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createItemReader, guessMapping } from '../../../sheets/src/index.js';
import { cells, read } from './tables.js';

const payroll = new Uint8Array(
  readFileSync(new URL('../../support/workbooks/payroll-export.xlsx', import.meta.url)),
);

test('a payroll export is read as its sheet shows it, below its titles', async () => {
  const table = await read(payroll);
  expect(table).toMatchObject({ sheet: 'Personal 2026', headingRow: 4 });
  expect(table.sheets).toEqual(['Hinweise', 'Personal 2026', 'Leavers']);
  expect(table.headings.map(({ name }) => name)).toEqual([
    ...['Staff no.', 'Name', 'Badge', 'Hired', 'Email', 'Active', 'Years'],
  ]);
  expect(table.allRows.map(({ number, cells }) => [number, ...cells])).toEqual([
    [5, '004711', 'Zoë Müller-Nguyễn', '815', '2019-03-01', 'zoe@example.com', 'TRUE', ''],
    [6, '004712', "O'Brien, Seán", '816', '2024-02-29', 'sean@example.com', 'FALSE', ''],
    [7, '000012', '山田 太郎', '817', '2026-01-05T09:00:00', ' taro@example.com ', 'yes', ''],
    [8, '0013', 'Łukasz Wójcik', '123456789012345700', '01.02.2020', 'lukasz@example.com', 'no', '6'],
  ]);
  expect(table.warnings).toEqual(
    expect.arrayContaining([
      { code: 'HIDDEN_ROWS', row: 7, count: 1 },
      { code: 'LONG_NUMBER', column: 2, row: 8 },
      { code: 'FORMULA_WITHOUT_VALUE', column: 6, row: 5 },
    ]),
  );
});

test('its rows become items with the whole employee ID', async () => {
  const { headings, allRows } = await read(payroll);
  const { mapping } = guessMapping(headings, 'sync');
  const readItem = createItemReader({
    ...{ operation: 'sync', headings, mapping, empty: 'leaves' },
  });
  expect(allRows.map((row) => readItem(row).item)).toMatchObject([
    { employeeID: '004711', name: 'Zoë Müller-Nguyễn', isActive: true },
    { employeeID: '004712', email: 'sean@example.com', isActive: false },
    { employeeID: '000012', email: 'taro@example.com', isActive: true },
    { employeeID: '0013', name: 'Łukasz Wójcik', isActive: false },
  ]);
});

test('another sheet can be chosen', async () => {
  expect(await cells(payroll, { sheet: 'Leavers' })).toEqual([['0099', 'Gone Person']]);
});
