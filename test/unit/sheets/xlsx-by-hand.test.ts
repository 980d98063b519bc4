import { describe, expect, test } from 'vitest';
import { scanXml } from '../../../sheets/src/xlsx/xml.js';
import { cells, inChunks, problem, read, utf8 } from './tables.js';
import { column, formatStyles, workbook, workbookFiles, zip } from './workbooks.js';

const text = (reference: string, value: string): string => `<c r="${reference}" t="str"><v>${value}</v></c>`;
const row = (number: number, ...cells: readonly string[]): string =>
  `<row r="${number}">${cells.join('')}</row>`;
const simple = row(1, text('A1', 'ID'), text('B1', 'Name')) + row(2, text('A2', '1'), text('B2', 'Ada'));

/** The texts of a column of cells. */
async function shown(
  values: readonly string[],
  parts: { styles?: string; workbookProperties?: string } = {},
) {
  const table = await read(workbook({ sheetData: column(...values), ...parts }));
  return { texts: table.allRows.map((entry) => entry.cells[0]), warnings: table.warnings };
}

/** What cells of a number format show, all in one sheet, and its warnings. */
async function formatted(cases: readonly (readonly [code: string, value: string, text: string])[]) {
  const values = cases.map(([, value], at) => `<c r="A${at + 2}" s="${at}"><v>${value}</v></c>`);
  const { texts, warnings } = await shown(values, { styles: formatStyles(...cases.map(([code]) => code)) });
  return { shown: cases.map(([code, value], at) => [code, value, texts[at]]), warnings };
}

describe('numbers', () => {
  const numbers = [
    ['543', '543'],
    ['1.2345678901234568E+17', '123456789012345680'],
    ['1E+21', '1000000000000000000000'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.3'],
    ['1E-3', '0.001'],
    ['0.5E+1', '5'],
    ['0012', '12'],
    ['-5', '-5'],
    ['-0', '0'],
    ['5.0', '5'],
  ];
  test('have all their digits, without the noise of floating point', async () => {
    const { texts } = await shown(numbers.map(([value], at) => `<c r="A${at + 2}"><v>${value}</v></c>`));
    expect(numbers.map(([value], at) => [value, texts[at]])).toEqual(numbers);
  });

  test('with more digits than a spreadsheet keeps cause a warning', async () => {
    const { warnings } = await shown([
      '<c r="A2"><v>123456789012345</v></c>',
      '<c r="A3"><v>1.2345678901234E+15</v></c>',
    ]);
    expect(warnings).toEqual([{ code: 'LONG_NUMBER', column: 0, row: 3 }]);
  });
});

describe('number formats', () => {
  const simple: [string, string, string][] = [
    ['00000', '543', '00543'],
    ['00000', '1234567', '1234567'],
    ['00000', '0', '00000'],
    ['"E"0000', '7', 'E0007'],
    ['"E;"0000;[Red]-0000', '7', 'E;0007'],
    ['\\E0000', '7', 'E0007'],
    ['000-000', '1234', '001-234'],
    ['000\\ 000', '1234', '001 234'],
    ['000\\.000', '1234', '001.234'],
    ['[Blue]00000_)', '543', '00543'],
    ['(000) 000-0000', '2025550123', '(202) 555-0123'],
    ['0', '543', '543'],
    ['General', '543', '543'],
    ['@', '543', '543'],
    ['#', '543', '543'],
    ['##0', '5', '5'],
  ];
  test('are applied if they are simple', async () => {
    expect(await formatted(simple)).toEqual({ shown: simple, warnings: [] });
  });

  const complex = [
    ['#,##0', '1234', '1234'],
    ['0.00', '5', '5'],
    ['0%', '0.5', '0.5'],
    ['00000', '5.5', '5.5'],
    ['00000', '-5', '-5'],
    ['[<=9999999]###-####;(###) ###-####', '5550123', '5550123'],
    ['[h]:mm', '1.5', '1.5'],
    ['0.00E+00', '543', '543'],
    ['yyyy', '-1', '-1'],
  ];
  test('otherwise fall back to the plain number, with one warning per column', async () => {
    const line = (number: number, cell: (at: number, reference: string) => string) =>
      row(number, ...complex.map((_, at) => cell(at, `${'ABCDEFGHI'[at]}${number}`)));
    const value = (at: number, reference: string) =>
      `<c r="${reference}" s="${at}"><v>${complex[at]?.[1]}</v></c>`;
    const sheetData = line(1, (at, reference) => text(reference, `H${at}`)) + line(2, value) + line(3, value);
    const styles = formatStyles(...complex.map(([code = '']) => code));
    const { allRows, warnings } = await read(workbook({ sheetData, styles }));
    const plain = complex.map(([, , shown]) => shown);
    expect(allRows.map((each) => each.cells)).toEqual([plain, plain]);
    expect(warnings).toEqual(complex.map((_, column) => ({ code: 'NUMBER_FORMAT', column, row: 2 })));
  });

  test('a style without its own format inherits from its base style', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="0000"/></numFmts><cellStyleXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellStyleXfs><cellXfs><xf xfId="1"/></cellXfs>';
    expect((await shown(['<c r="A2" s="0"><v>7</v></c>'], { styles })).texts).toEqual(['0007']);
  });

  test('a format with unescaped quotes and brackets in its tag', async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode='[>9]"A"00;"B"00'/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`;
    expect((await shown(['<c r="A2" s="0"><v>7</v></c>'], { styles })).warnings).toHaveLength(1);
  });
});

describe('dates', () => {
  const dates: [string, string, string][] = [
    ['dd.mm.yyyy', '45351', '2024-02-29'],
    ['m/d/yy', '1', '1900-01-01'],
    ['m/d/yy', '61', '1900-03-01'],
    ['m/d/yy', '2958465', '9999-12-31'],
    ['[$-407]dddd, d. mmmm yyyy;@', '45351', '2024-02-29'],
    ['"am" dd.mm.yyyy', '45351', '2024-02-29'],
    ['yyyy-mm-dd hh:mm', '45351.75', '2024-02-29T18:00:00'],
    ['yyyy-mm-dd hh:mm', '45351', '2024-02-29'],
    ['dd.mm.yyyy', '45351.75', '2024-02-29'],
    ['hh:mm:ss AM/PM', '0.75', '18:00:00'],
    ['hh:mm', '45351.75', '18:00:00'],
    ['mm:ss', '0.75', '18:00:00'],
    ['m/d/yy', '60', '1900-02-29'], // 1900 is a leap year in Excel
    ['mmm yy', '45351', '2024-02-29'],
  ];
  test('are shown as ISO dates and times, whatever their format', async () => {
    expect(await formatted(dates)).toEqual({ shown: dates, warnings: [] });
  });

  test('built-in formats', async () => {
    const ids = [14, 22, 20, 49, 1, 3];
    const styles = `<cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
    const values = ids.map((_, at) => `<c r="A${at + 2}" s="${at}"><v>45351.5</v></c>`);
    expect((await shown(values, { styles })).texts).toEqual([
      '2024-02-29',
      '2024-02-29T12:00:00',
      '12:00:00',
      '45351.5',
      '45351.5',
      '45351.5',
    ]);
  });

  test('days can count from 1904', async () => {
    const parts = { styles: formatStyles('yyyy-mm-dd'), workbookProperties: '<workbookPr date1904="1"/>' };
    expect((await shown(['<c r="A2" s="0"><v>43889</v></c>'], parts)).texts).toEqual(['2024-02-29']);
  });

  test('cells of type date', async () => {
    const values = [
      '<c r="A2" t="d"><v>2024-02-29T00:00:00</v></c>',
      '<c r="A3" t="d"><v>2024-02-29T18:00:00.000Z</v></c>',
      '<c r="A4" t="d"><v>2024-02-29</v></c>',
    ];
    expect((await shown(values)).texts).toEqual(['2024-02-29', '2024-02-29T18:00:00.000', '2024-02-29']);
  });
});

describe('cells', () => {
  test('formulas have their saved value', async () => {
    const values = [
      '<c r="A2"><f>1+1</f><v>2</v></c>',
      '<c r="A3" t="str"><f>A1&amp;"x"</f><v>00x</v></c>',
      '<c r="A4" t="b"><f>TRUE()</f><v>1</v></c>',
      '<c r="A5" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
    ];
    expect((await shown(values)).texts).toEqual(['2', '00x', 'TRUE', '#DIV/0!']);
  });

  test('shared strings are read run by run, without phonetic hints', async () => {
    const sharedStrings =
      '<si><t>Value</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">Ada </t></r><r><t>Lovelace</t></r></si>' +
      '<si><t>課長</t><rPh sb="0" eb="2"><t>カチョウ</t></rPh></si><si><t>a_x000D_b_x005F_x000D_</t></si><si><t/></si>' +
      '<si><t>&lt;&#65;&#x1F600;&gt;&apos;<![CDATA[<&amp;>]]></t></si>';
    const strings = [1, 2, 3, 5].map((at, index) =>
      row(index + 2, `<c r="A${index + 2}" t="s"><v>${at}</v></c>`),
    );
    const sheetData =
      row(1, '<c r="A1" t="s"><v>0</v></c>') + strings.join('') + row(9, '<c r="A9" t="s"><v>4</v></c>');
    expect(await cells(workbook({ sheetData, sharedStrings }))).toEqual([
      ['Ada Lovelace'],
      ['課長'],
      ['a\rb_x000D_'],
      ["<A😀>'<&amp;>"],
    ]);
  });

  test('text can be inline', async () => {
    const values = [
      '<c r="A2" t="inlineStr"><is><t>00543</t></is></c>',
      '<c r="A3" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>',
    ];
    expect((await shown(values)).texts).toEqual(['00543', 'ab']);
  });

  test('can lack their address, and so can rows', async () => {
    const cell = (value: string): string => `<c t="str"><v>${value}</v></c>`;
    const sheetData = `<row>${cell('ID')}${cell('Name')}</row><row/><row>${cell('1')}<c/>${cell('x')}</row><row>${cell('2')}${cell('Bob')}</row>`;
    const { allRows } = await read(workbook({ sheetData }));
    expect(allRows.map(({ number, cells }) => [number, ...cells])).toEqual([
      [3, '1', ''],
      [4, '2', 'Bob'],
    ]);
  });

  test('far to the right that only have a style are ignored', async () => {
    const sheetData =
      row(1, text('A1', 'ID'), '<c r="XFD1" s="0"/>') + row(2, text('A2', '1'), '<c r="XFD2" s="0"/>');
    const { headings, allRows, warnings } = await read(workbook({ sheetData }));
    expect(headings).toHaveLength(1);
    expect(allRows[0]?.cells).toEqual(['1']);
    expect(warnings).toEqual([]);
  });

  test('outside the table are ignored with a warning', async () => {
    const sheetData =
      row(1, text('A1', 'ID')) + row(2, text('A2', '1')) + row(3, text('A3', '2'), text('C3', 'a remark'));
    const { allRows, warnings } = await read(workbook({ sheetData }));
    expect(allRows.map((entry) => [...entry.cells])).toEqual([['1'], ['2']]);
    expect(warnings).toEqual([{ code: 'CELLS_WITHOUT_HEADING', column: 2, row: 3 }]);
  });

  test('in columns after Z are in the right place', async () => {
    const { headings } = await read(
      workbook({ sheetData: row(1, text('A1', 'ID'), text('AB1', 'Far')) + row(2, text('AB2', 'x')) }),
    );
    expect(headings.at(-1)).toEqual({ column: 27, letter: 'AB', name: 'Far', isEmpty: false });
    expect(headings[25]).toEqual({ column: 25, letter: 'Z', name: 'Z', isEmpty: true });
  });
});

describe('sheets', () => {
  test('the first visible sheet is read', async () => {
    const sheets =
      '<sheet name="Codes" sheetId="1" state="hidden" r:id="rId1"/><sheet name="People" sheetId="2" r:id="rId2"/>';
    const table = await read(workbook({ sheetData: simple, sheets }));
    expect(table.sheet).toBe('People');
    expect(table.sheets).toEqual(['Codes', 'People']);
    expect(table.allRows[0]?.cells).toEqual(['sheet']);
  });

  test('hidden rows are read, with a warning', async () => {
    const sheetData = `${simple}<row r="3" hidden="1">${text('A3', '2')}</row><row r="4" hidden="true">${text('A4', '3')}</row>`;
    const { allRows, warnings } = await read(workbook({ sheetData }));
    expect(allRows).toHaveLength(3);
    expect(warnings).toEqual([{ code: 'HIDDEN_ROWS', row: 3, count: 2 }]);
  });

  test('a warning lists some of many merged cells and their number', async () => {
    const merges = Array.from({ length: 25 }, (_, at) => `<mergeCell ref="A${at}:B${at}"/>`).join('');
    const { warnings } = await read(
      workbook({ sheetData: simple, afterRows: `<mergeCells>${merges}</mergeCells>` }),
    );
    expect(warnings).toMatchObject([{ code: 'MERGED_CELLS', count: 25 }]);
    expect(warnings[0]).toHaveProperty('ranges.length', 10);
  });
});

describe('other writers', () => {
  const files = workbookFiles({ sheetData: simple });
  const expected = [['1', 'Ada']];

  test('write tags with a prefix', async () => {
    const prefixed = Object.fromEntries(
      Object.entries(files).map(([name, xml]) => [
        name,
        name.endsWith('.rels') ? xml : xml.replace(/<(\/?)(?=[a-z])/gi, '<$1x:'),
      ]),
    );
    expect(await cells(zip(prefixed))).toEqual(expected);
  });

  test('write names with backslashes and different case', async () => {
    const renamed = Object.fromEntries(
      Object.entries(files).map(([name, xml]) => [
        name.replaceAll('/', '\\').replace('sheet1', 'Sheet1'),
        xml,
      ]),
    );
    expect(await cells(zip(renamed))).toEqual(expected);
  });

  test.each([
    ['store files uncompressed', { stored: true }],
    ['use 64-bit sizes', { wide: true }],
    ['add a comment', { comment: 'PK made by hand' }],
  ])('%s', async (_, options) => {
    expect(await cells(zip(files, options))).toEqual(expected);
  });

  test('write comments, line breaks and single quotes between the tags', async () => {
    const sheetData = simple.replaceAll('><', '>\r\n <!-- a > b --><').replace(/r="(\w+)"/g, "r = '$1'");
    expect(await cells(workbook({ sheetData }))).toEqual(expected);
  });

  test('write UTF-16', async () => {
    const wide = {
      ...files,
      'xl/worksheets/sheet1.xml': Buffer.from(`\uFEFF${files['xl/worksheets/sheet1.xml']}`, 'utf16le'),
    };
    expect(await cells(zip(wide))).toEqual(expected);
  });

  test('omit shared strings and styles', async () => {
    const { 'xl/styles.xml': _, 'xl/sharedStrings.xml': __, ...few } = files;
    expect(await cells(zip(few))).toEqual(expected);
  });
});

describe('rejects', () => {
  const files = workbookFiles({ sheetData: simple });
  const good = zip(files);

  test('a file whose declared unpacked size is too large', async () => {
    const bomb = zip({
      ...files,
      'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(1_000_000)}</worksheet>`,
    });
    expect(bomb.length).toBeLessThan(10_000);
    expect(await problem(bomb, { inflatedBytesMax: 500_000 })).toEqual({
      code: 'WORKBOOK_TOO_LARGE',
      max: 500_000,
    });
    expect(await problem(zip(files, { claimedBytes: 4_000_000_000 }))).toMatchObject({
      code: 'WORKBOOK_TOO_LARGE',
    });
  });

  test('a file that unpacks to more than it declares', async () => {
    expect(await problem(zip(files, { claimedBytes: 10 }))).toMatchObject({ code: 'WORKBOOK_DAMAGED' });
  });

  test('a file with a wrong checksum', async () => {
    expect(await problem(zip(files, { claimedChecksum: 1 }))).toMatchObject({ code: 'WORKBOOK_DAMAGED' });
  });

  test('a truncated file', async () => {
    for (const share of [0.3, 0.6, 0.9, 0.99]) {
      const cut = good.subarray(0, Math.floor(good.length * share));
      expect(await problem(cut)).toEqual({ code: 'WORKBOOK_DAMAGED', part: 'zip' });
    }
  });

  test('a file with a flipped bit, or reads the same table', async () => {
    const expected = await cells(good);
    for (let at = 0; at < good.length; at += 89) {
      const flipped = Uint8Array.from(good, (byte, index) => (index === at ? byte ^ 0x10 : byte));
      if ((await problem(flipped)) === 'none') expect(await cells(flipped)).toEqual(expected);
    }
  });

  test.each([
    ['a duplicate cell', row(2, text('A2', '1'), text('A2', '2'))],
    ['cells out of order', row(2, text('B2', '1'), text('A2', '2'))],
    ['a cell in the wrong row', row(2, text('A3', '1'))],
    ['a cell without a column', row(2, text('2', '1'))],
    ['a duplicate row', row(2, text('A2', '1')) + row(2, text('A2', '2'))],
    ['rows out of order', row(3, text('A3', '1')) + row(2, text('A2', '2'))],
    ['malformed merged cells', `${row(2, text('A2', '1'))}<mergeCell ref="here"/>`],
    [
      'more array formulas over a row than it has cells',
      row(
        2,
        ...Array.from(
          { length: 4 },
          (_, at) => `<c r="${'ABCD'[at]}2"><f t="array" ref="A2:D9">1</f><v>1</v></c>`,
        ),
      ),
    ],
  ])('%s', async (_, rows) => {
    const sheetData = row(1, text('A1', 'ID')) + rows;
    expect(await problem(workbook({ sheetData }), { columnsMax: 3 })).toMatchObject({
      code: 'WORKBOOK_DAMAGED',
    });
  });

  test('XML that defines entities', async () => {
    const sheet = 'xl/worksheets/sheet1.xml';
    const defined = `<!DOCTYPE x [<!ENTITY a "b">]>${files[sheet]}`;
    expect(await problem(zip({ ...files, [sheet]: defined }))).toEqual({
      code: 'WORKBOOK_DAMAGED',
      part: sheet,
    });
  });

  test('a reference to a missing shared string', async () => {
    const sheetData = row(1, '<c r="A1" t="s"><v>7</v></c>');
    expect(await problem(workbook({ sheetData }))).toEqual({
      code: 'WORKBOOK_DAMAGED',
      part: 'xl/worksheets/sheet1.xml',
    });
  });

  test('too many columns and a row that is too long', async () => {
    const far = workbook({ sheetData: simple + row(3, text('XFD3', 'x')) });
    expect(await problem(far)).toEqual({ code: 'TOO_MANY_COLUMNS', line: 3, max: 1_000 });
    const long = workbook({ sheetData: simple + row(3, text('A3', 'x'.repeat(300))) });
    expect(await problem(long, { rowCharactersMax: 200 })).toEqual({
      code: 'ROW_TOO_LONG',
      line: 3,
      max: 200,
    });
  });

  test('a cell that is longer than any, in one piece or many', async () => {
    const tooLong = { code: 'CELL_TOO_LONG', max: 262_144 };
    const piece = 'x'.repeat(65_536);
    const pieces = (tag: string) => `<${tag}>${piece}</${tag}>`.repeat(4);
    const read = (more: string, sharedStrings = '') =>
      problem(workbook({ sheetData: simple + row(3, more), sharedStrings }));
    expect(await read(`<c r="A3" t="str">${pieces('v')}</c>`)).toBe('none');
    expect(await read(`<c r="A3" t="str">${pieces('v')}<v>x</v></c>`)).toEqual(tooLong);
    expect(await read(`<c r="A3" t="str"><v>${piece}${'<!---->x'.repeat(200_000)}</v></c>`)).toEqual(tooLong);
    expect(await read(`<c r="A3" t="inlineStr"><is>${pieces('t')}<t>x</t></is></c>`)).toEqual(tooLong);
    expect(await read('<c r="A3" t="s"><v>0</v></c>', `<si>${pieces('t')}<t>x</t></si>`)).toEqual(tooLong);
    expect(await read('', `<si>${'<r>'.repeat(100_000)}<t>x</t></si>`), 'deeply nested').toBe('none');
  });

  test('a row below the last one, and merged cells that are wider than a row', async () => {
    const damaged = { code: 'WORKBOOK_DAMAGED', part: 'xl/worksheets/sheet1.xml' };
    expect(await problem(workbook({ sheetData: `${simple}<row r="1048576"/>` }))).toBe('none');
    expect(await problem(workbook({ sheetData: `${simple}<row r="1048576"/><row/>` }))).toEqual(damaged);
    const afterRows = `<mergeCells>${'<mergeCell ref="A1:ALL2"/>'.repeat(2)}</mergeCells>`;
    expect(await problem(workbook({ sheetData: simple, afterRows }))).toEqual(damaged);
  });

  test('a tag that does not end, or a tag or text of more than a megabyte', async () => {
    async function* chunks(...texts: readonly string[]) {
      for (const each of texts) yield utf8(each);
      throw new Error('nothing more is read');
    }
    const scanned = (...texts: readonly string[]) => scanXml(chunks(...texts), 'a part', {});
    const damaged = { problem: { code: 'WORKBOOK_DAMAGED', part: 'a part' } };
    const long = 'a'.repeat(1_048_576);
    await expect(scanned(`<v>${long}`, 'a</v>')).rejects.toThrow('nothing more is read');
    await expect(scanned(`<v>${long}a`)).rejects.toMatchObject(damaged);
    await expect(scanned(`<row ${long}`)).rejects.toMatchObject(damaged);
    await expect(scanXml(inChunks(utf8('<row a'), 9), 'a part', {})).rejects.toMatchObject(damaged);
  });
});
