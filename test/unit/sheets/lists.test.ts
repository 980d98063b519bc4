import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createItemReader,
  listCell,
  openTable,
  type TableSource,
  toCsv,
  toXlsx,
} from '../../../sheets/src/index.js';
import { serialReferenceField } from '../../../src/contract/fields.js';
import { storedText } from './texts.js';

/** The tags in each row of a file. */
async function tagsOf(source: TableSource): Promise<(readonly string[] | null | undefined)[]> {
  const { headings, rows } = await openTable(source);
  const mapping = { employeeID: [0], tagSerials: [1] };
  const readRow = createItemReader({ operation: 'sync', headings, mapping });
  const tags: (readonly string[] | null | undefined)[] = [];
  for await (const row of rows) tags.push(readRow(row).item?.tagSerials);
  return tags;
}

const table = (...cells: readonly string[]): string[][] => [
  ['ID', 'Tags'],
  ...cells.map((cell) => ['E1', cell]),
];

describe('a list is written in the most readable form', () => {
  test.each<[string[], string]>([
    [[], ''],
    [['T1'], 'T1'],
    [['T1', 'T2'], 'T1, T2'],
    [['Sales, EMEA', 'T2'], 'Sales, EMEA\nT2'],
    [['Sales, EMEA'], '["Sales, EMEA"]'],
    [['two\nlines', 'T2'], '["two\\nlines","T2"]'],
    [[' T1'], '[" T1"]'],
    [['["T1"', '"T2"]'], '["T1"\n"T2"]'],
    [['["T1"]'], '["[\\"T1\\"]"]'],
    [['#N/A'], '["#N/A"]'],
  ])('%j', (values, cell) => {
    expect(listCell(values)).toBe(cell);
  });
});

test('any tags are preserved', async () => {
  const tag = fc
    .oneof(storedText, fc.constantFrom('T1', 'Sales, EMEA', '["a', 'b"]', '["a"]', '#REF!'))
    .filter((text) => serialReferenceField.accepts(text));
  const list = fc.uniqueArray(tag, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(list, { minLength: 20, maxLength: 20 }), async (lists) => {
      const rows = table(...lists.map(listCell));
      expect(await tagsOf(toCsv(rows))).toEqual(lists);
      expect(await tagsOf(toXlsx(rows))).toEqual(lists);
      const objects = lists.map((tagSerials) => ({ employeeID: 'E1', tagSerials }));
      expect(await tagsOf(JSON.stringify(objects))).toEqual(lists);
    }),
    { numRuns: 5 },
  );
});

test.each<[string, string[]]>([
  ['["T1", "T2"]', ['T1', 'T2']],
  ['["T1"', ['["T1"']],
  ['["T1",2,"T3"]', ['["T1"', '2', '"T3"]']],
])('%s in a cell from other software', async (cell, tags) => {
  expect(await tagsOf(toCsv(table(cell)))).toEqual([tags]);
});
