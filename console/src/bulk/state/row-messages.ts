import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import { inRows } from './report.js';
import type { Rows } from './rows.js';

/** Turns what the service says of the items of a call into copy about the rows of the file. */
export function rowWords(rows: Rows, callRows: readonly number[]): (detail: string) => string {
  const numberOf = (position: number) => rows.numbers[callRows[position] ?? -1] ?? position + 1;
  return (detail) => inWords(inRows(detail, numberOf, bulkCopy.rowInSentence));
}

/** A sentence of the service, with the name that people know a field by, and without what only programs know people by. */
export function inWords(detail: string): string {
  const names: Readonly<Record<string, string>> = commonCopy.fields;
  const text = detail
    .replace(/^"(\w+)"/, (found, name: string) => names[name] ?? found)
    .replace(/, serial [0-9a-f-]{36}/, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
