import { admitDeactivations } from '../../src/domain/scim/deactivation-limit.js';
import { transaction } from '../../src/storage/database.js';
import { type ApiClient, createdClient } from './api-clients.js';
import type { TestService } from './service.js';

/** A client that is an identity provider. */
export function givenProvider(service: TestService): Promise<ApiClient> {
  return createdClient(service, ['scim']);
}

export interface GivenToken {
  readonly id: string;
  readonly token: string;
  readonly path: string;
}

export async function givenToken(
  service: TestService,
  { path }: Pick<ApiClient, 'path'>,
  body: object = { name: 'Okta' },
): Promise<GivenToken> {
  const reply = await service.post(`${path}/tokens`, body);
  if (reply.status !== 201) throw new Error(`the token was not created: ${reply.text}`);
  const { id, token } = reply.json.data;
  return { id, token, path: `${path}/tokens/${id}` };
}

/** Deactivates as many users as the provider asks for, as far as the limit is concerned. */
export function deactivate({ context, database }: TestService, clientId: string, count: number) {
  return transaction(database, (tx) => admitDeactivations(context, tx, clientId, count));
}
