import {
  type AccessEvent,
  type AccessEventFilters,
  listAccessEvents as readEvents,
} from '../../storage/access/access-events.js';
import type { Database } from '../../storage/database.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';

export type { AccessEvent, AccessEventFilters };

export async function listAccessEvents(
  database: Database,
  filters: AccessEventFilters,
  page: PageRequest,
): Promise<Page<AccessEvent>> {
  if (filters.userSerial !== undefined && !isSerial(filters.userSerial)) {
    return { ok: true, items: [], nextCursor: null };
  }
  const list = { name: 'access-events', filters, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) => readEvents(database.pool, { filters, beforeId, limit }));
}
