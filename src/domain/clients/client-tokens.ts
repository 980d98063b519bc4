import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { clientTokensMax } from '../../contract/limits.js';
import {
  type ClientToken,
  countClientTokens,
  getClientToken,
  insertClientToken,
  listClientTokens as readTokens,
  revokeClientToken as storeRevocation,
} from '../../storage/access/client-tokens.js';
import { getClientDetails, lockClient } from '../../storage/access/clients.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { hashSecret, isStorableId, newClientToken } from './client-credentials.js';
import { clientNotFound } from './clients.js';

export interface NewToken {
  readonly name: string;
  /** Null if it works until it is revoked. */
  readonly expiresInDays: number | null;
}

interface CreatedToken {
  readonly token: ClientToken;
  /** Returned only once. */
  readonly secret: string;
}

/** Long-lived tokens are for identity providers, so their client must be one. */
export async function createClientToken(
  database: Database,
  clientId: string,
  { name, expiresInDays }: NewToken,
  caller: Caller,
): Promise<Result<CreatedToken>> {
  if (!isStorableId(clientId)) return clientNotFound();
  const secret = newClientToken();
  return transaction(database, async (tx): Promise<Result<CreatedToken>> => {
    const client = await lockClient(tx, clientId);
    if (!client) return clientNotFound();
    const problem = providerProblem(client) ?? (await countProblem(tx, clientId));
    if (problem) return { ok: false, failure: problem };
    const id = v7();
    const token = await insertClientToken(tx, {
      ...{ id, clientId, name, expiresInDays },
      tokenHash: hashSecret(secret),
    });
    await recordAccess(tx, 'client.token-created', caller, {
      clientId,
      detail: { tokenId: id, name, expiresAt: token.expiresAt },
    });
    return { ok: true, token, secret };
  });
}

export async function listClientTokens(
  database: Database,
  clientId: string,
  page: PageRequest,
): Promise<Page<ClientToken>> {
  const { pool } = database;
  if (!isStorableId(clientId) || !(await getClientDetails(pool, clientId))) return clientNotFound();
  const list = { name: 'client-tokens', filters: { clientId }, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) => readTokens(pool, clientId, { beforeId, limit }));
}

/** A token that was revoked before stays as it is. */
export async function revokeClientToken(
  database: Database,
  clientId: string,
  id: string,
  caller: Caller,
): Promise<Result<{ token: ClientToken }>> {
  if (!isStorableId(clientId) || !isSerial(id)) return tokenNotFound();
  return transaction(database, async (tx): Promise<Result<{ token: ClientToken }>> => {
    const found = await getClientToken(tx, clientId, id);
    if (!found) return tokenNotFound();
    if (await storeRevocation(tx, id)) {
      await recordAccess(tx, 'client.token-revoked', caller, {
        clientId,
        detail: { tokenId: id, name: found.name },
      });
    }
    return { ok: true, token: (await getClientToken(tx, clientId, id)) as ClientToken };
  });
}

/** Why the client can't be an identity provider. */
export function providerProblem({ scopes }: { readonly scopes: readonly string[] }): Failure | undefined {
  if (scopes.includes('scim')) return undefined;
  return failure(
    'ACCESS_CLIENT_NOT_A_PROVIDER',
    'The client lacks the scope scim. Add it to the scopes of the client, then send the request again.',
    { scope: 'scim' },
  );
}

async function countProblem(tx: Executor, clientId: string): Promise<Failure | undefined> {
  if ((await countClientTokens(tx, clientId)) < clientTokensMax) return undefined;
  return failure(
    'ACCESS_CLIENT_TOKEN_TOO_MANY',
    `The client has ${clientTokensMax} tokens that work. Revoke one that is no longer used.`,
    { limit: clientTokensMax },
  );
}

function tokenNotFound(): { readonly ok: false; readonly failure: Failure } {
  const detail = 'The client has no long-lived token with this ID.';
  return { ok: false, failure: failure('ACCESS_CLIENT_TOKEN_NOT_FOUND', detail) };
}
