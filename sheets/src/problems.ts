/** What a file that isn't a table may be. */
export type Lookalike =
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'xls'
  | 'encrypted'
  | 'xlsb'
  | 'ods'
  | 'numbers'
  | 'docx'
  | 'zip'
  | 'gzip'
  | 'html'
  | 'xml'
  | 'rtf'
  | 'binary';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Why reading failed. Plain values that can be posted between threads and put into words elsewhere. */
export type TableProblem =
  | { readonly code: 'EMPTY' }
  | { readonly code: 'ONLY_HEADINGS'; readonly headings: readonly string[] }
  | { readonly code: 'NOT_A_TABLE'; readonly seems: Lookalike }
  | { readonly code: 'ENCODING_BROKEN'; readonly encoding: Encoding; readonly line: number }
  /** The first line in UTF-8, and the first that isn't. */
  | { readonly code: 'ENCODING_MIXED'; readonly utf8Line: number; readonly otherLine: number }
  | { readonly code: 'QUOTE_UNFINISHED'; readonly line: number }
  | { readonly code: 'ROW_TOO_LONG'; readonly line: number; readonly max: number }
  | { readonly code: 'CELL_TOO_LONG'; readonly max: number }
  | { readonly code: 'TOO_MANY_COLUMNS'; readonly line: number; readonly max: number }
  | { readonly code: 'TOO_MANY_ROWS'; readonly max: number }
  | { readonly code: 'JSON_BROKEN'; readonly line: number }
  | { readonly code: 'SHEET_UNKNOWN'; readonly sheet: string; readonly sheets: readonly string[] }
  | { readonly code: 'WORKBOOK_DAMAGED'; readonly part: string }
  | { readonly code: 'WORKBOOK_TOO_LARGE'; readonly max: number };

/** Something that users should know before they send the rows. Columns start at 0. */
export type TableWarning =
  | { readonly code: 'HEADING_DOUBLED'; readonly heading: string; readonly columns: readonly number[] }
  | { readonly code: ColumnWarningCode; readonly column: number; readonly row: number }
  | { readonly code: 'HIDDEN_ROWS'; readonly row: number; readonly count: number }
  | { readonly code: 'MERGED_CELLS'; readonly ranges: readonly string[]; readonly count: number };

export type ColumnWarningCode =
  | 'NUMBER_FORMAT'
  | 'LONG_NUMBER'
  | 'FORMULA_WITHOUT_VALUE'
  | 'CELLS_WITHOUT_HEADING';

/** Rows are a stream, which can only fail by throwing. The error carries the problem as a value. */
export class TableError extends Error {
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(`The table cannot be read or written: ${JSON.stringify(problem)}`);
    this.name = 'TableError';
    this.problem = problem;
  }
}
