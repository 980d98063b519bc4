import { type ApiClient, createdClient } from './api-clients.js';
import { givenToken } from './providers.js';
import { newId, type Reply, type RequestOptions, type TestService } from './service.js';

/** A provider that sends requests. */
export class ScimProvider {
  readonly #service: TestService;
  readonly #token: string;
  readonly clientId: string;
  /** Of its client in the other API. */
  readonly path: string;

  constructor(service: TestService, token: string, { clientId, path }: Pick<ApiClient, 'clientId' | 'path'>) {
    this.#service = service;
    this.#token = token;
    this.clientId = clientId;
    this.path = path;
  }

  send(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Reply> {
    return this.#service.request(method, `/scim/v2${path}`, {
      token: this.#token,
      ...(body === undefined ? {} : { body }),
      ...options,
      headers: {
        ...(body === undefined && options.rawBody === undefined
          ? {}
          : { 'content-type': 'application/scim+json' }),
        ...options.headers,
      },
    });
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.send('POST', path, body);
  }

  put(path: string, body: unknown, options?: RequestOptions): Promise<Reply> {
    return this.send('PUT', path, body, options);
  }

  patch(path: string, ...operations: readonly object[]): Promise<Reply> {
    return this.send('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    });
  }

  patchGroup(id: string, operations: readonly object[], query = ''): Promise<Reply> {
    return this.patch(`/Groups/${encodeURIComponent(id)}${query}`, ...operations);
  }

  bulk(operations: readonly object[], others: object = {}): Promise<Reply> {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    return this.send('POST', '/Bulk', { schemas, Operations: operations, ...others });
  }

  delete(path: string): Promise<Reply> {
    return this.send('DELETE', path);
  }

  /** Creates a user and returns the resource. */
  async givenUser(fields: object = {}): Promise<Reply['json']> {
    const reply = await this.post('/Users', aResource(fields));
    if (reply.status !== 201) throw new Error(`the user was not created: ${reply.text}`);
    return reply.json;
  }

  async givenGroup(fields: object = {}): Promise<Reply['json']> {
    const reply = await this.post('/Groups', { displayName: newId('Group '), ...fields });
    if (reply.status !== 201) throw new Error(`the group was not created: ${reply.text}`);
    return reply.json;
  }
}

/** A client with the scope, and settings of a provider. */
export async function givenScimProvider(service: TestService, settings: object = {}): Promise<ScimProvider> {
  const client = await createdClient(service, ['scim']);
  const wanted = { kind: 'entra', employeeId: 'generate', ...settings };
  const reply = await service.request('PUT', `${client.path}/scim`, { body: wanted });
  if (reply.status !== 200) throw new Error(`the settings were not saved: ${reply.text}`);
  return new ScimProvider(service, (await givenToken(service, client)).token, client);
}

let count = 0;

/** A user to create, with a name of its own. */
export function aResource(fields: object = {}): object {
  const name = `user${process.pid}n${++count}`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `${name}@example.com`,
    displayName: 'Ada Lovelace',
    emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
    active: true,
    ...fields,
  };
}

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const company = 'urn:rollcall:params:scim:schemas:extension:company:2.0:User';

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
