import { type Failure, failure } from '../../contract/errors.js';
import { type Client, getClient } from '../../storage/access/clients.js';
import type { Database } from '../../storage/database.js';
import type { ThrottledEvents } from '../audit/throttled-events.js';
import type { Sender } from '../caller.js';
import { isGeneratedClientId, isOneOf } from '../clients/client-credentials.js';
import { network } from './sign-in-guard.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type ClientAuthentication =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly failure: Failure };

export type ClientAuthenticator = (
  credentials: ClientCredentials,
  sender: Sender,
) => Promise<ClientAuthentication>;

/** How many clients and networks are distinguished per minute, so that a flood cannot fill the table. */
const groupsMax = 100;

/** Checks the client ID and secret sent to an OAuth endpoint. Records failures. */
export function createClientAuthenticator(
  database: Database,
  rejections: ThrottledEvents,
): ClientAuthenticator {
  return async ({ clientId, clientSecret }, sender) => {
    const client = await getClient(database.pool, clientId);
    if (client && !client.isDisabled && isOneOf(clientSecret, client.secretHashes)) {
      return { ok: true, client };
    }
    await recordRejection(rejections, client, clientId, sender);
    return { ok: false, failure: clientInvalid };
  };
}

async function recordRejection(
  rejections: ThrottledEvents,
  client: Client | undefined,
  shownId: string,
  sender: Sender,
): Promise<void> {
  const who = client?.id ?? 'unknown';
  const clientAndNetwork = `${who} ${network(sender.address)}`;
  const isFlood = !rejections.has(clientAndNetwork) && rejections.groups >= groupsMax;
  // An unknown ID may be a secret sent in the wrong field, so only IDs that we could have generated are recorded.
  const clientId = client?.id ?? (isGeneratedClientId(shownId) ? shownId : undefined);
  await rejections.record({
    kind: 'token.refused',
    caller: isFlood ? {} : sender,
    facts: { ...(clientId === undefined ? {} : { clientId }), detail: { reason: reasonOf(client) } },
    group: isFlood ? who : clientAndNetwork,
    rowsMax: 1,
  });
}

function reasonOf(client: Client | undefined): 'unknown-client' | 'client-disabled' | 'wrong-secret' {
  if (!client) return 'unknown-client';
  return client.isDisabled ? 'client-disabled' : 'wrong-secret';
}

const clientInvalid = failure(
  'ACCESS_CLIENT_INVALID',
  'The client ID or secret is wrong, or the client is disabled.',
);
