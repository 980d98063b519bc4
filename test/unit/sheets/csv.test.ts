import { describe, expect, test } from 'vitest';
import { openTable, type Separator, toCsv } from '../../../sheets/src/index.js';
import { cells, inChunks, problem, read, utf8 } from './tables.js';

describe('separator', () => {
  test.each<[Separator, string]>([
    [',', 'ID,Name\n1,Ada\n'],
    [';', 'ID;Name\n1;Ada\n'],
    ['\t', 'ID\tName\n1\tAda\n'],
    ['|', 'ID|Name\n1|Ada\n'],
  ])('%j is detected', async (separator, text) => {
    const table = await read(text);
    expect(table.separator).toBe(separator);
    expect(table.allRows[0]?.cells).toEqual(['1', 'Ada']);
  });

  test.each<[string, string, Separator]>([
    ['commas in quotes are not separators', 'ID;Name\n1;"a,b"\n2;"c,d"\n', ';'],
    ['commas in texts are fewer than semicolons', 'ID;Name;Tags\n1;Ada, Dr.;T1,T2\n2;Bob, Dr.;T3\n', ';'],
    ['decimal commas are not in the headings', 'ID;Hours\n1;1,5\n2;2,5\n', ';'],
    ['tabs from a paste win over commas', 'ID\tLast, first\n1\tLovelace, Ada\n', '\t'],
    ['a single column has none', 'ID\n1\n2\n', ','],
    ['headings decide if rows do not match', 'a;b;c,d\n1\n', ';'],
    ['a last row without a line ending counts', 'a,b;c\n1,2', ','],
    ['a line break in quotes does not end a row', 'ID|"Na\nme"\n1|"x\ny,z"\n', '|'],
  ])('%s', async (_, text, separator) => {
    expect((await openTable(text)).separator).toBe(separator);
  });

  test('can be specified', async () => {
    expect(await cells('a;b,c\n1;2,3\n', { separator: ',' })).toEqual([['1;2', '3']]);
  });

  test('can be specified by a sep= line, which is not a heading', async () => {
    const table = await read('sep=|\r\nID|a;b;c\r\n1|2;3;4\r\n');
    expect(table.separator).toBe('|');
    expect(table.headingRow).toBe(2);
    expect(table.allRows).toEqual([{ number: 3, line: 3, cells: ['1', '2;3;4'] }]);
  });
});

describe('rows', () => {
  test.each([
    ['\\n', '\n'],
    ['\\r\\n', '\r\n'],
    ['\\r', '\r'],
  ])('end with %s', async (_, end) => {
    const { allRows } = await read(['ID,Name', '1,Ada', '2,"B\nob"', '3,Carl'].join(end));
    expect(allRows.map((row) => [...row.cells])).toEqual([
      ['1', 'Ada'],
      ['2', 'B\nob'],
      ['3', 'Carl'],
    ]);
    expect(allRows.map(({ number, line }) => [number, line])).toEqual([
      [2, 2],
      [3, 3],
      [4, 5],
    ]);
  });

  test('CRLF in quotes counts as one line', async () => {
    const { allRows } = await read('ID,Name\r\n1,"A\r\nd\r\na"\r\n2,Bob\r\n');
    expect(allRows.map(({ number, line }) => [number, line])).toEqual([
      [2, 2],
      [3, 5],
    ]);
    expect(allRows[0]?.cells[1]).toBe('A\r\nd\r\na');
  });

  test('quoted cells can contain separators and doubled quotes', async () => {
    expect(await cells('a,b,c\n"x,y","say ""hi""",""\n"""",""",""",z\n')).toEqual([
      ['x,y', 'say "hi"', ''],
      ['"', '","', 'z'],
    ]);
  });

  test('a quote within a cell is literal', async () => {
    expect(await cells('a,b\n5" pipe,O"Hara"\n')).toEqual([['5" pipe', 'O"Hara"']]);
  });

  test('spaces after a closing quote are ignored', async () => {
    expect(await cells('a,b\n"x"  ,"y" \n')).toEqual([['x', 'y']]);
  });

  test('a quote that starts a cell but does not end it is literal, and noted', async () => {
    const { allRows } = await read('a,b\n1,"Big" Joe\n"2,x\n"3",y\n');
    expect(allRows).toEqual([
      { number: 2, line: 2, cells: ['1', '"Big" Joe'], notes: [{ code: 'QUOTE_STRAY', column: 1 }] },
      { number: 3, line: 3, cells: ['"2', 'x'], notes: [{ code: 'QUOTE_STRAY', column: 0 }] },
      { number: 4, line: 4, cells: ['3', 'y'] },
    ]);
  });

  test('blank lines are skipped and counted', async () => {
    const table = await read('\n  \n\nID,Name\n\n1,Ada\n,,\n , \n2,Bob\n\n');
    expect(table.headingRow).toBe(4);
    expect(table.allRows.map(({ number, line }) => [number, line])).toEqual([
      [6, 6],
      [9, 9],
    ]);
  });

  test('ragged rows are noted with missing or extra cells', async () => {
    const { allRows } = await read('a,b,c\n1\n1,2,3,x,,y\n1,2,3,,\n1,2,3\n');
    expect(allRows).toEqual([
      { number: 2, line: 2, cells: ['1', '', ''], notes: [{ code: 'CELLS_MISSING', count: 2 }] },
      { number: 3, line: 3, cells: ['1', '2', '3'], notes: [{ code: 'CELLS_STRAY', texts: ['x', 'y'] }] },
      { number: 4, line: 4, cells: ['1', '2', '3'] },
      { number: 5, line: 5, cells: ['1', '2', '3'] },
    ]);
  });

  test('the last row needs no line ending, and may end with a separator', async () => {
    expect(await cells('a,b\n1,2')).toEqual([['1', '2']]);
    expect(await cells('a,b\n1,')).toEqual([['1', '']]);
    expect(await cells('a,b\n1,"2"')).toEqual([['1', '2']]);
  });

  test('the heading row can be specified', async () => {
    const table = await read('Staff of 2024,\nprinted today,\nID,Name\n1,Ada\n', { headingRow: 3 });
    expect(table.headings.map(({ name }) => name)).toEqual(['ID', 'Name']);
    expect(table.allRows.map(({ number }) => number)).toEqual([4]);
  });

  test('leading zeros and long numbers are preserved', async () => {
    expect(await cells('a,b\n00543,12345678901234567890\n')).toEqual([['00543', '12345678901234567890']]);
  });
});

describe('rejects', () => {
  test('an unclosed quote, with the line where it starts', async () => {
    expect(await problem('a,b\n1,2\n3,"x\ny","z\n4,5\n6,7\n')).toEqual({ code: 'QUOTE_UNFINISHED', line: 4 });
  });

  test('a quote that exceeds the maximum row length', async () => {
    const text = `a,b\n1,"x\n${'4,5\n'.repeat(50)}`;
    expect(await problem(text, { rowCharactersMax: 100 })).toEqual({ code: 'QUOTE_UNFINISHED', line: 2 });
  });

  test('a row that is too long', async () => {
    const text = `a,b\n1,2\n3,${'x'.repeat(200)}\n`;
    expect(await problem(text, { rowCharactersMax: 100 })).toEqual({
      code: 'ROW_TOO_LONG',
      line: 3,
      max: 100,
    });
  });

  test('too many columns', async () => {
    expect(await problem('a,b\n1,2,3\n', { columnsMax: 2 })).toEqual({
      code: 'TOO_MANY_COLUMNS',
      line: 2,
      max: 2,
    });
  });

  test('too many rows, not counting blank ones and headings', async () => {
    const text = 'a,b\n1,2\n\n3,4\n';
    expect(await problem(text, { rowsMax: 2 })).toBe('none');
    expect(await problem(text, { rowsMax: 1 })).toEqual({ code: 'TOO_MANY_ROWS', max: 1 });
  });

  test.each([
    ['', 'no content'],
    ['\n \n,,\n', 'only blank rows'],
    ['\uFEFF', 'only a byte order mark'],
  ])('%j: %s', async (text) => {
    expect(await problem(text)).toEqual({ code: 'EMPTY' });
    expect(await problem(utf8(text))).toEqual({ code: 'EMPTY' });
  });

  test('headings without rows', async () => {
    expect(await problem('ID;Name')).toEqual({ code: 'ONLY_HEADINGS', headings: ['ID', 'Name'] });
    expect(await problem('ID,Name\n\n')).toEqual({ code: 'ONLY_HEADINGS', headings: ['ID', 'Name'] });
  });
});

describe('source', () => {
  test('is read only as far as needed, and released', async () => {
    let given = 0;
    let isLetGo = false;
    async function* source() {
      try {
        for (;;) {
          given++;
          yield utf8('1,Ada\n'.repeat(20_000));
        }
      } finally {
        isLetGo = true;
      }
    }
    const table = await openTable(source());
    for await (const row of table.rows) if (row.number === 5) break;
    expect(given).toBeLessThan(5);
    expect(isLetGo).toBe(true);
  });

  test.each([
    ['%PDF-1.7', { code: 'NOT_A_TABLE', seems: 'pdf' }],
    ['<table>', { code: 'NOT_A_TABLE', seems: 'html' }],
    ['[{}] x', { code: 'JSON_BROKEN', line: 1 }],
    ['a,b\n"c', { code: 'QUOTE_UNFINISHED', line: 2 }],
  ])('is released when rejected: %s', async (beginning, refusal) => {
    let isLetGo = false;
    async function* source() {
      try {
        yield utf8(beginning);
        yield utf8('more '.repeat(100_000));
        yield utf8('and more');
      } finally {
        isLetGo = true;
      }
    }
    expect(await problem(source(), { rowCharactersMax: 100 })).toEqual(refusal);
    expect(isLetGo).toBe(true);
  });

  test('is released when closed without reading rows', async () => {
    let isLetGo = false;
    async function* source() {
      try {
        for (;;) yield utf8('1,Ada\n'.repeat(20_000));
      } finally {
        isLetGo = true;
      }
    }
    const table = await openTable(source());
    expect(isLetGo).toBe(false);
    await table.close();
    expect(isLetGo).toBe(true);
  });

  test('can be a Blob', async () => {
    expect(await cells(new Blob(['ID,Name\n', '1,Jür', 'gen\n']))).toEqual([['1', 'Jürgen']]);
  });

  test('gives the same cells in one large chunk as in many', async () => {
    const text = toCsv([
      ['ID', 'Name'],
      ...Array.from({ length: 2_000 }, (_, at) => [`${at}`, `Jürgen "${'ü'.repeat(150)}"`]),
    ]);
    const bytes = utf8(text);
    expect(bytes.length).toBeGreaterThan(524_288);
    expect(await cells(inChunks(bytes, bytes.length))).toEqual(await cells(inChunks(bytes, 1_000)));
  });

  test('gives the same rows, numbers and notes however it is split', async () => {
    const text = 'ID,Name\r\n1,"a\r\n""b"""\r\n\r\n2,"x"y\r3\r\n\n4,"z" ,q\r\n"5","6"\r\n';
    const { allRows } = await read(text);
    expect(allRows.map(({ number, line }) => [number, line])).toEqual([
      [2, 2],
      [4, 5],
      [5, 6],
      [7, 8],
      [8, 9],
    ]);
    for (let size = 1; size <= 12; size++) {
      expect((await read(inChunks(utf8(text), size))).allRows).toEqual(allRows);
    }
  });
});
