import { type ClientDetails, getClientDetails } from '../../storage/access/clients.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { isStorableId } from './client-id.js';
import { clientNotFound } from './stored-client.js';

export async function getClient(
  { database }: Context,
  id: string,
): Promise<Result<{ client: ClientDetails }>> {
  const client = isStorableId(id) ? await getClientDetails(database.pool, id) : undefined;
  return client ? { ok: true, client } : clientNotFound();
}
