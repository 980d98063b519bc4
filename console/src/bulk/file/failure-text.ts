import { texts } from '../../copy/index.js';
import type { ReadFailure } from '../state/source.js';

const words = texts.bulk.file.failures;

/** Why a file cannot be taken, and what to do about it. */
export function failureText(failure: ReadFailure): string {
  switch (failure.code) {
    case 'NOT_A_TABLE':
      return words.NOT_A_TABLE(failure.seems);
    case 'ENCODING_BROKEN':
    case 'QUOTE_UNFINISHED':
    case 'JSON_BROKEN':
      return words[failure.code](failure.line);
    case 'ROW_TOO_LONG':
      return words.ROW_TOO_LONG(failure.line, failure.max);
    case 'TOO_MANY_COLUMNS':
    case 'TOO_MANY_ROWS':
      return words[failure.code](failure.max);
    case 'SHEET_UNKNOWN':
      return words.SHEET_UNKNOWN(failure.sheet);
    default:
      return words[failure.code];
  }
}
