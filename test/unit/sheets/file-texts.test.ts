import { expect, test } from 'vitest';
import { safetyLimitText, type TableProblem, tableProblemText } from '../../../sheets/src/index.js';

test.each<[TableProblem, string]>([
  [{ code: 'EMPTY' }, 'The file is empty.'],
  [{ code: 'ONLY_HEADINGS', headings: [] }, 'The file has headings but no rows'],
  [{ code: 'NOT_A_TABLE', seems: 'pdf' }, 'This looks like a PDF document.'],
  [{ code: 'NOT_A_TABLE', seems: 'xls' }, 'This looks like an old Excel workbook (.xls).'],
  [{ code: 'WORKBOOK_TOO_LARGE', max: 300_000_000 }, 'larger than 300 MB when unpacked'],
  [{ code: 'ENCODING_BROKEN', line: 7, encoding: 'utf-8' }, 'Line 7'],
  [{ code: 'ENCODING_MIXED', utf8Line: 2, otherLine: 1_007 }, 'line 2 is in UTF-8, and line 1,007 is not'],
  [{ code: 'QUOTE_UNFINISHED', line: 3 }, 'Line 3 has a quotation mark'],
  [{ code: 'TOO_MANY_ROWS', max: 100_000 }, 'The file has more than 100,000 rows'],
])('a file that cannot be read: %j', (problem, text) => {
  expect(tableProblemText(problem)).toContain(text);
});

test('a call beyond the safety limit names what it would do, and to how many users', () => {
  const counts = { confirm: 15, deactivated: 10, renamed: 5, total: 1_000, limitPercent: 1 };
  expect(safetyLimitText(counts)).toBe(
    'This would deactivate 10 and change the employee ID of 5 of 1,000 users (1.5%), which exceeds the safety limit of 1%.',
  );
});
