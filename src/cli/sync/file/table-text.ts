import type { Heading, TableProblem, TableWarning } from '#sheets';
import { count, counted } from '../../terminal/numbers.js';

/** Why a file cannot be read, and what to do about it. */
export function tableProblemText(problem: TableProblem): string {
  switch (problem.code) {
    case 'EMPTY':
      return 'The file is empty.';
    case 'ONLY_HEADINGS':
      return 'It has headings but no rows.';
    case 'NOT_A_TABLE':
      return `It is not a table (it looks like ${problem.seems}). Save it as CSV, XLSX, JSON or NDJSON.`;
    case 'ENCODING_BROKEN':
      return `Line ${count(problem.line)} is not valid ${problem.encoding}, unlike the lines before it. Set the encoding with --encoding.`;
    case 'QUOTE_UNFINISHED':
      return `Line ${count(problem.line)} has a quotation mark (") that is never closed. Close or remove it.`;
    case 'ROW_TOO_LONG':
      return `Line ${count(problem.line)} is longer than ${count(problem.max)} characters. Most likely, an earlier quotation mark (") is not closed.`;
    case 'TOO_MANY_COLUMNS':
      return `It has more than ${count(problem.max)} columns. Remove those you do not need.`;
    case 'TOO_MANY_ROWS':
      return `It has more than ${count(problem.max)} rows. Split it into several files.`;
    case 'JSON_BROKEN':
      return `It looks like JSON, but line ${count(problem.line)} is invalid.`;
    case 'SHEET_UNKNOWN':
      return `It has no sheet "${problem.sheet}". Its sheets are: ${problem.sheets.join(', ')}.`;
    case 'WORKBOOK_DAMAGED':
      return 'The workbook is damaged. Open it in your spreadsheet program and save it again.';
    case 'WORKBOOK_TOO_LARGE':
      return `The workbook is larger than ${count(problem.max)} bytes when unpacked. Save the sheet as CSV.`;
  }
}

/** What may be wrong with a file that can be read. */
export function tableWarningText(warning: TableWarning, headings: readonly Heading[]): string {
  const nameOf = (column: number) => `"${headings[column]?.name ?? column + 1}"`;
  switch (warning.code) {
    case 'HEADING_DOUBLED':
      return `Several columns are named "${warning.heading}".`;
    case 'NUMBER_FORMAT':
      return `${nameOf(warning.column)} displays numbers differently from how they are stored (first in row ${count(warning.row)}). Rows whose digits differ fail: format the column as text.`;
    case 'LONG_NUMBER':
      return `${nameOf(warning.column)} has numbers with more digits than a spreadsheet keeps (first in row ${count(warning.row)}). These rows fail if the column is used: format it as text and enter the values again.`;
    case 'FORMULA_WITHOUT_VALUE':
      return `${nameOf(warning.column)} has formulas without a result (first in row ${count(warning.row)}). These rows fail if the column is used: open and save the file in Excel to calculate them.`;
    case 'CELLS_WITHOUT_HEADING':
      return `Column ${nameOf(warning.column)} has cells but no heading (first in row ${count(warning.row)}).`;
    case 'HIDDEN_ROWS':
      return `${counted(warning.count, 'row')} of the sheet ${warning.count === 1 ? 'is' : 'are'} hidden (first in row ${count(warning.row)}) and included in the sync.`;
    case 'MERGED_CELLS':
      return `The sheet has ${counted(warning.count, 'group')} of merged cells. Only the first cell of a group has the value; rows that need one of the others fail.`;
  }
}
