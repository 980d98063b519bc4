import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Separator, toCsv } from '../../../sheets/src/index.js';
import { cells, inChunks, utf8 } from './tables.js';
import { storedText } from './texts.js';

/** Any text, with many special characters of CSV, and without lone surrogates, which can't be encoded. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...',;|\t"\'\r\n=+-@ aß'), fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const separators = fc.constantFrom<Separator[]>(',', ';', '\t', '|');
/** The first cell keeps the row from being blank. */
const anyRows = fc.array(
  fc.tuple(fc.constant('x'), anyText, anyText, anyText).map((row) => [...row]),
  { minLength: 1, maxLength: 6 },
);
const headings = ['A', 'B', 'C', 'D'];

describe('round trip', () => {
  test('any text, however its bytes are split', async () => {
    const sizes = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(anyRows, separators, fc.boolean(), sizes, async (rows, separator, bom, size) => {
        const text = toCsv([headings, ...rows], { separator, bom });
        expect(await cells(text, { separator })).toEqual(rows);
        expect(await cells(inChunks(utf8(text), size), { separator })).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });

  test('names of users, with the separator detected', async () => {
    const users = fc.array(fc.tuple(fc.constant('E1'), storedText, storedText), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(users, fc.boolean(), async (rows, bom) => {
        const bytes = utf8(toCsv([['employeeID', 'name', 'tagSerials'], ...rows], { bom }));
        expect(await cells(bytes)).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });
});

test('raw CSV has no apostrophes, except where our reader would remove one', () => {
  const cells = ['+44 20 7946', '-1', '=1+1', '@x', '1E+02', "'tis", "'=1", "''#N/A"];
  expect(toCsv([cells], { raw: true })).toBe(`+44 20 7946,-1,=1+1,@x,1E+02,'tis,''=1,'''#N/A\r\n`);
});

describe('another CSV reader agrees', () => {
  const foreign = (text: string, delimiter: string): string[][] =>
    parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'] });

  test('on what is written, including apostrophes', () => {
    fc.assert(
      fc.property(anyRows, separators, (rows, separator) => {
        const guarded = rows.map((row) =>
          row.map((cell) =>
            /^'*[=+\-@\t\r\n＝＋－＠]/.test(cell) && !/^\+\d[\d ()./-]*$/.test(cell) ? `'${cell}` : cell,
          ),
        );
        expect(foreign(toCsv(rows, { separator }), separator)).toEqual(guarded);
      }),
      { numRuns: 100 },
    );
  });

  test('on what others write, with or without quotes', async () => {
    const cell = anyText.filter((text) => !/^'+[=+\-@\t\r\n＝＋－＠]/.test(text));
    const written = fc.tuple(cell, fc.boolean()).map(([text, isQuoted]) => {
      const mustBe = /[",;|\t\r\n]/.test(text);
      return mustBe || isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
    });
    const lines = fc.array(fc.tuple(written, written), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        separators,
        fc.constantFrom('\n', '\r\n', '\r'),
        async (rows, separator, end) => {
          const text = rows.map((row) => ['x', ...row].join(separator)).join(end);
          const ours = await cells(`A${separator}B${separator}C${end}${text}`, { separator });
          expect(ours).toEqual(foreign(text, separator));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('no cell is a formula in a spreadsheet', () => {
  test('any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [[cell = ''] = []] = parse(toCsv([[text, 'x']]), { record_delimiter: '\r\n' }) as string[][];
        expect(cell).not.toMatch(/^(?!\+\d[\d ()./-]*$)[=+\-@\t\r\n＝＋－＠]/);
      }),
      { numRuns: 200 },
    );
  });

  test('even if it is split at another separator', () => {
    expect(toCsv([['a;=1+1', 'b\t=2']])).toBe('"a;=1+1","b\t=2"\r\n');
  });

  test.each([
    ['+49 40 123', '+49 40 123'],
    ['+49 (40) 123/45-67', '+49 (40) 123/45-67'],
    ['+4940123', '+4940123'],
    ['+49-40-123', "'+49-40-123"],
    ['+49 - 40', "'+49 - 40"],
    ['+49 40 123 x5', "'+49 40 123 x5"],
    ['+49 40 123\n=1', `"'+49 40 123\n=1"`],
    ["+1 2+cmd|' /C calc'!A0", `"'+1 2+cmd|' /C calc'!A0"`],
    ['-12 34', "'-12 34"],
    ["'+49 40 123", "''+49 40 123"],
    ["'=1", "''=1"],
    ["O'Hara", "O'Hara"],
    [' Ada', '" Ada"'],
    ['Ada ', '"Ada "'],
    [-5, '-5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    ['', ''],
  ])('%j is written as %j', (cell, written) => {
    expect(toCsv([[cell]])).toBe(`${written}\r\n`);
  });
});

test('phone numbers are preserved', async () => {
  const phones = ['+49 40 123', '+49-40', '-12', "'+1", "''+1", '0049'];
  expect(await cells(toCsv([['Phone', 'x'], ...phones.map((phone) => [phone, 'y'])]))).toEqual(
    phones.map((phone) => [phone, 'y']),
  );
});
