import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CsvCell,
  openTable,
  TableError,
  toXlsx,
  type WorkbookOptions,
} from '../../../sheets/src/index.js';
import { sheetXml } from '../../../sheets/src/xlsx/sheet-xml.js';
import { openArchive } from '../../../sheets/src/xlsx/zip.js';
import { type TextFile, zipped } from '../../../sheets/src/xlsx/zip-writer.js';
import { cells, inChunks, joined, read } from './tables.js';
import { storedText } from './texts.js';

type Rows = readonly (readonly CsvCell[])[];

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joined(...parts);
}

/** The XML of one file in the workbook. */
async function part(rows: Rows, name: string, options?: WorkbookOptions): Promise<string> {
  const bytes = await bytesOf(toXlsx(rows, options));
  const archive = await openArchive(new Blob([new Uint8Array(bytes)]), 1_000_000);
  return new TextDecoder().decode(await bytesOf(archive?.read(name) ?? inChunks(new Uint8Array(0), 1)));
}

const sheetOf = (rows: Rows, options?: WorkbookOptions): Promise<string> =>
  part(rows, 'xl/worksheets/sheet1.xml', options);

async function thrown(chunks: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of chunks);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('round trip', () => {
  const headings = ['A', 'B', 'C', 'D'];

  test('any text', async () => {
    /** The first cell keeps the row from being blank. */
    const rows = fc.array(
      fc.tuple(fc.constant('x'), storedText, storedText, storedText).map((row) => [...row]),
      { minLength: 20, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 200, max: 5_000 }), async (written, size) => {
        const bytes = await bytesOf(toXlsx([headings, ...written]));
        expect(await cells(inChunks(bytes, size))).toEqual(written);
      }),
      { numRuns: 5 }, // opening a workbook takes longer than its texts
    );
  });

  const special = [
    '007',
    '=1+1',
    "'=1+1",
    "''x",
    '1E5',
    'TRUE',
    ' padded ',
    'two\nlines',
    'a\r\nb\rc',
    '_x000D_',
    '_x0041_x0042_',
    '_x0041\u0001',
    '\u0001x0041_',
    '_x005F_',
    '\uFFFF\uD800',
  ];
  test(`special texts: ${JSON.stringify(special)}`, async () => {
    const rows = special.map((text) => [text]);
    expect(await cells(toXlsx([['A'], ...rows]))).toEqual(rows);
  });

  test('booleans and numbers are not text, and empty values have no cell', async () => {
    const rows = [
      ['Flag', 'Number', 'None', 'Empty', 'Last'],
      [true, -1.5, null, '', 'x'],
      [false, 0],
    ];
    const table = await read(toXlsx(rows));
    expect(table.allRows.map((row) => row.cells)).toEqual([
      ['TRUE', '-1.5', '', '', 'x'],
      ['FALSE', '0', '', '', ''],
    ]);
    expect(table.warnings).toEqual([]);
    expect(await sheetOf(rows)).toContain(
      '<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2"><v>-1.5</v></c><c r="E2" s="1" t="inlineStr">',
    );
  });

  test('NaN becomes text', async () => {
    expect(await cells(toXlsx([['A'], [Number.NaN]]))).toEqual([['NaN']]);
  });

  test('many rows, streamed', async () => {
    const expected = Array.from({ length: 1_000 }, (_, at) => [`E${at}`, `Jürgen ${at}`]);
    async function* rows(): AsyncGenerator<readonly string[]> {
      yield ['ID', 'Name'];
      yield* expected;
    }
    expect(await cells(toXlsx(rows()))).toEqual(expected);
  });
});

describe('sheet', () => {
  const rows = [
    ['ID', 'Name'],
    ['1', 'Ada'],
    ['2', 'Bob'],
  ];

  test('has a filter over the whole table, and a frozen heading row', async () => {
    const xml = await sheetOf(rows);
    expect(xml).toContain('<autoFilter ref="A1:B3"/>');
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(await part(rows, 'xl/workbook.xml')).toContain("'Users'!$A$1:$B$3</definedName>");
  });

  test('has the requested column widths', async () => {
    const xml = await sheetOf(rows, { columnWidths: [7] });
    expect(xml).toContain('<col min="1" max="1" width="7" style="1" customWidth="1"/><col min="2" max="2" ');
  });

  test.each(["Jöiners & Co's <list>", '_x0041_'])('can be called %s', async (sheetName) => {
    expect(await openTable(toXlsx(rows, { sheetName }))).toMatchObject({ sheet: sheetName });
  });

  test.each(['', 'a/b', "'a", 'x'.repeat(32), 'a\nb'])('cannot be called %j', (sheetName) => {
    expect(() => toXlsx(rows, { sheetName })).toThrow(RangeError);
  });

  test('can consist of headings only, or be empty', async () => {
    await expect(read(toXlsx([['ID']]))).rejects.toMatchObject({ problem: { code: 'ONLY_HEADINGS' } });
    await expect(read(toXlsx([]))).rejects.toMatchObject({ problem: { code: 'EMPTY' } });
  });

  test('is byte-identical each time', async () => {
    expect(await bytesOf(toXlsx(rows))).toEqual(await bytesOf(toXlsx(rows)));
  });
});

describe('rejects', () => {
  const problemOf = (error: unknown): unknown => (error instanceof TableError ? error.problem : error);

  test('more rows than a sheet can have', async () => {
    const continued = (rows: number) => sheetXml([['E1'], ['E2']], [], { rows, columns: 1 });
    expect(await thrown(continued(1_048_574))).toBeUndefined();
    expect(problemOf(await thrown(continued(1_048_575)))).toEqual({
      code: 'TOO_MANY_ROWS',
      max: 1_048_576,
    });
  });

  test('more columns than a sheet can have, and text too long for a cell', async () => {
    const wide = Array.from({ length: 16_385 }, () => null);
    expect(problemOf(await thrown(toXlsx([['ID'], wide])))).toEqual({
      code: 'TOO_MANY_COLUMNS',
      line: 2,
      max: 16_384,
    });
    expect(await thrown(toXlsx([['ID'], ['x'.repeat(32_768)]]))).toBeInstanceOf(RangeError);
    expect(await cells(toXlsx([['ID'], ['x'.repeat(32_767)]]))).toEqual([['x'.repeat(32_767)]]);
  });

  test('more bytes than the format allows', async () => {
    async function* files(length: number): AsyncGenerator<TextFile> {
      yield { name: 'a', texts: ['x'.repeat(length)] };
    }
    expect(await thrown(zipped(files(1_000), 1_000))).toBeUndefined();
    expect(problemOf(await thrown(zipped(files(1_001), 1_000)))).toEqual({
      code: 'WORKBOOK_TOO_LARGE',
      max: 1_000,
    });
  });

  test('rows that fail, with their error', async () => {
    const failure = new Error('the connection is lost');
    async function* rows(): AsyncGenerator<readonly string[]> {
      yield ['ID'];
      throw failure;
    }
    expect(await thrown(toXlsx(rows()))).toBe(failure);
  });
});

test('the row source is closed when reading stops early', async () => {
  let isOpen = false;
  async function* rows(): AsyncGenerator<readonly string[]> {
    isOpen = true;
    try {
      for (let row = 0; ; row++) yield [`E${row}`, `Somebody ${Math.imul(row, 2654435761)}`];
    } finally {
      isOpen = false;
    }
  }
  let bytes = 0;
  for await (const chunk of toXlsx(rows())) {
    bytes += chunk.length;
    if (bytes > 100_000) break;
  }
  expect(bytes).toBeGreaterThan(100_000);
  expect(isOpen).toBe(false);
});
