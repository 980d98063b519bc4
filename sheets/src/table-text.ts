import { englishTexts, type FileTexts } from './file-texts.js';
import { columnLetter, type Heading } from './headings.js';
import type { Lookalike, TableProblem, TableWarning } from './problems.js';

/** Files that hold a table and can be saved in another format. */
const spreadsheets: ReadonlySet<Lookalike> = new Set(['xls', 'encrypted', 'xlsb', 'ods', 'numbers']);

/** Why a file cannot be read, and what to do about it. */
export function tableProblemText(problem: TableProblem, texts: FileTexts = englishTexts): string {
  switch (problem.code) {
    case 'EMPTY':
      return texts.empty;
    case 'ONLY_HEADINGS':
      return texts.onlyHeadings;
    case 'NOT_A_TABLE': {
      const what = texts.kinds[problem.seems];
      return spreadsheets.has(problem.seems) ? texts.saveAs(what) : texts.chooseTable(what);
    }
    case 'ENCODING_BROKEN':
      return texts.encodingBroken(problem.line, problem.encoding.toUpperCase());
    case 'ENCODING_MIXED':
      return texts.encodingMixed(problem.utf8Line, problem.otherLine);
    case 'QUOTE_UNFINISHED':
      return texts.quoteUnfinished(problem.line);
    case 'ROW_TOO_LONG':
      return texts.rowTooLong(problem.line, problem.max);
    case 'CELL_TOO_LONG':
      return texts.cellTooLong(problem.max);
    case 'TOO_MANY_COLUMNS':
      return texts.tooManyColumns(problem.max);
    case 'TOO_MANY_ROWS':
      return texts.tooManyRows(problem.max);
    case 'JSON_BROKEN':
      return texts.jsonBroken(problem.line);
    case 'SHEET_UNKNOWN':
      return texts.sheetUnknown(problem.sheet, problem.sheets);
    case 'WORKBOOK_DAMAGED':
      return texts.damaged;
    case 'WORKBOOK_TOO_LARGE':
      return texts.tooLarge(problem.max);
  }
}

/** What to know about a file before its rows are used. */
export function tableWarningText(
  warning: TableWarning,
  headings: readonly Heading[],
  { warnings: texts }: Pick<FileTexts, 'warnings'> = englishTexts,
): string {
  const letterOf = (column: number) => headings[column]?.letter ?? columnLetter(column);
  const nameOf = (column: number) => (headings[column]?.isEmpty ? undefined : headings[column]?.name);
  switch (warning.code) {
    case 'HEADING_DOUBLED':
      return texts.doubled(warning.heading, warning.columns.map(letterOf).join(', '));
    case 'NUMBER_FORMAT':
      return texts.numberFormat(letterOf(warning.column), nameOf(warning.column), warning.row);
    case 'LONG_NUMBER':
      return texts.longNumber(letterOf(warning.column), nameOf(warning.column), warning.row);
    case 'FORMULA_WITHOUT_VALUE':
      return texts.formula(letterOf(warning.column), nameOf(warning.column), warning.row);
    case 'CELLS_WITHOUT_HEADING':
      return texts.noHeading(letterOf(warning.column), warning.row);
    case 'HIDDEN_ROWS':
      return texts.hiddenRows(warning.count, warning.row);
    case 'MERGED_CELLS': {
      const ranges = warning.ranges.join(', ');
      return warning.ranges.length < warning.count
        ? texts.mergedMany(warning.count, ranges)
        : texts.merged(ranges);
    }
  }
}
