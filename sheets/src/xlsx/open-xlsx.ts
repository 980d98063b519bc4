import { archiveLookalike } from '../kind.js';
import { TableError, type TableWarning } from '../problems.js';
import type { RawRow } from '../row.js';
import { readMergedCells } from './merged-cells.js';
import { readSharedStrings } from './shared-strings.js';
import { sheetRows } from './sheet-rows.js';
import { readStyles } from './styles.js';
import { chooseSheet, readWorkbook } from './workbook.js';
import { openArchive } from './zip.js';

export interface XlsxOptions {
  readonly sheet: string | undefined;
  readonly columnsMax: number;
  readonly rowCharactersMax: number;
  readonly inflatedBytesMax: number;
  warn(warning: TableWarning): void;
}

export interface OpenedSheet {
  readonly sheet: string;
  readonly sheets: readonly string[];
  readonly batches: AsyncGenerator<RawRow[]>;
}

/**
 * We read sheets ourselves because the available libraries return numbers without their format, so that 00543 becomes
 * 543, and don't limit what they inflate.
 */
export async function openXlsx(file: Blob, options: XlsxOptions): Promise<OpenedSheet> {
  const archive = await openArchive(file, options.inflatedBytesMax);
  if (archive === undefined) throw new TableError({ code: 'WORKBOOK_DAMAGED', part: 'zip' });
  const workbook = await readWorkbook(archive);
  if (workbook === undefined) {
    throw new TableError({ code: 'NOT_A_TABLE', seems: archiveLookalike(archive.names) });
  }
  const { name, part } = chooseSheet(workbook, options.sheet);
  const { isFrom1904, isToBeCalculated, stylesPart, sharedStringsPart } = workbook;
  const styles = await readStyles(archive, stylesPart);
  const sharedStrings = await readSharedStrings(archive, sharedStringsPart);
  const { columnsMax, rowCharactersMax, warn } = options;
  const mergedCells = await readMergedCells(archive, part);
  const values = { part, sharedStrings, styles, isFrom1904, isToBeCalculated };
  const context = { ...values, mergedCells, columnsMax, rowCharactersMax, warn };
  return {
    sheet: name,
    sheets: workbook.sheets.map((sheet) => sheet.name),
    batches: sheetRows(archive.read(part), context),
  };
}
