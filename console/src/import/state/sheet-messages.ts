import type { Heading, RowProblem, RowWarning, TableProblem } from '@rollcall/sheets';
import { fieldLabel, fieldRule } from '../../components/error-message.js';
import { errorsCopy, sheetsCopy } from '../../copy/copy.js';
import { formatBytes } from '../../copy/format.js';

const copy = sheetsCopy;

/** Files that hold a table and can be saved in another format. */
const spreadsheets: ReadonlySet<string> = new Set(['xls', 'encrypted', 'xlsb', 'ods', 'numbers']);

/** Why a file can't be read, and what to do about it. */
export function tableProblemMessage(problem: TableProblem): string {
  switch (problem.code) {
    case 'EMPTY':
      return copy.empty;
    case 'ONLY_HEADINGS':
      return copy.onlyHeadings;
    case 'NOT_A_TABLE':
      return spreadsheets.has(problem.seems)
        ? copy.saveAs(copy.kinds[problem.seems])
        : copy.chooseTable(copy.kinds[problem.seems]);
    case 'ENCODING_BROKEN':
      return copy.encodingBroken(problem.line, problem.encoding.toUpperCase());
    case 'ENCODING_MIXED':
      return copy.encodingMixed(problem.utf8Line, problem.otherLine);
    case 'QUOTE_UNFINISHED':
      return copy.quoteUnfinished(problem.line);
    case 'ROW_TOO_LONG':
      return copy.rowTooLong(problem.line, problem.max);
    case 'TOO_MANY_COLUMNS':
      return copy.tooManyColumns(problem.max);
    case 'TOO_MANY_ROWS':
      return copy.tooManyRows(problem.max);
    case 'JSON_BROKEN':
      return copy.jsonBroken(problem.line);
    case 'SHEET_UNKNOWN':
      return copy.sheetUnknown(problem.sheet, problem.sheets);
    case 'WORKBOOK_DAMAGED':
      return copy.damaged;
    case 'WORKBOOK_TOO_LARGE':
      return copy.tooLarge(formatBytes(problem.max));
  }
}

export function columnName(headings: readonly Heading[], column: number): string {
  return headings[column]?.name ?? copy.columnNumber(column + 1);
}

/** What is wrong with a row, named after the field it is about. */
export function rowProblemMessage(problem: RowProblem): string {
  const text = problemText(problem);
  return problem.field === undefined ? text : errorsCopy.about(fieldLabel(problem.field), text);
}

function problemText({ code, field, reason = 'MALFORMED', text = '', texts = [] }: RowProblem): string {
  switch (code) {
    case 'FIELD_REQUIRED':
      return errorsCopy.required;
    case 'FIELD_INVALID':
      return fieldRule(field ?? '') ?? errorsCopy.codes.USER_FIELD_INVALID;
    case 'CONTACT_REQUIRED':
      return errorsCopy.codes.USER_CONTACT_REQUIRED;
    case 'CELL_IS_ERROR':
      return text === '' ? copy.someFormulaError : copy.formulaError(text);
    case 'VALUE_UNCERTAIN':
      return reason === 'SHORTENED' ? copy.uncertain.SHORTENED(text) : copy.uncertain[reason];
    case 'NAME_UNKNOWN':
      return copy.nameUnknown(text);
    case 'CELLS_STRAY':
      return copy.cellsStray(texts);
  }
}

/** Undefined for duplicates, which depend on the other rows. */
export function rowWarningMessage({ code, count = 1 }: RowWarning): string | undefined {
  switch (code) {
    case 'CELLS_MISSING':
      return copy.cellsMissing(count);
    case 'QUOTE_STRAY':
      return copy.quoteStray;
    case 'EMPLOYEE_ID_TWICE':
      return undefined;
  }
}
