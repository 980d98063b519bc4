import { type Failure, failure } from '../../contract/errors.js';
import type { Scope } from '../../contract/scopes.js';
import {
  type ClientDetails,
  endTokens,
  getClientDetails,
  ignoresUnknownFields,
  insertClient,
  lockClient,
  listClients as readClients,
  rotateSecret,
  updateClient as storeClient,
} from '../../storage/access/clients.js';
import { type Database, transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { hashSecret, isStorableId, newClientId, newSecret } from './client-credentials.js';

interface ClientWithSecret {
  readonly client: ClientDetails;
  /** Returned only once. */
  readonly secret: string;
}

export interface NewClient {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly ignoresUnknownFields?: boolean | undefined;
}

export async function createClient(
  database: Database,
  { name, scopes, ignoresUnknownFields = false }: NewClient,
  caller: Caller,
): Promise<ClientWithSecret> {
  const id = newClientId();
  const secret = newSecret();
  return transaction(database, async (tx) => {
    await insertClient(tx, { id, name, scopes, ignoresUnknownFields, secretHash: hashSecret(secret) });
    await recordAccess(tx, 'client.created', caller, { clientId: id, detail: { name, scopes } });
    return { client: (await getClientDetails(tx, id)) as ClientDetails, secret };
  });
}

export async function getClient(database: Database, id: string): Promise<Result<{ client: ClientDetails }>> {
  const client = isStorableId(id) ? await getClientDetails(database.pool, id) : undefined;
  return client ? { ok: true, client } : clientNotFound();
}

export function listClients(database: Database, page: PageRequest): Promise<Page<ClientDetails>> {
  const list = { name: 'clients', filters: {}, isKey: () => true, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readClients(database.pool, { afterId, limit }));
}

/** Whether bulk calls of the client may contain unknown fields. */
export function clientIgnoresUnknown({ pool }: Database, id: string): Promise<boolean> {
  return ignoresUnknownFields(pool, id);
}

export interface ClientChange {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly isActive?: boolean;
  readonly ignoresUnknownFields?: boolean;
}

export async function updateClient(
  database: Database,
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
    const fields = (['name', 'scopes', 'isActive', 'ignoresUnknownFields'] as const).filter(
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

export async function rotateClientSecret(
  database: Database,
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

export function clientNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('ACCESS_CLIENT_NOT_FOUND', 'No client has this ID.') };
}
