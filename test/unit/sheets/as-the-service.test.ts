import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createItemReader,
  type FieldName,
  fieldsOf,
  type Heading,
  type Row,
} from '../../../sheets/src/index.js';
import { parseBulkChange, parseNewUser } from '../../../src/domain/users/user-rules.js';

const parsers = { create: parseNewUser, update: parseBulkChange };

/** Cell texts close to what the fields accept, so that both valid and invalid ones occur. */
const cell = fc.oneof(
  fc.constantFrom(
    '',
    'E1',
    'yes',
    'no',
    '+49 40 123',
    'ada@example.com',
    'T1,T2',
    'Ada Lovelace',
    '12',
    'a@b',
    '\u200B',
  ),
  fc.stringMatching(/^[A-Za-z0-9+@. ()-]{0,12}$/),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.integer({ min: 60, max: 260 }).map((length) => 'x'.repeat(length)),
);

test.each(['create', 'update'] as const)('items for %s are accepted by the service', (operation) => {
  const fields = fieldsOf(operation);
  const headings = fields.map((name, column): Heading => ({ column, letter: '', name, isEmpty: false }));
  const mapping = Object.fromEntries(fields.map((field, column) => [field, [column]]));
  const good: Partial<Record<FieldName, string>> = {
    employeeID: 'E1',
    name: 'Ada',
    isActive: 'yes',
    phone: '12345',
  };
  const oneChanged = fc.record({
    changed: fc.constantFrom(...fields),
    text: cell,
    empty: fc.constantFrom('leaves' as const, 'clears' as const),
  });
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(oneChanged, ({ changed, text, empty }) => {
      const cells = fields.map((field) => (field === changed ? text : (good[field] ?? '')));
      const row: Row = { number: 2, line: 2, cells };
      const { item, problems } = createItemReader({ operation, headings, mapping, empty })(row);
      if (item !== undefined) {
        seen.taken++;
        expect(parsers[operation](item, {})).toMatchObject({ ok: true });
        return;
      }
      seen.refused++;
      // The service must reject what sheets rejects, with the same text or naming the invalid character. Flags and
      // lists differ, because they aren't texts for the service.
      if (changed === 'isActive' || changed === 'tagSerials') return;
      const sent = { employeeID: 'E1', name: 'Ada', isActive: true, phone: '12345', [changed]: text.trim() };
      const parsed = parsers[operation](sent, {});
      const told = parsed.ok ? '' : parsed.failure.detail;
      if (!told.startsWith(`"${changed}" must not contain `)) expect(told).toBe(problems[0]?.detail);
    }),
    { numRuns: 200 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(40);
});
