import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createItemReader,
  fieldsOf,
  type Heading,
  type Item,
  missingForCreate,
  type ReadRow,
  type SyncItem,
} from '../../../sheets/src/index.js';
import { parseBulkChange, parseNewUser } from '../../../src/domain/users/user-rules.js';

const fields = fieldsOf('sync');
const headings = fields.map((name, column): Heading => ({ column, letter: '', name, isEmpty: false }));
const mapping = Object.fromEntries(fields.map((field, column) => [field, [column]]));
type Cells = Partial<Record<(typeof fields)[number], string>>;

function readSync(cells: Cells, empty: 'leaves' | 'clears' = 'leaves'): ReadRow<'sync'> {
  const read = createItemReader({ operation: 'sync', headings, mapping, empty });
  return read({ number: 2, line: 2, cells: fields.map((field) => cells[field] ?? '') });
}

describe('a row of a sync', () => {
  test('may have the fields of a create and of an update', () => {
    const { item } = readSync({
      employeeID: 'E1',
      newEmployeeID: 'E2',
      name: 'Ada',
      email: 'ada@example.com',
      password: 'secret word',
      isActive: 'no',
    });
    expect(item).toEqual({
      employeeID: 'E1',
      newEmployeeID: 'E2',
      name: 'Ada',
      email: 'ada@example.com',
      password: 'secret word',
      isActive: false,
    });
  });

  test('needs nothing but the employee ID', () => {
    expect(readSync({ employeeID: 'E1' })).toMatchObject({ item: { employeeID: 'E1' }, problems: [] });
    expect(readSync({ name: 'Ada' }).problems).toMatchObject([
      { code: 'FIELD_REQUIRED', field: 'employeeID' },
    ]);
  });

  test('clears what can be empty, if that was chosen', () => {
    expect(readSync({ employeeID: 'E1' }, 'clears').item).toEqual({
      employeeID: 'E1',
      username: null,
      email: null,
      phone: null,
      tagSerials: null,
      organizationSerial: null,
    });
  });

  test('is not sure to have a name, where an item of a bulk call is', () => {
    expectTypeOf(readSync({}).item).toEqualTypeOf<SyncItem | undefined>();
    const update = createItemReader({ operation: 'update', headings, mapping });
    expectTypeOf(update).returns.toHaveProperty('item').toEqualTypeOf<Item | undefined>();
  });
});

describe('what a new person lacks', () => {
  const problem =
    'is required. It must be a string of 1 to 200 characters that is not blank, without control characters, bidirectional overrides and lone surrogates.';
  const name = { code: 'FIELD_REQUIRED', field: 'name', detail: `"name" ${problem}`, problem };
  const contact = {
    code: 'CONTACT_REQUIRED',
    detail: '"email" and "phone" are both empty. Send at least one.',
  };

  test.each<[string, Omit<SyncItem, 'employeeID'>, object[]]>([
    ['nothing', { name: 'Ada', email: 'ada@example.com' }, []],
    ['nothing but an email', { name: 'Ada', email: null, phone: '12345' }, []],
    ['a contact', { name: 'Ada', phone: null }, [contact]],
    ['a name', { phone: '12345' }, [name]],
    ['both', {}, [name, contact]],
  ])('%s', (_, item, problems) => {
    expect(missingForCreate({ employeeID: 'E1', ...item })).toEqual(problems);
  });

  test('is told as a create tells it', () => {
    const read = createItemReader({ operation: 'create', headings, mapping });
    const cells = fields.map((field) => ({ employeeID: 'E1', isActive: 'yes' })[field as string] ?? '');
    const told = read({ number: 2, line: 2, cells }).problems.map(({ code, detail }) => ({ code, detail }));
    expect(missingForCreate({ employeeID: 'E1' })).toMatchObject(told);
  });
});

test('the service takes the item, as a new person or as a known one', () => {
  const cells = fc.record(
    {
      employeeID: fc.constant('E1'),
      newEmployeeID: fc.constantFrom('', 'E2'),
      name: fc.constantFrom('', 'Ada'),
      username: fc.constantFrom('', 'ada'),
      email: fc.constantFrom('', 'ada@example.com'),
      phone: fc.constantFrom('', '+49 40 123'),
      password: fc.constantFrom('', 'secret word'),
      isActive: fc.constantFrom('', 'yes', 'no'),
      tagSerials: fc.constantFrom('', 'T1, T2', '["a,b"]'),
      organizationSerial: fc.constantFrom('', 'ORG7'),
    },
    { requiredKeys: ['employeeID'] },
  );
  fc.assert(
    fc.property(cells, fc.constantFrom('leaves' as const, 'clears' as const), (row, empty) => {
      const { item } = readSync(row, empty);
      if (item === undefined) throw new Error('a good row is an item');
      const { newEmployeeID: _, ...asNew } = item;
      const [missing] = missingForCreate(item);
      expect(parseNewUser({ isActive: true, ...asNew }, {})).toMatchObject(
        missing === undefined ? { ok: true } : { ok: false, failure: { detail: missing.detail } },
      );
      const { email: __, password: ___, ...asKnown } = item;
      expect(parseBulkChange({ name: 'Ada', isActive: true, ...asKnown }, {})).toMatchObject({ ok: true });
    }),
    { numRuns: 500 },
  );
});
