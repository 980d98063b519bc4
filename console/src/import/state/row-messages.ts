import type { ServiceError } from '@rollcall/client';
import { errorMessage } from '../../components/error-message.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import type { Rows } from './rows.js';

interface Failure {
  readonly error: ServiceError;
}

/** Messages for the items of a call that refer to the rows of the file. */
export function rowMessages(rows: Rows, callRows: readonly number[]): (failure: Failure) => string {
  const rowOf = (position: number) => rows.numbers[callRows[position] ?? -1] ?? position + 1;
  return ({ error }) => {
    if (error.name === 'USER_CONTACT_REQUIRED') return importCopy.contactRequired;
    if (error.name === 'USER_FIELD_REQUIRED' && error.data.field === 'name') return importCopy.nameRequired;
    return errorMessage(error, rowOf);
  };
}
