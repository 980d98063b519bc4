import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeText, guessMapping, openTable } from '../../../sheets/src/index.js';
import { read } from './tables.js';

const staff = () => readFileSync(new URL('../../support/workbooks/staff-with-titles.xlsx', import.meta.url));

describe('heading row', () => {
  test('is found below the titles of a workbook written by openpyxl, whose merged title is no warning', async () => {
    const table = await read(new Uint8Array(staff()));
    expect(table.headingRow).toBe(4);
    expect(table.headings.map(({ name }) => name)).toEqual([
      'Personalnr.',
      'Vorname',
      'Nachname',
      'E-Mail',
      'Abteilung',
      'Aktiv',
    ]);
    expect(table.allRows.map(({ number, cells }) => [number, cells[0]])).toEqual([
      [5, '261'],
      [6, '262'],
      [7, '263'],
      [8, '900'],
      [9, '901'],
    ]);
    expect(table.warnings).toEqual([]);
    expect(guessMapping(table.headings, 'sync').mapping).toMatchObject({ employeeID: [0], name: [1, 2] });
  });

  test.each([
    ['titles', 'Staff of Example Ltd.\nas of November\n\nEmployee ID,Name\nE1,Ada\n', 4, ','],
    ['padded titles', 'Staff;;\n;;\nEmployee ID;Name;Phone\nE1;Ada;1\n', 3, ';'],
    ['no titles', 'Employee ID,Name\nE1,Ada\n', 1, ','],
    ['headings that are not known', 'Kennzeichen A,Kennzeichen B\nno,Name\n', 1, ','],
    ['titles above unknown headings', 'Staff 2026\nas of today\nKennung;Wer\n1;Ada\n2;Eve\n', 3, ';'],
    ['a single known heading above wider rows', 'Employee ID\nE1;Ada\nE2;Eve\n', 1, ';'],
    ['a single column, of which one text has a comma', 'Note\nx\ny\na,b\n', 1, ','],
    ['a single known heading', 'Code,Remark\nID,x\n', 1, ','],
  ])('is found with %s', async (_, text, headingRow, separator) => {
    expect(await openTable(text)).toMatchObject({ headingRow, separator });
  });

  test('can be given', async () => {
    const table = await openTable('Employee ID,Name\na,b\nEmployee ID,Name\nE1,Ada\n', { headingRow: 3 });
    expect(table.headingRow).toBe(3);
  });
});

describe('encoding a text', () => {
  test.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const)(
    'as %s can be read again',
    async (encoding) => {
      const bytes = encodeText('ID;Name\r\n1;Jürgen Weiß – „Jü“\r\n', encoding) ?? new Uint8Array();
      const table = await read(bytes);
      expect(table.encoding).toBe(encoding);
      expect(table.allRows[0]?.cells).toEqual(['1', 'Jürgen Weiß – „Jü“']);
    },
  );

  test('as Windows-1252 fails for characters that it lacks', () => {
    expect(encodeText('Łukasz', 'windows-1252')).toBeUndefined();
  });
});
