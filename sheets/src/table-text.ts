import type { Heading } from './headings.js';
import type { Lookalike, TableProblem, TableWarning } from './problems.js';

const count = new Intl.NumberFormat('en');
const plural = (value: number, noun: string) => `${count.format(value)} ${noun}${value === 1 ? '' : 's'}`;

const lookalikes: Readonly<Record<Lookalike, string>> = {
  pdf: 'a PDF document',
  png: 'an image',
  jpeg: 'an image',
  gif: 'an image',
  xls: 'an old Excel workbook (.xls)',
  encrypted: 'a password-protected workbook',
  xlsb: 'a binary Excel workbook (.xlsb)',
  ods: 'an OpenDocument spreadsheet (.ods)',
  numbers: 'an Apple Numbers spreadsheet',
  docx: 'a text document',
  zip: 'a ZIP archive',
  gzip: 'a compressed file',
  html: 'a web page',
  xml: 'an XML file',
  rtf: 'a text document',
  binary: 'a binary file',
};

/** Why a file cannot be read, and what to do about it. */
export function tableProblemText(problem: TableProblem): string {
  switch (problem.code) {
    case 'EMPTY':
      return 'The file is empty.';
    case 'ONLY_HEADINGS':
      return 'The file has headings but no rows.';
    case 'NOT_A_TABLE':
      return `This looks like ${lookalikes[problem.seems]}. Save it as CSV or as an Excel workbook (.xlsx).`;
    case 'ENCODING_BROKEN':
      return `Line ${count.format(problem.line)} is not valid ${problem.encoding}. Save the file as CSV UTF-8 or as an Excel workbook (.xlsx).`;
    case 'ENCODING_MIXED':
      return `The file mixes two encodings: line ${count.format(problem.utf8Line)} is in UTF-8, and line ${count.format(problem.otherLine)} is not. Save the whole file as CSV UTF-8 or as an Excel workbook (.xlsx).`;
    case 'QUOTE_UNFINISHED':
      return `Line ${count.format(problem.line)} has a quotation mark (") that is never closed. Close or remove it.`;
    case 'ROW_TOO_LONG':
      return `Line ${count.format(problem.line)} is longer than ${count.format(problem.max)} characters. Most likely, an earlier quotation mark (") is not closed.`;
    case 'TOO_MANY_COLUMNS':
      return `The file has more than ${plural(problem.max, 'column')}. Remove the ones you don't need.`;
    case 'TOO_MANY_ROWS':
      return `The file has more than ${plural(problem.max, 'row')}. Split it into several files.`;
    case 'JSON_BROKEN':
      return `The file looks like JSON, but line ${count.format(problem.line)} is invalid.`;
    case 'SHEET_UNKNOWN':
      return `The workbook has no sheet named "${problem.sheet}". Its sheets are: ${problem.sheets.join(', ')}.`;
    case 'WORKBOOK_DAMAGED':
      return 'The workbook is damaged. Open it in a spreadsheet program and save it again.';
    case 'WORKBOOK_TOO_LARGE':
      return `The workbook is larger than ${plural(problem.max, 'byte')} when unpacked. Save the sheet as CSV.`;
  }
}

/** What to know about a file before its rows are used. */
export function tableWarningText(warning: TableWarning, headings: readonly Heading[]): string {
  const nameOf = (column: number) => `"${headings[column]?.name ?? column + 1}"`;
  switch (warning.code) {
    case 'HEADING_DOUBLED':
      return `Several columns are named "${warning.heading}".`;
    case 'NUMBER_FORMAT':
      return `${nameOf(warning.column)} displays numbers differently from how they are stored, first in row ${count.format(warning.row)}. Rows whose digits differ are rejected. Format the column as text.`;
    case 'LONG_NUMBER':
      return `${nameOf(warning.column)} contains numbers with more digits than a spreadsheet stores, first in row ${count.format(warning.row)}. Format the column as text and enter the values again.`;
    case 'FORMULA_WITHOUT_VALUE':
      return `${nameOf(warning.column)} contains formulas without a result, first in row ${count.format(warning.row)}. Open the file in Excel and save it so formulas are calculated.`;
    case 'CELLS_WITHOUT_HEADING':
      return `Column ${nameOf(warning.column)} contains values but has no heading, first in row ${count.format(warning.row)}.`;
    case 'HIDDEN_ROWS':
      return `The sheet has ${plural(warning.count, 'hidden row')}, starting with row ${count.format(warning.row)}. Hidden rows are included.`;
    case 'MERGED_CELLS':
      return `The sheet has ${plural(warning.count, 'group')} of merged cells. Only the first cell of each group has a value.`;
  }
}
