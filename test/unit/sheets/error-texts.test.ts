import { describe, expect, test } from 'vitest';
import {
  createItemReader,
  openTable,
  type ReadRow,
  type TableSource,
  toCsv,
  toXlsx,
} from '../../../sheets/src/index.js';
import { cells, inChunks } from './tables.js';
import { workbook } from './workbooks.js';

/** The second column of a table, as names. */
async function names(source: TableSource): Promise<(string | undefined)[]> {
  const { headings, rows } = await openTable(source);
  const mapping = { employeeID: [0], name: [1] };
  const read = createItemReader({ operation: 'sync', headings, mapping });
  const all: ReadRow<'sync'>[] = [];
  for await (const row of rows) all.push(read(row));
  return all.map(({ item, problems }) => item?.name ?? problems[0]?.code);
}

const texts = ['#N/A', '#nv', "'#REF!", "''#REF!", 'Ada'];
const table = [['ID', 'Name'], ...texts.map((text) => ['E1', text])];

describe('text that looks like a formula error', () => {
  test.each<[string, TableSource]>([
    ['CSV, if its writer marks it as text', toCsv(table, { allTexts: true })],
    ['a workbook written by Rollcall', toXlsx(table)],
    ['JSON', JSON.stringify(texts.map((Name) => ({ ID: 'E1', Name })))],
  ])('is preserved in %s', async (_, source) => {
    expect(await names(source)).toEqual(texts);
  });

  test('is preserved in a workbook saved by Excel if the cell has the quote-prefix style', async () => {
    const styles = '<cellXfs><xf numFmtId="49"/><xf numFmtId="49" quotePrefix="1"/></cellXfs>';
    const row = (number: number, cell: string) =>
      `<row r="${number}"><c r="A${number}" t="str"><v>E${number}</v></c>${cell}</row>`;
    const sheetData = [
      row(1, '<c r="B1" t="str"><v>Name</v></c>'),
      row(2, '<c r="B2" s="1" t="s"><v>0</v></c>'),
      row(3, '<c r="B3" s="0" t="s"><v>0</v></c>'),
      row(4, '<c r="B4" s="1" t="e"><v>#N/A</v></c>'),
    ].join('');
    const bytes = workbook({ sheetData, styles, sharedStrings: '<si><t>#N/A</t></si>' });
    expect(await names(inChunks(bytes, 1_000))).toEqual(['#N/A', 'CELL_IS_ERROR', 'CELL_IS_ERROR']);
  });
});

test('a possible error remains one when a file is rewritten', async () => {
  expect(await names(toCsv(table))).toEqual(['CELL_IS_ERROR', 'CELL_IS_ERROR', ...texts.slice(2)]);
  expect(await cells(toCsv(table))).toEqual(table.slice(1));
});

test('an apostrophe only affects its own column', async () => {
  expect(await names("ID,Name,Other\nE1,#N/A,'#N/A\nE2,'#N/A,#N/A\n")).toEqual(['CELL_IS_ERROR', '#N/A']);
});

test('half of a name that is a formula error fails the row, and the report names the error', async () => {
  const { headings, rows } = await openTable(
    'ID,First name,Last name\nE1,Ada,#N/A\nE2,#REF!,\nE3,Ada,Byron\n',
  );
  const mapping = { employeeID: [0], name: [1, 2] };
  const read = createItemReader({ operation: 'sync', headings, mapping });
  const all: ReadRow<'sync'>[] = [];
  for await (const row of rows) all.push(read(row));
  expect(all.map(({ item, problems: [first] }) => item?.name ?? [first?.code, first?.text])).toEqual([
    ['CELL_IS_ERROR', '#N/A'],
    ['CELL_IS_ERROR', '#REF!'],
    'Ada Byron',
  ]);
});
