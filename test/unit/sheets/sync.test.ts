import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createItemReader,
  fieldsOf,
  type Heading,
  type Item,
  inManagerOrder,
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

describe('sync row', () => {
  test('can have the fields of a create and an update', () => {
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

  test('requires only the employee ID', () => {
    expect(readSync({ employeeID: 'E1' })).toMatchObject({ item: { employeeID: 'E1' }, problems: [] });
    expect(readSync({ name: 'Ada' }).problems).toMatchObject([
      { code: 'FIELD_REQUIRED', field: 'employeeID' },
    ]);
  });

  test('clears optional fields if chosen', () => {
    expect(readSync({ employeeID: 'E1' }, 'clears').item).toEqual({
      employeeID: 'E1',
      username: '',
      email: '',
      phone: '',
      tagSerials: [],
      organizationSerial: '',
    });
  });

  test('may lack a name, unlike an item of a bulk call', () => {
    expectTypeOf(readSync({}).item).toEqualTypeOf<SyncItem | undefined>();
    const update = createItemReader({ operation: 'update', headings, mapping });
    expectTypeOf(update).returns.toHaveProperty('item').toEqualTypeOf<Item | undefined>();
  });
});

describe('missing for a new user', () => {
  const name = {
    ...{ code: 'FIELD_REQUIRED', field: 'name' },
    detail:
      '"name" is required. It must be a string of 1 to 200 characters that is not blank, without control characters, bidirectional overrides and lone surrogates.',
  };
  const contact = {
    code: 'CONTACT_REQUIRED',
    detail: '"email" and "phone" are both empty. Send at least one.',
  };

  test.each<[string, Omit<SyncItem, 'employeeID'>, object[]]>([
    ['nothing', { name: 'Ada', email: 'ada@example.com' }, []],
    ['only an optional email', { name: 'Ada', email: '', phone: '12345' }, []],
    ['contact details', { name: 'Ada', phone: '' }, [contact]],
    ['a name', { phone: '12345' }, [name]],
    ['both', {}, [name, contact]],
  ])('%s', (_, item, problems) => {
    expect(missingForCreate({ employeeID: 'E1', ...item })).toEqual(problems);
  });

  test('is reported as in a create', () => {
    const read = createItemReader({ operation: 'create', headings, mapping });
    const cells = fields.map((field) => ({ employeeID: 'E1', isActive: 'yes' })[field as string] ?? '');
    const told = read({ number: 2, line: 2, cells }).problems.map(({ code, detail }) => ({ code, detail }));
    expect(missingForCreate({ employeeID: 'E1' })).toMatchObject(told);
  });
});

test('the service accepts the item, for a new or an existing user', () => {
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
      if (item === undefined) throw new Error('a valid row has no item');
      const { newEmployeeID: _, ...asNew } = item;
      const [missing] = missingForCreate(item);
      expect(parseNewUser({ isActive: true, ...asNew }, {})).toMatchObject(
        missing === undefined ? { ok: true } : { ok: false, failure: { detail: missing.detail } },
      );
      const { email: __, password: ___, ...asKnown } = item;
      expect(parseBulkChange({ name: 'Ada', isActive: true, ...asKnown }, {})).toMatchObject({ ok: true });
    }),
    { numRuns: 200 },
  );
});

test('managers come before their reports, also through others, and a circle ends', () => {
  const managers: Record<string, string> = { a: 'c', b: 'a', c: 'd', d: '', e: 'gone', f: 'g', g: 'f' };
  const ordered = inManagerOrder(
    Object.keys(managers),
    (id) => id,
    (id) => managers[id] ?? '',
  );
  expect(ordered.join('')).toBe('dcabegf');
});
