import {
  type Delivery,
  type DeliveryFilters,
  listDeliveries as readDeliveries,
} from '../../storage/delivery/deliveries.js';
import type { Context } from '../context.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';

export type { Delivery, DeliveryFilters };

export async function listDeliveries(
  { database }: Context,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<Page<Delivery>> {
  // Serials are opaque to callers: text in another format simply matches no user.
  if (filters.userSerial !== undefined && !isSerial(filters.userSerial)) {
    return { ok: true, items: [], nextCursor: null };
  }
  const list = { name: 'deliveries', filters, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) =>
    readDeliveries(database.pool, { filters, beforeId, limit }),
  );
}
