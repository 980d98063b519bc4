import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  type BoundRecipe,
  bindRecipe,
  type ColumnRecipe,
  createSurveyor,
  createSyncRowReader,
  type Recipe,
  type Row,
  type RowNote,
  readEffectiveDate,
  type TableSource,
} from '../../../sheets/src/index.js';
import { read } from './tables.js';

const attributes = (['text', 'number', 'boolean', 'date'] as const).map(
  (type): Attribute => ({
    ...{ key: type, type, labels: {}, synonyms: [], maxLength: null, minimum: null, maximum: null },
    ...{ choices: null, isRetired: false },
  }),
);

const id: ColumnRecipe = { field: 'employeeID', columns: ['ID'] };

/** The rows of a file as a sync with the recipe reads them. */
async function bound(source: TableSource, recipe: Recipe) {
  const { headings, allRows } = await read(source);
  const result = bindRecipe(recipe, headings);
  if (!result.ok) throw new Error(JSON.stringify(result.missing));
  return { ...result, ...readBound(result, allRows, recipe.empty) };
}

function readBound(
  { headings, columns, transform }: BoundRecipe,
  all: readonly Row[],
  empty?: Recipe['empty'],
) {
  const meaningOf = (_: string, name: string) => name;
  const options = { empty: empty ?? 'leaves', isComplete: false, meaningOf, attributes };
  const rows = all.map(transform);
  return { rows, read: rows.map(createSyncRowReader(headings, columns, options)) };
}

/** What a column with these steps makes of the cells in one column. */
async function converted(steps: Partial<ColumnRecipe>, ...cells: string[]): Promise<string[]> {
  const rows = cells.map((cell) => `E,"${cell.replaceAll('"', '""')}"\n`).join('');
  const column: ColumnRecipe = { field: 'attributes.text', columns: ['Value'], ...steps };
  const { rows: derived } = await bound(`ID,Value\n${rows}`, { columns: [id, column] });
  return derived.map((row) => row.cells[1] ?? '');
}

/** The value or the problem of a field, in each row. */
const outcomes = ({ read: rows }: ReturnType<typeof readBound>, field: string): unknown[] =>
  rows.map((row) => {
    if (row.problem) return row.problem.detail;
    const { attributes: values = {}, ...fields } = row.sync.fields;
    return { ...fields, ...values }[field];
  });

describe('joined columns', () => {
  test('are in the order of the recipe, without empty cells', async () => {
    const name: ColumnRecipe = { field: 'name', columns: ['First', 'Middle', 'Last'] };
    const source = 'ID,Last,First,Middle\nE1,Lovelace,Ada,\nE2, Hopper ,Grace,Brewster\nE3,,,\n';
    const { rows } = await bound(source, { columns: [id, name, { ...name, separator: '/' }] });
    expect(rows.map(({ cells }) => cells.slice(1))).toEqual([
      ['Ada Lovelace', 'Ada/Lovelace'],
      ['Grace Brewster Hopper', 'Grace/Brewster/Hopper'],
      ['', ''],
    ]);
  });

  test('keep accents and the direction of texts', async () => {
    const name: ColumnRecipe = { field: 'name', columns: ['First', 'Last'] };
    const source = 'ID,First,Last\nE1,José,Núñez\nE2,محمد,علي\n';
    expect(outcomes(await bound(source, { columns: [id, name] }), 'name')).toEqual([
      'José Núñez',
      'محمد علي',
    ]);
  });

  test('do not hide a formula error or a shortened number', async () => {
    const phone: ColumnRecipe = { field: 'phone', columns: ['Area', 'Number'], prefix: '+' };
    const source = 'ID,Area,Number\nE1,#N/A,5\nE2,1,4.41E+11\nE3,1,5\n';
    expect(outcomes(await bound(source, { columns: [id, phone] }), 'phone')).toEqual([
      '"phone": The cell contains #N/A, which is a formula error.',
      expect.stringContaining('4.41E+11 is a long number that a spreadsheet shortened'),
      '+1 5',
    ]);
  });
});

test('a constant is the same in every row', async () => {
  const constant: ColumnRecipe = { field: 'organizationSerial', columns: [], constant: 'HQ' };
  const result = await bound('ID\nE1\nE2\n', { columns: [id, constant] });
  expect(outcomes(result, 'organizationSerial')).toEqual(['HQ', 'HQ']);
  expect(result.headings[1]?.name).toBe('organizationSerial');
});

test('a single column without steps is passed on as it is, because spaces may belong to a serial', async () => {
  expect(await converted({}, ' A 1 ')).toEqual([' A 1 ']);
});

describe('value table', () => {
  const values = { A: 'true', ' Aktív ': 'true', Z: 'false' };

  test('compares whole values, ignoring case, surrounding space and how accents are encoded', async () => {
    const cells = ['A', ' a ', 'AKTÍV', 'akti\u0301v', 'z', 'AA', ''];
    expect(await converted({ values }, ...cells)).toEqual([
      ...['true', 'true', 'true', 'true', 'false', 'AA', ''],
    ]);
  });

  test('can empty other values, and leaves empty cells empty unless it has an entry for them', async () => {
    expect(await converted({ values, otherwise: 'empty' }, 'A', 'X', '')).toEqual(['true', '', '']);
    expect(await converted({ values, otherwise: 'reject' }, '')).toEqual(['']);
    expect(await converted({ values: { '': 'none' } }, '', ' ', 'X')).toEqual(['none', 'none', 'X']);
  });

  test('can refuse rows with other values, naming the value and the column', async () => {
    const status: ColumnRecipe = { field: 'isActive', columns: ['Status'], values, otherwise: 'reject' };
    const result = await bound('ID,Status\nE1,A\nE2, X9\n', { columns: [id, status] });
    expect(outcomes(result, 'isActive')).toEqual([
      true,
      '"Status": "X9" is not in the value table of this column.',
    ]);
  });

  test('does not lose a user whose employee ID it refuses', async () => {
    const kinds = { values: { E1: 'E1', E2: 'E2' }, otherwise: 'reject' } as const;
    const columns: ColumnRecipe[] = [
      { ...id, ...kinds },
      { field: 'renamedFrom', columns: ['Old'], ...kinds },
    ];
    const { rows, columns: mapped, read } = await bound('ID,Old\nX1,\nE1,X2\nX3,E2\n', { columns });
    const surveyor = createSurveyor(mapped);
    for (const row of rows) surveyor.add(row);
    expect(surveyor.survey().unreadable).toEqual({ rows: [2, 3, 4], count: 3 });
    expect(read.map(({ problem }) => problem?.detail)).toEqual([
      '"ID": "X1" is not in the value table of this column.',
      '"Old": "X2" is not in the value table of this column.',
      '"ID": "X3" is not in the value table of this column.',
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is a value like any other', async (value) => {
    // In a literal, __proto__ would be the prototype.
    const parsed = JSON.parse(`{"${value}":"found"}`) as Record<string, string>;
    expect(await converted({ values: parsed }, value, 'other')).toEqual(['found', 'other']);
    expect(await converted({ values: { A: 'B' } }, value)).toEqual([value]);
  });
});

describe('padding and prefix', () => {
  test.each<[string, Partial<ColumnRecipe>, string, string]>([
    ['zeros fill the length', { padTo: 5 }, ' 42 ', '00042'],
    ['a longer value stays', { padTo: 5 }, '1234567', '1234567'],
    ['an empty cell stays empty', { padTo: 5, prefix: 'E' }, '  ', ''],
    ['a letter with an accent counts once', { padTo: 3 }, 'É', '00É'],
    ['a character outside the BMP counts once', { padTo: 3 }, '𝟙𝟚', '0𝟙𝟚'],
    ['a prefix is added', { prefix: 'E-' }, '7', 'E-7'],
    ['but not twice', { prefix: 'E-' }, 'E-7', 'E-7'],
    ['nor ignoring case', { prefix: 'E-' }, 'e-7', 'E-e-7'],
    ['to text from right to left, in the order of reading', { prefix: 'ع' }, 'لي', 'علي'],
    ['after the table and the padding', { values: { x: '7' }, padTo: 3, prefix: 'E' }, 'X', 'E007'],
    ['not to what the table empties', { values: { x: '' }, padTo: 3, prefix: 'E' }, 'x', ''],
  ])('%s', async (_, steps, cell, text) => {
    expect(await converted(steps, cell)).toEqual([text]);
  });
});

describe('dates', () => {
  test.each<[string, string, string]>([
    ['DD.MM.YYYY', '05.06.2026', '2026-06-05'],
    ['MM/DD/YYYY', '05/06/2026', '2026-05-06'],
    ['M/D/YY', '5/16/26', '2026-05-16'],
    ['M/D/YY', '12/1/49', '2049-12-01'],
    ['M/D/YY', '12/1/50', '1950-12-01'],
    ['M/D/YY', '12/1/99', '1999-12-01'],
    ['D. M. YYYY', '5. 6. 2026', '2026-06-05'],
    ['YYYYMMDD', '20260605', '2026-06-05'],
    ['DD.MM.YYYY', '29.02.2028', '2028-02-29'],
    ['DD.MM.YYYY', '2026-06-05', '2026-06-05'],
    ['DD.MM.YYYY', '2026-06-05T00:00:00Z', '2026-06-05'],
    ['DD.MM.YYYY', '', ''],
  ])('in the format %s: %j is %j', async (dateFormat, cell, text) => {
    expect(await converted({ dateFormat }, cell)).toEqual([text]);
  });

  test.each([
    ['DD.MM.YYYY', '29.02.2026'],
    ['DD.MM.YYYY', '1.2.2026'],
    ['MM.DD.YYYY', '13.02.2026'],
    ['YYYYMMDD', '00000000'],
    ['M/D/YY', '5/16/2026'],
    ['DD.MM.YYYY', '٠٥.٠٦.٢٠٢٦'],
  ])('in the format %s, %s fails the row, even if the field knows a date in it', async (dateFormat, cell) => {
    const date: ColumnRecipe = { field: 'attributes.date', columns: ['Hired'], dateFormat };
    const result = await bound(`ID,Hired\nE1,${cell}\n`, { columns: [id, date] });
    expect(outcomes(result, 'date')).toEqual([
      `"Hired": "${cell}" is not a date in the format of this column.`,
    ]);
    expect(result.rows[0]?.cells[1]).toBe(cell);
  });

  test('say when a row takes effect, or why that is not known', async () => {
    const from: ColumnRecipe = { field: 'effectiveDate', columns: ['From'], dateFormat: 'D/M/YYYY' };
    const result = await bound('From,ID\n1/2/2026,E1\n,E2\n2/30/2026,E3\n#N/A,E4\n', { columns: [id, from] });
    const { effectiveDate = -1, headings, rows } = result;
    expect(effectiveDate).toBe(1);
    expect(rows.map((row) => readEffectiveDate(row, effectiveDate, headings))).toEqual([
      { date: '2026-02-01' },
      { date: undefined },
      {
        problem: {
          code: 'EFFECTIVE_DATE_INVALID',
          detail: '"From": "2/30/2026" is not a date in the format of this column.',
        },
      },
      {
        problem: {
          code: 'EFFECTIVE_DATE_INVALID',
          detail: '"From": "#N/A" is not a date such as 2026-12-31 or 31.12.2026.',
        },
      },
    ]);
  });
});

describe('what the file says about a cell', () => {
  const values = { '1E5': 'one', FALSE: 'true', TRUE: 'false' };

  test('holds for every cell that comes from it, in the order of the recipe', async () => {
    const columns: ColumnRecipe[] = [
      { field: 'attributes.boolean', columns: ['Leaver'], values },
      { field: 'attributes.text', columns: ['Leaver'], values },
      id,
    ];
    const { rows } = await bound('{"ID":"E1","Note":["a"],"Leaver":true}', { columns });
    expect(rows[0]).toMatchObject({ number: 1, line: 1, cells: ['false', 'false', 'E1'] });
    expect(rows[0]?.notes).toEqual([
      { code: 'VALUE_UNCERTAIN', column: 0, reason: 'BOOLEAN' },
      { code: 'VALUE_UNCERTAIN', column: 1, reason: 'BOOLEAN' },
    ]);
  });

  test('decides for which types its value is certain, as without a recipe', async () => {
    const source = '{"ID":"E1","Leaver":true}';
    const flag: ColumnRecipe = { field: 'attributes.boolean', columns: ['Leaver'], values };
    const text: ColumnRecipe = { field: 'attributes.text', columns: ['Leaver'], values };
    expect(outcomes(await bound(source, { columns: [id, flag] }), 'boolean')).toEqual([false]);
    expect(outcomes(await bound(source, { columns: [id, text] }), 'text')).toEqual([
      expect.stringContaining('The cell is true or false, not text.'),
    ]);
  });

  test('includes the digits of a number only as long as the text is that number', async () => {
    const { headings } = await read('ID,Rate\nE1,1\n');
    const rate: ColumnRecipe = { field: 'attributes.number', columns: ['Rate'] };
    const notes: RowNote[] = [
      { code: 'VALUE_UNCERTAIN', column: 1, reason: 'NUMBER_FORMAT' },
      { code: 'IS_NUMBER', column: 1, digits: '1.496' },
    ];
    const row: Row = { number: 2, line: 2, cells: ['E1', '1.50'], notes };
    const valueWith = (steps: Partial<ColumnRecipe>) => {
      const result = bindRecipe({ columns: [id, { ...rate, ...steps }] }, headings);
      if (!result.ok) throw new Error('The columns are missing.');
      return outcomes(readBound(result, [row]), 'number');
    };
    expect(valueWith({})).toEqual([1.496]);
    expect(valueWith({ values: { 2: '3' } })).toEqual([1.496]);
    expect(valueWith({ values: { '1.50': '2' } })).toEqual([expect.stringContaining('The number format')]);
  });

  test('marks texts that only look damaged', async () => {
    const text: ColumnRecipe = { field: 'attributes.text', columns: ['Code'], prefix: 'C' };
    const source = '[{"ID":"E1","Code":"#N/A"},{"ID":"E2","Code":"1.5E+10"}]';
    expect(outcomes(await bound(source, { columns: [id, text] }), 'text')).toEqual(['C#N/A', 'C1.5E+10']);
  });

  test('keeps rows with too many cells from being applied', async () => {
    const name: ColumnRecipe = { field: 'name', columns: ['Name'] };
    expect(outcomes(await bound('Name,ID\nAda,E1,Lovelace\n', { columns: [id, name] }), 'name')).toEqual([
      'The row has more cells than there are headings: "Lovelace".',
    ]);
  });

  test('keeps a row that ends early from clearing fields, and from taking the entry for empty cells', async () => {
    const phone: ColumnRecipe = { field: 'phone', columns: ['Phone'], values: { '': '0' } };
    const text: ColumnRecipe = { field: 'attributes.text', columns: ['Note'] };
    const columns = [phone, text, id];
    const source = 'ID,Note,Unused,Phone\nE1,x,,\nE2,x\nE3\nE4,x,\n';
    expect(outcomes(await bound(source, { columns, empty: 'clears' }), 'phone')).toEqual([
      '0',
      ...[1, 2, 3].map(() => expect.stringContaining('"phone": The row ends before this column.')),
    ]);
    expect(outcomes(await bound(source, { columns: [id, text], empty: 'clears' }), 'text')).toEqual([
      ...['x', 'x', '"Note": The row ends before this column. Give every row the same number of cells.', 'x'],
    ]);
    expect(outcomes(await bound(source, { columns }), 'phone')).toEqual([
      '0',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('time and memory', () => {
  /** Counts what is read from the cells of a row. */
  function countedRow(reads: { count: number }): Row {
    const counted = new Proxy(['E1', 'Active', 'Ada', 'Lovelace'], {
      get: (cells, name, receiver) => {
        reads.count++;
        return Reflect.get(cells, name, receiver);
      },
    });
    return { number: 2, line: 2, cells: counted };
  }

  test('100,000 rows read each cell as often as one row does, and the value table not at all', async () => {
    let tableReads = 0;
    const table = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`Value ${at}`, 'true']));
    const values = new Proxy(table, {
      get: (entries, name, receiver) => {
        tableReads++;
        return Reflect.get(entries, name, receiver);
      },
    });
    const columns: ColumnRecipe[] = [
      id,
      { field: 'isActive', columns: ['Status'], values },
      { field: 'name', columns: ['First', 'Last'] },
    ];
    const { headings } = await read('ID,Status,First,Last\nE1,,,\n');
    const result = bindRecipe({ columns }, headings);
    if (!result.ok) throw new Error('The columns are missing.');
    expect(tableReads, 'once for each entry').toBe(1_000);
    const [one, all] = [{ count: 0 }, { count: 0 }];
    result.transform(countedRow(one));
    const row = countedRow(all);
    for (let at = 0; at < 100_000; at++) result.transform(row);
    expect(one.count).toBeLessThan(30);
    expect(all.count).toBe(100_000 * one.count);
    expect(tableReads).toBe(1_000);
  });
});
