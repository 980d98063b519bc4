import { describe, expect, test } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { cells, inChunks, problem, read } from './tables.js';

async function written(data: SheetData): Promise<Uint8Array> {
  return new Uint8Array(await writeExcelFile(data).toBuffer());
}

describe('workbook written by write-excel-file', () => {
  test('text stays text, and numbers are read as displayed', async () => {
    const table = await read(
      await written([
        ['Text', 'Padded', 'Number', 'Long', 'Flag', 'Day', 'Moment', 'Empty', 'Last'],
        [
          '00543',
          { value: 543, type: Number, format: '00000' },
          12.5,
          { value: 123456789012345, type: Number },
          true,
          { value: new Date(Date.UTC(2024, 1, 29)), type: Date, format: 'dd.mm.yyyy' },
          { value: new Date(Date.UTC(2024, 11, 31, 23, 59, 58)), type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
          null,
          ' Ada "&" <Bob>\n₤😀 ',
        ],
        ['1E5', { value: 1_234_567, type: Number, format: '00000' }, -3, 0.1, false, null, null, null, 'x'],
      ]),
    );
    expect(table).toMatchObject({ format: 'xlsx', headingRow: 1, encoding: undefined, separator: undefined });
    expect(table.sheets).toEqual([table.sheet]);
    expect(table.warnings).toEqual([]);
    const note = (column: number, reason: string) => ({ code: 'VALUE_UNCERTAIN', column, reason });
    expect(table.allRows).toEqual([
      {
        number: 2,
        line: 2,
        notes: [note(4, 'BOOLEAN'), note(5, 'DATE'), note(6, 'DATE')],
        cells: [
          '00543',
          '00543',
          '12.5',
          '123456789012345',
          'TRUE',
          '2024-02-29',
          '2024-12-31T23:59:58',
          '',
          ' Ada "&" <Bob>\n₤😀 ',
        ],
      },
      {
        number: 3,
        line: 3,
        notes: [note(4, 'BOOLEAN')],
        cells: ['1E5', '1234567', '-3', '0.1', 'FALSE', '', '', '', 'x'],
      },
    ]);
  });

  test('a sheet can be selected by name', async () => {
    const bytes = new Uint8Array(
      await writeExcelFile([
        { sheet: 'Leavers', data: [['ID'], ['1']] },
        { sheet: 'Jöiners & Co', data: [['ID'], ['2']] },
      ]).toBuffer(),
    );
    expect((await read(bytes)).sheets).toEqual(['Leavers', 'Jöiners & Co']);
    expect(await cells(bytes)).toEqual([['1']]);
    expect(await cells(bytes, { sheet: 'Jöiners & Co' })).toEqual([['2']]);
    expect(await problem(bytes, { sheet: 'Movers' })).toEqual({
      code: 'SHEET_UNKNOWN',
      sheet: 'Movers',
      sheets: ['Leavers', 'Jöiners & Co'],
    });
  });

  test('the result is the same for a Blob, one chunk or many', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => [`E${at}`, `Jürgen ${at}`, at]);
    const bytes = await written([['ID', 'Name', 'Number'], ...rows]);
    const expected = rows.map((row) => row.map(String));
    expect(await cells(bytes)).toEqual(expected);
    expect(await cells(new Blob([new Uint8Array(bytes)]))).toEqual(expected);
    expect(await cells(inChunks(bytes, 999))).toEqual(expected);
  });
});
