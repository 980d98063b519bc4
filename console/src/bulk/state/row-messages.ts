import type { ServiceError } from '@rollcall/client';
import { errorMessage } from '../../components/error-message.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { Rows } from './rows.js';

/** Words the errors of a call for the rows of the file. */
export function rowMessages(rows: Rows, callRows: readonly number[]) {
  const rowOf = (position: number) =>
    bulkCopy.rowInSentence(rows.numbers[callRows[position] ?? -1] ?? position + 1);
  return ({ error, reason }: { readonly error: ServiceError; readonly reason: string }) =>
    errorMessage(error, reason, rowOf);
}
