import { describe, expect, test } from 'vitest';
import {
  createItemReader,
  type FieldName,
  guessMapping,
  type ItemOptions,
  type Operation,
  openTable,
  type ReadRow,
  readEmployeeID,
  toCsv,
} from '../../../sheets/src/index.js';

type Choices = Partial<Pick<ItemOptions, 'operation' | 'empty' | 'mapping'>>;

async function readItems(source: string, choices: Choices = {}): Promise<ReadRow[]> {
  const { headings, rows } = await openTable(source);
  const operation = choices.operation ?? 'update';
  const { mapping } = guessMapping(headings, operation);
  const readRow = createItemReader({ mapping, ...choices, operation, headings });
  const items: ReadRow[] = [];
  for await (const row of rows) items.push(readRow(row));
  return items;
}

/** Reads one cell in an otherwise valid row. */
async function readCell(field: FieldName, text: string, operation: Operation = 'update'): Promise<ReadRow> {
  const user: Partial<Record<FieldName, string>> = { employeeID: 'E1', name: 'Ada', isActive: 'yes' };
  if (operation === 'create') user.phone = '+44 20 7946 0958';
  user[field] = text;
  const [read] = await readItems(toCsv([Object.keys(user), Object.values(user)]), { operation });
  return read as ReadRow;
}

describe('items from rows', () => {
  test('for an update', async () => {
    const [read] = await readItems(
      'Personalnummer;Neue Personalnummer;Vorname;Nachname;Aktiv;Telefon;Tags;Abteilung;Benutzername\n' +
        ' 00543 ;00544; Jürgen ;Groß;ja;+49 40 123;T1, T2|T3;ORG7;juergen\n',
    );
    expect(read).toEqual({
      row: 2,
      line: 2,
      employeeID: '00543',
      problems: [],
      warnings: [],
      item: {
        employeeID: '00543',
        newEmployeeID: '00544',
        name: 'Jürgen Groß',
        isActive: true,
        phone: '+49 40 123',
        tagSerials: ['T1', 'T2', 'T3'],
        organizationSerial: 'ORG7',
        username: 'juergen',
      },
    });
  });

  test('for a create', async () => {
    const [read] = await readItems('ID,Name,Active,Email,Password\nE1,Ada,1,ada@example.com,secret word\n', {
      operation: 'create',
    });
    expect(read?.item).toEqual({
      employeeID: 'E1',
      name: 'Ada',
      isActive: true,
      email: 'ada@example.com',
      password: 'secret word',
    });
  });

  test('from JSON with lists and nested names', async () => {
    const [read] = await readItems(
      '[{"employeeID":543,"name":{"first":"Ada","last":"Lovelace"},"isActive":true,"tagSerials":["T,1","T2"]}]',
      { mapping: { employeeID: [0], name: [1, 2], isActive: [3], tagSerials: [4] } },
    );
    expect(read?.item).toEqual({
      employeeID: '543',
      name: 'Ada Lovelace',
      isActive: true,
      tagSerials: ['T,1', 'T2'],
    });
  });

  test('from JSON with a tag that contains a comma', async () => {
    const [read] = await readItems('[{"employeeID":"E1","name":"Ada","isActive":true,"tagSerials":["T,1"]}]');
    expect(read?.item?.tagSerials).toEqual(['T,1']);
  });

  test('with only one part of a joined name', async () => {
    const [read] = await readItems('ID,First name,Last name,Active\nE1,,Lovelace,x\n');
    expect(read?.item?.name).toBe('Lovelace');
  });
});

describe('empty cell', () => {
  const text = 'ID,Name,Active,New ID,Phone,Username,Tags,Department\nE1,Ada,yes,, ,,,\n';

  test('leaves its field unchanged', async () => {
    const [read] = await readItems(text);
    expect(read?.item).toEqual({ employeeID: 'E1', name: 'Ada', isActive: true });
  });

  test('clears its field if chosen, but a new employee ID is never cleared', async () => {
    const [read] = await readItems(text, { empty: 'clears' });
    expect(read?.item).toEqual({
      employeeID: 'E1',
      name: 'Ada',
      isActive: true,
      phone: '',
      username: '',
      tagSerials: [],
      organizationSerial: '',
    });
  });

  test('for a password leaves the password to the service', async () => {
    const [read] = await readItems('ID,Name,Active,Phone,Password\nE1,Ada,yes,12345,\n', {
      operation: 'create',
      empty: 'clears',
    });
    expect(read?.item).not.toHaveProperty('password');
  });

  test.each<[FieldName, string]>([
    [
      'employeeID',
      '"employeeID" is required. It must be a string of 1 to 64 characters from a-z, A-Z and 0-9.',
    ],
    [
      'name',
      '"name" is required. It must be a string of 1 to 200 characters that is not blank, without control characters, bidirectional overrides and lone surrogates.',
    ],
    ['isActive', '"isActive" is required. It must be true or false, yes or no, active or inactive, 1 or 0.'],
  ])('for %s is a problem', async (field, detail) => {
    const read = await readCell(field, ' ');
    expect(read.item).toBeUndefined();
    expect(read.problems).toEqual([
      {
        code: 'FIELD_REQUIRED',
        row: 2,
        line: 2,
        field,
        column: expect.any(Number),
        text: '',
        detail,
      },
    ]);
  });
});

describe('isActive', () => {
  test.each('true TRUE yes Y 1 active x X ja J wahr Aktiv enabled'.split(' '))('%s is true', async (text) => {
    expect((await readCell('isActive', text)).item?.isActive).toBe(true);
  });

  test.each('false FALSE no N 0 inactive nein falsch Inaktiv disabled'.split(' '))(
    '%s is false',
    async (text) => {
      expect((await readCell('isActive', text)).item?.isActive).toBe(false);
    },
  );

  test.each(['maybe', '2', 'on leave', 'yes!', '-'])('%s is a problem', async (text) => {
    expect((await readCell('isActive', text)).problems).toMatchObject([
      {
        code: 'FIELD_INVALID',
        field: 'isActive',
        text,
        detail: expect.stringContaining('"isActive" must be true or false'),
      },
    ]);
  });
});

describe('tags', () => {
  test.each<[string, string[]]>([
    ['T1', ['T1']],
    ['T1,T2;T3|T4', ['T1', 'T2', 'T3', 'T4']],
    [' T1 ,, T2 ;', ['T1', 'T2']],
    ['T1,T1', ['T1']],
    ['T1\nT,2', ['T1', 'T,2']],
  ])('%j', async (text, tags) => {
    expect((await readCell('tagSerials', text)).item?.tagSerials).toEqual(tags);
  });

  test('too many and too long', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `T${at}`).join(',');
    for (const text of [many, 'x'.repeat(65)]) {
      expect((await readCell('tagSerials', text)).problems).toMatchObject([
        {
          code: 'FIELD_INVALID',
          detail:
            '"tagSerials" must be an array of at most 100 strings of 1 to 64 characters without control characters, bidirectional overrides and lone surrogates.',
        },
      ]);
    }
  });
});

describe('invalid cell', () => {
  test.each<[FieldName, string, Operation]>([
    ['employeeID', 'E-1', 'update'],
    ['employeeID', 'x'.repeat(65), 'update'],
    ['newEmployeeID', 'Ü1', 'update'],
    ['username', 'ada lovelace', 'update'],
    ['phone', '1'.repeat(256), 'update'],
    ['email', 'ada@', 'create'],
    ['name', 'x'.repeat(201), 'update'],
    ['phone', '\u3164', 'update'],
    ['password', 'x'.repeat(129), 'create'],
    ['organizationSerial', 'x'.repeat(65), 'update'],
  ])('%s: %s', async (field, text, operation) => {
    const read = await readCell(field, text, operation);
    expect(read.item).toBeUndefined();
    expect(read.problems).toMatchObject([{ code: 'FIELD_INVALID', row: 2, field, text }]);
    expect(read.problems[0]?.detail).toMatch(new RegExp(`^"${field}" must be an? .+\\.$`));
  });

  test('lengths count characters, not UTF-16 units', async () => {
    expect((await readCell('name', '😀'.repeat(200))).problems).toEqual([]);
    expect((await readCell('name', '😀'.repeat(201))).problems).toHaveLength(1);
  });

  test('control characters and runs of white space are replaced like in the service', async () => {
    const tags = (await readCell('tagSerials', 'T\u0007 1, \u0007, T2')).item?.tagSerials;
    expect(tags).toEqual(['T 1', 'T2']);
    expect((await readCell('name', 'Ada\r\n King'.padEnd(300))).item?.name).toBe('Ada King');
    expect((await readCell('phone', '\u0007')).item).not.toHaveProperty('phone');
    expect((await readCell('name', '\u0007')).problems).toMatchObject([{ code: 'FIELD_REQUIRED' }]);
  });

  test('decomposed accents are counted like in the service', async () => {
    expect((await readCell('name', 'e\u0301'.repeat(100))).item?.name).toBe('\u00e9'.repeat(100));
  });

  test.each(['#N/A', '#REF!', '#NV', '#DIV/0!'])('%s is a formula error, not a name', async (text) => {
    expect((await readCell('name', text)).problems).toMatchObject([
      { code: 'CELL_IS_ERROR', detail: `"name": The cell contains ${text}, which is a formula error.` },
    ]);
  });

  test('all problems of a row are reported', async () => {
    const [read] = await readItems(`ID,Name,Active,Phone\nE-1,,maybe,${'1'.repeat(256)}\n`);
    expect(read?.problems.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'FIELD_INVALID employeeID',
      'FIELD_REQUIRED name',
      'FIELD_INVALID phone',
      'FIELD_INVALID isActive',
    ]);
  });
});

describe('employee ID of a row', () => {
  test('is reported whatever else is wrong with the row', async () => {
    const read = await readItems('ID,Name,Active\n E1 ,,maybe\nE-2,Bob,yes\n,Eve,yes\nE4,Carl,yes,stray\n');
    expect(read.map(({ employeeID }) => employeeID)).toEqual(['E1', undefined, undefined, 'E4']);
    expect(read.every(({ item }) => item === undefined)).toBe(true);
  });

  test.each([
    [' 00543\n', '00543'],
    ['E-1', undefined],
    ['', undefined],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
  ])('on its own: %j is %j', (text, employeeID) => {
    expect(readEmployeeID(text)).toBe(employeeID);
  });
});

describe('contact details of a create', () => {
  const of = (email: string, phone: string) =>
    readItems(`ID,Name,Active,Email,Phone\nE1,Ada,yes,${email},${phone}\n`, {
      operation: 'create',
      empty: 'clears',
    });

  test('either one is enough', async () => {
    expect((await of('', '12345'))[0]?.problems).toEqual([]);
    expect((await of('a@b.c', ''))[0]?.problems).toEqual([]);
  });

  test('both empty are a problem', async () => {
    expect((await of('', ''))[0]?.problems).toEqual([
      {
        code: 'CONTACT_REQUIRED',
        row: 2,
        line: 2,
        detail: '"email" and "phone" are both empty. Send at least one.',
      },
    ]);
  });

  test('an invalid one is the only problem', async () => {
    expect((await of('a', ''))[0]?.problems.map(({ code }) => code)).toEqual(['FIELD_INVALID']);
  });
});

describe('ragged rows', () => {
  test('with too many cells are not sent', async () => {
    const [read] = await readItems('ID,Name,Active\nE1,Lovelace, Ada,yes\n');
    expect(read?.item).toBeUndefined();
    expect(read?.problems).toContainEqual({
      code: 'CELLS_STRAY',
      row: 2,
      line: 2,
      column: 3,
      detail: 'The row has more cells than there are headings: "yes".',
      texts: ['yes'],
    });
  });

  test('with missing cells or a stray quote have a warning', async () => {
    const [short, quote] = await readItems('ID,Name,Active,Phone\nE1,Ada,yes\nE2,"Big" Joe,yes,12345\n');
    expect(short?.warnings).toEqual([
      {
        code: 'CELLS_MISSING',
        row: 2,
        line: 2,
        column: 3,
        detail: 'The row has 1 fewer cell than there are headings.',
        count: 1,
      },
    ]);
    expect(short?.item).toEqual({ employeeID: 'E1', name: 'Ada', isActive: true });
    expect(quote?.warnings).toMatchObject([{ code: 'QUOTE_STRAY', row: 3, column: 1 }]);
    expect(quote?.item?.name).toBe('"Big" Joe');
  });
});
