import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cells, inChunks, problem, read, utf8, utf16le } from './tables.js';

describe('objects become rows', () => {
  test.each([
    ['an array', '[{"employeeID":"E1","name":"Ada"},\n {"employeeID":"E2","name":"Bob"}]'],
    ['one object per line', '{"employeeID":"E1","name":"Ada"}\n{"employeeID":"E2","name":"Bob"}\n'],
    [
      'objects over several lines',
      '{"employeeID":"E1",\n"name":"Ada"}\n\n{"employeeID":"E2",\r\n"name":"Bob"}',
    ],
  ])('%s', async (_, text) => {
    const table = await read(text);
    expect(table.format).toBe('json');
    expect(table.headings.map(({ name }) => name)).toEqual(['employeeID', 'name']);
    expect(table.allRows.map((row) => row.cells)).toEqual([
      ['E1', 'Ada'],
      ['E2', 'Bob'],
    ]);
    expect(table.allRows.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('each row has the line where its object starts', async () => {
    const { allRows } = await read('[\n{"a":"1"},\n\n{"a":\n"2"}, {"a":"3"}\n]');
    expect(allRows.map(({ line }) => line)).toEqual([2, 4, 5]);
  });

  test('keys of only some objects are headings, too', async () => {
    const table = await read('[{"a":"1"},{"b":"2","a":"3"}]');
    expect(table.headings.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(table.allRows.map((row) => row.cells)).toEqual([
      ['1', ''],
      ['3', '2'],
    ]);
  });

  test('objects can arrive in small chunks', async () => {
    const text = '{"a":"1"}\n{"a":"2","b":"3"}\n';
    expect(await cells(inChunks(utf8(text), 10))).toEqual([
      ['1', ''],
      ['2', '3'],
    ]);
  });

  test('a key that appears too late to be a heading is noted', async () => {
    const many = '{"a":"1"}\n'.repeat(10_000);
    const { allRows } = await read(utf8(`${many}{"a":"2","late":"3"}\n`));
    expect(allRows.at(-1)).toMatchObject({ cells: ['2'], notes: [{ code: 'CELLS_STRAY', texts: ['late'] }] });
  });

  test('values become text without loss', async () => {
    const table = await read(
      '{"id":12345678901234567890,"big":1.5e3,"zero":0,"minus":-7,"flag":true,"none":null,"text":"a\\"}{,[\\u00fc","digits":"007"}',
    );
    expect(table.allRows[0]?.cells).toEqual([
      '12345678901234567890',
      '1500',
      '0',
      '-7',
      'true',
      '',
      'a"}{,[ü',
      '007',
    ]);
  });

  test('nested objects are flattened, and lists are written as in a cell', async () => {
    const table = await read(
      '[{"name":{"first":"Ada","last":"Lovelace"},"tags":["T,1",null,"T2",3],"none":[]}]',
    );
    expect(table.headings.map(({ name }) => name)).toEqual(['name.first', 'name.last', 'tags', 'none']);
    expect(table.allRows[0]?.cells).toEqual(['Ada', 'Lovelace', 'T,1\nT2\n3', '']);
  });

  test('UTF-16 is supported', async () => {
    expect(await cells(utf16le('[{"a":"ü"}]'))).toEqual([['ü']]);
  });

  test('a heading in brackets is CSV', async () => {
    expect((await read('[ID];[Name]\n1;Ada\n')).format).toBe('csv');
  });

  test('any text, however it is split', async () => {
    const objects = fc.array(fc.record({ a: fc.string({ unit: 'grapheme' }), b: fc.string() }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        objects,
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (users, isArray, size) => {
          const rows = users.map(({ a, b }) => ({ a: `x${a}`, b }));
          const text = isArray
            ? JSON.stringify(rows, null, 1)
            : rows.map((row) => JSON.stringify(row)).join('\n');
          expect(await cells(inChunks(utf8(text), size))).toEqual(rows.map(({ a, b }) => [a, b]));
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('rejects', () => {
  test.each([
    ['a truncated object', '[{"a":"1"},\n{"a":"2"', 2],
    ['a truncated array', '[{"a":"1"},\n{"a":"2"}\n', 3],
    ['an array followed by something', '[{"a":"1"}]\n{"a":"2"}', 2],
    ['an extra comma', '[{"a":"1"},\n,{"a":"2"}]', 2],
    ['a trailing comma', '[{"a":"1"},\n]', 2],
    ['a missing comma', '[{"a":"1"}\n{"a":"2"}]', 2],
    ['other text between objects', '{"a":"1"}\n\nhello\n', 3],
    ['an object that is not JSON', '{"a":"1"}\n{"a":01}\n', 2],
    ['a mismatched bracket', '{"a":"1"}\n{"a":["1"}}\n', 2],
  ])('%s', async (_, text, line) => {
    expect(await problem(text)).toEqual({ code: 'JSON_BROKEN', line });
  });

  test('an object that is too long', async () => {
    const text = `{"a":"1"}\n{"a":"${'x'.repeat(200)}`;
    expect(await problem(text, { rowCharactersMax: 100 })).toEqual({
      code: 'ROW_TOO_LONG',
      line: 2,
      max: 100,
    });
  });

  test('a long name that all objects inside would repeat', async () => {
    const inside = Array.from({ length: 10 }, (_, at) => `"k${at}":${at}`).join();
    expect(await problem(`{"a":"1"}\n{"${'x'.repeat(1_000)}":{${inside}}}`)).toEqual({
      code: 'JSON_BROKEN',
      line: 2,
    });
  });

  test('too many keys', async () => {
    const found = await problem('{"a":"1","b":"2"}\n{"c":"3"}\n', { columnsMax: 2 });
    expect(found).toMatchObject({ code: 'TOO_MANY_COLUMNS', max: 2 });
  });

  test.each(['[]', '[ ]\n'])('%j, which is empty', async (text) => {
    expect(await problem(text)).toEqual({ code: 'EMPTY' });
  });
});
