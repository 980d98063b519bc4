import { type ClientDetails, listClients as readClients } from '../../storage/access/clients.js';
import type { Context } from '../context.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';

export function listClients({ database }: Context, page: PageRequest): Promise<Page<ClientDetails>> {
  const list = { name: 'clients', filters: {}, isKey: () => true, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readClients(database.pool, { afterId, limit }));
}
