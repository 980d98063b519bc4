import type { Scope } from '../../src/contract/scopes.js';
import { type ClientCredentials, newId, type Reply, type TestService } from './service.js';

export interface ApiClient extends ClientCredentials {
  /** The reply to the create, including the secret. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly data: any;
  readonly path: string;
}

/** Creates a client over the API, like an administrator. */
export async function createdClient(
  service: TestService,
  scopes: readonly Scope[] = ['users:read', 'users:write'],
): Promise<ApiClient> {
  const reply = await service.post('/service/clients', { name: newId('Client '), scopes });
  if (reply.status !== 201) throw new Error(`the client was not created: ${reply.text}`);
  const { data } = reply.json;
  return { data, path: `/service/clients/${data.id}`, clientId: data.id, clientSecret: data.secret };
}

/** The reply of the token endpoint, successful or not. */
export function askForToken(
  service: Pick<TestService, 'request'>,
  { clientId, clientSecret }: ClientCredentials,
  scope?: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return service.request('POST', '/oauth/token', {
    token: null,
    rawBody: new URLSearchParams({ ...form, ...(scope === undefined ? {} : { scope }) }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** The reply of the revocation endpoint. */
export function revoke(
  service: Pick<TestService, 'request'>,
  { clientId, clientSecret }: ClientCredentials,
  token: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = { token, client_id: clientId, client_secret: clientSecret };
  return service.request('POST', '/oauth/revoke', {
    token: null,
    rawBody: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}
