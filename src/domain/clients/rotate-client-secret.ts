import {
  type ClientDetails,
  endTokens,
  getClientDetails,
  lockClient,
  rotateSecret,
} from '../../storage/access/clients.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { isStorableId } from './client-id.js';
import { hashSecret, newSecret } from './client-secret.js';
import { type ClientWithSecret, clientNotFound } from './stored-client.js';

export async function rotateClientSecret(
  { database }: Context,
  id: string,
  overlapSeconds: number,
  caller: Caller,
): Promise<Result<ClientWithSecret>> {
  if (!isStorableId(id)) return clientNotFound();
  const secret = newSecret();
  return transaction(database, async (tx): Promise<Result<ClientWithSecret>> => {
    if (!(await lockClient(tx, id))) return clientNotFound();
    await rotateSecret(tx, { clientId: id, secretHash: hashSecret(secret), overlapSeconds });
    if (overlapSeconds === 0) await endTokens(tx, id);
    await recordAccess(tx, 'client.secret-rotated', caller, { clientId: id, detail: { overlapSeconds } });
    return { ok: true, client: (await getClientDetails(tx, id)) as ClientDetails, secret };
  });
}
