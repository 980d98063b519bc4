import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  bindRecipe,
  type ColumnRecipe,
  columnLetter,
  createSurveyor,
  createSyncRowReader,
  guessMapping,
  type Heading,
  missingColumnText,
  type Recipe,
  type RecipeResult,
  type Row,
  type RowNote,
  recipeFrom,
  recipeLimits,
  recipeProblems,
  recipeProblemText,
  type SyncColumns,
  unnamedColumnText,
} from '../../../sheets/src/index.js';

function headingsOf(...names: readonly string[]): readonly Heading[] {
  return names.map((name, column) => {
    const letter = columnLetter(column);
    return { column, letter, name: name || letter, isEmpty: name === '' };
  });
}

const attribute: Attribute = {
  ...{ key: 'costCenter', type: 'text', labels: {}, synonyms: [], maxLength: null, minimum: null },
  ...{ maximum: null, choices: null, isRetired: false },
};
const id: ColumnRecipe = { field: 'employeeID', columns: ['ID'] };
const recipeOf = (...columns: ColumnRecipe[]): Recipe => ({ columns: [id, ...columns] });

describe('problems of a recipe', () => {
  const phone: ColumnRecipe = { field: 'phone', columns: ['Phone'] };
  const long = 'x'.repeat(recipeLimits.textCharactersMax + 1);
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), '']));

  test.each<[string, Recipe]>([
    ['the smallest', recipeOf()],
    [
      'every kind of column',
      recipeOf(
        { field: 'name', columns: ['First', 'Last'], separator: ', ' },
        { field: 'isActive', columns: ['Status'], values: { A: 'true', '': 'true' }, otherwise: 'reject' },
        { field: 'organizationSerial', columns: [], constant: 'HQ' },
        { field: 'attributes.costCenter', columns: ['CC'], values: entries(1_000), padTo: 10, prefix: 'DE' },
        { field: 'renamedFrom', columns: ['Old'] },
        { field: 'effectiveDate', columns: ['From'], dateFormat: 'D.M.YYYY' },
      ),
    ],
    ['a column for two fields', recipeOf({ field: 'username', columns: ['ID'], prefix: 'u' })],
  ])('none: %s', (_, recipe) => {
    expect(recipeProblems(recipe, [attribute])).toEqual([]);
    expect(recipeProblems(JSON.parse(JSON.stringify(recipe)) as Recipe, [attribute])).toEqual([]);
  });

  test.each<[Recipe, string]>([
    [{ columns: [phone] }, 'Every row needs "employeeID", but nothing is mapped to it.'],
    [
      { columns: Array.from({ length: 101 }, () => id) },
      'The mapping has 101 columns. At most 100 are accepted.',
    ],
    [{ ...recipeOf(), sheet: long }, 'The name of the sheet has more than 200 characters.'],
    [{ ...recipeOf(), headingRow: 0 }, 'The row with the headings must be a whole number from 1.'],
    [
      recipeOf({ field: 'attributes.unknown', columns: ['X'] }),
      '"attributes.unknown" is not a field of a user, and no attribute has this key.',
    ],
    [
      recipeOf({ field: '__proto__' as 'phone', columns: ['X'] }),
      '"__proto__" is not a field of a user, and no attribute has this key.',
    ],
    [recipeOf(phone, phone), '"phone" is mapped twice.'],
    [
      recipeOf({ field: 'newEmployeeID', columns: ['New'] }, { field: 'renamedFrom', columns: ['Old'] }),
      'Map either "newEmployeeID" or "renamedFrom", not both.',
    ],
    [recipeOf({ field: 'phone', columns: [] }), '"phone" has neither columns nor a constant.'],
    [
      recipeOf({ ...phone, constant: '1' }),
      '"phone" is a constant, so it can have neither columns nor conversions.',
    ],
    [
      recipeOf({ field: 'phone', columns: [], constant: '1', padTo: 3 }),
      '"phone" is a constant, so it can have neither columns nor conversions.',
    ],
    [
      recipeOf({ field: 'password', columns: [], constant: 'secret' }),
      '"password" cannot be the same for all users.',
    ],
    [recipeOf({ field: 'phone', columns: [' '] }), '"phone" comes from a column without a heading.'],
    [
      recipeOf({ field: 'name', columns: Array.from({ length: 21 }, (_, at) => `N${at}`) }),
      '"name" is joined from more than 20 columns.',
    ],
    [
      recipeOf({ ...phone, values: entries(1_001) }),
      'The value table of "phone" has more than 1000 entries.',
    ],
    [
      recipeOf({ ...phone, values: { a: '1', ' A': '2' } }),
      'The value table of "phone" has two entries for " A". Upper and lower case make no difference.',
    ],
    [
      recipeOf({ ...phone, otherwise: 'keep' }),
      '"phone" says what becomes of other values, but has no value table.',
    ],
    [recipeOf({ ...phone, padTo: 65 }), '"padTo" of "phone" must be a whole number from 1 to 64.'],
    [recipeOf({ ...phone, padTo: 1.5 }), '"padTo" of "phone" must be a whole number from 1 to 64.'],
    [recipeOf({ ...phone, columns: [long] }), '"columns" of "phone" has a text of more than 200 characters.'],
    [
      recipeOf({ ...phone, values: { a: long } }),
      '"values" of "phone" has a text of more than 200 characters.',
    ],
    [
      recipeOf({ ...phone, prefix: 'x'.repeat(21) }),
      '"prefix" of "phone" has a text of more than 20 characters.',
    ],
  ])('%j', (recipe, text) => {
    expect(recipeProblems(recipe, [attribute]).map(recipeProblemText)).toEqual([text]);
  });

  test.each(['YYYY-DD-MM', 'DMYYYY', 'DD.MM', 'DD.MM.DD', 'DD. MMM YYYY', 'dd.mm.yyyy', '', 'DD1MM1YYYY'])(
    '%j is not a date format',
    (dateFormat) => {
      const date: ColumnRecipe = { field: 'effectiveDate', columns: ['From'], dateFormat };
      expect(recipeProblems(recipeOf(date), [])).toEqual([
        { code: 'DATE_FORMAT_INVALID', field: 'effectiveDate', dateFormat },
      ]);
    },
  );
});

describe('binding', () => {
  const phone: ColumnRecipe = { field: 'phone', columns: ['Phone'] };
  const bind = (recipe: Recipe, ...names: string[]) => bindRecipe(recipe, headingsOf(...names));
  const missingIn = (recipe: Recipe, ...names: string[]) => {
    const result = bind(recipe, ...names);
    return result.ok ? [] : result.missing;
  };

  test('finds columns wherever they are, and reports those it does not use', () => {
    const result = bind(recipeOf(phone), 'Salary', ' phone', '', 'id');
    expect(result).toMatchObject({ ok: true, columns: { mapping: { employeeID: [0], phone: [1] } } });
    expect(result.ok && result.unused.map(({ name }) => name)).toEqual(['Salary']);
    expect(result.ok && result.headings.map(({ name, letter }) => [name, letter])).toEqual([
      ['id', 'D'],
      [' phone', 'B'],
    ]);
  });

  test('prefers the exact heading, and accepts accents in either encoding', () => {
    const mapped = (heading: string, ...names: string[]) => {
      const result = bind({ columns: [{ field: 'employeeID', columns: [heading] }] }, ...names);
      return result.ok && result.headings[0]?.letter;
    };
    expect(mapped('phone', 'Phone', 'phone')).toBe('B');
    expect(mapped('Número', 'nu\u0301mero')).toBe('A');
    expect(mapped('مُعرّف', 'X', 'مُعرّف')).toBe('B');
  });

  test.each(['__proto__', 'constructor'])('%s is a heading like any other', (heading) => {
    const recipe = recipeOf({ field: 'phone', columns: [heading] });
    expect(missingIn(recipe, 'ID')).toMatchObject([{ code: 'COLUMN_MISSING', heading }]);
    expect(missingIn(recipe, 'ID', heading)).toEqual([]);
  });

  test('fails if a column is missing or was renamed, with the heading that may be meant', () => {
    const recipe = recipeOf(phone, { field: 'attributes.costCenter', columns: ['Cost center', 'Division'] });
    const missing = missingIn(recipe, 'Telephone number', 'Cost centre', 'Personnel number', 'Salary');
    expect(missing).toEqual([
      { code: 'COLUMN_MISSING', field: 'employeeID', heading: 'ID', nearest: 'Personnel number' },
      { code: 'COLUMN_MISSING', field: 'phone', heading: 'Phone', nearest: 'Telephone number' },
      {
        code: 'COLUMN_MISSING',
        field: 'attributes.costCenter',
        heading: 'Cost center',
        nearest: 'Cost centre',
      },
      { code: 'COLUMN_MISSING', field: 'attributes.costCenter', heading: 'Division' },
    ]);
    expect(missing.slice(2).map(missingColumnText)).toEqual([
      'The file has no column "Cost center", which is mapped to "attributes.costCenter". The most similar heading is "Cost centre".',
      'The file has no column "Division", which is mapped to "attributes.costCenter".',
    ]);
  });

  test('proposes no heading that the recipe uses for something else', () => {
    const recipe = recipeOf(phone, { field: 'username', columns: ['Phone2'] });
    expect(missingIn(recipe, 'ID', 'Phone')).toEqual([
      { code: 'COLUMN_MISSING', field: 'username', heading: 'Phone2' },
    ]);
  });

  test('fails if two columns have the heading', () => {
    const missing = missingIn(recipeOf(phone), 'ID', 'Phone', 'Salary', 'Phone');
    expect(missing).toEqual([
      { code: 'COLUMN_AMBIGUOUS', field: 'phone', heading: 'Phone', columns: [1, 3] },
    ]);
    expect(missing.map(missingColumnText)).toEqual([
      '2 columns are named "Phone", which is mapped to "phone". Rename or remove all but one.',
    ]);
    expect(missingIn(recipeOf(phone), 'ID', 'PHONE', 'phone')).toMatchObject([{ columns: [1, 2] }]);
  });

  test('does not take the letter of a column without a heading for its name', () => {
    expect(missingIn(recipeOf({ field: 'phone', columns: ['B'] }), 'ID', '')).toHaveLength(1);
  });
});

describe('a recipe made from a mapping', () => {
  test('has the headings of the columns, the previous employee ID and the reading options', () => {
    const made = recipeFrom({ employeeID: [2], name: [1, 0] }, headingsOf('Last', 'First', 'ID', 'Old'), {
      ...{ from: 3, empty: 'clears', encoding: 'windows-1252', headingRow: 4 },
    });
    expect(made).toEqual({
      ok: true,
      recipe: {
        columns: [
          { field: 'employeeID', columns: ['ID'] },
          { field: 'name', columns: ['First', 'Last'] },
          { field: 'renamedFrom', columns: ['Old'] },
        ],
        ...{ empty: 'clears', encoding: 'windows-1252', headingRow: 4 },
      },
    });
  });

  test('cannot name columns without a heading, or with the same one', () => {
    const headings = headingsOf('ID', '', 'Phone', 'Phone');
    const made = recipeFrom({ employeeID: [0], name: [1], phone: [2] }, headings);
    expect(made.ok ? [] : made.unnamed.map((column) => unnamedColumnText(column, headings))).toEqual([
      'Column B, which is mapped to "name", has no heading. Add one.',
      'Several columns are named "Phone", which is mapped to "phone". Rename or remove all but one.',
    ]);
  });
});

describe('for any file whose mapping is guessed', () => {
  const cellsUnder = {
    ...{
      ID: 'E1',
      id: 'E2',
      'Personnel number': 'E3',
      'New employee ID': 'E4',
      Name: 'Ada',
      'First name': 'Zoë',
    },
    ...{
      'Last name': 'علي',
      'E-Mail': 'a@example.com',
      Phone: '1',
      phone: '2',
      Active: 'yes',
      Tags: 'T1, T2',
    },
    ...{ Department: ' D1 ', costCenter: '7', 'Cost center': '8', Salary: '9', '': 'x', Ñandú: 'é' },
  };
  const names = fc.constantFrom(...Object.keys(cellsUnder));
  /** Mostly what belongs under the heading. */
  const cellUnder = (heading: string) => {
    const own = fc.constant(cellsUnder[heading as keyof typeof cellsUnder]);
    const any = fc.constantFrom('', ' ', 'E1', ' E5 ', 'no', 'T1, T2', '#N/A', '1.5E+10', 'é');
    return fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: any });
  };
  const noteAt = (width: number) => {
    const column = fc.nat({ max: width - 1 });
    const reason = fc.constantFrom('BOOLEAN', 'DATE', 'LIST', 'NUMBER_FORMAT', 'ERROR');
    return fc.oneof(
      fc.record({ code: fc.constant('IS_TEXT'), column }),
      fc.record({ code: fc.constant('IS_NUMBER'), column, digits: fc.constant('7') }),
      fc.record({ code: fc.constant('VALUE_UNCERTAIN'), column, reason }),
      fc.record({ code: fc.constant('CELLS_MISSING'), count: fc.integer({ min: 1, max: width }) }),
      fc.record({ code: fc.constant('CELLS_STRAY'), texts: fc.constant(['x']) }),
    ) as fc.Arbitrary<RowNote>;
  };
  const files = fc.uniqueArray(names, { minLength: 2, maxLength: 10 }).chain((headings) => {
    const width = headings.length;
    const cells = fc.tuple(...headings.map(cellUnder));
    const notes = fc.array(noteAt(width), { maxLength: 3 });
    return fc.record({
      headings: fc.constant(headings),
      rows: fc.array(fc.record({ cells, notes: fc.option(notes, { nil: undefined }) }), { maxLength: 4 }),
      order: fc.shuffledSubarray([...headings.keys()], { minLength: width }),
      from: fc.option(fc.nat({ max: width - 1 }), { nil: undefined }),
      empty: fc.constantFrom('leaves' as const, 'clears' as const),
    });
  });
  type File = typeof files extends fc.Arbitrary<infer Each> ? Each : never;

  const rowsOf = ({ rows }: File): Row[] =>
    rows.map(({ cells, notes }, at) => ({ number: at + 2, line: at + 2, cells, ...(notes && { notes }) }));

  /** What a sync reads, and what it knows about the whole file. */
  function readBy(columns: SyncColumns, headings: readonly Heading[], rows: readonly Row[], { empty }: File) {
    const meaningOf = (_: string, name: string) => name.trim();
    const options = { empty, isComplete: true, meaningOf, attributes: [attribute] };
    const surveyor = createSurveyor(columns);
    for (const row of rows) surveyor.add(row);
    const { ids, names: found, unreadable, contradictions } = surveyor.survey();
    return {
      read: rows.map(createSyncRowReader(headings, columns, options)),
      names: [found.names('tagSerials'), found.names('organizationSerial')],
      ...{ ids: [...ids], unreadable, contradictions: [...contradictions] },
    };
  }

  /** The recipe, and what the mapping that it is made from reads. Undefined for a file that no recipe can name. */
  function mapped(file: File) {
    const headings = headingsOf(...file.headings);
    const { mapping } = guessMapping(headings, 'sync', [attribute]);
    const used = Object.values(mapping).flat();
    const isFree = !mapping.newEmployeeID && file.from !== undefined && !used.includes(file.from);
    const from = isFree ? file.from : undefined;
    const made: RecipeResult = recipeFrom(mapping, headings, { from, empty: file.empty });
    if (!made.ok || mapping.employeeID === undefined) return undefined;
    return { recipe: made.recipe, read: readBy({ mapping, from }, headings, rowsOf(file), file) };
  }

  function readByRecipe(recipe: Recipe, file: File) {
    const result = bindRecipe(JSON.parse(JSON.stringify(recipe)) as Recipe, headingsOf(...file.headings));
    if (!result.ok) throw new Error(result.missing.map(missingColumnText).join(' '));
    return readBy(result.columns, result.headings, rowsOf(file).map(result.transform), file);
  }

  /** The same file with its columns in another order. A row that ends early is another row then. */
  function shuffled({ order, ...file }: File): File {
    const at = (column: number) => order.indexOf(column);
    const rows = file.rows.map(({ cells, notes }) => ({
      cells: order.map((column) => cells[column] ?? ''),
      notes: notes
        ?.filter(({ code }) => code !== 'CELLS_MISSING')
        .map((note) => ('column' in note ? { ...note, column: at(note.column) } : note)),
    }));
    return { ...file, order, rows, headings: order.map((column) => file.headings[column] ?? '') };
  }

  test('its recipe reads the same items, problems and names', () => {
    let read = 0;
    fc.assert(
      fc.property(files, (file) => {
        const known = mapped(file);
        if (known === undefined) return;
        read += known.read.read.filter(({ problem }) => problem === undefined).length;
        expect(readByRecipe(known.recipe, file)).toEqual(known.read);
        expect(recipeProblems(known.recipe, [attribute])).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(50);
  });

  test('its recipe reads the same whatever the order of its columns', () => {
    fc.assert(
      fc.property(files, (file) => {
        const unshuffled = { ...file, rows: shuffled({ ...file, order: [...file.headings.keys()] }).rows };
        const known = mapped(unshuffled);
        if (known) expect(readByRecipe(known.recipe, shuffled(unshuffled))).toEqual(known.read);
      }),
      { numRuns: 300 },
    );
  });
});
