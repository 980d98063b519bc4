import { fileTexts } from '@rollcall/sheets';
import { formatNumber } from '../format.js';

/** What is wrong with a file, its columns or its cells. */
export const sheetsCopy = {
  ...fileTexts(formatNumber),
  columnNumber: (column: number) => `Column ${formatNumber(column)}`,
  columnTwice: (column: string, fields: readonly string[]) =>
    `"${column}" is matched to several fields: ${fields.join(', ')}. Choose one.`,
  fieldNotAccepted: (field: string) => `${field} can't be set here. Skip this column.`,
  columnUnknown: (field: string) => `The column for ${field} no longer exists. Choose another one.`,
  nameUnknown: (name: string) =>
    `"${name}" is not in the directory. Correct it, or decide in the step "Names" what it means.`,
};
