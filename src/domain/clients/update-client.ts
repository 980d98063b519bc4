import type { Scope } from '../../contract/scopes.js';
import {
  type ClientDetails,
  endTokens,
  getClientDetails,
  lockClient,
  updateClient as storeClient,
} from '../../storage/access/clients.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { isStorableId } from './client-id.js';
import { clientNotFound } from './stored-client.js';

export interface ClientChange {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly isActive?: boolean;
}

export async function updateClient(
  { database }: Context,
  id: string,
  change: ClientChange,
  caller: Caller,
): Promise<Result<{ client: ClientDetails }>> {
  if (!isStorableId(id)) return clientNotFound();
  return transaction(database, async (tx): Promise<Result<{ client: ClientDetails }>> => {
    const before = await lockClient(tx, id);
    if (!before) return clientNotFound();
    await storeClient(tx, { ...before, ...change });
    const client = (await getClientDetails(tx, id)) as ClientDetails;
    // Also on re-enabling, so that nodes which still cache the client as disabled read it again when a new token
    // arrives.
    if (client.isActive !== before.isActive) await endTokens(tx, id);
    const fields = (['name', 'scopes', 'isActive'] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(client[field]),
    );
    if (fields.length > 0) {
      const detail = Object.fromEntries(
        fields.map((field) => [field, { before: before[field], after: client[field] }]),
      );
      await recordAccess(tx, 'client.changed', caller, { clientId: id, detail });
    }
    return { ok: true, client };
  });
}
