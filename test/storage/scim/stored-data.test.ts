import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonbText, parseStoredData, storedText } from '../../../src/scim/stored-data.js';
import { useService } from '../../support/service.js';

const service = useService();

/** Without what PostgreSQL can't store, and without numbers, which resources don't have. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((each) => !each.includes('\0'));
const leaf = fc.oneof(text, fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 5 }),
  ),
}));

test('the text in memory is the one that PostgreSQL prints', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 20, maxLength: 40 }), async (values) => {
      const texts = values.map(jsonbText);
      const { rows } = await service.database.pool.query<{ printed: string }>({
        text: 'SELECT value::jsonb::text AS printed FROM unnest($1::text[]) WITH ORDINALITY AS sent (value, at) ORDER BY at',
        values: [texts],
      });
      expect(rows.map(({ printed }) => printed)).toEqual(texts);
    }),
    { numRuns: 20 },
  );
});

test('users are looked up by external IDs, providers and further addresses', () => {
  const stored = storedText({
    externalIds: { 'client-1': '00u1' },
    providers: ['client-1'],
    core: {
      emails: [
        { isOwn: true, type: 'work' },
        { value: 'Ada@Home.example', type: 'home' },
      ],
    },
  });
  expect(parseStoredData(stored).keys).toEqual([
    'email:ada@home.example',
    'external:client-1:00u1',
    'provider:client-1',
  ]);
  expect(storedText({ core: {}, sent: {} })).toBeNull();
});
