import { listWebhooks as readWebhooks, type Webhook } from '../../storage/delivery/webhooks.js';
import type { Context } from '../context.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';

export function listWebhooks({ database }: Context, page: PageRequest): Promise<Page<Webhook>> {
  const list = { name: 'webhooks', filters: {}, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readWebhooks(database.pool, { afterId, limit }));
}
