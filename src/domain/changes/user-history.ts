import type { Failure } from '../../contract/errors.js';
import { type Change, hasHistory } from '../../storage/changes/changes.js';
import type { Context } from '../context.js';
import type { Page, PageRequest } from '../cursor.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { listChanges } from './list-changes.js';

/** The history of a user, including removed users. */
export async function userHistory(
  context: Context,
  userSerial: string,
  page: PageRequest,
): Promise<Page<Change> | { readonly ok: false; readonly failure: Failure }> {
  const isKnown = isSerial(userSerial) && (await hasHistory(context.database.pool, userSerial));
  return isKnown ? listChanges(context, { userSerial }, page) : { ok: false, failure: noSuchSerial() };
}
