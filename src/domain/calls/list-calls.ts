import { type Call, type CallFilters, listCalls as readCalls } from '../../storage/changes/calls.js';
import type { Database } from '../../storage/database.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';

export type { Call, CallFilters };

/** Newest first. */
export function listCalls(database: Database, filters: CallFilters, page: PageRequest): Promise<Page<Call>> {
  const list = { name: 'calls', filters, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (before, limit) => readCalls(database.pool, { filters, before, limit }));
}
