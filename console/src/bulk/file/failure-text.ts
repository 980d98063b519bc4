import { bulkCopy } from '../../copy/bulk.js';
import type { ReadFailure } from '../state/source.js';

const copy = bulkCopy.file.failures;

/** Why a file cannot be taken, and what to do about it. */
export function failureText(failure: ReadFailure): string {
  switch (failure.code) {
    case 'NOT_A_TABLE':
      return copy.NOT_A_TABLE(failure.seems);
    case 'ENCODING_BROKEN':
    case 'QUOTE_UNFINISHED':
    case 'JSON_BROKEN':
      return copy[failure.code](failure.line);
    case 'ROW_TOO_LONG':
      return copy.ROW_TOO_LONG(failure.line, failure.max);
    case 'TOO_MANY_COLUMNS':
    case 'TOO_MANY_ROWS':
      return copy[failure.code](failure.max);
    case 'SHEET_UNKNOWN':
      return copy.SHEET_UNKNOWN(failure.sheet);
    default:
      return copy[failure.code];
  }
}
