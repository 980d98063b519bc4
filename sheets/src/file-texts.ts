const megabytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });

const asText = 'Format the column as text and enter the value again.';
const asTextOrQuoted =
  'Format the column as text (in JSON, put the value in quotes) and enter the value again.';
const calculate = 'Open the file in Excel and save it so formulas are calculated.';

/** A column of the file: its letter, and its heading if it has one. */
const column = (letter: string, heading: string | undefined) =>
  heading === undefined ? `Column ${letter}` : `Column ${letter} "${heading}"`;

/** What is wrong with a file, its columns or its cells, in English. Other languages translate these texts. */
export function fileTexts(formatNumber: (value: number) => string) {
  const plural = (value: number, noun: string) => `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
  return {
    kinds: {
      pdf: 'This looks like a PDF document.',
      png: 'This looks like an image.',
      jpeg: 'This looks like an image.',
      gif: 'This looks like an image.',
      xls: 'This looks like an old Excel workbook (.xls).',
      encrypted: 'This workbook is protected by a password.',
      xlsb: 'This looks like a binary Excel workbook (.xlsb).',
      ods: 'This looks like an OpenDocument spreadsheet (.ods).',
      numbers: 'This looks like an Apple Numbers spreadsheet.',
      docx: 'This looks like a text document.',
      zip: 'This looks like a ZIP archive.',
      gzip: 'This looks like a compressed file.',
      html: 'This looks like a web page.',
      xml: 'This looks like an XML file.',
      rtf: 'This looks like a text document.',
      binary: 'This is not a table.',
    },
    saveAs: (what: string) => `${what} Save it as CSV or as an Excel workbook (.xlsx).`,
    chooseTable: (what: string) => `${what} Choose a CSV file or an Excel workbook (.xlsx) instead.`,
    empty: 'The file is empty.',
    onlyHeadings:
      'The file has headings but no rows below them. If you see rows in it, save it again as CSV or as an Excel workbook (.xlsx).',
    encodingMixed: (utf8Line: number, otherLine: number) =>
      `The file mixes two encodings: line ${formatNumber(utf8Line)} is in UTF-8, and line ${formatNumber(otherLine)} is not. Some names would be damaged. Save the whole file as CSV UTF-8 or as an Excel workbook (.xlsx).`,
    encodingBroken: (line: number, encoding: string) =>
      `Line ${formatNumber(line)} is not valid ${encoding}. Save the file as CSV UTF-8 or as an Excel workbook (.xlsx).`,
    quoteUnfinished: (line: number) =>
      `Line ${formatNumber(line)} has a quotation mark (") that is never closed. Close or remove it.`,
    rowTooLong: (line: number, max: number) =>
      `Line ${formatNumber(line)} is longer than ${formatNumber(max)} characters. Most likely, an earlier quotation mark (") is not closed.`,
    cellTooLong: (max: number) =>
      `A cell has more than ${plural(max, 'character')}, which no spreadsheet program writes. Save the file again in one.`,
    tooManyColumns: (max: number) =>
      `The file has more than ${plural(max, 'column')}. Remove the ones you don't need.`,
    tooManyRows: (max: number) =>
      `The file has more than ${plural(max, 'row')}. Split it into several files.`,
    jsonBroken: (line: number) => `The file looks like JSON, but line ${formatNumber(line)} is invalid.`,
    sheetUnknown: (sheet: string, sheets: readonly string[]) =>
      `The workbook has no sheet named "${sheet}". Its sheets are: ${sheets.join(', ')}.`,
    damaged: 'The workbook is damaged. Open it in a spreadsheet program and save it again.',
    tooLarge: (maxBytes: number) =>
      `The workbook is larger than ${megabytes.format(maxBytes / 1_000_000)} when unpacked. Save the sheet as CSV.`,
    warnings: {
      doubled: (heading: string, letters: string) => `Columns ${letters} are all named "${heading}".`,
      numberFormat: (letter: string, heading: string | undefined, row: number) =>
        `${column(letter, heading)} displays numbers differently from how they are stored, first in row ${formatNumber(row)}. Rows whose digits differ are invalid. Format the column as text.`,
      longNumber: (letter: string, heading: string | undefined, row: number) =>
        `${column(letter, heading)} contains numbers with more digits than a spreadsheet stores, first in row ${formatNumber(row)}. Format the column as text and enter the values again.`,
      formula: (letter: string, heading: string | undefined, row: number) =>
        `${column(letter, heading)} contains formulas without a result, first in row ${formatNumber(row)}. ${calculate}`,
      noHeading: (letter: string, row: number) =>
        `Column ${letter} has values but no heading, first in row ${formatNumber(row)}. It is skipped.`,
      hiddenRows: (count: number, row: number) =>
        `The sheet has ${plural(count, 'hidden row')}, starting with row ${formatNumber(row)}. Hidden rows are imported as well.`,
      merged: (ranges: string) => `Merged cells (${ranges}): only the first cell of each group has a value.`,
      mergedMany: (count: number, ranges: string) =>
        `${formatNumber(count)} groups of merged cells (${ranges} and more): only the first cell of each group has a value.`,
    },
    formulaError: (text: string) => `The cell contains ${text}, which is a formula error.`,
    someFormulaError: 'The cell contains a formula error.',
    /** Why the value of a cell isn't known exactly. */
    uncertain: {
      FORMULA_NOT_CALCULATED: `The cell is a formula whose result is not in the file. ${calculate}`,
      NUMBER_NOT_EXACT: `The number has more digits than can be stored exactly, so its last digits may be wrong. ${asTextOrQuoted}`,
      NUMBER_FORMAT: `The number format displays something other than the number. ${asText}`,
      DATE: `The cell is a date. ${asText}`,
      BOOLEAN: `The cell is true or false, not text. ${asTextOrQuoted}`,
      LIST: 'The cell is a list. Enter a single value.',
      MERGED: 'The cell is covered by merged cells. Unmerge them and fill in every row.',
      KEY_TWICE: 'The value is ambiguous, because the object has the same key twice. Keep the correct one.',
      MALFORMED: "The cell can't be read. Open the file in Excel, check the cell and save the file.",
      SHORTENED: (text: string) =>
        `${text} is a long number that a spreadsheet shortened. Format the column as text, enter the value again and save the file.`,
      CUT_OFF: 'The row ends before this column. Give every row the same number of cells.',
      NOT_IN_TABLE: (text: string) => `"${text}" is not in the value table of this column.`,
      DATE_FORMAT: (text: string) => `"${text}" is not a date in the format of this column.`,
    },
    nameUnknown: (name: string) => `"${name}" is not in the directory.`,
    cellsStray: (texts: readonly string[]) =>
      `The row has more cells than there are headings: ${texts.map((text) => `"${text}"`).join(', ')}.`,
    cellsMissing: (count: number) =>
      `The row has ${formatNumber(count)} fewer ${count === 1 ? 'cell' : 'cells'} than there are headings.`,
    quoteStray: 'A quotation mark begins the cell but does not end it. The cell is taken as it is.',
  };
}

export type FileTexts = ReturnType<typeof fileTexts>;

export const englishTexts: FileTexts = fileTexts(new Intl.NumberFormat('en').format);
