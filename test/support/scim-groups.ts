import { askForToken } from './api-clients.js';
import { givenProvider } from './providers.js';
import { newId, type Reply, type RequestOptions, type TestService } from './service.js';

export interface Provider {
  readonly clientId: string;
  /** A request below /scim/v2. */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** The operations of a PATCH for a group. */
  patch(group: string, operations: readonly object[], query?: string): Promise<Reply>;
  givenGroup(fields?: object): Promise<GivenGroup>;
}

export interface GivenGroup {
  readonly id: string;
  readonly displayName: string;
}

/** An identity provider that sends requests. */
export async function aScimProvider(service: TestService, settings?: object): Promise<Provider> {
  const client = await givenProvider(service);
  if (settings) {
    const reply = await service.request('PUT', `${client.path}/scim`, { body: settings });
    if (reply.status >= 300) throw new Error(`the settings were not stored: ${reply.text}`);
  }
  const token = (await askForToken(service, client)).json.access_token;
  const request: Provider['request'] = (method, path, body, options) =>
    service.request(method, `/scim/v2${path}`, { ...(body !== undefined && { body }), token, ...options });
  return {
    clientId: client.clientId,
    request,
    get: (path) => request('GET', path),
    patch: (group, Operations, query = '') =>
      request('PATCH', `/Groups/${encodeURIComponent(group)}${query}`, { Operations }),
    async givenGroup(fields = {}) {
      const reply = await request('POST', '/Groups', { displayName: newId('Group '), ...fields });
      if (reply.status !== 201) throw new Error(`the group was not created: ${reply.text}`);
      return reply.json;
    },
  };
}

export const add = (value: unknown) => ({ op: 'add', path: 'members', value });
export const removeMember = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` });

/** The values of the members that a resource shows. */
export function valuesOf({ json }: Reply): string[] {
  return (json.members ?? []).map(({ value }: { value: string }) => value).sort();
}

export function filterBy(filter: string, query = ''): string {
  return `/Groups?filter=${encodeURIComponent(filter)}${query}`;
}

export function idsIn({ json, text }: Reply): string[] {
  if (!json.Resources) throw new Error(`this is no list: ${text}`);
  return json.Resources.map(({ id }: { id: string }) => id).sort();
}
