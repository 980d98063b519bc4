import { describe, expect, test } from 'vitest';
import { createSurveyor, isMentioned, type Mapping, openTable } from '../../../../sheets/src/index.js';

const byOldId = { mapping: { employeeID: [0] }, from: 1 };
const byNewId = { mapping: { employeeID: [0], newEmployeeID: [1] } };

async function surveyOf(columns: { mapping: Mapping; from?: number }, ...rows: string[]) {
  const surveyor = createSurveyor(columns);
  for await (const row of (await openTable(`ID,Other\n${rows.join('\n')}\n`)).rows) surveyor.add(row);
  return surveyor.survey();
}

const codes = ({ contradictions }: Awaited<ReturnType<typeof surveyOf>>) =>
  Object.fromEntries([...contradictions].map(([row, { code }]) => [row, code]));

describe('the survey of a file', () => {
  test('finds rows that contradict each other', async () => {
    const survey = await surveyOf(byOldId, 'E1,', 'E1,', 'E2,A', 'E3,A', 'E4,E5', 'E5,E4', 'E6,');
    expect(codes(survey)).toEqual({
      ...{ 2: 'EMPLOYEE_ID_TWICE', 3: 'EMPLOYEE_ID_TWICE', 4: 'RENAME_TWICE', 5: 'RENAME_TWICE' },
      ...{ 6: 'RENAME_CIRCLE', 7: 'RENAME_CIRCLE' },
    });
    expect(survey.contradictions.get(2)?.detail).toContain('Rows 2 and 3');
  });

  test.each([
    ['old', byOldId, ['E2,E1', 'E3,E2']],
    ['new', byNewId, ['E1,E2', 'E2,E3']],
  ])(
    'lets a row wait for the row that frees its employee ID, by a column with the %s one',
    async (_, columns, rows) => {
      const { renames } = await surveyOf(columns, ...rows);
      expect(Object.fromEntries(renames.roundOf)).toEqual({ 2: 1 });
      expect([...renames.awaited]).toEqual([3]);
    },
  );

  test('knows users by the employee ID before and after a rename', async () => {
    const survey = await surveyOf(byNewId, 'E1,E2', 'E3,');
    expect(['E1', 'E2', 'E3', 'E4'].filter((id) => isMentioned(survey, id))).toEqual(['E1', 'E2', 'E3']);
  });

  test.each([
    ['the only employee ID', byOldId, 'no id,'],
    ['the old one', byOldId, 'E1,no id'],
    ['the new one', byNewId, 'E1,no id'],
    ['the old one of a new one', byNewId, 'no id,E1'],
  ])('counts a row as unreadable without %s: its user may have any', async (_, columns, row) => {
    const { unreadable } = await surveyOf(columns, 'E7,', row);
    expect(unreadable).toEqual({ rows: [3], count: 1 });
  });
});
