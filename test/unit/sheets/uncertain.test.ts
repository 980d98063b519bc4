import { describe, expect, test } from 'vitest';
import { createItemReader, type FieldName, openTable, type TableSource } from '../../../sheets/src/index.js';
import { readMergedCells } from '../../../sheets/src/xlsx/merged-cells.js';
import { inChunks, utf8 } from './tables.js';
import { formatStyles, workbook, workbookFiles, zip } from './workbooks.js';

interface Parts {
  readonly styles?: string;
  readonly workbookProperties?: string;
  readonly sharedStrings?: string;
  readonly afterRows?: string;
}

const heading = '<row r="1"><c r="A1" t="str"><v>ID</v></c><c r="B1" t="str"><v>Value</v></c></row>';

/** A sheet with E2 and E3 in column A, and this cell in column B of row 2. */
const sheetWith = (cell: string, parts: Parts = {}) =>
  workbook({
    sheetData: `${heading}<row r="2"><c r="A2" t="str"><v>E2</v></c>${cell}</row><row r="3"><c r="A3" t="str"><v>E3</v></c></row>`,
    ...parts,
  });

/** Reads the second column as a field, like a sync in which empty cells clear fields. */
async function read(source: TableSource | Uint8Array, field: FieldName) {
  const { headings, rows } = await openTable(
    source instanceof Uint8Array ? inChunks(source, 50_000) : source,
  );
  const mapping = field === 'employeeID' ? { employeeID: [1] } : { employeeID: [0], [field]: [1] };
  const toItem = createItemReader({ operation: 'sync', headings, mapping, empty: 'clears' });
  const all = [];
  for await (const row of rows) all.push(toItem(row));
  return all;
}

/** The value of the field in the first row, or the code of its problem. */
async function given(source: TableSource | Uint8Array, field: FieldName) {
  const [first] = await read(source, field);
  return first?.item ? first.item[field as 'phone'] : first?.problems[0]?.code;
}

/** The same for several cells, each written for B2, in one sheet. */
async function givenEach(cells: readonly string[], field: FieldName, parts: Parts = {}) {
  const rows = cells.map((cell, at) => {
    const id = `<c r="A${at + 2}" t="str"><v>E${at}</v></c>`;
    return `<row r="${at + 2}">${id}${cell.replaceAll('B2', `B${at + 2}`)}</row>`;
  });
  const all = await read(workbook({ sheetData: heading + rows.join(''), ...parts }), field);
  return all.map(({ item, problems }) => (item ? item[field as 'phone'] : problems[0]?.code));
}

const uncertain = 'VALUE_UNCERTAIN';
const wholeNumber = (digits: string): string => `<c r="B2"><v>${digits}</v></c>`;

describe('a formula without its result fails the row', () => {
  const formulas = [
    ['without a value', '<c r="B2"><f>A1</f></c>'],
    ['with an empty value', '<c r="B2"><f>A1</f><v></v></c>'],
    ['with a self-closing value', '<c r="B2"><f>A1</f><v/></c>'],
    ['of type text', '<c r="B2" t="str"><f>A1</f></c>'],
    ['of type inline text', '<c r="B2" t="inlineStr"><f>A1</f></c>'],
    ['of type boolean', '<c r="B2" t="b"><f>A1</f></c>'],
    ['that is shared', '<c r="B2"><f t="shared" si="0"/></c>'],
    ['for several cells', '<c r="B2"><f t="array" ref="B2:B3">A1:A2</f></c>'],
  ];
  test('whatever its type', async () => {
    const codes = await givenEach(
      formulas.map(([, cell = '']) => cell),
      'phone',
    );
    expect(formulas.map(([what], at) => [what, codes[at]])).toEqual(
      formulas.map(([what]) => [what, uncertain]),
    );
  });

  test('and says what to do', async () => {
    const [first] = await read(sheetWith('<c r="B2"><f>A1</f></c>'), 'phone');
    expect(first?.item).toBeUndefined();
    expect(first?.problems).toEqual([
      {
        code: uncertain,
        row: 2,
        line: 2,
        field: 'phone',
        column: 1,
        text: '',
        detail:
          '"phone": The cell is a formula whose result is not in the file. Open the file in Excel and save it so formulas are calculated.',
        reason: 'FORMULA_NOT_CALCULATED',
      },
    ]);
  });

  test('the other cells of an array formula, which are empty', async () => {
    const cell = '<c r="B2"><f t="array" ref="B2:B3">A1:A2</f><v>5550123</v></c>';
    const [first, second] = await read(sheetWith(cell), 'phone');
    expect(first?.item).toMatchObject({ phone: '5550123' });
    expect(second?.problems).toMatchObject([{ code: uncertain, row: 3 }]);
  });

  test('any result, if the file requests a full recalculation', async () => {
    const cell = '<c r="B2"><f>A1</f><v>0</v></c>';
    const parts = { workbookProperties: '<calcPr calcId="1" fullCalcOnLoad="1"/>' };
    expect(await given(sheetWith(cell), 'isActive')).toBe(false);
    expect(await given(sheetWith(cell, parts), 'isActive')).toBe(uncertain);
  });

  test('even if the rest of the row is empty: it is not a blank row', async () => {
    const sheetData = `${heading}<row r="2"><c r="A2" t="str"><v>E2</v></c></row><row r="3"><c r="A3"><f>A2</f></c></row>`;
    const all = await read(workbook({ sheetData }), 'phone');
    expect(all.map(({ row, problems }) => [row, problems[0]?.code])).toEqual([
      [2, undefined],
      [3, uncertain],
    ]);
  });

  test('but a formula with an empty text as its result is valid', async () => {
    expect(await given(sheetWith('<c r="B2" t="str"><f>""</f><v></v></c>'), 'phone')).toBe('');
  });

  test('but a cell that is missing or has only a style is empty, not uncertain', async () => {
    const cells = ['<c r="B2" s="0"/>', '<c r="B2" t="s"/>', ''];
    expect(await givenEach(cells, 'phone')).toEqual(['', '', '']);
  });
});

describe('a number that may have been rounded fails the row', () => {
  const rounded = [
    '1234567890123456',
    '1234567890123450',
    '12345678901234567890',
    '1.23457E+15',
    '1E+21',
    '1.2345678901234568E+17',
  ];
  test(`such as ${rounded.join(', ')}`, async () => {
    const [first] = await read(sheetWith(wholeNumber(rounded[0] ?? '')), 'employeeID');
    expect(first?.employeeID).toBeUndefined();
    expect(first?.problems).toMatchObject([{ code: uncertain, field: 'employeeID' }]);
    expect(first?.problems[0]?.detail).toContain('Format the column as text');
    for (const field of ['employeeID', 'organizationSerial'] as const)
      expect(await givenEach(rounded.map(wholeNumber), field)).toEqual(rounded.map(() => uncertain));
  });

  test('a fraction with floating-point noise', async () => {
    expect(await given(sheetWith(wholeNumber('0.30000000000000004')), 'organizationSerial')).toBe(uncertain);
    expect(await given(sheetWith(wholeNumber('1.1000000000000001')), 'organizationSerial')).toBe('1.1');
  });

  test('but not one whose digits a spreadsheet keeps', async () => {
    const digits = ['999999999999999', '1.23457E11', '1.2345678E7'];
    expect(await givenEach(digits.map(wholeNumber), 'employeeID')).toEqual([
      '999999999999999',
      '123457000000',
      '12345678',
    ]);
  });

  test('in CSV, if a spreadsheet shortened it', async () => {
    for (const text of ['1.23457E+15', '"1,23457E+15"', '1.00E+05', '1E+05']) {
      expect(await given(`ID,Value\nE1,${text}\n`, 'employeeID'), text).toBe(uncertain);
      expect(await given(`ID,Value\nE1,${text}\n`, 'organizationSerial'), text).toBe(uncertain);
      expect(await given(`ID,Value\nE1,${text}\n`, 'phone'), text).toBe(uncertain);
    }
    expect(await given('ID,Value\nE1,1E5\n', 'employeeID')).toBe('1E5');
    expect(await given('ID,Value\nE1,1E15\n', 'employeeID')).toBe('1E15');
    expect(await given('ID,Value\nE1,12345678901234567890\n', 'employeeID')).toBe('12345678901234567890');
  });

  test.each(['12345678901234567890', '9007199254740993', '1e16', '543.5', '0.1e-30'])(
    'in JSON: %s',
    async (digits) => {
      expect(await given(`[{"ID":"E1","Value":${digits}}]`, 'employeeID')).toMatch(
        /^(?:VALUE_UNCERTAIN|FIELD_INVALID)$/,
      );
    },
  );

  test('but numbers in JSON that every program preserves are valid', async () => {
    expect(await given('[{"ID":"E1","Value":9007199254740991}]', 'employeeID')).toBe('9007199254740991');
    expect(await given('[{"ID":"E1","Value":543.0}]', 'employeeID')).toBe('543');
    expect(await given('[{"ID":"E1","Value":"12345678901234567890"}]', 'employeeID')).toBe(
      '12345678901234567890',
    );
  });
});

describe('a number that its format displays differently fails the row', () => {
  const shown = (code: string, digits: string, field: FieldName = 'employeeID') =>
    given(
      sheetWith(`<c r="B2" s="1"><v>${digits}</v></c>`, { styles: formatStyles('General', code) }),
      field,
    );

  const shownEach = async (cases: readonly (readonly string[])[]) => {
    const cells = cases.map(([, digits], at) => `<c r="B2" s="${at}"><v>${digits}</v></c>`);
    const styles = formatStyles(...cases.map(([code = '']) => code));
    const values = await givenEach(cells, 'employeeID', { styles });
    return cases.map(([code, digits], at) => [code, digits, values[at]]);
  };

  const hidden = [
    ['0.00E+00', '100000'], // typed as 1E5
    ['##0.0E+0', '100000'],
    ['0%', '1'],
    ['# ?/?', '5'],
    ['0,', '12345'],
    ['[>9]"A"00;"B"00', '7'],
    ['[Red][>9]"A"00;"B"00', '7'],
    ['[<=999]000;00000', '7'],
    ['"E"#,##0', '1234'],
    ['0" USD"', '5.5'],
    ['0', '5.5'],
    ['"yes";"no";"none"', '0'],
    [';;;', '5'],
    ['#', '0'],
    ['0;-0;', '0'],
    ['[DBNum1]0', '5'],
    ['yyyy', '45351'],
    ['mmm', '45351'],
    ['h:mm', '0.5'],
    ['[h]', '1.5'],
  ];
  test('whatever the format', async () => {
    expect(await shownEach(hidden)).toEqual(hidden.map((each) => [...each, uncertain]));
  });

  const plain = [
    ['#,##0', '1234', '1234'],
    ['0.00', '543', '543'],
    ['_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-;_-@_-', '543', '543'],
    ['#,##0 [$€-407]', '543', '543'],
    ['"E"000', '7', 'E007'],
    ['General;-General', '543', '543'],
  ];
  test('but not one that only has separators, a prefix or a currency', async () => {
    expect(await shownEach(plain)).toEqual(plain);
  });

  test('a phone number keeps its digits, whatever its format shows between them', async () => {
    expect(await shown('[<=9999999]###-####;(###) ###-####', '5550123', 'phone')).toBe('5550123');
  });

  test('a date is not a phone number', async () => {
    expect(await shown('d-m', '45351', 'phone')).toBe(uncertain);
    expect(await given(sheetWith('<c r="B2" t="d"><v>2024-02-29</v></c>'), 'phone')).toBe(uncertain);
  });

  test('an unknown style', async () => {
    expect(await given(sheetWith('<c r="B2" s="7"><v>5</v></c>'), 'employeeID')).toBe(uncertain);
  });

  test('a format crafted to be slow is not parsed', async () => {
    expect(await shown(`${'[]'.repeat(4_000)}"`, '5')).toBe(uncertain);
  });
});

describe('a cell of the wrong type fails the row', () => {
  const wrong: [what: string, cell: string, code: string][] = [
    ['a boolean', '<c r="B2" t="b"><v>1</v></c>', uncertain],
    ['an error', '<c r="B2" t="e"><v>#DIV/0!</v></c>', 'CELL_IS_ERROR'],
    ['an unknown error', '<c r="B2" t="e"><v>#NEW!</v></c>', 'CELL_IS_ERROR'],
    ['an error without a name', '<c r="B2" t="e"><v></v></c>', uncertain],
    ['an unknown type', '<c r="B2" t="money"><v>5</v></c>', uncertain],
    ['a malformed number', '<c r="B2"><v>12a</v></c>', uncertain],
    ['an infinite number', '<c r="B2"><v>INF</v></c>', uncertain],
    ['a number without digits', '<c r="B2"><v></v></c>', uncertain],
    ['an empty reference to a text', '<c r="B2" t="s"><v></v></c>', uncertain],
    ['text in the wrong element', '<c r="B2" t="inlineStr"><v>E5</v></c>', uncertain],
    ['text without its type', '<c r="B2"><is><t>E5</t></is></c>', uncertain],
  ];
  test('whatever the type', async () => {
    for (const field of ['employeeID', 'organizationSerial'] as const) {
      const codes = await givenEach(
        wrong.map(([, cell]) => cell),
        field,
      );
      expect(wrong.map(([what, cell], at) => [what, cell, codes[at]])).toEqual(wrong);
    }
  });

  test('a boolean is accepted for a boolean field, and never false by default', async () => {
    const values = ['1', 'TRUE', '0', 'false', '2', 'yes'];
    const cells = values.map((value) => `<c r="B2" t="b"><v>${value}</v></c>`);
    expect(await givenEach(cells, 'isActive')).toEqual([true, true, false, false, uncertain, uncertain]);
  });

  test('but text is accepted: shared, in runs, or inline', async () => {
    const sharedStrings = '<si><r><t>E</t></r><r><t>5</t></r></si>';
    expect(await given(sheetWith('<c r="B2" t="s"><v>0</v></c>', { sharedStrings }), 'employeeID')).toBe(
      'E5',
    );
    expect(await given(sheetWith('<c r="B2" t="inlineStr"><is><t>E5</t></is></c>'), 'employeeID')).toBe('E5');
  });

  test('true, a list, or a duplicate key in JSON', async () => {
    expect(await given('[{"ID":"E1","Value":true}]', 'employeeID')).toBe(uncertain);
    expect(await given('[{"ID":"E1","Value":true}]', 'isActive')).toBe(true);
    expect(await given('[{"ID":"E1","Value":["E5"]}]', 'employeeID')).toBe(uncertain);
    expect(await given('[{"ID":"E1","Value":["T5"]}]', 'tagSerials')).toEqual(['T5']);
    expect(await given('[{"ID":"E1","Value":[12345678901234567890]}]', 'tagSerials')).toBe(uncertain);
    expect(await given('[{"ID":"E1","Value":"E5","Value":"E6"}]', 'employeeID')).toBe(uncertain);
    expect(await given('[{"ID":"E1","Value":"5","x":{"y":1,"y":2}}]', 'employeeID')).toBe(uncertain);
    expect(await given('[{"ID":"E1","a":{"b":"5"},"a.b":"6"}]', 'employeeID')).toBe(uncertain);
  });

  test.each(['#FIELD!', '#¡VALOR!', '#ÜBERLAUF!', '########', 'Err:508'])('%s in CSV', async (text) => {
    expect(await given(`ID,Value\nE1,${text}\n`, 'name')).toBe('CELL_IS_ERROR');
  });
});

describe('a cell covered by merged cells fails the row', () => {
  const merged = (ref: string): Parts => ({
    afterRows: `<mergeCells><mergeCell ref="${ref}"/></mergeCells>`,
  });
  const phone = '<c r="B2" t="str"><v>5550123</v></c>';

  test('below the first', async () => {
    const [first, second] = await read(sheetWith(phone, merged('B2:B3')), 'phone');
    expect(first?.item).toMatchObject({ phone: '5550123' });
    expect(second?.problems).toMatchObject([{ code: uncertain, field: 'phone', row: 3 }]);
    expect(second?.problems[0]?.detail).toContain('Unmerge');
  });

  test('next to the first, and in a UTF-16 sheet', async () => {
    expect(await given(sheetWith('', merged('A2:B2')), 'phone')).toBe(uncertain);
    const sheetData = `${heading}<row r="2"><c r="A2" t="str"><v>E2</v></c></row>`;
    const files = workbookFiles({ sheetData, ...merged('A2:B2') });
    const sheet = 'xl/worksheets/sheet1.xml';
    const wide = Buffer.from(`\uFEFF${files[sheet]}`, 'utf16le');
    expect(await given(zip({ ...files, [sheet]: wide }), 'phone')).toBe(uncertain);
  });

  test('however the bytes of the sheet are split', async () => {
    const xml = utf8('<worksheet><mergeCells><mergeCell ref="A2:B2"/></mergeCells></worksheet>');
    for (let size = 1; size <= xml.length; size++) {
      const archive = { names: [], read: () => inChunks(xml, size) };
      expect(await readMergedCells(archive, 'a sheet'), `${size} bytes`).toMatchObject({ count: 1 });
    }
  });

  test('but blank rows stay blank', async () => {
    expect(await read(sheetWith(phone, merged('A5:B9')), 'phone')).toHaveLength(2);
    const sheetData = `${heading}<row r="2"><c r="A2" t="str"><v>E2</v></c></row><row r="3"><c r="A3" s="0"/></row>`;
    const parts = { sheetData, ...merged('A2:A3') };
    expect(await read(workbook(parts), 'phone')).toHaveLength(1);
  });
});

test('a missing cell does not clear its field', async () => {
  const all = await read('ID,Value\nE1,\nE2\nE3,5550123\n', 'phone');
  expect(all.map(({ item, problems }) => item?.phone ?? problems[0]?.code)).toEqual([
    '',
    uncertain,
    '5550123',
  ]);
});
