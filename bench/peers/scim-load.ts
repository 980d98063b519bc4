import { timedMs } from '../figures.js';
import { inParallel } from '../in-parallel.js';
import { LightClient, type Reply } from '../light-client.js';
import type { Change, User } from './peer.js';

/** A SCIM service, by its base URL, whose users are known by their employee IDs. */
export interface ScimService {
  readonly url: string;
  /** Of the SCIM endpoints. */
  readonly path: string;
  readonly token: string;
  /** Whether it stores employee numbers. */
  readonly hasEmployeeNumbers: boolean;
  /** By employee ID. */
  readonly ids: Map<string, string>;
}

export type BulkKind = 'POST' | 'PUT' | 'PATCH';

interface BulkReply {
  readonly Operations?: readonly {
    readonly status: string;
    readonly bulkId?: string;
    readonly location?: string;
  }[];
}

/** In requests per second, each client on its own connection. */
export function createRate(service: ScimService, users: readonly User[], clients: number): Promise<number> {
  const requests = users.map((user) => ({ path: '/Users', body: JSON.stringify(resource(service, user)) }));
  return requestRate(service, 'POST', requests, { clients, expected: [201] });
}

export function patchRate(
  service: ScimService,
  changes: readonly Change[],
  clients: number,
): Promise<number> {
  const requests = changes.map((change) => ({
    path: `/Users/${service.ids.get(change.employeeID)}`,
    body: JSON.stringify(patch(change)),
  }));
  return requestRate(service, 'PATCH', requests, { clients, expected: [200, 204] });
}

async function requestRate(
  { url, path: base, token }: ScimService,
  method: 'POST' | 'PATCH',
  requests: readonly { readonly path: string; readonly body: string }[],
  { clients: count, expected }: { readonly clients: number; readonly expected: readonly number[] },
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: count }, () => LightClient.open(url)));
  try {
    const ms = await timedMs(() =>
      inParallel(requests, count, async ({ path, body }, lane) => {
        const reply = await clients[lane]?.send(method, `${base}${path}`, body, token);
        if (!reply || !expected.includes(reply.status)) throw new Error(`${method} failed: ${reply?.text}`);
      }),
    );
    return (requests.length / ms) * 1_000;
  } finally {
    for (const client of clients) client.close();
  }
}

/** In operations per second of one Bulk request, from the text of the request to that of the response. */
export async function bulkRate(
  service: ScimService,
  kind: BulkKind,
  users: readonly Change[],
): Promise<number> {
  const operations = users.map((user) => ({
    method: kind,
    path: kind === 'POST' ? '/Users' : `/Users/${service.ids.get(user.employeeID)}`,
    ...(kind === 'POST' && { bulkId: user.employeeID }),
    data: kind === 'PATCH' ? patch(user) : resource(service, user),
  }));
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const body = JSON.stringify({ schemas, Operations: operations });
  const client = await LightClient.open(service.url);
  let reply: Reply | undefined;
  const ms = await timedMs(async () => {
    reply = await client.post(`${service.path}/Bulk`, body, service.token);
  });
  client.close();
  const { Operations: replies = [] } = JSON.parse(reply?.text ?? '') as BulkReply;
  const done = replies.filter(({ status }) => status.startsWith('2'));
  if (done.length !== users.length) {
    throw new Error(`${done.length} of ${users.length} operations succeeded: ${reply?.text.slice(0, 300)}`);
  }
  for (const { bulkId, location } of done) {
    const id = location?.split('/').at(-1);
    if (kind === 'POST' && bulkId !== undefined && id !== undefined) service.ids.set(bulkId, id);
  }
  return (users.length / ms) * 1_000;
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function resource(
  { hasEmployeeNumbers }: ScimService,
  { employeeID, name, email, phone }: User,
): Record<string, unknown> {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ...(hasEmployeeNumbers ? [enterprise] : [])],
    userName: employeeID,
    displayName: name,
    emails: [{ value: email, type: 'work', primary: true }],
    phoneNumbers: [{ value: phone, type: 'work', primary: true }],
    active: true,
    ...(hasEmployeeNumbers && { [enterprise]: { employeeNumber: employeeID } }),
  };
}

/** As Microsoft Entra ID sends it. */
function patch({ name, phone }: User): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [
      { op: 'replace', path: 'displayName', value: name },
      { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: phone },
    ],
  };
}
