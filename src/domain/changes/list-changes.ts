import type { Failure } from '../../contract/errors.js';
import {
  type Change,
  type ChangeFilters,
  hasHistory,
  listChanges as readChanges,
} from '../../storage/changes/changes.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial, noSuchSerial } from '../serial.js';

/** Newest first. */
export async function listChanges(
  database: Database,
  filters: ChangeFilters,
  page: PageRequest,
): Promise<Page<Change>> {
  // IDs are opaque to callers: text in another format simply matches nothing.
  const ids = [filters.userSerial, filters.callId];
  if (ids.some((id) => id !== undefined && !isSerial(id))) return { ok: true, items: [], nextCursor: null };
  const list = {
    name: 'changes',
    filters,
    isKey: (text: string) => /^\d{1,18}$/.test(text),
    keyOf: ({ sequence }: Change) => String(sequence),
  };
  return pageByKey(page, list, (before, limit) => readChanges(database.pool, { filters, before, limit }));
}

/** The history of a user, including removed users. */
export async function userHistory(
  database: Database,
  userSerial: string,
  page: PageRequest,
): Promise<Page<Change> | { readonly ok: false; readonly failure: Failure }> {
  const isKnown = isSerial(userSerial) && (await hasHistory(database.pool, userSerial));
  return isKnown ? listChanges(database, { userSerial }, page) : { ok: false, failure: noSuchSerial() };
}
