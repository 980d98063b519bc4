import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  type AttributeType,
  createItemReader,
  decide,
  guessAttribute,
  guessMapping,
  type KnownUser,
  type Mapping,
  openTable,
  type ReadRow,
} from '../../../sheets/src/index.js';
import { attributeField } from '../../../src/contract/attribute-rules.js';
import type { AttributeSettings } from '../../../src/contract/attributes.js';
import { viewedUser } from '../../support/stored-user.js';
import { inChunks } from './tables.js';
import { column, formatStyles, workbook } from './workbooks.js';

function anAttribute(type: AttributeType, settings: Partial<Attribute> = {}): Attribute {
  return {
    ...{ key: 'value', type, labels: {}, synonyms: [], maxLength: null, minimum: null, maximum: null },
    ...{ choices: null, isRetired: false },
    ...settings,
  };
}

const headingsOf = (...names: string[]) =>
  names.map((name, at) => ({ column: at, letter: '', name, isEmpty: name === '' }));

describe('headings of attributes', () => {
  const attributes = [
    anAttribute('text', { key: 'department', labels: { en: 'Department', de: 'Abteilung' } }),
    anAttribute('text', { key: 'costCenter', labels: { de: 'Kostenstelle', es: 'Centro de coste' } }),
    anAttribute('date', { key: 'entryDate', synonyms: ['Hired'] }),
  ];
  const mappingOf = (...names: string[]): Mapping =>
    guessMapping(headingsOf(...names), 'sync', attributes).mapping;
  const guessFor = (settings: Partial<Attribute>, ...names: string[]): Mapping =>
    guessMapping(headingsOf(...names), 'sync', [anAttribute('text', settings)]).mapping;

  test.each([
    'costCenter',
    'Cost center',
    'COST-CENTER',
    'Kostenstelle',
    'centro de COSTE',
    'attributes.costCenter',
  ])('%s is known by key, label in any language or API name', (heading) => {
    expect(mappingOf('ID', heading)).toEqual({ employeeID: [0], 'attributes.costCenter': [1] });
  });

  test.each(['department', 'Department (text)', 'ABTEILUNG', 'attributes.department'])(
    '%s is the attribute that is called so, and not a field with such a synonym',
    (heading) => {
      expect(mappingOf('ID', heading)).toEqual({ employeeID: [0], 'attributes.department': [1] });
    },
  );

  test('the field gets a second column, and one that is called like it in the API', () => {
    const [own, field] = ['attributes.department', 'organizationSerial'];
    expect(mappingOf('ID', 'Dept', 'Department')).toEqual({ employeeID: [0], [field]: [1], [own]: [2] });
    expect(mappingOf('ID', 'Abteilung', 'Department')).toEqual({ employeeID: [0], [field]: [1], [own]: [2] });
    expect(guessFor({ key: 'phone' }, 'ID', 'phone')).toEqual({ employeeID: [0], phone: [1] });
  });

  test('a field keeps its column from a mere synonym, a retired attribute, and if every row needs it', () => {
    const own = { key: 'team', synonyms: ['Division'] };
    expect(guessFor(own, 'ID', 'Division')).toEqual({ employeeID: [0], organizationSerial: [1] });
    const retired = { key: 'division', isRetired: true };
    expect(guessFor(retired, 'ID', 'Division')).toEqual({ employeeID: [0], organizationSerial: [1] });
    expect(guessFor({ key: 'number' }, 'Number', 'Name')).toEqual({ employeeID: [0], name: [1] });
  });

  test('of two columns, the better name wins, and the other one is reported', () => {
    const guessed = guessMapping(headingsOf('ID', 'Hired', 'entryDate'), 'sync', attributes);
    expect(guessed.mapping).toEqual({ employeeID: [0], 'attributes.entryDate': [2] });
    expect(guessed.unmapped).toEqual([
      { column: 1, heading: 'Hired', why: 'taken', field: 'attributes.entryDate' },
    ]);
  });
});

const sync = { operation: 'sync', mapping: { employeeID: [0], 'attributes.value': [1] } } as const;

/** Reads a cell under the heading "Wert", as a row has it. */
function readCell(
  attribute: Attribute,
  text: string,
  empty: 'leaves' | 'clears' = 'leaves',
): ReadRow<'sync'> {
  const headings = headingsOf('ID', 'Wert');
  const read = createItemReader({ ...sync, headings, empty, attributes: [attribute] });
  return read({ number: 2, line: 2, cells: ['E1', text] });
}

describe('cells of attributes', () => {
  test.each<[AttributeType, string, unknown]>([
    ['number', '12.5', 12.5],
    ['number', '12,5', 12.5],
    ['number', '1.234,56', 1234.56],
    ['number', "1'234.50", 1234.5],
    ['number', '1 234', 1234],
    ['number', '−3', -3],
    ['number', '-0', 0],
    ['number', '1.234', 1.234],
    ['date', '2026-12-31', '2026-12-31'],
    ['date', '31.12.2026', '2026-12-31'],
    ['date', '12/31/2026', '2026-12-31'],
    ['date', '2026-12-31T00:00:00.000Z', '2026-12-31'],
    ['boolean', 'nein', false],
    ['boolean', 'Sí', true],
    ['choice', ' lyon ', 'Lyon'],
    ['list', 'a; b|b', ['a', 'b', 'b']],
    ['text', ' Sales  EMEA ', 'Sales EMEA'],
  ])('%s: %s is a value that the service accepts', (type, text, value) => {
    const attribute = anAttribute(type, { choices: ['Berlin', 'Lyon'] });
    const { item, problems } = readCell(attribute, text);
    expect(problems).toEqual([]);
    expect(item?.attributes).toEqual({ value });
    const defined = { ...attribute, pattern: null } as unknown as AttributeSettings;
    expect(attributeField(defined).accepts(value)).toBe(true);
  });

  test.each<[AttributeType, string]>([
    ['number', '1,234'],
    ['number', '12 km'],
    ['number', '12345678901234567'],
    ['date', '05/06/2026'],
    ['date', '2026-02-30'],
    ['date', '31.12.26'],
    ['date', '2026-12-30T23:00:00Z'],
    ['boolean', 'maybe'],
    ['choice', 'Paris'],
    ['text', 'x'.repeat(256)],
  ])('%s: %s is refused by the name of the column', (type, text) => {
    const { item, problems } = readCell(anAttribute(type, { choices: ['Berlin', 'Lyon'] }), text);
    expect(item).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'FIELD_INVALID', field: 'attributes.value', column: 1 }]);
    expect(problems[0]?.detail).toMatch(/^"Wert" must be .*, not "/);
  });

  test('limits are those of the attribute, with their numbers in the problem', () => {
    const from = anAttribute('date', { minimum: '2000-01-01', maximum: '2026-12-31' });
    expect(readCell(from, '1.1.2000').item?.attributes).toEqual({ value: '2000-01-01' });
    expect(readCell(from, '31.12.1999').problems[0]?.detail).toBe(
      '"Wert" must be a date such as 2026-12-31 or 31.12.2026, from 2000-01-01 to 2026-12-31, not "31.12.1999".',
    );
    expect(readCell(anAttribute('number', { minimum: 0 }), '-1').problems).toHaveLength(1);
    expect(readCell(anAttribute('list', { maxLength: 2 }), 'ab, abc').problems).toHaveLength(1);
  });

  test('an empty cell leaves or clears the attribute, whatever its type', () => {
    for (const type of ['number', 'date', 'list'] as const) {
      expect(readCell(anAttribute(type), '').item).toEqual({ employeeID: 'E1' });
      expect(readCell(anAttribute(type), '', 'clears').item).toEqual({
        employeeID: 'E1',
        attributes: { value: '' },
      });
    }
  });
});

/** The values of a column of a workbook, or the code of what is wrong. */
async function valuesIn(type: AttributeType, styles: string, ...cells: string[]): Promise<unknown[]> {
  const sheet = workbook({ sheetData: column(...cells), styles });
  const { headings, rows } = await openTable(inChunks(sheet, 65_536));
  const read = createItemReader({
    ...{ operation: 'sync', headings, mapping: { 'attributes.value': [0] } },
    attributes: [anAttribute(type)],
  });
  const values: unknown[] = [];
  for await (const row of rows) {
    const { item, problems } = read(row);
    const [problem] = problems;
    values.push(problem ? (problem.reason ?? problem.code) : item?.attributes?.value);
  }
  return values;
}

describe('a workbook', () => {
  const number = (row: number, style: number, value: string) =>
    `<c r="A${row}" s="${style}"><v>${value}</v></c>`;

  test('contains dates as days, whatever their format and the time zone', async () => {
    const styles = formatStyles('d/m/yy', 'mmm yyyy', 'General', 'yyyy-mm-dd hh:mm');
    const values = await valuesIn(
      'date',
      styles,
      ...[number(2, 0, '46387'), number(3, 1, '45351'), number(4, 2, '46387'), number(5, 3, '46387.5')],
      ...[number(6, 3, '46387'), '<c r="A7" t="d"><v>2026-12-31T00:00:00</v></c>', number(8, 0, '60')],
    );
    expect(values).toEqual([
      ...['2026-12-31', '2024-02-29', 'FIELD_INVALID', 'FIELD_INVALID'],
      ...['2026-12-31', '2026-12-31', 'FIELD_INVALID'], // 29 February 1900, which only Excel knows
    ]);
    expect(await valuesIn('text', styles, number(2, 0, '46387'))).toEqual(['DATE']);
  });

  test('contains numbers as they are, whatever they display, except percentages', async () => {
    const styles = formatStyles('General', '0.00', '#,##0.00 "€"', '0" km"', '0.00E+00', '0%', '[h]:mm', '0');
    const values = await valuesIn(
      'number',
      styles,
      ...[
        number(2, 0, '1.1000000000000001'),
        number(3, 1, '12.5'),
        number(4, 2, '-1234.5'),
        number(5, 3, '12'),
      ],
      ...[number(6, 4, '100000'), number(7, 5, '0.5'), number(8, 6, '1.5625'), number(9, 7, '12.5')],
      ...[number(10, 0, '0.30000000000000004'), number(11, 0, '12345678901234567')],
    );
    expect(values).toEqual([
      ...[1.1, 12.5, -1234.5, 12, 100_000, 'NUMBER_FORMAT', 'NUMBER_FORMAT', 12.5],
      ...[0.3, 'NUMBER_NOT_EXACT'],
    ]);
    expect(await valuesIn('text', styles, number(2, 3, '12'))).toEqual(['12 km']);
  });
});

/** Reads a workbook that LibreOffice 7.4 has saved (`soffice --headless --convert-to`). */
async function savedByLibreOffice(file: string, attributes: readonly Attribute[]) {
  const bytes = readFileSync(new URL(`../../support/workbooks/${file}.xlsx`, import.meta.url));
  const { headings, rows } = await openTable(inChunks(bytes, 65_536));
  const { mapping } = guessMapping(headings, 'sync', attributes);
  const read = createItemReader({ operation: 'sync', headings, mapping, attributes });
  const values: unknown[] = [];
  for await (const row of rows) {
    const { item, problems } = read(row);
    values.push(problems.length > 0 ? problems : Object.values(item?.attributes ?? {}));
  }
  return values;
}

describe('a workbook of LibreOffice', () => {
  const typed = { hours: 'number', hired: 'date', badge: 'text', site: 'choice', skills: 'list' } as const;
  const choices = ['00123', '1E5', '=1+1', 'TRUE', '3/4', '1,5', '#N/A'];
  const attributes = Object.entries({ ...typed, isRemote: 'boolean' as const }).map(([key, type]) =>
    anAttribute(type, { key, choices: type === 'choice' ? choices : null }),
  );

  test('that was exported, and saved as ODS and as XLSX again, has the same values', async () => {
    expect(await savedByLibreOffice('libreoffice-attributes', attributes)).toEqual([
      [12345678901234.5, '2026-12-31', '00123', '00123', ['a', 'b'], true],
      [0.1, '0001-01-01', '1E5', '1E5', ['007'], false],
      [-3, '9999-12-31', '=1+1', '=1+1', ['a,b', 'c'], true],
      [0.000001, '1900-02-28', 'TRUE', 'TRUE', ['["x"]'], false],
      [123456789012345, '1900-03-01', '2026-12-31', '3/4', ['x', 'x'], true],
      [0.5, '2026-01-01', '#N/A', '#N/A', ['1E+05'], true],
      [-0.000123456789012, '2000-02-29', '12345678901234567890', '1,5', ['a;b', 'c|d'], false],
    ]);
  });

  test('has dates, numbers, truth values and texts as they were entered', async () => {
    expect(await savedByLibreOffice('libreoffice-entered', attributes)).toEqual([
      [1234567.891, '2026-12-31', '00123', true],
      [1234.5, '1999-12-31', '00123', false],
      [-0.1, '2024-02-29', '00123', true],
      [0.000015, '1900-03-01', '00123', true],
    ]);
  });
});

test('a sync sends only attributes that differ, and nothing to clear for a new user', () => {
  const attributes = { department: 'Sales', floor: 3, skills: ['a', 'b'], since: '2026-01-01' };
  const user: KnownUser = { ...viewedUser({ serial: 's1', employeeID: 'E1', name: 'Ada' }), attributes };
  const known = { rehire: false, isProtected: () => false, inFile: () => true };
  const decided = (given: Record<string, string | number | string[]>, users: KnownUser[] = [user]) =>
    decide(
      {
        row: 2,
        employeeID: 'E1',
        fields: { employeeID: 'E1', name: user.name, email: 'a@b', attributes: given },
      },
      { ...known, user: () => users[0] },
    );
  const same = { department: ' Sales', floor: 3, skills: ['a', 'b'], badge: '' };
  expect(decided(same, [{ ...user, email: 'a@b' }])).toMatchObject({ action: 'none' });
  expect(decided({ ...same, floor: 4, since: '' }, [{ ...user, email: 'a@b' }])).toEqual({
    ...{ action: 'send', kind: 'updated', serial: 's1', changed: ['attributes.floor', 'attributes.since'] },
    item: { employeeID: 'E1', attributes: { floor: 4, since: '' } },
  });
  expect(decided({ floor: 4, badge: '' }, [])).toMatchObject({
    kind: 'created',
    item: { attributes: { floor: 4 } },
  });
  expect(decided({ badge: '' }, [])).not.toHaveProperty('item.attributes');
});

test.each<[string, string[], string, AttributeType]>([
  ['Größe (cm)', ['172', '180,5'], 'groesseCm', 'number'],
  ['Cost center', ['4711', '0815'], 'costCenter', 'text'],
  ['Kostenstelle', ['4711', '815'], 'kostenstelle', 'text'],
  ['Start Date', ['2026-01-01', '', '31.12.2026'], 'startDate', 'date'],
  ['First aider?', ['ja', 'nein'], 'firstAider', 'boolean'],
  ['Skills', ['a; b', 'c', 'd|e'], 'skills', 'list'],
  ['Notes', ['Sales, Berlin', '1'], 'notes', 'text'],
  ['2. Standort', [], 'standort', 'text'],
  ['日本', ['x'], 'attribute', 'text'],
])('guesses an attribute for the column %s', (heading, cells, key, type) => {
  expect(guessAttribute(heading, cells)).toEqual({ key, label: heading, type });
  expect(guessAttribute(heading, cells, [key.toUpperCase()]).key).toBe(`${key}2`);
});
