import { askForToken } from './api-clients.js';
import { givenProvider } from './providers.js';
import type { Reply, TestService } from './service.js';

export interface ScimClient {
  readonly clientId: string;
  readonly path: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  sendRaw(method: string, path: string, rawBody: string): Promise<Reply>;
  bulk(operations: readonly object[], others?: object): Promise<Reply>;
}

/** An identity provider with a token. */
export async function scimClient(service: TestService): Promise<ScimClient> {
  const provider = await givenProvider(service);
  const token: string = (await askForToken(service, provider)).json.access_token;
  const send: ScimClient['send'] = (method, path, body, headers = {}) =>
    service.request(method, `/scim/v2${path}`, { token, body, headers });
  return {
    clientId: provider.clientId,
    path: provider.path,
    send,
    sendRaw: (method, path, rawBody) =>
      service.request(method, `/scim/v2${path}`, {
        token,
        rawBody,
        headers: { 'content-type': 'application/scim+json' },
      }),
    bulk: (Operations, others = {}) =>
      send('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations,
        ...others,
      }),
  };
}

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
