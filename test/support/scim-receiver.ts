import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import SCIMMY from 'scimmy';
import { onTestFinished } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: resources have every shape
type Resource = Record<string, any>;

interface Store {
  readonly users: Map<string, Resource>;
  readonly groups: Map<string, Resource>;
}

export interface ScimRequest {
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any;
  readonly token: string;
}

/** Instead of the answer of SCIMMY: a status, with headers and a body; nothing at all; or a broken connection. */
export type Fault =
  | number
  | 'hang'
  | 'drop'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

export interface ScimReceiver {
  readonly url: string;
  readonly store: Store;
  readonly requests: ScimRequest[];
  /** The most requests at one time. */
  readonly most: number;
  fault: ((request: ScimRequest) => Fault | undefined | Promise<Fault | undefined>) | undefined;
  user(serial: string): Resource | undefined;
  members(displayName: string): string[] | undefined;
}

export const receiverToken = 'a-token-of-the-target';

const { Error: ScimError } = SCIMMY.Types;

declareResource('users', SCIMMY.Resources.User, 'userName');

declareResource('groups', SCIMMY.Resources.Group, 'displayName');

SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser, false);

/** In memory, with the store as the context of each request. */
// biome-ignore lint/suspicious/noExplicitAny: the types of SCIMMY do not relate a resource to its handlers
function declareResource(kind: keyof Store, type: any, unique: string): void {
  type
    .ingress(({ id = randomUUID() }: Resource, data: Resource, store: Store) => {
      const all = store[kind];
      const plain = JSON.parse(JSON.stringify(data));
      const name = String(plain[unique]).toLowerCase();
      const isTaken = [...all.values()].some((each) => each.id !== id && each[unique].toLowerCase() === name);
      if (isTaken) throw new ScimError(409, 'uniqueness', 'taken');
      all.set(id, { ...plain, id });
      return all.get(id);
    })
    .egress(({ id, filter }: Resource, store: Store) => {
      const all = store[kind];
      if (!id) return filter ? filter.match([...all.values()]) : [...all.values()];
      if (!all.has(id)) throw new ScimError(404, undefined as never, 'not found');
      return all.get(id);
    })
    .degress(({ id }: Resource, store: Store) => {
      if (!store[kind].delete(id)) throw new ScimError(404, undefined as never, 'not found');
    });
  SCIMMY.Resources.declare(type);
}

/** A SCIM service made with SCIMMY, which stops with the test. */
export async function startScimReceiver(
  whenFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<ScimReceiver> {
  const store: Store = { users: new Map(), groups: new Map() };
  let [now, most] = [0, 0];
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++now);
    response.on('close', () => now--);
    const received = await read(request).catch(() => undefined);
    if (!received) return;
    receiver.requests.push(received);
    const fault = await receiver.fault?.(received);
    if (fault !== undefined) return misbehave(response, fault);
    if (received.token !== receiverToken) return send(response, 401, {});
    try {
      const [status, body] = await answer(received, store);
      send(response, status, body);
    } catch (error) {
      const status = Number((error as { status?: unknown }).status) || 500;
      send(response, status, { status: String(status), detail: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const receiver: ScimReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`,
    store,
    requests: [],
    fault: undefined,
    get most() {
      return most;
    },
    user: (serial) => [...store.users.values()].find(({ externalId }) => externalId === serial),
    members: (displayName) => {
      const group = [...store.groups.values()].find((each) => each.displayName === displayName);
      return group && (group.members ?? []).map(({ value }: Resource) => value).toSorted();
    },
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<ScimRequest> {
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: (request.url ?? '').replace('/scim/v2', ''),
    json: body === '' ? undefined : JSON.parse(body),
    token: (request.headers.authorization ?? '').replace('Bearer ', ''),
  };
}

async function answer({ method, path, json }: ScimRequest, store: Store): Promise<[number, unknown]> {
  const url = new URL(path, 'http://target');
  const [, kind, id] = url.pathname.split('/').map(decodeURIComponent);
  const type = kind === 'Groups' ? SCIMMY.Resources.Group : SCIMMY.Resources.User;
  // biome-ignore lint/suspicious/noExplicitAny: the query of a request, as SCIMMY takes it
  const query: any = Object.fromEntries(url.searchParams);
  // biome-ignore lint/suspicious/noExplicitAny: the same for both types
  const resource: any = id === undefined ? new type(query) : new type(id, query);
  switch (method) {
    case 'GET':
      return [200, await resource.read(store)];
    case 'POST':
      return [201, await resource.write(json, store)];
    case 'PUT':
      await new type(id as string).read(store);
      return [200, await resource.write(json, store)];
    case 'PATCH':
      return [200, (await resource.patch(json, store)) ?? {}];
    default:
      await resource.dispose(store);
      return [204, undefined];
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/scim+json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function misbehave(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return;
  if (fault === 'drop') response.socket?.destroy();
  else if (typeof fault === 'number') response.writeHead(fault).end('{}');
  else response.writeHead(fault.status, fault.headers).end(fault.body ?? '{}');
}
