import type { Heading, TableProblem, TableWarning } from '#sheets';
import { count, counted } from '../../terminal/numbers.js';

/** Why a file cannot be taken, and what to do about it. */
export function tableProblemText(problem: TableProblem): string {
  switch (problem.code) {
    case 'EMPTY':
      return 'There is nothing in it.';
    case 'ONLY_HEADINGS':
      return 'It has headings but no rows under them.';
    case 'NOT_A_TABLE':
      return `It is not a table (it looks like ${problem.seems}). Save it as CSV, XLSX, JSON or NDJSON.`;
    case 'ENCODING_BROKEN':
      return `Its text is damaged in line ${count(problem.line)}: it begins as ${problem.encoding} and does not go on so. Say what it is with --encoding.`;
    case 'QUOTE_UNFINISHED':
      return `In line ${count(problem.line)} a quotation mark (") begins a text that never ends. Close it or take it away.`;
    case 'ROW_TOO_LONG':
      return `Line ${count(problem.line)} is longer than ${count(problem.max)} characters. Most likely a quotation mark (") before it is not closed.`;
    case 'TOO_MANY_COLUMNS':
      return `It has more than ${count(problem.max)} columns. Keep those that are needed.`;
    case 'TOO_MANY_ROWS':
      return `It has more than ${count(problem.max)} rows. Cut it into several files.`;
    case 'JSON_BROKEN':
      return `It looks like JSON, but cannot be read from line ${count(problem.line)} on.`;
    case 'SHEET_UNKNOWN':
      return `It has no sheet "${problem.sheet}"; there are: ${problem.sheets.join(', ')}.`;
    case 'WORKBOOK_DAMAGED':
      return 'The workbook is damaged. Open it in your spreadsheet program and save it anew.';
    case 'WORKBOOK_TOO_LARGE':
      return `The workbook is larger than ${count(problem.max)} bytes when unpacked. Save the sheet as CSV.`;
  }
}

/** What may be wrong with a file that can be read. */
export function tableWarningText(warning: TableWarning, headings: readonly Heading[]): string {
  const nameOf = (column: number) => `"${headings[column]?.name ?? column + 1}"`;
  switch (warning.code) {
    case 'HEADING_DOUBLED':
      return `More than one column is called "${warning.heading}".`;
    case 'NUMBER_FORMAT':
      return `In ${nameOf(warning.column)} the sheet shows numbers in another way than they are stored (first in row ${count(warning.row)}). Where the digits differ, the row fails: format the column as text.`;
    case 'LONG_NUMBER':
      return `${nameOf(warning.column)} has numbers with more digits than a spreadsheet keeps (first in row ${count(warning.row)}). These rows fail if the column is used: format it as text and enter the values again.`;
    case 'FORMULA_WITHOUT_VALUE':
      return `${nameOf(warning.column)} has formulas without a result (first in row ${count(warning.row)}). These rows fail if the column is used: open the file in Excel and save it so formulas are calculated.`;
    case 'CELLS_WITHOUT_HEADING':
      return `Column ${nameOf(warning.column)} has cells but no heading (first in row ${count(warning.row)}).`;
    case 'HIDDEN_ROWS':
      return `${counted(warning.count, 'row')} of the sheet are hidden (first row ${count(warning.row)}). They are taken too.`;
    case 'MERGED_CELLS':
      return `${counted(warning.count, 'group')} of cells are merged. Only the first cell of each has the value; rows that need another one fail.`;
  }
}
