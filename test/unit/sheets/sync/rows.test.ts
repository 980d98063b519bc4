import { expect, test } from 'vitest';
import { createSyncRowReader, openTable, type SyncColumns } from '../../../../sheets/src/index.js';

const byOldId = { mapping: { employeeID: [0] }, from: 1 };
const byNewId = { mapping: { employeeID: [0], newEmployeeID: [1] } };

test.each<[SyncColumns, string, string]>([
  [byOldId, 'no ID,E1', 'no ID'],
  [byOldId, 'E1,no ID', 'no ID'],
  [byNewId, 'no ID,E1', 'no ID'],
  [byNewId, 'E1,no ID', 'no ID'],
  [byOldId, ',E1', ''],
])('a rename with an employee ID that cannot be read names it: %j, %s', async (columns, cells, id) => {
  const { headings, rows } = await openTable(`ID,Other\n${cells}\n`);
  const meaningOf = () => undefined;
  const read = createSyncRowReader(headings, columns, { empty: 'leaves', isComplete: false, meaningOf });
  const problems = [];
  for await (const row of rows) problems.push(read(row).problem);
  const detail = `"${id}" is not a valid employee ID, so the user cannot be renamed.`;
  expect(problems).toEqual([{ code: 'RENAME_INVALID', detail }]);
});
