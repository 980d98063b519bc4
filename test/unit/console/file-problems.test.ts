import { expect, test } from 'vitest';
import { tableProblemMessage } from '../../../console/src/import/state/sheet-messages.js';
import type { TableProblem } from '../../../sheets/src/index.js';

test.each<[TableProblem, string]>([
  [{ code: 'EMPTY' }, 'The file is empty.'],
  [{ code: 'ONLY_HEADINGS', headings: [] }, 'The file has headings but no rows'],
  [{ code: 'NOT_A_TABLE', seems: 'pdf' }, 'This looks like a PDF document.'],
  [{ code: 'NOT_A_TABLE', seems: 'xls' }, 'This looks like an old Excel workbook (.xls).'],
  [{ code: 'ENCODING_BROKEN', line: 7, encoding: 'utf-8' }, 'Line 7'],
  [{ code: 'ENCODING_MIXED', utf8Line: 2, otherLine: 1_007 }, 'line 2 is in UTF-8, and line 1,007 is not'],
  [{ code: 'QUOTE_UNFINISHED', line: 3 }, 'Line 3 has a quotation mark'],
  [{ code: 'TOO_MANY_ROWS', max: 100_000 }, 'The file has more than 100,000 rows'],
])('a file that cannot be imported: %j', (problem, text) => {
  expect(tableProblemMessage(problem)).toContain(text);
});
