import type { Scope } from '../../contract/scopes.js';
import { type ClientDetails, getClientDetails, insertClient } from '../../storage/access/clients.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { newClientId } from './client-id.js';
import { hashSecret, newSecret } from './client-secret.js';
import type { ClientWithSecret } from './stored-client.js';

export async function createClient(
  { database }: Context,
  { name, scopes }: { readonly name: string; readonly scopes: readonly Scope[] },
  caller: Caller,
): Promise<ClientWithSecret> {
  const id = newClientId();
  const secret = newSecret();
  return transaction(database, async (tx) => {
    await insertClient(tx, { id, name, scopes, secretHash: hashSecret(secret) });
    await recordAccess(tx, 'client.created', caller, { clientId: id, detail: { name, scopes } });
    return { client: (await getClientDetails(tx, id)) as ClientDetails, secret };
  });
}
